// What traps and syslog messages call the same thing, where they identify it differently: traps have the row of a table, and
// messages the name that is printed on it.

import type { TrapMeaning } from './trap-meaning.ts'

export interface FaultName {
  readonly name: string
  /** Whether one thing of a device has this name, as far as is known; otherwise an end alone is not taken for its end. */
  readonly isSure: boolean
}

type Named = Pick<TrapMeaning, 'trap' | 'event' | 'values' | 'identity'>

const ospfNeighbour = '1.3.6.1.2.1.14.16.2.2'
const isisAdjacency = '1.3.6.1.2.1.138.0.17'
const ldpSessions = new Set(['1.3.6.1.2.1.10.166.4.0.3', '1.3.6.1.2.1.10.166.4.0.4'])
const bfdSession = '1.3.6.1.2.1.222.0.2'
const fan = '1.3.6.1.4.1.32473.514.1.1'
const powerSupply = '1.3.6.1.4.1.32473.514.1.2'
const none: readonly FaultName[] = []

export function faultNamesOf(meaning: Named): readonly FaultName[] {
  const { message } = meaning.trap
  const names = message ? ofMessage(meaning, message) : ofTrap(meaning)
  return names.length === 0
    ? none
    : names.filter(({ name }, at) => names.findIndex((one) => one.name === name) === at)
}

function ofMessage({ identity }: Named, { fault, key }: NonNullable<Named['trap']['message']>): FaultName[] {
  const neighbour = key.get('neighbour')
  switch (fault) {
    case ospfNeighbour:
      return unsure('ospf', key.get('ospfNbrRtrId'))
    case isisAdjacency: {
      const port = /(?:^|;)ifIndex=(\d+)/.exec(identity.resource)?.[1]
      return [...sure('isis port', port), ...sure('isis', systemId(neighbour))]
    }
    case bfdSession:
      return sure('bfd', addressIn(neighbour))
    case fan:
      return sure('fan', partName('fan', key.get('fan')))
    case powerSupply:
      return sure('power', partName('power', key.get('powerSupply')))
    default:
      return ldpSessions.has(fault) ? sure('ldp', addressIn(neighbour)) : []
  }
}

function ofTrap({ event, identity, values, trap }: Named): FaultName[] {
  const textOf = (wanted: string) => values.find(({ name }) => name === wanted)?.value
  if (identity.alarmType === ospfNeighbour)
    return [...unsure('ospf', textOf('ospfNbrIpAddr')), ...unsure('ospf', textOf('ospfNbrRtrId'))]
  if (identity.alarmType === isisAdjacency)
    return [
      ...sure('isis port', textOf('isisNotificationCircIfIndex')),
      ...sure('isis', systemId(textOf('isisPduLspId'))),
    ]
  // The row is the own identifier, a number, and the identifier of the neighbour: its address and the label space.
  if (ldpSessions.has(trap.oid))
    return sure('ldp', textOf('mplsLdpSession')?.split('.').slice(-6, -2).join('.'))
  const kind = event && kindOf(event.name)
  if (kind === undefined) return []
  if (kind === 'bfd')
    return sure(
      kind,
      values.flatMap(({ name, value }) => (ofNeighbour.test(name) ? (addressIn(value) ?? []) : []))[0],
    )
  const parts = values.map(({ name, value }) =>
    partName(kind, numbers.test(name) ? `${kind} ${value}` : value),
  )
  return sure(
    kind,
    parts.find((part) => part !== undefined),
  )
}

/** What an event of a vendor is about, by the words of its name. */
function kindOf(name: string): 'fan' | 'power' | 'bfd' | undefined {
  if (otherFaults.test(name)) return undefined
  if (
    /(?:^fan|(?:^|[a-z\d_])(?:Fan|FAN|Blower))(?![a-z])|(?:Fan|^fan)(?:fail|fault|err|ok|normal|bad|good|stat)/.test(
      name,
    )
  )
    return 'fan'
  if (
    /power_?suppl|redundantsuppl|suppstat|(?:^|[a-z\d_])(?:PSU|Psu|PEM|Pem)(?![a-z])|^psu(?![a-z])/i.test(
      name,
    )
  )
    return 'power'
  return /bfd/i.test(name) ? 'bfd' : undefined
}

/** Faults of a fan or a power supply that works. */
const otherFaults =
  /temp|redundancy|volt|audit|policy|predict|airflow|runtime|performance|direction|balance|mismatch|firmware|current/i
const ofNeighbour = /peer|remote|neighbou?r|nbr|dest|dst/i
/** Variables whose value is the number of a part. */
const numbers = /(?:fan|psu|supply|ps|supplyslot)_?(?:num|number|id)$/i

const sure = (of: string, what: string | undefined): FaultName[] =>
  what ? [{ name: `${of} ${what}`, isSure: true }] : []
const unsure = (of: string, what: string | undefined): FaultName[] =>
  what ? [{ name: `${of} ${what.slice(0, longest)}`, isSure: false }] : []

const longest = 60
const ipv4 = /^\d{1,3}(?:\.\d{1,3}){3}(?=$|:\d)/
const ipv6 = /^[\da-f:.]+$/i

/** An address; what LDP adds to it is left out. */
function addressIn(text: string | undefined): string | undefined {
  if (text === undefined || text.length > longest) return undefined
  return ipv4.exec(text)?.[0] ?? (text.includes(':') && ipv6.test(text) ? text.toLowerCase() : undefined)
}

/** The system id of IS-IS, the first six octets: `0100.9900.0002`, `01:00:99:00:00:02:00:00`. */
function systemId(text: string | undefined): string | undefined {
  if (text === undefined || !/^[\da-f]{2,4}(?:[.: -]?[\da-f]{2,4}){2,7}$/i.test(text.slice(0, longest)))
    return undefined
  const digits = text.replace(/[^\da-f]/gi, '').toLowerCase()
  return digits.length >= 12 && digits.length <= 16 ? digits.slice(0, 12) : undefined
}

/** Words that say no more than that it is such a part. */
const plain: Readonly<Record<'fan' | 'power', ReadonlySet<string>>> = {
  fan: new Set(['fan', 'fans', 'blower', 'in', 'slot', 'module', 'unit', 'number', 'no']),
  power: new Set(
    ['power', 'supply', 'supplies', 'powersupply', 'ps', 'psu', 'pem', 'pwr', 'in', 'slot', 'module'].concat([
      'unit',
      'number',
      'no',
    ]),
  ),
}
/** Words for the power supply that a fan is in. */
const inSupply = new Set(['power', 'supply', 'powersupply', 'ps', 'psu', 'pem'])
const places =
  /^(?:\d{1,4}|[a-d]|left|right|front|rear|back|top|bottom|upper|lower|side|middle|main|redundant|internal|external|tray|chassis|system|cpu|switch|supply)$/

/** One spelling of `Fan 1`, `FAN# 1`, `FAN: Fan 1 @ 0/0/0`, of `PEM 1`, `PS1` and `Power Supply 1`; undefined if it names none. */
export function partName(kind: 'fan' | 'power', text: string | undefined): string | undefined {
  if (text === undefined || text.length > longest) return undefined
  const [named = ''] = text.toLowerCase().split('@')
  const words = named.match(/[a-z]+|\d+/g) ?? []
  const isMeant =
    kind === 'fan' ? /fan|blower/.test(named) : words.some((word) => inSupply.has(word) || word === 'pwr')
  if (!isMeant || (kind === 'power' && /fan/.test(named))) return undefined
  const told = words.flatMap((word) => {
    if (word === 'fantray') return ['tray']
    if (kind === 'fan' && inSupply.has(word)) return ['supply']
    return plain[kind].has(word)
      ? []
      : [/^\d+$/.test(word) ? String(Number(word)) : word === 'sw' ? 'switch' : word]
  })
  if (told.length === 0 || !told.every((word) => places.test(word))) return undefined
  // `power supply 1 fan` is `fan in power supply 1`.
  return [
    ...new Set(told.filter((word) => !/^\d/.test(word))),
    ...told.filter((word) => /^\d/.test(word)),
  ].join(' ')
}
