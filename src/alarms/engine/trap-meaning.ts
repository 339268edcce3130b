// Interprets a trap by the definition of its event: the identity, level and texts of its alarm.

import { createHash } from 'node:crypto'
import type { EventCatalog, EventDefinition, TrapEffect } from '../../events/event-catalog.ts'
import { fullName, type NamedValue } from '../../events/naming.ts'
import { foundByAsking, fromService, fromSyslog, fromTrap, infoLevel } from '../../resources/alarms/alarm.ts'
import { interfacesOf } from '../../rules/candidate.ts'
import { type AlarmDraft, Identity } from './alarm-draft.ts'
import type { KnownDevice } from './device-directory.ts'
import type { IncomingTrap, MessageReport } from './incoming-trap.ts'
import { faultOf } from './same-faults.ts'

export const otherCategory = 15
const textLimit = 10_000
const nameLimit = 250

export interface TrapMeaning {
  readonly trap: IncomingTrap
  readonly device: KnownDevice
  readonly event: EventDefinition | undefined
  /** The name of the event, if a definition or a MIB module has one. */
  readonly name: string | undefined
  readonly values: readonly NamedValue[]
  readonly identity: Identity
  /** As the report identifies it, where its alarm is known by how another sense identified it. */
  readonly ownIdentity?: Identity
  /** Whether it may raise an alarm, only ends some, or is only stored. */
  readonly effect: TrapEffect['kind']
  readonly alarmLevel: number
  readonly alarmCategory: number
  /** It ends the alarm that other traps of the same event have raised. */
  readonly endsOwn: boolean
  /** The alarms that it ends, on the same resource. */
  readonly ends: readonly Identity[]
}

const noIdentities: readonly Identity[] = []

export const meaningOf = (trap: IncomingTrap, device: KnownDevice, catalog: EventCatalog): TrapMeaning =>
  trap.message
    ? meaningOfMessage(trap, trap.message, device, catalog)
    : meaningByDefinition(trap, device, catalog.find(trap.oid), catalog)

/** A message says by itself what it does, and its parts name the resource. */
function meaningOfMessage(
  trap: IncomingTrap,
  { does, fault, key, level }: MessageReport,
  device: KnownDevice,
  catalog: EventCatalog,
): TrapMeaning {
  const port = key.get('ifDescr')
  // Of a stack, several members may have a port of this name.
  const index = port === undefined || key.has('unit') ? undefined : device.ports.indexOf(port)
  const variables = index === undefined ? trap.variables : [...trap.variables, ifIndexVariable(index)]
  const meaning = meaningByDefinition({ ...trap, variables }, device, catalog.find(trap.oid), catalog)
  const parts = Array.from(key, ([name, value]) =>
    name === 'ifDescr' && index !== undefined ? `ifIndex=${index}` : `${name}=${value}`,
  )
  const { event, identity: ofEvent } = meaning
  const identity = new Identity(device.id, device.ip, boundedName(parts.sort().join(';')), ofEvent.alarmType)
  const isStored = event?.storeOnly === true
  const shared = { ...meaning, identity, endsOwn: false, ends: noIdentities }
  if (does === 'raise')
    return { ...shared, effect: isStored ? 'store' : 'alarm', alarmLevel: level ?? event?.level ?? infoLevel }
  const recovered = faultsOf([fault, ...(event?.recovers ?? [])], catalog)
  return {
    ...shared,
    effect: isStored ? 'store' : 'end',
    alarmLevel: infoLevel,
    ends: recovered.map((oid) => identity.ofType(oid)),
  }
}

const ifIndexVariable = (index: string) => ({
  oid: `1.3.6.1.2.1.2.2.1.1.${index}`,
  type: 'Integer32',
  value: index,
})

/** Also as they were known to versions that kept each notification's alarms apart. */
function faultsOf(oids: readonly string[], catalog: EventCatalog): string[] {
  const known = oids.map((oid) => catalog.find(oid)?.oid ?? oid)
  return [...new Set([...known.map(faultOf), ...known])]
}

/** The same with a definition that need not be in the catalogue. */
export function meaningByDefinition(
  trap: IncomingTrap,
  device: KnownDevice,
  event: EventDefinition | undefined,
  catalog: EventCatalog,
): TrapMeaning {
  const values = catalog.read(event, trap.variables)
  const identity = new Identity(device.id, device.ip, resourceOf(values), faultOf(event?.oid ?? trap.oid))
  const effect = event?.effectOf(values)
  const recovers = effect?.ends === 'none' ? [] : event?.recovers
  const recovered = recovers ? faultsOf(recovers, catalog).map((oid) => identity.ofType(oid)) : noIdentities
  return {
    trap,
    device,
    event,
    name: event?.name ?? catalog.notification(trap.oid)?.name,
    values,
    identity,
    effect: effect?.kind ?? 'alarm',
    alarmLevel: effect?.level ?? infoLevel,
    alarmCategory: event?.category ?? otherCategory,
    endsOwn: effect?.ends === 'own',
    ends: effect?.ends === 'own' ? [identity, ...recovered] : recovered,
  }
}

/** Called only when an alarm is raised: composing the texts is expensive, and a repeat does not need them. */
export function draftOf(meaning: TrapMeaning): AlarmDraft {
  const { trap, device, event, name, values, identity, alarmLevel, alarmCategory } = meaning
  const ifIndex = values.find(({ name }) => name === 'ifIndex')?.value
  const parameters = {
    deviceName: device.name,
    deviceIp: device.ip,
    // Many devices send only the index; the inventory may know the name.
    ifDescr: device.interfaces.get(ifIndex ?? '') ?? 'unnamed',
    // Messages name their port; its index may be unknown.
    ...(trap.message && { ifIndex: 'unknown' }),
  }
  const [ifDesc] = interfacesOf(values, device.interfaces)
  return {
    identity,
    OID: trap.oid,
    eventName: name ?? trap.oid,
    originalType: originOf(trap),
    deviceIp: device.ip,
    deviceName: device.name,
    alarmLevel,
    alarmCategory,
    alarmDesc: shorten(
      `${
        event?.describe(values, parameters) ??
        textWithoutDefinition(name ?? `Unknown trap ${trap.oid}`, device.name, values)
      }${trap.found === undefined ? '' : `: ${foundByAsking} (${trap.found})`}`,
    ),
    paras: shorten(values.map((one) => `${one.isKey ? '*' : ''}${fullName(one)}=${one.value}`).join(';')),
    ifIndex: indexOf(ifIndex),
    ifDesc: ifDesc?.slice(0, nameLimit) ?? null,
    outOfReach: meansOutOfReach(event?.outOfReach ?? false, alarmCategory, indexOf(ifIndex)),
    at: trap.receivedAt,
  }
}

const originOf = ({ message, found }: IncomingTrap) => {
  if (found !== undefined) return fromService
  return message ? fromSyslog : fromTrap
}

/** Devices may send anything as an index. */
const indexOf = (text: string | undefined) =>
  text !== undefined && /^\d{1,10}$/.test(text) ? BigInt(text) : null

const interfaceCategory = 3

/** An interface alarm that does not name its interface says nothing about reachability. */
export const meansOutOfReach = (flag: boolean, alarmCategory: number, ifIndex: bigint | null) =>
  flag && (alarmCategory !== interfaceCategory || ifIndex !== null)

/** Names the event and those variables for which a MIB module has names. */
function textWithoutDefinition(name: string, deviceName: string, values: readonly NamedValue[]): string {
  const named = values.filter(({ name: variable }) => !/^\d/.test(variable))
  const parameters = named.map((one) => `${fullName(one)} ${one.value}`).join(', ')
  return `${name} from ${deviceName}${parameters === '' ? '' : `: ${parameters}`}`
}

/** The name of each variable; if it has several, the first. */
export function namesOf({ trap, values }: TrapMeaning): (string | undefined)[] {
  const names: (string | undefined)[] = new Array(trap.variables.length).fill(undefined)
  for (const one of values) names[one.position] ??= fullName(one)
  return names
}

/** The alarm's resource: the key parameters, sorted so that fault and recovery agree. */
function resourceOf(values: readonly NamedValue[]): string {
  const keys = values.filter(({ isKey }) => isKey).map(({ name, value }) => `${name}=${value}`)
  // Variables of one table row carry the same index.
  return boundedName([...new Set(keys)].sort().join(';'))
}

function boundedName(name: string): string {
  if (name.length <= nameLimit) return name
  // Database indexes limit the length of a key: a hash of the rest still distinguishes resources.
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 32)
  return `${name.slice(0, nameLimit).toWellFormed()}…${hash}`
}

export const shorten = (text: string) =>
  text.length > textLimit ? `${text.slice(0, textLimit - 1).toWellFormed()}…` : text

/** How many traps there are of each device. */
export function trapsByDevice(meanings: Iterable<TrapMeaning>): Map<bigint, number> {
  const traps = new Map<bigint, number>()
  for (const { device } of meanings) traps.set(device.id, (traps.get(device.id) ?? 0) + 1)
  return traps
}
