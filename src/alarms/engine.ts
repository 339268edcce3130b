// Traps become alarms: a batch of what came in is settled inside one transaction, then the bell is rung.

import { createHash } from 'node:crypto'
import { EventCatalog, type EventDefinition } from '../events/event-catalog.ts'
import { fullName, type NamedValue } from '../events/naming.ts'
import { ownEvents } from '../events/own-events.ts'
import { type AlarmWords, fromTrap, infoLevel } from '../resources/alarm.ts'
import { candidate } from '../rules/candidate.ts'
import { RuleBook } from '../rules/rule-book.ts'
import { RuleHits } from '../rules/rule-hits.ts'
import { ZoneTime } from '../rules/zone-time.ts'
import type { Actor, Database, Transaction } from '../store/database.ts'
import type { Bell } from './bell.ts'
import { AlarmChanges, type AlarmDraft, bySystem, type Identity } from './changes.ts'
import { decide } from './decide.ts'
import { DeviceDirectory, type KnownDevice, type UnknownSenders } from './device-directory.ts'
import { DeviceViews } from './device-views.ts'
import { type FlapPart, Flapping, type FlapSettings } from './flapping.ts'
import { type Settled, TrapHistory } from './history.ts'
import {
  type Bin,
  bins,
  collapseReasons,
  type Incoming,
  type IncomingTrap,
  type Rejected,
} from './incoming.ts'
import { LedgerPage } from './ledger.ts'
import { OpenAlarms } from './open-alarms.ts'
import { stormDraft } from './own-draft.ts'

export interface EngineSettings extends UnknownSenders {
  /** The zone in which the validity of trap rules is read. */
  readonly timeZone: string
  readonly unknownTraps: 'alarm' | 'store'
  readonly flapping: FlapSettings
}

export const otherCategory = 15
const textLimit = 10_000
const nameLimit = 250

/** What one batch works with. */
interface Batch {
  readonly tx: Transaction
  readonly changes: AlarmChanges
  readonly hits: RuleHits
  readonly flaps: FlapPart
}

export class AlarmEngine {
  readonly #database: Database
  readonly #bell: Bell
  readonly #words: AlarmWords
  readonly #views: DeviceViews
  readonly #settings: EngineSettings
  readonly #catalog: EventCatalog
  readonly #directory: DeviceDirectory
  readonly #open: OpenAlarms
  readonly #rules: RuleBook
  readonly #flapping: Flapping
  /** How many datagrams ended in each bin since the start. */
  readonly binned = new Map<Bin, number>(bins.map((bin) => [bin, 0]))
  /** Of those that are collapsed: why. */
  readonly collapsed = new Map<string, number>(collapseReasons.map((reason) => [reason, 0]))

  constructor(database: Database, bell: Bell, words: AlarmWords, settings: EngineSettings) {
    this.#database = database
    this.#bell = bell
    this.#words = words
    this.#views = new DeviceViews(database)
    this.#settings = settings
    this.#catalog = new EventCatalog(database)
    this.#open = new OpenAlarms(database)
    this.#flapping = new Flapping(database, settings.flapping)
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
    const flapped = await this.change(async (changes, tx) => {
      await this.#catalog.refresh(tx)
      await this.#rules.refresh(tx)
      const hits = new RuleHits()
      const flaps = await this.#flapping.begin(tx, changes)
      const history = await TrapHistory.begin(tx)
      for (const incoming of batch) {
        const outcome =
          incoming.kind === 'trap' ? await this.#settle(incoming, { tx, changes, hits, flaps }) : incoming
        if (incoming.kind === 'rejected') await this.#count(incoming, changes, tx)
        const times = incoming.kind === 'rejected' ? incoming.times : 1
        page.add(outcome.bin, outcome.reason, incoming.receivedAt, incoming.sourceIp, times)
        await history.keep(incoming, outcome)
        settled.push(outcome.bin)
      }
      await history.finish()
      await flaps.finish()
      await page.write(tx)
      await hits.write(tx)
      await also?.(tx)
      return flaps
    })
    this.#flapping.committed(flapped)
    for (const { bin, reason, n } of page.lines()) {
      this.binned.set(bin, (this.binned.get(bin) ?? 0) + n)
      if (bin === 'collapsed') this.collapsed.set(reason, (this.collapsed.get(reason) ?? 0) + n)
    }
    return settled
  }

  /** One alarm stands for the traps of a storm. */
  async #count({ storm, times, receivedAt, firstAt }: Rejected, changes: AlarmChanges, tx: Transaction) {
    if (storm === undefined) return
    const fault = stormDraft(storm, firstAt ?? receivedAt)
    let more = times
    if (!(await changes.openAlarm(fault.identity))) {
      if (await this.filtersOwn(fault, tx)) return
      await changes.raise(fault)
      more -= 1
    }
    if (more > 0) await changes.repeat(fault.identity, fault.alarmLevel, receivedAt, more)
  }

  /** Ends the flapping of alarms that have been quiet. Called now and then. */
  async endQuietFlapping(now: number): Promise<void> {
    if (!(await this.#flapping.someAreOver(now))) return
    const flapped = await this.change(async (changes, tx) => {
      const flaps = await this.#flapping.begin(tx, changes)
      await flaps.endQuiet()
      await flaps.finish()
      return flaps
    })
    this.#flapping.committed(flapped)
  }

  /** Runs changes of alarms in a transaction of their own and rings when the log has grown. */
  async change<T>(work: (changes: AlarmChanges, tx: Transaction) => Promise<T>, actor?: Actor): Promise<T> {
    const [result, grown, kept] = await this.#database.transaction(async (tx) => {
      const part = this.#open.begin()
      const changes = await AlarmChanges.begin({
        tx,
        words: this.#words,
        views: this.#views,
        open: part.alarms,
      })
      const done = await work(changes, tx)
      return [done, await changes.finish(), part] as const
    }, actor)
    kept.committed()
    if (grown) this.#bell.ring()
    return result
  }

  /** Whether a trap rule filters an alarm of the service itself. */
  async filtersOwn(fault: AlarmDraft, tx: Transaction, oid = fault.OID): Promise<boolean> {
    await this.#rules.refresh(tx)
    const rule = this.#rules.find({
      oid,
      eventOid: oid,
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

  async #settle(trap: IncomingTrap, batch: Batch): Promise<Settled> {
    const { tx, changes, hits, flaps } = batch
    const device = await this.#directory.find(tx, trap.agentIp ?? trap.sourceIp)
    if (typeof device === 'string') return { bin: 'refused', reason: device }
    const event = this.#catalog.find(trap.oid)
    const values = this.#catalog.read(event, trap.variables)
    const name = event?.name ?? this.#catalog.notification(trap.oid)?.name
    const level = event?.level ?? infoLevel
    const identity = { deviceId: device.id, resource: resourceOf(values), alarmType: event?.oid ?? trap.oid }
    const { ends, calms } = await this.#endedBy(event, identity, batch)
    const seen = { ...trap, deviceId: device.id, at: trap.receivedAt }
    const rule = this.#rules.find(candidate(seen, event, values, device.interfaces))
    // Asked first: it may raise what is then open.
    const flapsAlready = (await flaps.find(identity)) !== undefined
    const open = await changes.openAlarm(identity)
    const decision = decide({
      event,
      level,
      open,
      endsSome: ends.length > 0,
      calmsSome: calms.length > 0,
      flaps: flapsAlready,
      flapsNow: !open && !flapsAlready && flaps.isDue(identity, trap.receivedAt),
      rule: rule?.id,
      unknownTraps: this.#settings.unknownTraps,
    })
    const common = {
      reason: decision.reason,
      deviceId: device.id,
      eventName: name,
      names: namesOf(trap.variables.length, values),
    }
    // Its texts are written for an alarm that needs them: a repeat does not.
    const fault = () => describe(trap, device, event, name, values, identity)
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
        for (const ended of ends) flaps.recovered(ended, trap.receivedAt)
        for (const calmed of calms) await flaps.recovery(calmed, trap.receivedAt)
        return { ...common, bin: 'recovered', alarmId: await changes.recover(ends, fault(), bySystem) }
      case 'collapse':
        return { ...common, ...(await this.#collapse(decision.how, fault(), calms, batch)) }
      case 'filter':
        if (rule) hits.add(rule.id, trap.receivedAt)
        return { ...common, bin: 'filtered' }
      case 'store':
        return { ...common, bin: 'stored-only' }
    }
  }

  /** What an alarm that flaps is told by one that stands for it. */
  async #collapse(
    how: 'recovery' | 'fault' | 'start',
    fault: AlarmDraft,
    calms: readonly Identity[],
    { tx, changes, flaps }: Batch,
  ): Promise<Pick<Settled, 'bin' | 'alarmId'> & Partial<Settled>> {
    if (how === 'fault') return { bin: 'collapsed', alarmId: await flaps.fault(fault) }
    if (how === 'recovery') {
      let alarmId: bigint | undefined
      for (const calmed of calms) alarmId = await flaps.recovery(calmed, fault.at)
      return { bin: 'collapsed', alarmId }
    }
    const summary = flaps.summary(fault)
    // Who filters the summary wants to see what it would stand for.
    if (await this.filtersOwn(summary, tx, ownEvents.alarmFlapping.eventOid)) {
      return {
        bin: 'raised',
        reason: 'it flaps, and its summary is filtered',
        alarmId: await changes.raise(fault),
      }
    }
    return { bin: 'collapsed', alarmId: await flaps.start(fault, summary) }
  }

  /** The alarms of the types that an event recovers, on the same resource: those that are open, and those that flap. */
  async #endedBy(
    event: EventDefinition | undefined,
    identity: Identity,
    { changes, flaps }: Batch,
  ): Promise<{ ends: Identity[]; calms: Identity[] }> {
    const ends: Identity[] = []
    const calms: Identity[] = []
    for (const oid of event?.recovers ?? []) {
      const ended = { ...identity, alarmType: this.#catalog.find(oid)?.oid ?? oid }
      if ((await flaps.find(ended))?.isOpen) calms.push(ended)
      if (await changes.openAlarm(ended)) ends.push(ended)
    }
    return { ends, calms }
  }
}

function describe(
  trap: IncomingTrap,
  device: KnownDevice,
  event: EventDefinition | undefined,
  name: string | undefined,
  values: readonly NamedValue[],
  identity: Identity,
): AlarmDraft {
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
    eventName: name ?? trap.oid,
    originalType: fromTrap,
    deviceIp: device.ip,
    deviceName: device.name,
    alarmLevel: event?.level ?? infoLevel,
    alarmCategory: event?.category ?? otherCategory,
    alarmDesc: shorten(
      event?.describe(values, more) ?? undefinedText(name ?? `Unknown trap ${trap.oid}`, device.name, values),
    ),
    paras: shorten(values.map((one) => `${one.isKey ? '*' : ''}${fullName(one)}=${one.value}`).join(';')),
    at: trap.receivedAt,
  }
}

/** Without a definition the text says what came: the event, and the variables that a module has names for. */
function undefinedText(name: string, deviceName: string, values: readonly NamedValue[]): string {
  const named = values.filter(({ name: called }) => !/^\d/.test(called))
  const told = named.map((one) => `${fullName(one)} ${one.value}`).join(', ')
  return `${name} from ${deviceName}${told === '' ? '' : `: ${told}`}`
}

/** What each variable is called; of two names the first. */
function namesOf(count: number, values: readonly NamedValue[]): (string | undefined)[] {
  const names: (string | undefined)[] = new Array(count).fill(undefined)
  for (const one of values) names[one.position] ??= fullName(one)
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
