// The addresses of ranges, each once, without those that stand for a whole network.

import { bitsOf } from '../../resources/inventory/address-range.ts'
import { addressesIn } from '../../resources/inventory/discovery.ts'
import { ipFromKey } from '../../schema/scalar.ts'

export function addressesOf(ranges: readonly string[]): string[] {
  const found = new Set<string>()
  for (const range of ranges) {
    const { first, count } = addressesIn(range)
    const family = bitsOf(range.split('/')[0] ?? '') === 128 ? '6' : '4'
    for (let offset = 0n; offset < count; offset += 1n)
      found.add(ipFromKey(family + (first + offset).toString(16).padStart(32, '0')))
  }
  return [...found]
}
