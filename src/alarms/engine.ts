// Traps become alarms: a batch of what came in is settled inside one transaction, then the bell is rung.

import { createHash } from 'node:crypto'
import { type AlarmWords, fromTrap, infoLevel } from '../resources/alarm.ts'
import type { Database, Transaction } from '../store/database.ts'
import type { Bell } from './bell.ts'
import { AlarmChanges, bySystem, type Fault, type Identity } from './changes.ts'
import { decide } from './decide.ts'
import { DeviceDirectory, type KnownDevice, type UnknownSenders } from './device-directory.ts'
import { EventCatalog, type EventDefinition, type NamedValue, unnamed } from './event-catalog.ts'
import { type Settled, TrapHistory } from './history.ts'
import { type Bin, bins, type Incoming, type IncomingTrap } from './incoming.ts'
import { judged } from './judging.ts'
import { LedgerPage } from './ledger.ts'
import { OpenAlarms } from './open-alarms.ts'
import { RuleBook } from './rule-book.ts'
import { RuleHits } from './rule-hits.ts'
import { ZoneTime } from './zone-time.ts'

export interface EngineSettings extends UnknownSenders {
  /** The zone in which the validity of trap rules is read. */
  readonly timeZone: string
  readonly unknownTraps: 'alarm' | 'store'
}

export const otherCategory = 15
const textLimit = 10_000
const nameLimit = 250

/** What one batch works with. */
interface Batch {
  readonly tx: Transaction
  readonly changes: AlarmChanges
  readonly hits: RuleHits
}

export class AlarmEngine {
  readonly #database: Database
  readonly #bell: Bell
  readonly #words: AlarmWords
  readonly #settings: EngineSettings
  readonly #catalog: EventCatalog
  readonly #directory: DeviceDirectory
  readonly #open: OpenAlarms
  readonly #rules: RuleBook
  /** How many datagrams ended in each bin since the start. */
  readonly binned = new Map<Bin, number>(bins.map((bin) => [bin, 0]))

  constructor(database: Database, bell: Bell, words: AlarmWords, settings: EngineSettings) {
    this.#database = database
    this.#bell = bell
    this.#words = words
    this.#settings = settings
    this.#catalog = new EventCatalog(database)
    this.#open = new OpenAlarms(database)
    this.#rules = new RuleBook(database, new ZoneTime(settings.timeZone))
    this.#directory = new DeviceDirectory(database, settings)
  }

  /** How many traps were refused because no more devices are registered. */
  get turnedAway(): number {
    return this.#directory.turnedAway
  }

  /** Answers the bin of each, in order, once all of it is on disk; `also` writes what belongs to the batch. */
  async handle(batch: readonly Incoming[], also?: (tx: Transaction) => Promise<void>): Promise<Bin[]> {
    const settled: Bin[] = []
    const page = new LedgerPage()
    await this.change(async (changes, tx) => {
      await this.#catalog.refresh(tx)
      await this.#rules.refresh(tx)
      const hits = new RuleHits()
      const history = await TrapHistory.begin(tx)
      for (const incoming of batch) {
        const outcome =
          incoming.kind === 'trap' ? await this.#settle(incoming, { tx, changes, hits }) : incoming
        const times = incoming.kind === 'rejected' ? incoming.times : 1
        page.add(outcome.bin, outcome.reason, incoming.receivedAt, incoming.sourceIp, times)
        await history.keep(incoming, outcome)
        settled.push(outcome.bin)
      }
      await history.finish()
      await page.write(tx)
      await hits.write(tx)
      await also?.(tx)
    })
    for (const [bin, n] of page.counts()) this.binned.set(bin, (this.binned.get(bin) ?? 0) + n)
    return settled
  }

  /** Runs changes of alarms in a transaction of their own and rings when the log has grown. */
  async change<T>(work: (changes: AlarmChanges, tx: Transaction) => Promise<T>): Promise<T> {
    const [result, grown, kept] = await this.#database.transaction(async (tx) => {
      const part = this.#open.begin()
      const changes = await AlarmChanges.begin(tx, this.#words, part.alarms)
      const done = await work(changes, tx)
      return [done, await changes.finish(), part] as const
    })
    kept.committed()
    if (grown) this.#bell.ring()
    return result
  }

  /** Whether a trap rule filters an alarm of the service itself. */
  async filtersOwn(fault: Fault, tx: Transaction): Promise<boolean> {
    await this.#rules.refresh(tx)
    const rule = this.#rules.find({
      oid: fault.OID,
      eventOid: fault.OID,
      deviceId: fault.identity.deviceId,
      at: fault.at,
      own: true,
      variables: [],
      values: [],
      interfaces: [],
    })
    if (!rule) return false
    const hits = new RuleHits()
    hits.add(rule.id, fault.at)
    await hits.write(tx)
    return true
  }

  async #settle(trap: IncomingTrap, { tx, changes, hits }: Batch): Promise<Settled> {
    const device = await this.#directory.find(tx, trap.agentIp ?? trap.sourceIp)
    if (typeof device === 'string') return { bin: 'refused', reason: device }
    const event = this.#catalog.find(trap.oid)
    const values = event?.read(trap.variables) ?? trap.variables.map(unnamed)
    const level = event?.level ?? infoLevel
    const identity = { deviceId: device.id, resource: resourceOf(values), alarmType: event?.oid ?? trap.oid }
    const ends = await this.#openOf(changes, event, identity)
    const seen = { ...trap, deviceId: device.id, at: trap.receivedAt }
    const rule = this.#rules.find(judged(seen, event, values, device.interfaces))
    const decision = decide({
      event,
      level,
      open: await changes.openAlarm(identity),
      endsSome: ends.length > 0,
      rule: rule?.id,
      unknownTraps: this.#settings.unknownTraps,
    })
    const common = {
      reason: decision.reason,
      deviceId: device.id,
      eventName: event?.name,
      names: namesOf(trap.variables.length, values),
    }
    // Its texts are written for an alarm that needs them: a repeat does not.
    const fault = () => describe(trap, device, event, values, identity)
    switch (decision.kind) {
      case 'raise':
        return { ...common, bin: 'raised', alarmId: await changes.raise(fault()) }
      case 'repeat':
        return {
          ...common,
          bin: 'repeated',
          alarmId: await changes.repeat(identity, level, trap.receivedAt),
        }
      case 'recover':
        return { ...common, bin: 'recovered', alarmId: await changes.recover(ends, fault(), bySystem) }
      case 'filter':
        if (rule) hits.add(rule.id, trap.receivedAt)
        return { ...common, bin: 'filtered' }
      case 'store':
        return { ...common, bin: 'stored-only' }
    }
  }

  /** The open alarms that an event ends: those of the types it recovers, on the same resource. */
  async #openOf(
    changes: AlarmChanges,
    event: EventDefinition | undefined,
    identity: Identity,
  ): Promise<Identity[]> {
    const open: Identity[] = []
    for (const oid of event?.recovers ?? []) {
      const ended = { ...identity, alarmType: this.#catalog.find(oid)?.oid ?? oid }
      if (await changes.openAlarm(ended)) open.push(ended)
    }
    return open
  }
}

function describe(
  trap: IncomingTrap,
  device: KnownDevice,
  event: EventDefinition | undefined,
  values: readonly NamedValue[],
  identity: Identity,
): Fault {
  const ifIndex = values.find(({ name }) => name === 'ifIndex')?.value
  const more = {
    deviceName: device.name,
    deviceIp: device.ip,
    // Many devices send the index alone; the name may be known from elsewhere.
    ifDescr: device.interfaces.get(ifIndex ?? '') ?? 'unnamed',
  }
  return {
    identity,
    OID: trap.oid,
    eventName: event?.name ?? trap.oid,
    originalType: fromTrap,
    deviceIp: device.ip,
    deviceName: device.name,
    alarmLevel: event?.level ?? infoLevel,
    alarmCategory: event?.category ?? otherCategory,
    alarmDesc: shorten(event?.describe(values, more) ?? `Unknown trap ${trap.oid} from ${device.name}`),
    paras: shorten(values.map(({ name, value, isKey }) => `${isKey ? '*' : ''}${name}=${value}`).join(';')),
    at: trap.receivedAt,
  }
}

/** What each variable is called; of two names the first. */
function namesOf(count: number, values: readonly NamedValue[]): (string | undefined)[] {
  const names: (string | undefined)[] = new Array(count).fill(undefined)
  for (const { position, name } of values) names[position] ??= name
  return names
}

/** The alarm's resource: what the key parameters name, in a fixed order so that fault and recovery agree. */
function resourceOf(values: readonly NamedValue[]): string {
  const keys = values.filter(({ isKey }) => isKey).map(({ name, value }) => `${name}=${value}`)
  // Several variables of one row tell the same index.
  const name = [...new Set(keys)].sort().join(';')
  if (name.length <= nameLimit) return name
  // It is part of an index, which engines limit; what is cut off still tells one resource from another.
  const rest = createHash('sha256').update(name).digest('hex').slice(0, 32)
  return `${name.slice(0, nameLimit).toWellFormed()}…${rest}`
}

const shorten = (text: string) =>
  text.length > textLimit ? `${text.slice(0, textLimit - 1).toWellFormed()}…` : text
