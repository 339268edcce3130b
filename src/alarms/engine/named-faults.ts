// Keeps, in the store, which alarm stands for a thing that traps and syslog messages identify differently: that of
// whichever reported it first. The other one adopts it, as long as only one thing of the device has the name.

import { bulk, type Row, type SqlValue, type Transaction } from '../../store/database.ts'
import { Identity } from './alarm-draft.ts'
import { type FaultName, faultNamesOf } from './fault-names.ts'
import type { Sense } from './fault-turns.ts'
import type { IncomingTrap } from './incoming-trap.ts'
import type { TrapMeaning } from './trap-meaning.ts'

interface NamedFault {
  readonly deviceId: bigint
  readonly name: string
  readonly alarm: Identity
  /** How each sense identifies it, as text. */
  readonly by: Record<Sense, string | undefined>
  isSeveral: boolean
  changedAt: number
}

const columns = 'device_id, name, resource, alarm_type, by_trap, by_message, several, changed_at'
const selectNames = bulk(`select ${columns} from fault_name where device_id = ? and name = ?`, [
  'bigint',
  'text',
])
const upsertNames = bulk(
  `insert into fault_name (${columns}) values (?, ?, ?, ?, ?, ?, ?, ?) on conflict (device_id, name) do update set by_trap = excluded.by_trap, by_message = excluded.by_message, several = excluded.several, changed_at = excluded.changed_at`,
  ['bigint', 'text', 'text', 'text', 'text', 'text', 'bigint', 'bigint'],
)

/** What is used is written no more often than this. */
const touchedAfter = 60_000

const senseOf = ({ message }: IncomingTrap): Sense => (message ? 'message' : 'trap')
const keyOf = (deviceId: bigint, name: string) => `${deviceId} ${name}`
/** The event and the resource: the same resource may be reported under several events. */
const ownText = ({ alarmType, resource }: Identity) => `${alarmType} ${resource}`
const resourceIn = (own: string) => own.slice(own.indexOf(' ') + 1)

/** The names inside one transaction. */
export class NamedFaults {
  readonly #known: Map<string, NamedFault>
  readonly #names: ReadonlyMap<TrapMeaning, readonly FaultName[]>
  readonly #changed = new Set<NamedFault>()
  readonly #shared = new Set<string>()

  private constructor(known: Map<string, NamedFault>, names: ReadonlyMap<TrapMeaning, readonly FaultName[]>) {
    this.#known = known
    this.#names = names
  }

  static async gather(tx: Transaction, meanings: Iterable<TrapMeaning>): Promise<NamedFaults> {
    const names = new Map<TrapMeaning, readonly FaultName[]>()
    const keys = new Map<string, SqlValue[]>()
    for (const meaning of meanings) {
      const { device, effect } = meaning
      const found = effect === 'store' || device.id === 0n ? [] : faultNamesOf(meaning)
      if (found.length === 0) continue
      names.set(meaning, found)
      for (const { name } of found) keys.set(keyOf(device.id, name), [device.id, name])
    }
    const rows = keys.size === 0 ? [] : await tx.allEach(selectNames, [...keys.values()])
    const known = rows.map(namedOf).map((one): [string, NamedFault] => [keyOf(one.deviceId, one.name), one])
    return new NamedFaults(new Map(known), names)
  }

  /** The alarms that both may report, by key of the identity. */
  get shared(): ReadonlySet<string> {
    return this.#shared
  }

  /** What reports mean, each given those before it: its alarm may have been identified by the other sense. */
  resolveAll<T>(meanings: ReadonlyMap<T, TrapMeaning>): ReadonlyMap<T, TrapMeaning> {
    if (this.#names.size === 0) return meanings
    return new Map(Array.from(meanings, ([report, own]) => [report, this.#resolve(own)]))
  }

  #resolve(meaning: TrapMeaning): TrapMeaning {
    const names = this.#names.get(meaning)
    if (!names) return meaning
    return meaning.effect === 'alarm' ? this.#fault(meaning, names) : this.#end(meaning, names)
  }

  #fault(meaning: TrapMeaning, names: readonly FaultName[]): TrapMeaning {
    const { identity, trap, device } = meaning
    const sense = senseOf(trap)
    const own = ownText(identity)
    const known = names.flatMap(({ name }) => this.#known.get(keyOf(device.id, name)) ?? [])
    // What was found by asking is no report of either.
    const isReported = trap.found === undefined
    const isOther = (text: string | undefined) => text !== undefined && resourceIn(text) !== identity.resource
    if (isReported) {
      for (const one of known)
        if (isOther(one.by[sense]) && !one.isSeveral) this.#change(one, { isSeveral: true }, trap)
    }
    const same =
      known.find(({ by, isSeveral }) => !isSeveral && by[sense] === own) ??
      known.find(({ by, isSeveral }) => !isSeveral && by[sense] === undefined)
    if (same && isReported) {
      const isNew = same.by[sense] === undefined
      same.by[sense] = own
      this.#change(same, { isNew }, trap)
    }
    if (!same && isReported) {
      for (const { name } of names)
        if (!this.#known.has(keyOf(device.id, name))) this.#add(meaning, name, sense, own)
    }
    const alarm = same?.alarm ?? identity
    this.#shared.add(alarm.key)
    return alarm.key === identity.key ? meaning : { ...meaning, identity: alarm, ownIdentity: identity }
  }

  #end(meaning: TrapMeaning, names: readonly FaultName[]): TrapMeaning {
    const { trap, device, ends } = meaning
    const sense = senseOf(trap)
    const own = new Set(ends.map(ownText))
    const alarms: Identity[] = []
    for (const { name, isSure } of names) {
      const known = this.#known.get(keyOf(device.id, name))
      if (!known || known.isSeveral) continue
      const by = known.by[sense]
      if (by === undefined ? !isSure : !own.has(by)) continue
      this.#change(known, {}, trap)
      this.#shared.add(known.alarm.key)
      if (!ends.some(({ key }) => key === known.alarm.key)) alarms.push(known.alarm)
    }
    return alarms.length === 0 ? meaning : { ...meaning, ends: [...alarms, ...ends] }
  }

  #add({ identity, trap, device }: TrapMeaning, name: string, sense: Sense, own: string): void {
    const added: NamedFault = {
      ...{ deviceId: device.id, name, alarm: identity, isSeveral: false, changedAt: trap.receivedAt },
      by: { trap: undefined, message: undefined, [sense]: own },
    }
    this.#known.set(keyOf(device.id, name), added)
    this.#changed.add(added)
  }

  #change(
    one: NamedFault,
    { isSeveral = false, isNew = false }: { readonly isSeveral?: boolean; readonly isNew?: boolean },
    { receivedAt }: IncomingTrap,
  ): void {
    one.isSeveral ||= isSeveral
    if (!isNew && !isSeveral && Math.abs(receivedAt - one.changedAt) < touchedAfter) return
    one.changedAt = receivedAt
    this.#changed.add(one)
  }

  async write(tx: Transaction): Promise<void> {
    if (this.#changed.size === 0) return
    await tx.runEach(upsertNames, Array.from(this.#changed, rowOf))
    this.#changed.clear()
  }
}

const rowOf = ({ deviceId, name, alarm, by, isSeveral, changedAt }: NamedFault): SqlValue[] => [
  ...[deviceId, name, alarm.resource, alarm.alarmType, by.trap ?? null, by.message ?? null],
  ...[isSeveral ? 1 : 0, Math.round(changedAt)],
]

const textOf = (value: unknown) => (value === null ? undefined : String(value))

const namedOf = (row: Row): NamedFault => ({
  deviceId: row.device_id as bigint,
  name: String(row.name),
  alarm: new Identity(row.device_id as bigint, '', String(row.resource), String(row.alarm_type)),
  by: { trap: textOf(row.by_trap), message: textOf(row.by_message) },
  isSeveral: Number(row.several) === 1,
  changedAt: Number(row.changed_at),
})

/** As long as a block may wait to be processed. */
const retentionMs = 3_600_000
const unused =
  'changed_at < ? and not exists (select 1 from alarm where alarm.device_id = fault_name.device_id and alarm.resource = fault_name.resource and alarm.alarm_type = fault_name.alarm_type and alarm.rec_status = 0)'

/** Deletes names that were not used for an hour, and whose alarm is not open. */
export async function deleteOldNames(tx: Transaction, now: number, limit: number): Promise<number> {
  const before = now - retentionMs
  return tx.run(
    `delete from fault_name where ${unused} and changed_at <= (select max(changed_at) from (select changed_at from fault_name where ${unused} order by changed_at limit ?) oldest)`,
    [before, before, limit],
  )
}
