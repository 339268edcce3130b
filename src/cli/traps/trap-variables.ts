// The variables of a test trap: those from the command line, and plausible values for the rest.

import type { EventParameter, StandardEvent } from '../../events/event-file.ts'
import { Fault, shown } from '../../fault.ts'
import type { Variable, VariableType } from '../../snmp/variables.ts'

/** `NAME=VALUE` or `OID=TYPE:VALUE`, parsed. */
export interface Assignment {
  readonly name: string
  readonly value: string
}

const types: Readonly<Record<string, VariableType>> = {
  i: 'Integer32',
  u: 'Gauge32',
  c: 'Counter32',
  C: 'Counter64',
  s: 'OctetString',
  x: 'OctetString',
  o: 'ObjectIdentifier',
  a: 'IpAddress',
  t: 'TimeTicks',
}

export const typeHelp = `i integer, u unsigned, c Counter32, C Counter64, s text, x hex octets (0a:1b:ff), o OID, a IPv4
address, t time ticks`

const oidForm = /^\.?\d+(\.\d+)+$/
const addressForm = /^\d{1,3}(\.\d{1,3}){3}$/

export function readAssignment(text: string): Assignment {
  const cut = text.indexOf('=')
  if (cut < 1) {
    throw new Fault('invalid', `${shown(text)}: expected NAME=VALUE or OID=TYPE:VALUE, such as ifIndex=3`)
  }
  return { name: text.slice(0, cut), value: text.slice(cut + 1) }
}

/** The variables of an event in its order, those that were not set filled in; then all others that were set. */
export function variablesOf(event: StandardEvent | undefined, assigned: readonly Assignment[]): Variable[] {
  const parameters = event?.parameter ?? []
  const byOid = assigned.filter(({ name }) => oidForm.test(name))
  const byName = new Map(
    assigned.filter(({ name }) => !oidForm.test(name)).map((one) => [one.name, one.value]),
  )
  for (const name of byName.keys()) requireParameter(event, name)
  const named = event ? columns(event, byName) : []
  const others = byOid.map(({ name, value }) => typed(name.replace(/^\./, ''), value))
  // A variable that was set by its OID is not filled in again.
  const isGiven = (oid: string) =>
    others.some((other) => parameters.some((one) => within(one, oid) && within(one, other.oid)))
  return [...named.filter(({ oid }) => !isGiven(oid)), ...others]
}

const within = (parameter: EventParameter, oid: string) => `${oid}.`.startsWith(`${parameter.oid}.`)

function requireParameter(event: StandardEvent | undefined, name: string): void {
  const names = [...new Set((event?.parameter ?? []).map((parameter) => parameter.name))]
  if (names.includes(name)) return
  const known = names.length > 0 ? `expected one of ${names.join(', ')}, or an OID` : 'expected an OID'
  const of = event ? `of ${event.name}` : 'of an event without a name'
  throw new Fault('invalid', `${shown(name)} is no variable ${of}: ${known}`)
}

/** One variable per column; two parameters may come from the same one, by its value and by its row. */
function columns(event: StandardEvent, assigned: ReadonlyMap<string, string>): Variable[] {
  const parameters = event.parameter ?? []
  const row = rowOf(event, assigned)
  const byColumn = Map.groupBy(parameters, ({ oid }) => oid)
  return [...byColumn].map(([oid, those]) => {
    const index = those.find(({ fromIndex }) => fromIndex)
    const parameter = those.find(({ fromIndex }) => !fromIndex)
    const instance = index ? (assigned.get(index.name) ?? defaultText(event, index)) : row
    if (!/^\d+(\.\d+)*$/.test(instance)) {
      throw new Fault(
        'invalid',
        `${index?.name}=${shown(instance)}: expected an index such as 3 or 192.0.2.1`,
      )
    }
    const full = `${oid}.${instance}`
    const text = parameter && (assigned.get(parameter.name) ?? defaultText(event, parameter, row))
    if (!parameter || text === undefined) return { oid: full, type: 'Integer32', value: '1', hex: false }
    const value = labelled(parameter, text)
    requireNumber(parameter, value)
    return typed(full, value)
  })
}

/** The row that an event's variables stand in: the index that identifies its resource, or 0 as of a single object. */
function rowOf(event: StandardEvent, assigned: ReadonlyMap<string, string>): string {
  const index = (event.parameter ?? []).find(({ isKey, fromIndex, name }) =>
    fromIndex ? true : isKey && /index$|id$/i.test(name),
  )
  const value = index && (assigned.get(index.name) ?? defaultText(event, index))
  return value !== undefined && /^\d+(\.\d+)*$/.test(value) ? value : '0'
}

/** Translates labels such as `down` to their numbers. */
function labelled({ labels = '' }: EventParameter, text: string): string {
  const pair = labels.split(';').find((one) => one.slice(one.indexOf('=') + 1) === text)
  return pair === undefined ? text : pair.slice(0, pair.indexOf('='))
}

/** A type in front is taken at its word; without one, text is refused where devices send a number. */
function requireNumber({ name, labels }: EventParameter, text: string): void {
  if (/^(-?\d+$|[iucCsxoat]:)/.test(text)) return
  // The labels of a few stand for OIDs.
  const isNumber = labels
    ? /^-?\d+=/.test(labels)
    : /Index$/.test(name) || /^\d+$/.test(likelyText(name, '1') ?? '')
  if (!isNumber) return
  const words = labels?.split(';').map((one) => one.slice(one.indexOf('=') + 1))
  const expected = words ? `a number, or one of ${words.join(', ')}` : 'a number'
  throw new Fault('invalid', `${name}=${shown(text)}: expected ${expected}`)
}

/** With a type in front, or without: then the type is derived from the value. */
function typed(oid: string, text: string): Variable {
  const [, letter = '', rest = ''] = /^([iucCsxoat]):(.*)$/s.exec(text) ?? []
  const type = types[letter]
  if (type) return { oid, type, value: rest, hex: letter === 'x' }
  return { oid, type: guess(text), value: text.replace(/^\.(?=\d)/, ''), hex: false }
}

function guess(text: string): VariableType {
  if (/^-?\d{1,10}$/.test(text)) {
    const number = Number(text)
    if (number >= -0x8000_0000 && number <= 0x7fff_ffff) return 'Integer32'
    return number > 0 && number <= 0xffff_ffff ? 'Gauge32' : 'OctetString'
  }
  if (addressForm.test(text)) return 'IpAddress'
  return oidForm.test(text) && text.split('.').length > 4 ? 'ObjectIdentifier' : 'OctetString'
}

const someColumn = '1.3.6.1.2.1.2.2.1.10.1'

/**
 * Values that a device might have sent; the first form that the name has counts. Addresses are those kept for examples.
 */
const likely: readonly (readonly [RegExp, (row: string) => string])[] = [
  [/^ifDescr$|IfDescr$/, (row) => `GigabitEthernet0/${row}`],
  [/^upsEstimatedMinutesRemaining$/, () => '42'],
  [/^upsSecondsOnBattery$/, () => '60'],
  [/^upsConfigLowBattTime$/, () => '5'],
  [/^alarmValue$|AbsValue$/, () => '9200'],
  [/RisingThreshold$/, () => '9000'],
  [/FallingThreshold$/, () => '1000'],
  [/alarmVariable$/i, () => `o:${someColumn}`],
  [/OID$/, () => `o:${someColumn}`],
  [/ConsumptionPower$/, () => '370'],
  [/LastError$/, () => 'x:04:00'],
  [/MacAddress$|Station$|ChassisId$/, () => 'x:00:1b:44:11:3a:b7'],
  [/IpAddr|PacketSrc$|RemoteAddr|TargetAddress$|Server$/, () => '192.0.2.1'],
  [/Rtr?Id$|RouterId$|Neighbor$|NeighAddr$|NeighborAddress$/, () => '192.0.2.2'],
  [/Origin$|Rp$/, () => '192.0.2.3'],
  [/Group$/, () => '233.252.0.1'],
  [/AreaId$|NbrArea$|Lsid$/, () => '0.0.0.1'],
  [/Text$|Detail$/, () => 'A test by belfry trap'],
  [/Trigger$/, () => 'belfry trap'],
  [/Name$|Filename$|Location$/, () => 'example'],
]

const likelyText = (name: string, row: string) => likely.find(([form]) => form.test(name))?.[1](row)

function defaultText(event: StandardEvent, parameter: EventParameter, row = '1'): string {
  const { name, labels, fromIndex } = parameter
  if (labels !== undefined) return defaultLabel(event, name, labels)
  const value = likelyText(name, row)
  if (value === undefined) return '1'
  return fromIndex && !addressForm.test(value) ? '1' : value
}

/** A fault carries bad values, its end good ones: by the words that labels use for that. */
function defaultLabel({ recovers }: StandardEvent, name: string, labels: string): string {
  const pairs = labels.split(';').map((pair) => pair.split('=', 2) as [string, string])
  const good = (recovers ?? []).length > 0 || /Admin/.test(name)
  const wanted = good
    ? /^(up|ok|active|established|full|enabled|on battery|unlocked)$/
    : /down|fail|on battery|idle|lost|inactive|critical|jabbering/i
  const [value] = pairs.find(([, word]) => wanted.test(word)) ?? pairs[0] ?? ['1']
  return value.includes('.') ? `o:${value}` : value
}
