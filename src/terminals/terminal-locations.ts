// Processes sightings in order, in one transaction: where each terminal is now, where it was before, and whether that
// raises an alarm.

import type { AlarmChanges } from '../alarms/engine/alarm-changes.ts'
import { type Owner, ownersOf } from '../resources/inventory/assigned-ip-info.ts'
import { lookUpDevices } from '../resources/inventory/device.ts'
import { type Binding, bindingsOf } from '../resources/inventory/mac-access-bind.ts'
import {
  type Terminal,
  type TerminalStay,
  terminalChanged,
  terminalStays,
  terminals,
  terminalsOf,
} from '../resources/inventory/terminal.ts'
import { standing } from '../resources/inventory/terminal-standing.ts'
import type { Transaction } from '../store/database.ts'
import { nextId } from '../store/ids.ts'
import { insertAll, removeAll } from '../store/table.ts'
import type { AgeLimits } from './ageing.ts'
import { isSamePort, type Sighting } from './sighting.ts'
import { type Filters, TerminalAlarms } from './terminal-alarms.ts'
import { whereBound, whereIs, whoIs } from './terminal-texts.ts'

export class TerminalLocations {
  readonly #tx: Transaction
  readonly #keepsPast: boolean
  readonly #alarms: TerminalAlarms
  readonly #bindings: ReadonlyMap<string, Binding>
  readonly #owners: ReadonlyMap<string, Owner>
  readonly #terminals: Map<string, Terminal>
  readonly #known: ReadonlySet<string>
  readonly #changed = new Set<string>()
  readonly #stays: TerminalStay[] = []

  private constructor(
    tx: Transaction,
    keepsPast: boolean,
    alarms: TerminalAlarms,
    known: readonly [Map<string, Terminal>, ReadonlyMap<string, Binding>, ReadonlyMap<string, Owner>],
  ) {
    this.#tx = tx
    this.#keepsPast = keepsPast
    this.#alarms = alarms
    ;[this.#terminals, this.#bindings, this.#owners] = known
    this.#known = new Set(this.#terminals.keys())
  }

  static async apply(
    scene: readonly [Transaction, AlarmChanges, Filters],
    sightings: readonly Sighting[],
    { keepDays }: Pick<AgeLimits, 'keepDays'>,
  ): Promise<void> {
    const [tx] = scene
    const macs = [...new Set(sightings.map(({ mac }) => mac))]
    const addresses = [...new Set(sightings.flatMap(({ ip }) => (ip ? [ip] : [])))]
    const known = [
      await terminalsOf(tx, macs),
      await bindingsOf(tx, macs),
      await ownersOf(tx, addresses),
    ] as const
    const alarms = await TerminalAlarms.gather(scene, sightings)
    const whereabouts = new TerminalLocations(tx, keepDays > 0, alarms, known)
    for (const sighting of sightings) await whereabouts.#take(sighting)
    await whereabouts.#write()
  }

  async #take(sighting: Sighting): Promise<void> {
    const before = this.#terminals.get(sighting.mac)
    if (sighting.isGone) return this.#leave(sighting, before)
    const binding = this.#bindings.get(sighting.mac)
    const isViolation = violates(sighting, binding, before)
    const record = await this.#arrive(sighting, before, binding !== undefined, isViolation)
    await this.#reportViolation(sighting, before, binding, isViolation)
    await this.#reportConflict(sighting, record.ip)
  }

  /** A terminal has left a port only if it was last seen there: it may have appeared elsewhere before. */
  #leave({ mac, place, at, ip = null }: Sighting, before: Terminal | undefined): void {
    if (!before?.present || !isSamePort(portOfRecord(before), place)) return
    const left = { ...before, present: false, lastTime: at, ip: ip ?? before.ip }
    this.#keepStay(left)
    this.#put(left)
    this.#alarms.endConflictsOf(
      mac,
      null,
      `${whoIs(mac, this.#bindings.get(mac))} has left ${whereIs(place)}`,
      at,
    )
  }

  async #arrive(
    { mac, at, place, source, verdict, ip = null, vlan = null }: Sighting,
    before: Terminal | undefined,
    bound: boolean,
    violation: boolean,
  ): Promise<Terminal> {
    const stayed = before?.present === true && isSamePort(portOfRecord(before), place)
    if (before?.present && !stayed) this.#keepStay(before)
    const { deviceId, deviceIp, ifIndex, port } = place
    const record: Terminal = {
      id: before?.id ?? (await nextId(this.#tx, terminals.table.name)),
      terminalMac: mac,
      terminalName: '',
      maintainer: '',
      ...{ deviceId, deviceIp, ifIndex, deviceName: '' },
      port: port === '' ? null : port,
      // Keeps the address that is known for this port.
      ip: ip ?? (stayed ? before.ip : null),
      vlan: vlan ?? (stayed ? before.vlan : null),
      since: stayed ? before.since : at,
      lastTime: at,
      source,
      present: true,
      bound,
      violation,
      reason: verdict?.reason ?? (stayed ? before.reason : null),
    }
    this.#put(record)
    return record
  }

  #put(record: Terminal): void {
    this.#terminals.set(record.terminalMac, record)
    this.#changed.add(record.terminalMac)
  }

  #keepStay({ terminalMac, deviceId, deviceIp, ifIndex, port, ip, vlan, since, lastTime }: Terminal): void {
    if (!this.#keepsPast) return
    const names = { terminalName: '', maintainer: '', deviceName: '' }
    const place = { deviceId, deviceIp, ifIndex, port, ip, vlan }
    this.#stays.push({ id: 0n, terminalMac, ...names, ...place, since, lastTime })
  }

  async #reportViolation(
    sighting: Sighting,
    before: Terminal | undefined,
    binding: Binding | undefined,
    isViolation: boolean,
  ): Promise<void> {
    const { mac, place, verdict, at } = sighting
    const who = whoIs(mac, binding)
    // A sighting where it was refused is not a second refusal.
    if (isViolation && !verdict && standing(binding, place) !== 'elsewhere') return
    if (isViolation) {
      await this.#alarms.raise('terminalRefused', sighting, async () => {
        const did = verdict ? `was refused (${verdict.reason}) at` : 'was seen at'
        const was = before && !isSamePort(portOfRecord(before), place) ? await this.#wasAt(before) : ''
        return `${who} ${did} ${whereIs(place)}: ${await this.#mayBe(binding)}${was}`
      })
    } else if (verdict?.reason === 'unknown-admitted') {
      await this.#alarms.raise('terminalUnknown', sighting, async () => {
        return `${who} was admitted at ${whereIs(place)} without a binding`
      })
    } else if (verdict || isAllowed(binding, sighting)) {
      this.#alarms.end(mac, `${who} was ${verdict ? 'admitted' : 'seen'} at ${whereIs(place)}`, at)
    }
  }

  async #mayBe(binding: Binding | undefined): Promise<string> {
    const ids = binding?.ifInfo.map(({ deviceId }) => deviceId) ?? []
    return whereBound(binding, (await lookUpDevices(this.#tx, ids.slice(0, 5))).known)
  }

  async #wasAt(before: Terminal): Promise<string> {
    const { known } = await lookUpDevices(this.#tx, [before.deviceId])
    const deviceName = known.get(before.deviceId)?.label ?? ''
    return `; before, it was at ${whereIs({ ...portOfRecord(before), deviceName })}`
  }

  async #reportConflict(sighting: Sighting, ip: string | null): Promise<void> {
    const { mac, at, place } = sighting
    const who = whoIs(mac, this.#bindings.get(mac))
    this.#alarms.endConflictsOf(mac, ip, `${who} uses the address no more`, at)
    // An alarm that an earlier sighting raised is not raised again.
    const owner = sighting.ip ? this.#owners.get(sighting.ip) : undefined
    if (!owner) return
    if (owner.terminalMac === mac) {
      this.#alarms.endConflict(owner.ip, `${owner.ip} is used by ${mac}, which it belongs to`, at)
      return
    }
    const belongs = `${owner.ip} belongs to ${owner.terminalMac}${owner.name === '' ? '' : ` (${owner.name})`}`
    const text = `${belongs} and is used by ${mac} at ${whereIs(place)}`
    await this.#alarms.raiseConflict(sighting, owner.ip, text)
  }

  async #write(): Promise<void> {
    await this.#alarms.write()
    const changed = Array.from(this.#changed, (mac) => this.#terminals.get(mac) as Terminal)
    const goes = ({ present }: Terminal) => !present && !this.#keepsPast
    const isKnown = ({ terminalMac }: Terminal) => this.#known.has(terminalMac)
    await insertAll(
      this.#tx,
      terminals.table,
      changed.filter((one) => !isKnown(one) && !goes(one)),
    )
    const { toRow } = terminals.table.form
    await this.#tx.runEach(
      terminalChanged,
      changed.filter((one) => isKnown(one) && !goes(one)).map((one) => [...toRow(one), one.id]),
    )
    await removeAll(
      this.#tx,
      terminals.table,
      changed.filter((one) => isKnown(one) && goes(one)),
    )
    for (const one of this.#stays) one.id = await nextId(this.#tx, terminalStays.table.name)
    await insertAll(this.#tx, terminalStays.table, this.#stays)
  }
}

const isAllowed = (binding: Binding | undefined, { place }: Sighting) =>
  ['anywhere', 'here'].includes(standing(binding, place))

/** By the binding, or, if that does not decide it, by the answer to the switch. */
function violates(sighting: Sighting, binding: Binding | undefined, before: Terminal | undefined): boolean {
  if (sighting.verdict) return !sighting.verdict.admits
  if (isAllowed(binding, sighting)) return false
  if (standing(binding, sighting.place) === 'elsewhere') return true
  return before?.violation === true && isSamePort(portOfRecord(before), sighting.place)
}

const portOfRecord = ({ deviceId, deviceIp, ifIndex, port }: Terminal | TerminalStay) => ({
  deviceId,
  deviceIp,
  ifIndex,
  port: port ?? '',
})
