// Conditions of other programs as values of a state: exact ones, and texts with `*` for any text.

/** A longer expression is no list of values. */
const maxLength = 500

/** Characters that mean something in a regular expression, or in the values of a state. */
const special = new Set('[](){}?+*|.^$;')

/**
 * The values that a regular expression stands for, where it is a list of texts with `.*` in them. `isWhole`: it has to
 * match the whole value, as if it had anchors.
 */
export function valuesOfExpression(source: string, isWhole: boolean): string[] | undefined {
  if (source.length > maxLength || source.includes('\\|')) return undefined
  const wrapped = /^(\^?)\((?:\?:)?([^()]*)\)(\$?)$/.exec(source)
  const [, before = '', inside = source, after = ''] = wrapped ?? []
  const values = inside.split('|').map((one) => textOf(`${before}${one}${after}`, isWhole))
  return values.every((one) => one !== undefined) ? values : undefined
}

function textOf(source: string, isWhole: boolean): string | undefined {
  const isStart = source.startsWith('^')
  const isEnd = source.endsWith('$') && !source.endsWith('\\$')
  const body = source.slice(isStart ? 1 : 0, isEnd ? -1 : undefined)
  let value = ''
  for (let at = 0; at < body.length; at += 1) {
    const char = body[at] ?? ''
    const next = body[at + 1] ?? ''
    if (char === '\\') {
      if (/\w/.test(next) || next === '' || next === '*' || next === ';') return undefined
      value += next
      at += 1
    } else if (char === '.' && (next === '*' || next === '+')) {
      value += '*'
      at += 1
    } else if (special.has(char)) return undefined
    else value += char
  }
  const whole = `${isWhole || isStart ? '' : '*'}${value}${isWhole || isEnd ? '' : '*'}`
  return whole.trim() === '' || whole === '' ? undefined : whole.replaceAll('**', '*')
}

/** An exact value; undefined where it has a character that states give another meaning. */
export const exactValue = (value: string): string | undefined =>
  value.trim() === '' || /[*;]/.test(value) ? undefined : value.trim()

/** The most values of a range. */
const rangeLimit = 100

/** The numbers from the first to the last. */
export function valuesOfRange(first: number, last: number): string[] | undefined {
  if (last < first || last - first >= rangeLimit) return undefined
  return Array.from({ length: last - first + 1 }, (_, at) => String(first + at))
}
