// Formats a count with its noun: "1 row", "2 rows".

/** `1 zone`, `12 zones`, `3 addresses`, `2 categories`. */
export function countedNoun(number: string | number, noun: string): string {
  if (Number(number) === 1) return `${number} ${noun}`
  return `${number} ${noun.replace(/y$/, 'ie').replace(/s$/, 'se')}s`
}
