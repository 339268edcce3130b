// Addresses as numbers, for the picture of a segment. The service checks addresses; here they are valid.

export interface Address {
  readonly family: 4 | 6
  readonly value: bigint
}

export function addressOf(text: string): Address {
  if (!text.includes(':'))
    return { family: 4, value: text.split('.').reduce((sum, part) => sum * 256n + BigInt(part), 0n) }
  const [head = '', tail] = text.split('::')
  const groups = (part: string) => part.split(':').filter(Boolean).flatMap(group)
  const before = groups(head)
  const after = tail === undefined ? [] : groups(tail)
  const all = [...before, ...Array<bigint>(8 - before.length - after.length).fill(0n), ...after]
  return { family: 6, value: all.reduce((sum, part) => sum * 65536n + part, 0n) }
}

/** An IPv4 address at the end of an IPv6 one makes two groups. */
function group(text: string): bigint[] {
  if (!text.includes('.')) return [BigInt(`0x${text}`)]
  const { value } = addressOf(text)
  return [value / 65536n, value % 65536n]
}

export function addressText({ family, value }: Address): string {
  if (family === 4) return [24n, 16n, 8n, 0n].map((shift) => String((value >> shift) & 255n)).join('.')
  const groups = Array.from({ length: 8 }, (_, index) =>
    ((value >> BigInt(112 - index * 16)) & 65535n).toString(16),
  )
  return shortened(groups)
}

/** The longest run of zeros becomes two colons (RFC 5952). */
function shortened(groups: readonly string[]): string {
  let [best, length] = [-1, 1]
  for (let start = 0; start < groups.length; start += 1) {
    let end = start
    while (groups[end] === '0') end += 1
    if (end - start > length) [best, length] = [start, end - start]
  }
  if (best < 0) return groups.join(':')
  return `${groups.slice(0, best).join(':')}::${groups.slice(best + length).join(':')}`
}

export interface Cell {
  readonly first: bigint
  readonly last: bigint
  /** Addresses of the cell that are in use, and whether it lies in a segment inside. */
  readonly taken: number
  readonly inChild: boolean
}

interface Range {
  readonly start: bigint
  readonly end: bigint
}

/** The segment in at most this many cells of one size, each with the addresses in use. */
export function cellsOf(
  { start, end }: Range,
  taken: readonly bigint[],
  children: readonly Range[],
  most: number,
): Cell[] {
  const size = end - start + 1n
  const per = (size + BigInt(most) - 1n) / BigInt(most)
  const number = Number((size + per - 1n) / per)
  const counts = new Array<number>(number).fill(0)
  for (const address of taken) {
    const index = Number((address - start) / per)
    if (index >= 0 && index < number) counts[index] = (counts[index] ?? 0) + 1
  }
  return counts.map((count, index) => {
    const first = start + BigInt(index) * per
    const last = first + per - 1n < end ? first + per - 1n : end
    return {
      first,
      last,
      taken: count,
      inChild: children.some((one) => one.start <= first && last <= one.end),
    }
  })
}
