// Determines the interface that a switch means by NAS-Port and NAS-Port-Id. Vendors write ports in many ways; an
// ambiguous port matches no interface, because a terminal must not be admitted at a port that merely looks like its
// own.

import { type Device, deviceTextAt, interfacesIn } from '../resources/inventory/device.ts'
import type { Reader } from '../store/database.ts'

interface Interface {
  readonly ifIndex: bigint
  readonly ifDesc: string
}

interface Port {
  /** Null if it could not be determined. */
  readonly ifIndex: bigint | null
  /** The interface's name, or the text that the switch sent. */
  readonly name: string
}

/** The attributes of a RADIUS packet that name the port. */
export interface NasPort {
  readonly nasPort: number | null
  readonly nasPortId: string | null
}

const noPort: Port = { ifIndex: null, name: '' }

export function portOf(interfaces: readonly Interface[], { nasPort, nasPortId }: NasPort): Port {
  const said = nasPortId ?? ''
  const number = nasPort ?? (/^\d{1,10}$/.test(said) ? Number(said) : undefined)
  if (interfaces.length === 0) return withoutInterfaces(said, number)
  // An unknown name must not be mapped to another port by an ambiguous number.
  const found = isName(said)
    ? only(byName(interfaces, said))
    : (only(byName(interfaces, said)) ?? (number === undefined ? undefined : byNumber(interfaces, number)))
  if (found) return { ifIndex: found.ifIndex, name: found.ifDesc }
  if (said !== '') return { ifIndex: null, name: said }
  return number === undefined ? noPort : { ifIndex: null, name: `NAS-Port ${number}` }
}

/** For a device without named interfaces, the number is taken as ifIndex, because there is nothing else to compare. */
function withoutInterfaces(said: string, number: number | undefined): Port {
  if (number === undefined) return said === '' ? noPort : { ifIndex: null, name: said }
  return { ifIndex: BigInt(number), name: said === '' ? `interface ${number}` : said }
}

const only = (found: readonly Interface[]) => (found.length === 1 ? found[0] : undefined)

/** H3C and Huawei: slot=1;subslot=0;port=3;vlanid=10 */
const slotForm = /slot=(\d{1,4});subslot=(\d{1,4});port=(\d{1,4})/i

const isName = (said: string) => slotForm.test(said) || (partsOf(said)?.letters ?? '') !== ''

function byName(interfaces: readonly Interface[], said: string): Interface[] {
  if (said === '') return []
  const wanted = plain(said)
  const same = interfaces.filter(({ ifDesc }) => plain(ifDesc) === wanted)
  if (same.length > 0) return same
  const slots = slotForm.exec(said)
  if (slots) return physical(interfaces, slots.slice(1).map(Number).join('/'))
  const short = partsOf(said)
  if (!short || short.letters === '') return []
  return interfaces.filter(({ ifDesc }) => {
    const full = partsOf(ifDesc)
    return full?.numbers === short.numbers && isShortFor(short.letters, full)
  })
}

function byNumber(interfaces: readonly Interface[], number: number): Interface | undefined {
  const index = BigInt(number)
  const same = interfaces.find(({ ifIndex }) => ifIndex === index)
  if (same) return same
  // H3C and Huawei: slot in 8 bits, subslot in 4, port in 8, VLAN in 12.
  const bits = [number >>> 24, (number >>> 20) & 15, (number >>> 12) & 255]
  const coded = number >= 4096 ? only(physical(interfaces, bits.join('/'))) : undefined
  return coded ?? only(byCiscoNumber(interfaces, number))
}

/** Cisco: 50103 is port 3 of unit 1, whatever lies between the two. */
function byCiscoNumber(interfaces: readonly Interface[], number: number): Interface[] {
  if (number < 50_000 || number > 59_999) return []
  const [unit, port] = [Math.floor((number - 50_000) / 100), number % 100]
  return interfaces.filter(({ ifDesc }) => {
    const numbers = partsOf(ifDesc)?.numbers.split('/').map(Number) ?? []
    return numbers.length > 1 && numbers[0] === unit && numbers.at(-1) === port
  })
}

const physical = (interfaces: readonly Interface[], numbers: string) =>
  interfaces.filter(({ ifDesc }) => partsOf(ifDesc)?.numbers === numbers)

const plain = (name: string) => name.replaceAll(/[\s-]/g, '').toLowerCase()

interface NameParts {
  /** Lower case. */
  readonly letters: string
  /** The first letters of its words: GE of GigabitEthernet. */
  readonly initials: string
  readonly numbers: string
}

function partsOf(name: string): NameParts | undefined {
  const [, letters = '', numbers] = /^([a-z\s-]{0,60})(\d[\d/.:]{0,60})$/i.exec(name) ?? []
  if (numbers === undefined) return undefined
  return { letters: plain(letters), initials: letters.replaceAll(/[^A-Z]/g, '').toLowerCase(), numbers }
}

const isShortFor = (short: string, full: NameParts) =>
  full.letters.startsWith(short) || full.initials === short

export type Switch = Pick<Device, 'id' | 'ip' | 'label' | 'interfaces'>

interface Parsed {
  readonly text: string
  readonly interfaces: Device['interfaces']
}

const limit = 5000

/**
 * Finds the switch with an address, and its interfaces. Read for every request, so that changes at any node take effect
 * at once; the long list of interfaces is parsed only when its text has changed.
 */
export class Switches {
  readonly #parsed = new Map<bigint, Parsed>()

  async at(reader: Reader, address: string): Promise<Switch | undefined> {
    const found = await deviceTextAt(reader, address)
    if (!found) return undefined
    const { id, ip, label } = found
    return { id, ip, label, interfaces: this.#parse(id, found.interfaces) }
  }

  #parse(id: bigint, text: string): Device['interfaces'] {
    const known = this.#parsed.get(id)
    if (known?.text === text) return known.interfaces
    if (this.#parsed.size >= limit) this.#parsed.clear()
    const interfaces = interfacesIn(text)
    this.#parsed.set(id, { text, interfaces })
    return interfaces
  }
}
