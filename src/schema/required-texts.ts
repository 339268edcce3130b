// What a text must contain in order to match a pattern: most patterns are ruled out by it, without being compiled or run.

const beyondAscii = /[^\0-\x7f]/

/** Letter by letter, each as long as it was: some small letters are longer, or depend on their place in a word. */
export const inSmallLetters = (text: string): string =>
  beyondAscii.test(text)
    ? text.replace(/\p{Lu}/gu, (letter) => {
        const small = letter.toLowerCase()
        return small.length === letter.length ? small : letter
      })
    : text.toLowerCase()

/** A text, in small letters, that every match contains. */
export interface RequiredText {
  readonly text: string
  /** The words in it that are whole, whatever stands before and after it. */
  readonly words: readonly string[]
}

/** For each alternative of a pattern what its matches contain; empty if that is not known. */
export type Alternatives = readonly (readonly RequiredText[])[]

/** Stands for the edge of a word, which takes no room in the text. */
const edge = '\0'
// A repetition, with how often; `??` and the like are repetitions too.
const repetition = /^(?:[*+?]|\{(\d{1,4})(?:,\d{0,4})?\})\??/

export function requiredTexts(source: string): Alternatives {
  // Names of characters and flags: rare, and not worth reading.
  if (/\\[pPxQ0-7]|\(\?(?![:P<])/.test(source)) return []
  return new Reader(source).read()
}

class Reader {
  readonly #source: string
  #at = 0
  #alternatives: RequiredText[][] = [[]]
  #run = ''

  constructor(source: string) {
    this.#source = source
  }

  /** Up to the end, or to the bracket that ends a group. */
  read(): Alternatives {
    while (this.#at < this.#source.length && this.#source[this.#at] !== ')') this.#readOne()
    this.#endRun()
    return this.#alternatives
  }

  get #current(): RequiredText[] {
    return this.#alternatives.at(-1) as RequiredText[]
  }

  #readOne(): void {
    const character = this.#source.charAt(this.#at)
    if (character === '(') this.#readGroup()
    else if (character === '[') {
      this.#at = endOfClass(this.#source, this.#at)
      this.#repeated()
      this.#endRun()
    } else if (character === '|') {
      this.#endRun()
      this.#alternatives.push([])
      this.#at += 1
    } else if (character === '\\') this.#readEscape()
    else if ('.^$'.includes(character)) {
      this.#at += 1
      this.#repeated()
      this.#endRun()
    } else {
      this.#at += 1
      this.#literal(character)
    }
  }

  #readEscape(): void {
    const escaped = this.#source.charAt(this.#at + 1)
    this.#at += 2
    if (escaped === 'b') this.#run += edge
    else if (/\w/.test(escaped)) {
      this.#repeated()
      this.#endRun()
    } else this.#literal(escaped)
  }

  #literal(character: string): void {
    const least = this.#repeated()
    if (least === undefined) this.#run += character
    else {
      if (least > 0) this.#run += character
      this.#endRun()
    }
  }

  #readGroup(): void {
    this.#endRun()
    const head = /^\((?:\?:|\?P?<\w+>)?/.exec(this.#source.slice(this.#at))?.[0] ?? '('
    const inner = new Reader(this.#source)
    inner.#at = this.#at + head.length
    const [only, ...others] = inner.read()
    this.#at = inner.#at + 1
    if (this.#repeated() !== 0 && only && others.length === 0) this.#current.push(...only)
  }

  /** How often what was read comes at least; undefined if that is not said. */
  #repeated(): number | undefined {
    const found = repetition.exec(this.#source.slice(this.#at, this.#at + 16))
    if (!found) return undefined
    this.#at += found[0].length
    if (found[1] !== undefined) return Number(found[1])
    return found[0].startsWith('+') ? 1 : 0
  }

  #endRun(): void {
    const run = inSmallLetters(this.#run)
    const text = run.replaceAll(edge, '')
    // What is before the first and after the last edge may be a part of a longer word.
    const words = run
      .split(/[^a-z]/)
      .slice(1, -1)
      .filter((word) => word !== '')
    if (text !== '') this.#current.push({ text, words })
    this.#run = ''
  }
}

/** Behind a class of characters that begins at a place, `[^a-z\]]`. */
export function endOfClass(source: string, start: number): number {
  let at = start + (source[start + 1] === '^' ? 2 : 1)
  // A bracket that comes first is a member.
  if (source[at] === ']') at += 1
  while (at < source.length && source[at] !== ']') at += source[at] === '\\' ? 2 : 1
  return at + 1
}
