// Ranges of addresses, as 192.0.2.0/24 and 2001:db8::/48, in one spelling.

import { isIP } from 'node:net'
import { Fault, shown } from '../../fault.ts'
import { ip, ipFromKey, ipKey, keyNumber, type Scalar, text } from '../../schema/scalar.ts'

export const rangeForm = 'an address or a range such as 192.0.2.0/24 or 2001:db8::/48, of 8 bits at least'
/** A longer range is named by mistake: secrets would be sent to anybody. */
const minBits = 8
/** Of addresses of its family. */
export const bitsOf = (address: string): 32 | 128 => (isIP(address) === 6 ? 128 : 32)
const rangeText = text({ maxLength: 43 })

/** A range in its one spelling: an address without a number of bits is the range of this address alone. */
export const addressRange: Scalar<string> = {
  ...rangeText,
  accepted: rangeForm,
  read(value) {
    const [address = '', bits, ...more] = value.length > 60 ? [] : value.split('/')
    const wrong = () => new Fault('invalid', `${shown(value)} is not accepted: expected ${rangeForm}`)
    if (isIP(address) === 0 || address.includes('%') || more.length > 0) throw wrong()
    const first = ip.read(address)
    const most = bitsOf(first)
    const length = bits === undefined ? most : /^\d{1,3}$/.test(bits) ? Number(bits) : 0
    // A mapped address counts its bits as one of IPv6 does.
    if (length < minBits || length > most || isIP(address) !== isIP(first)) throw wrong()
    const begin = beginOf(first, length)
    if (begin === first) return `${first}/${length}`
    throw new Fault('invalid', `${shown(value)} is not the beginning of a range: expected ${begin}/${length}`)
  },
}

function beginOf(address: string, length: number): string {
  const rest = BigInt(bitsOf(address) - length)
  const key = ipKey(address)
  const digits = ((keyNumber(key) >> rest) << rest).toString(16).padStart(32, '0')
  return ipFromKey(key.charAt(0) + digits)
}

/** The range of so many bits that the address is in. */
export const rangeAround = (address: string, length: number) => `${beginOf(address, length)}/${length}`

export const isInRanges = (ranges: readonly string[], address: string): boolean =>
  ranges.some((range) => {
    const [begin = '', bits] = range.split('/')
    return isIP(begin) === isIP(address) && beginOf(address, Number(bits)) === begin
  })
