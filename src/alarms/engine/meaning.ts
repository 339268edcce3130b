// What a trap means, by the definition of its event: the identity of its alarm, and the texts.

import { createHash } from 'node:crypto'
import type { EventCatalog, EventDefinition } from '../../events/event-catalog.ts'
import { fullName, type NamedValue } from '../../events/naming.ts'
import { fromTrap, infoLevel } from '../../resources/alarms/alarm.ts'
import { interfacesOf } from '../../rules/candidate.ts'
import { type AlarmDraft, Identity } from './alarm-draft.ts'
import type { KnownDevice } from './device-directory.ts'
import type { IncomingTrap } from './incoming.ts'

export const otherCategory = 15
const textLimit = 10_000
const nameLimit = 250

export interface Meaning {
  readonly trap: IncomingTrap
  readonly device: KnownDevice
  readonly event: EventDefinition | undefined
  /** Of the event, where a definition or a module names it. */
  readonly name: string | undefined
  readonly values: readonly NamedValue[]
  readonly identity: Identity
  readonly alarmLevel: number
  readonly alarmCategory: number
  /** The alarms of the types that the event recovers, on the same resource. */
  readonly ends: readonly Identity[]
}

const nothing: readonly Identity[] = []

export const meaningOf = (trap: IncomingTrap, device: KnownDevice, catalog: EventCatalog): Meaning =>
  meaningBy(trap, device, catalog.find(trap.oid), catalog)

/** The same by a definition that need not be in the catalogue. */
export function meaningBy(
  trap: IncomingTrap,
  device: KnownDevice,
  event: EventDefinition | undefined,
  catalog: EventCatalog,
): Meaning {
  const values = catalog.read(event, trap.variables)
  const identity = new Identity(device.id, device.ip, resourceOf(values), event?.oid ?? trap.oid)
  const ends = event?.recovers.map((oid) => identity.ofType(catalog.find(oid)?.oid ?? oid))
  return {
    trap,
    device,
    event,
    name: event?.name ?? catalog.notification(trap.oid)?.name,
    values,
    identity,
    alarmLevel: event?.level ?? infoLevel,
    alarmCategory: event?.category ?? otherCategory,
    ends: ends ?? nothing,
  }
}

/** Its texts are written only for an alarm that needs them: a repeat does not. */
export function draftOf(meaning: Meaning): AlarmDraft {
  const { trap, device, event, name, values, identity, alarmLevel, alarmCategory } = meaning
  const ifIndex = values.find(({ name }) => name === 'ifIndex')?.value
  const more = {
    deviceName: device.name,
    deviceIp: device.ip,
    // Many devices send the index alone; the name may be known from elsewhere.
    ifDescr: device.interfaces.get(ifIndex ?? '') ?? 'unnamed',
  }
  const [ifDesc] = interfacesOf(values, device.interfaces)
  return {
    identity,
    OID: trap.oid,
    eventName: name ?? trap.oid,
    originalType: fromTrap,
    deviceIp: device.ip,
    deviceName: device.name,
    alarmLevel,
    alarmCategory,
    alarmDesc: shorten(
      event?.describe(values, more) ?? undefinedText(name ?? `Unknown trap ${trap.oid}`, device.name, values),
    ),
    paras: shorten(values.map((one) => `${one.isKey ? '*' : ''}${fullName(one)}=${one.value}`).join(';')),
    ifIndex: indexOf(ifIndex),
    ifDesc: ifDesc?.slice(0, nameLimit) ?? null,
    outOfReach: meansOutOfReach(event?.outOfReach ?? false, alarmCategory, indexOf(ifIndex)),
    at: trap.receivedAt,
  }
}

/** What a device sends as an index need not be one. */
const indexOf = (text: string | undefined) =>
  text !== undefined && /^\d{1,10}$/.test(text) ? BigInt(text) : null

const interfaceCategory = 3

/** An alarm that does not name its interface does not mean that anything is out of reach. */
export const meansOutOfReach = (flag: boolean, alarmCategory: number, ifIndex: bigint | null) =>
  flag && (alarmCategory !== interfaceCategory || ifIndex !== null)

/** Without a definition the text names the event and the variables that a module has names for. */
function undefinedText(name: string, deviceName: string, values: readonly NamedValue[]): string {
  const named = values.filter(({ name: called }) => !/^\d/.test(called))
  const parameters = named.map((one) => `${fullName(one)} ${one.value}`).join(', ')
  return `${name} from ${deviceName}${parameters === '' ? '' : `: ${parameters}`}`
}

/** The name of each variable; of two names the first. */
export function namesOf({ trap, values }: Meaning): (string | undefined)[] {
  const names: (string | undefined)[] = new Array(trap.variables.length).fill(undefined)
  for (const one of values) names[one.position] ??= fullName(one)
  return names
}

/** The alarm's resource: what the key parameters name, in a fixed order so that fault and recovery agree. */
function resourceOf(values: readonly NamedValue[]): string {
  const keys = values.filter(({ isKey }) => isKey).map(({ name, value }) => `${name}=${value}`)
  // Several variables of one row carry the same index.
  const name = [...new Set(keys)].sort().join(';')
  if (name.length <= nameLimit) return name
  // It is part of an index key, whose size stores limit; a hash in place of the rest still distinguishes resources.
  const rest = createHash('sha256').update(name).digest('hex').slice(0, 32)
  return `${name.slice(0, nameLimit).toWellFormed()}…${rest}`
}

export const shorten = (text: string) =>
  text.length > textLimit ? `${text.slice(0, textLimit - 1).toWellFormed()}…` : text
