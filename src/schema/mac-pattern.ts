// Parts of MAC addresses in notations other than the stored one: `*a99e*` finds 54:ee:75:4e:a9:9e, and so does `*a9-9e*`.

const separators = /[.\-\s]/g
const digits = 12
/** Each part that may begin with either half of a pair doubles the number of patterns. */
const maxOpenParts = 3

/** A part as it is stored, in pairs, where its first digit is the first of a pair or the second. */
function inPairs(part: string, offset: number): string {
  let text = ''
  for (const [index, digit] of [...part].entries())
    text += (index > 0 && (index + offset) % 2 === 0 ? ':' : '') + digit
  return text
}

/**
 * Patterns with `*` and `?`, over addresses as they are stored, of which one matches where the given pattern does when
 * separators are left out; undefined where it is no pattern of an address, or is one of addresses as they are stored,
 * with colons. `?` is one digit.
 */
export function macPatterns(text: string): readonly string[] | undefined {
  const plain = text.toLowerCase().replaceAll(separators, '').replaceAll(/\*+/g, '*')
  if (!/[*?]/.test(plain) || !/^[0-9a-f*?]+$/.test(plain)) return undefined
  const parts = plain.split('*')
  if (parts.reduce((sum, part) => sum + part.length, 0) > digits) return undefined
  const last = parts.length - 1
  const offsetsOf = (part: string, index: number): readonly number[] => {
    if (index === 0) return [0]
    if (index === last) return [part.length % 2]
    return part.length < 2 ? [0] : [0, 1]
  }
  const choices = parts.map((part, index) => offsetsOf(part, index).map((offset) => inPairs(part, offset)))
  if (choices.filter(({ length }) => length > 1).length > maxOpenParts) return undefined
  return choices.reduce<readonly string[]>(
    (found, ways, index) =>
      found.flatMap((before) => ways.map((way) => (index === 0 ? way : `${before}*${way}`))),
    [''],
  )
}
