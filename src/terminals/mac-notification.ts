// Decodes notifications by which switches report learnt and removed MAC addresses: CISCO-MAC-NOTIFICATION-MIB and
// HH3C-MAC-INFORMATION-MIB, with the older numbers of the latter. The changes are packed into an octet string.

import type { Variable } from '../events/naming.ts'
import { isStationMac } from '../resources/inventory/mac-entry.ts'

export interface MacChange {
  readonly mac: string
  readonly isGone: boolean
  readonly vlan: number | null
  /** Null for Cisco, which sends the bridge port instead. */
  readonly ifIndex: bigint | null
  readonly basePort: bigint | null
}

const cisco = '1.3.6.1.4.1.9.9.215'
const h3cRoots = ['1.3.6.1.4.1.25506.2.87.1', '1.3.6.1.4.1.2011.10.2.87.1', '1.3.6.1.4.1.43.45.1.10.2.87.1']

/** The objects define 254 octets at most. */
const octetLimit = 254

type Reading = (variables: readonly Variable[]) => MacChange[]

const readings = new Map<string, Reading>([
  [`${cisco}.2.0.1`, (variables) => cellsIn(variables, `${cisco}.1.1.8.1.2`, () => 11)],
  ...h3cRoots.flatMap((root): [string, Reading][] => [
    [`${root}.3.0.1`, (variables) => h3cCells(variables, `${root}.3.2.3`, `${root}.3.2.2`)],
    [`${root}.4.0.1`, (variables) => h3cCells(variables, `${root}.4.2.4`, `${root}.4.2.3`)],
    [`${root}.4.0.2`, (variables) => moved(variables, `${root}.4.2`)],
  ]),
])

/** The changes that a notification reports; none if it is not about MAC addresses. */
export const macChanges = (oid: string, variables: readonly Variable[]): MacChange[] =>
  readings.get(oid)?.(variables) ?? []

const under = (variables: readonly Variable[], object: string) =>
  variables.filter(({ oid }) => oid.startsWith(`${object}.`) || oid === object)

const numberOf = (variables: readonly Variable[], object: string) =>
  Number(under(variables, object)[0]?.value ?? Number.NaN)

/** Octets that happen to be text are decoded as text before. */
function octetsOf(value: string): Buffer {
  const text = value.slice(0, octetLimit * 3)
  return /^[0-9a-f]{2}(?::[0-9a-f]{2})*$/.test(text)
    ? Buffer.from(text.replaceAll(':', ''), 'hex')
    : Buffer.from(text, 'utf8')
}

function cellsIn(
  variables: readonly Variable[],
  object: string,
  sizeFor: (length: number) => number,
): MacChange[] {
  return under(variables, object).flatMap(({ value }) => {
    const octets = octetsOf(value)
    const size = sizeFor(octets.length)
    const cells: MacChange[] = []
    for (let start = 0; start + size <= octets.length; start += size) {
      const change = readCell(octets.subarray(start, start + size))
      // 0 marks the end.
      if (!change) break
      cells.push(change)
    }
    return cells.filter(({ mac }) => isStationMac(mac))
  })
}

/**
 * The newer form has cells of 14 octets, with the type of the address before the interface; in the older one, their
 * length follows from their number.
 */
function h3cCells(variables: readonly Variable[], object: string, counter: string): MacChange[] {
  const count = numberOf(variables, counter)
  return cellsIn(variables, object, (length) => {
    const size = count > 0 ? length / count : 14
    return [11, 13, 14].includes(size) ? size : 14
  })
}

/**
 * Operation, VLAN in two octets, the address in six; then the interface in the last four, or the bridge's port in two.
 */
function readCell(cell: Buffer): MacChange | undefined {
  const operation = cell[0]
  if (operation !== 1 && operation !== 2) return undefined
  const hasIndex = cell.length > 11
  return {
    mac: macText(cell.subarray(3, 9)),
    isGone: operation === 2,
    vlan: vlanOf(cell.readUInt16BE(1)),
    ifIndex: hasIndex ? BigInt(cell.readUInt32BE(cell.length - 4)) : null,
    basePort: hasIndex ? null : BigInt(cell.readUInt16BE(9)),
  }
}

/** One address that has appeared at another interface. */
function moved(variables: readonly Variable[], objects: string): MacChange[] {
  const octets = octetsOf(under(variables, `${objects}.5`)[0]?.value ?? '')
  const to = numberOf(variables, `${objects}.8`)
  if (octets.length !== 6 || !(to > 0)) return []
  const mac = macText(octets)
  const vlan = vlanOf(numberOf(variables, `${objects}.6`))
  return isStationMac(mac) ? [{ mac, isGone: false, vlan, ifIndex: BigInt(to), basePort: null }] : []
}

const macText = (octets: Buffer) => octets.toString('hex').replaceAll(/..(?=.)/g, '$&:')

const vlanOf = (number: number) => (number >= 1 && number <= 4094 ? number : null)
