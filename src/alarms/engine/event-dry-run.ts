// Runs an event definition on the stored traps without changing anything, and counts what it would have done.

import { EventCatalog, EventDefinition } from '../../events/event-catalog.ts'
import type { MibLibrary } from '../../events/mib-library.ts'
import { chunksOf } from '../../pacing/time-slice.ts'
import { type TrapRecord, trapsOf } from '../../resources/alarms/trap.ts'
import { otherSpelling, type TrapEvent } from '../../resources/alarms/trap-event.ts'
import { type Device, devices } from '../../resources/inventory/device.ts'
import type { Database, Reader } from '../../store/database.ts'
import { find } from '../../store/table.ts'
import { type KnownDevice, withPorts } from './device-directory.ts'
import { draftOf, meaningByDefinition, type TrapMeaning } from './trap-meaning.ts'

interface Example {
  readonly trap: TrapRecord
  /** The text that its alarm would have. */
  readonly alarmDesc: string
}

export interface EventDryRun {
  /** How many stored traps of the event were examined: the newest. */
  examined: number
  /** Of these: traps that raise an alarm, that end one, that a trap rule filtered, and that are stored only. */
  alarms: number
  recoveries: number
  filtered: number
  stored: number
  /** The number of different resources; each has a separate alarm. */
  resources: number
  /** Alarms that would have been ended. */
  ended: number
  /** Alarms that are open now; they stay as they are. */
  open: number
  /** The outcomes of the traps when they were received. */
  readonly bins: Map<string, number>
  readonly examples: Example[]
}

const chunkSize = 500
const examinedLimit = 10_000
const exampleLimit = 10

/** Stops when the caller has disconnected. */
export async function dryRunEvent(
  database: Database,
  modules: MibLibrary,
  draft: TrapEvent,
  isGone: () => boolean,
): Promise<EventDryRun> {
  const catalog = new EventCatalog(database, modules)
  await catalog.refresh(database)
  const state = new DryRunState(new EventDefinition(draft), catalog)
  await state.readPastAlarms(database)
  const spellings = [draft.eventOid, otherSpelling(draft.eventOid)]
  const isOver = () => isGone() || state.result.examined >= examinedLimit
  const read = (last?: TrapRecord) => trapsOf(database, spellings, last?.id, chunkSize)
  for await (const chunk of chunksOf(chunkSize, isOver, read)) {
    for (const trap of chunk) await state.examine(database, trap)
  }
  const [open] = await database.readInBackground(
    'select count(*) as n from alarm where rec_status = 0 and alarm_type in (?, ?)',
    spellings,
  )
  return { ...state.result, open: Number(open?.n ?? 0), resources: state.resources, ended: state.ended }
}

/** An alarm that the event could have ended, from when it was raised to its end. */
interface PastAlarm {
  readonly id: bigint
  readonly from: number
  readonly until: number
}

class DryRunState {
  readonly result: EventDryRun = {
    examined: 0,
    alarms: 0,
    recoveries: 0,
    filtered: 0,
    stored: 0,
    resources: 0,
    ended: 0,
    open: 0,
    bins: new Map(),
    examples: [],
  }
  readonly #event: EventDefinition
  readonly #catalog: EventCatalog
  readonly #resources = new Set<string>()
  readonly #ended = new Set<bigint>()
  /** Resources of traps that end the alarm of an earlier trap of the same event. Traps are examined from the newest on. */
  readonly #waitingEnds = new Set<string>()
  #endedOwn = 0
  /** By type, device and resource, of which one is open at a time; newest first. */
  readonly #past = new Map<string, PastAlarm[]>()

  constructor(event: EventDefinition, catalog: EventCatalog) {
    this.#event = event
    this.#catalog = catalog
  }

  get resources(): number {
    return this.#resources.size
  }

  get ended(): number {
    return this.#ended.size + this.#endedOwn
  }

  /** The newest alarms of the events that this one ends. */
  async readPastAlarms(database: Database): Promise<void> {
    const recovered = this.#event.recovers.map((oid) => this.#catalog.find(oid)?.oid ?? oid)
    const types = this.#event.endsOwn ? [this.#event.oid, ...recovered] : recovered
    if (types.length === 0) return
    const rows = await database.readInBackground(
      `select id, alarm_type, device_id, resource, fault_time, rec_time, rec_status from alarm
       where alarm_type in (${types.map(() => '?').join(', ')}) order by id desc limit ${examinedLimit}`,
      types,
    )
    for (const row of rows) {
      const key = `${row.alarm_type} ${row.device_id} ${row.resource}`
      const until = row.rec_status === 0n ? Number.POSITIVE_INFINITY : Number(row.rec_time)
      const alarm = { id: row.id as bigint, from: Number(row.fault_time), until }
      const known = this.#past.get(key)
      if (known) known.push(alarm)
      else this.#past.set(key, [alarm])
    }
    for (const alarms of this.#past.values()) alarms.sort((a, b) => b.from - a.from)
  }

  /** The alarms open at a time, by binary search: a flapping link has thousands of them. */
  #openAt(at: number, deviceAndResource: string, types: readonly string[]): PastAlarm[] {
    return types.flatMap((type) => {
      const alarms = this.#past.get(`${type} ${deviceAndResource}`) ?? []
      let [low, high] = [0, alarms.length]
      while (low < high) {
        const middle = (low + high) >> 1
        if ((alarms[middle] as PastAlarm).from <= at) high = middle
        else low = middle + 1
      }
      const last = alarms[low]
      return last && at <= last.until ? [last] : []
    })
  }

  async examine(database: Database, trap: TrapRecord): Promise<void> {
    const { result } = this
    result.examined += 1
    result.bins.set(trap.bin, (result.bins.get(trap.bin) ?? 0) + 1)
    const meaning = this.#meaningOf(trap, senderOnly(trap))
    const outcome = this.#outcomeOf(trap, meaning)
    result[outcome] += 1
    const about = `${trap.deviceId} ${meaning.identity.resource}`
    if (outcome === 'stored' && meaning.endsOwn) this.#waitingEnds.add(about)
    if (outcome !== 'alarms') return
    if (this.#waitingEnds.delete(about)) {
      result.stored -= 1
      result.recoveries += 1
      this.#endedOwn += 1
    }
    this.#resources.add(about)
    if (result.examples.length >= exampleLimit) return
    const device = await deviceOf(database, trap)
    result.examples.push({ trap, alarmDesc: draftOf(this.#meaningOf(trap, device)).alarmDesc })
  }

  /** Checks in the same order as decide.ts. */
  #outcomeOf(
    trap: TrapRecord,
    { identity, effect, ends }: TrapMeaning,
  ): 'alarms' | 'recoveries' | 'filtered' | 'stored' {
    if (effect === 'store') return 'stored'
    const types = ends.map(({ alarmType }) => alarmType)
    const ended = this.#openAt(trap.receivedTime, `${trap.deviceId} ${identity.resource}`, types)
    for (const { id } of ended) this.#ended.add(id)
    if (ended.length > 0) return 'recoveries'
    if (trap.bin === 'filtered') return 'filtered'
    return effect === 'end' ? 'stored' : 'alarms'
  }

  #meaningOf(trap: TrapRecord, device: KnownDevice): TrapMeaning {
    const { OID: oid, receivedTime, sourceIp, version } = trap
    const variables = trap.variables.map((variable) => ({ ...variable, value: variable.value ?? '' }))
    const received = { kind: 'trap', oid, receivedAt: receivedTime, sourceIp, version, variables } as const
    return meaningByDefinition({ ...received, agentIp: undefined }, device, this.#event, this.#catalog)
  }
}

const senderOnly = ({ deviceId, sourceIp }: Pick<TrapRecord, 'deviceId' | 'sourceIp'>): KnownDevice =>
  withPorts({ id: deviceId, ip: sourceIp, name: sourceIp, interfaces: new Map() })

/** The device of a stored trap, as far as it is known. */
export async function deviceOf(
  database: Reader,
  trap: Pick<TrapRecord, 'deviceId' | 'sourceIp'>,
): Promise<KnownDevice> {
  const device = (await find(database, devices.table, trap.deviceId)) as Device | undefined
  if (!device) return senderOnly(trap)
  const interfaces = new Map(device.interfaces.map(({ ifIndex, ifDesc }) => [String(ifIndex), ifDesc]))
  return withPorts({ id: trap.deviceId, ip: device.ip, name: device.label, interfaces })
}
