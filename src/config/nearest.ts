// Names that somebody who mistyped one may have meant.

/** A question for whoever mistyped a name; `otherwise` where nothing is similar. */
export function didYouMean(given: string, names: readonly string[], otherwise: string, before = ''): string {
  const near = nearest(given, names).map((name) => `${before}${name}`)
  return near.length > 0 ? `did you mean ${near.join(', ')}?` : otherwise
}

/** The most similar first, four at most. Letter case does not count. */
export function nearest(given: string, names: readonly string[]): string[] {
  const wanted = given.toLowerCase()
  const scored = names.map((name) => {
    const lower = name.toLowerCase()
    const part = wanted.length > 2 && (lower.includes(wanted) || wanted.includes(lower))
    return { name, score: part ? 0 : distance(wanted, lower) }
  })
  const limit = Math.max(2, Math.floor(wanted.length / 3))
  const near = scored.filter(({ score }) => score <= limit).sort((a, b) => a.score - b.score)
  return near.slice(0, 4).map(({ name }) => name)
}

/** The edit distance: how many letters have to be changed, added or left out. */
function distance(a: string, b: string): number {
  let above = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (const [i, letter] of [...a].entries()) {
    const row = [i + 1]
    for (const [j, other] of [...b].entries()) {
      const changed = (above[j] ?? 0) + (letter === other ? 0 : 1)
      row.push(Math.min(changed, (above[j + 1] ?? 0) + 1, (row[j] ?? 0) + 1))
    }
    above = row
  }
  return above[b.length] ?? 0
}
