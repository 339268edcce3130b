// Raises and ends alarms about terminals inside a transaction: one for each terminal and port, up to a limit per
// port, and then one for the rest. Open alarms are indexed by terminal and by port; the alarms themselves decide
// whether they are open.

import type { AlarmChanges } from '../alarms/engine/alarm-changes.ts'
import { type AlarmDraft, Identity, identityOfRow, systemUser } from '../alarms/engine/alarm-draft.ts'
import { type ServiceEvent, serviceDraft } from '../alarms/service/service-alarms.ts'
import { serviceEvents } from '../events/service-events.ts'
import { bulk, type Row, type SqlValue, type Transaction } from '../store/database.ts'
import { type Place, portKey, type Sighting } from './sighting.ts'
import { whereIs } from './terminal-texts.ts'

/** The number of terminals per port that get separate alarms. */
const alarmsPerPort = 20

/** Whether a trap rule filters an alarm of the service. */
export type Filters = (draft: AlarmDraft, tx: Transaction) => Promise<boolean>

interface OpenTerminalAlarm {
  readonly alarmId: bigint
  readonly mac: string
  readonly identity: Identity
  readonly deviceIp: string
  readonly port: string
}

const columns = 'alarm_id, terminal_mac, device_id, device_ip, resource, alarm_type, port'
const ofTerminal = bulk(`select ${columns} from terminal_alarm where terminal_mac = ?`, ['text'])
const ofResource = bulk(`select ${columns} from terminal_alarm where resource = ?`, ['text'])
// Counts only open ones: an operator may have ended some.
const atPort = bulk(
  "select t.device_id, t.device_ip, t.port, count(*) as n from terminal_alarm t join alarm on alarm.id = t.alarm_id where t.device_id = ? and t.device_ip = ? and t.port = ? and t.terminal_mac <> '' and alarm.rec_status = 0 group by t.device_id, t.device_ip, t.port",
  ['bigint', 'text', 'text'],
)
const opened = bulk(`insert into terminal_alarm (${columns}) values (?, ?, ?, ?, ?, ?, ?)`, [
  'bigint',
  'text',
  'bigint',
  'text',
  'text',
  'text',
  'text',
])
const over = bulk('delete from terminal_alarm where alarm_id = ?', ['bigint'])

export function openOf(row: Row): OpenTerminalAlarm {
  const deviceIp = String(row.device_ip)
  return {
    alarmId: row.alarm_id as bigint,
    mac: String(row.terminal_mac),
    identity: identityOfRow(row),
    deviceIp,
    port: String(row.port),
  }
}

const fullPort = ({ deviceId, deviceIp }: Omit<Place, 'deviceName'>, port: string) =>
  `${deviceId} ${deviceIp} ${port}`
const conflictOf = (ip: string) => `ip=${ip}`
const conflictType = serviceEvents.addressConflict.eventOid

/** An alarm at a port of a device, rather than of the service itself. */
function draftAt(event: ServiceEvent, place: Place, resource: string, text: string, at: number): AlarmDraft {
  const draft = serviceDraft(event, resource, text, at)
  const { deviceId, deviceIp, deviceName, ifIndex, port } = place
  const { alarmType } = draft.identity
  return {
    ...draft,
    identity: new Identity(deviceId, deviceIp, resource, alarmType),
    deviceIp,
    deviceName: deviceName === '' ? deviceIp : deviceName,
    paras: resource
      .split(';')
      .map((one) => `*${one}`)
      .join(';'),
    ifIndex,
    ifDesc: port === '' ? null : port,
  }
}

export type PortEvent = 'terminalRefused' | 'terminalUnknown'

const portEvents: readonly string[] = [
  serviceEvents.terminalRefused.eventOid,
  serviceEvents.terminalUnknown.eventOid,
]

const draftOf = (event: PortEvent, mac: string, place: Place, text: string, at: number) =>
  draftAt(event, place, `terminalMac=${mac};${portKey(place)}`, text, at)

function summaryOf(place: Place, at: number): AlarmDraft {
  const text = `More than ${alarmsPerPort} terminals are refused, or have no binding, at ${whereIs(place)}: further ones have no alarm of their own`
  return draftAt('terminalsMany', place, portKey(place), text, at)
}

export class TerminalAlarms {
  readonly #tx: Transaction
  readonly #changes: AlarmChanges
  readonly #filters: Filters
  readonly #open: OpenTerminalAlarm[]
  readonly #counts: Map<string, number>
  readonly #opened = new Map<bigint, OpenTerminalAlarm>()
  readonly #over = new Set<bigint>()

  private constructor(
    [tx, changes, filters]: readonly [Transaction, AlarmChanges, Filters],
    open: OpenTerminalAlarm[],
    counts: Map<string, number>,
  ) {
    this.#tx = tx
    this.#changes = changes
    this.#filters = filters
    this.#open = open
    this.#counts = counts
  }

  /** Reads the open alarms that these sightings may change. */
  static async gather(
    scene: readonly [Transaction, AlarmChanges, Filters],
    sightings: readonly Sighting[],
  ): Promise<TerminalAlarms> {
    const [tx, changes] = scene
    const one = (values: Iterable<SqlValue>) => Array.from(new Set(values), (value) => [value])
    const addresses = sightings.flatMap(({ ip }) => (ip ? [conflictOf(ip)] : []))
    const rows = [
      ...(await tx.allEach(ofTerminal, one(sightings.map(({ mac }) => mac)))),
      ...(await tx.allEach(ofResource, one(addresses))),
    ]
    const open = new Map(rows.map((row) => [row.alarm_id as bigint, openOf(row)]))
    const ports = new Map(
      sightings.map(({ place }) => {
        const port = portKey(place)
        return [fullPort(place, port), [place.deviceId, place.deviceIp, port] as const]
      }),
    )
    const counted = await tx.allEach(atPort, [...ports.values()])
    const counts = new Map(
      counted.map((row) => {
        const place = { deviceId: row.device_id as bigint, deviceIp: String(row.device_ip) }
        return [fullPort({ ...place, ifIndex: null, port: '' }, String(row.port)), Number(row.n)]
      }),
    )
    const alarms = new TerminalAlarms(scene, [...open.values()], counts)
    await changes.gather(alarms.#wanted(sightings))
    return alarms
  }

  #wanted(sightings: readonly Sighting[]) {
    const possible = sightings.flatMap(({ mac, place, ip, at }) => [
      draftOf('terminalRefused', mac, place, '', at),
      draftOf('terminalUnknown', mac, place, '', at),
      summaryOf(place, at),
      ...(ip ? [draftAt('addressConflict', place, conflictOf(ip), '', at)] : []),
    ])
    // Any of the open alarms may end.
    return [
      ...this.#open.map(({ identity }) => ({ identity })),
      ...possible.map(({ identity }) => ({ identity })),
    ]
  }

  #isOpen = (identity: Identity) => this.#changes.openAlarm(identity) !== undefined

  /** Raises or repeats the alarm about a terminal at a port or, beyond the limit, the one about the rest. */
  async raise(event: PortEvent, { mac, place, at }: Sighting, textOf: () => Promise<string>): Promise<void> {
    const port = fullPort(place, portKey(place))
    const count = this.#counts.get(port) ?? 0
    const blank = draftOf(event, mac, place, '', at)
    if (this.#isOpen(blank.identity)) this.#changes.repeat(blank.identity, blank.alarmLevel, at)
    else if (count >= alarmsPerPort) await this.#raiseOnce(summaryOf(place, at), '', place)
    else if (await this.#raiseOnce({ ...blank, alarmDesc: await textOf() }, mac, place)) {
      this.#counts.set(port, count + 1)
    }
  }

  /** Returns whether it is new. */
  async #raiseOnce(draft: AlarmDraft, mac: string, place: Place): Promise<boolean> {
    const { identity, alarmLevel, at } = draft
    if (this.#isOpen(identity)) {
      this.#changes.repeat(identity, alarmLevel, at)
      return false
    }
    if (await this.#filters(draft, this.#tx)) return false
    const alarmId = this.#changes.raise(draft)
    const added = { alarmId, mac, identity, deviceIp: place.deviceIp, port: portKey(place) }
    this.#opened.set(alarmId, added)
    this.#open.push(added)
    return true
  }

  async raiseConflict({ mac, place, at }: Sighting, ip: string, text: string): Promise<void> {
    await this.#raiseOnce(draftAt('addressConflict', place, conflictOf(ip), text, at), mac, place)
  }

  /** Ends the alarms of a terminal that is where it may be. */
  end(mac: string, text: string, at: number): void {
    this.#end((one) => one.mac === mac && portEvents.includes(one.identity.alarmType), text, at)
  }

  /** Ends the conflict about an address that its owner uses again. */
  endConflict(ip: string, text: string, at: number): void {
    this.#end(
      ({ identity }) => identity.alarmType === conflictType && identity.resource === conflictOf(ip),
      text,
      at,
    )
  }

  /** Ends conflicts about addresses that the terminal no longer uses. */
  endConflictsOf(mac: string, now: string | null, text: string, at: number): void {
    const kept = now === null ? '' : conflictOf(now)
    this.#end(
      (one) => one.mac === mac && one.identity.alarmType === conflictType && one.identity.resource !== kept,
      text,
      at,
    )
  }

  #end(isMeant: (one: OpenTerminalAlarm) => boolean, text: string, at: number): void {
    for (const one of this.#open) {
      if (this.#over.has(one.alarmId) || !isMeant(one)) continue
      this.#over.add(one.alarmId)
      endAlarm(this.#changes, one, text, at)
    }
  }

  async write(): Promise<void> {
    const rows = [...this.#opened.values()].filter(({ alarmId }) => !this.#over.has(alarmId))
    await this.#tx.runEach(
      opened,
      rows.map(({ alarmId, mac, identity, deviceIp, port }) => [
        ...[alarmId, mac, identity.deviceId, deviceIp],
        ...[identity.resource, identity.alarmType, port],
      ]),
    )
    await forgetAlarms(this.#tx, [...this.#over])
  }
}

/** Ends an alarm whose identity was gathered, unless somebody else has ended it. */
export function endAlarm(changes: AlarmChanges, one: OpenTerminalAlarm, text: string, at: number): void {
  const { identity, deviceIp } = one
  if (changes.openAlarm(identity)?.id !== one.alarmId) return
  const event = (Object.keys(serviceEvents) as ServiceEvent[]).find(
    (name) => serviceEvents[name].eventOid === identity.alarmType,
  )
  if (event === undefined) throw new Error(`${identity.key} is no alarm about a terminal`)
  const draft = serviceDraft(event, identity.resource, text, at)
  changes.recover([identity], { ...draft, identity, deviceIp, deviceName: deviceIp }, systemUser)
}

export const forgetAlarms = (tx: Transaction, ids: readonly bigint[]): Promise<void> =>
  tx.runEach(
    over,
    ids.map((id) => [id]),
  )
