// Leads from a message to the few definitions that can match it: by its code, and by its words. Of the words that a definition
// needs it is listed under those which the fewest others need.

import type { Alternatives } from '../schema/required-texts.ts'
import type { SyslogDefinition } from './syslog-definitions.ts'
import type { MessageCode, SyslogMessage } from './syslog-message.ts'

interface Listed {
  readonly definition: SyslogDefinition
  readonly place: number
  /** Whether one of its own words must be looked for as well. */
  readonly checksWords: boolean
}

/** So many definitions are looked at for a message: one that contains all words there are must not become expensive. */
const maxListed = 2000
const none: readonly SyslogDefinition[] = []

export class DefinitionIndex {
  readonly #byCode = new Map<string, SyslogDefinition[]>()
  readonly #byWord = new Map<string, Listed[]>()

  constructor(definitions: readonly SyslogDefinition[]) {
    const uses = new Map<string, number>()
    const needed = definitions.map(({ texts }) => texts.map(({ required }) => required.map(wordsOf)))
    for (const [at, definition] of definitions.entries()) {
      for (const code of definition.codes) add(this.#byCode, code, definition)
      for (const word of new Set([...definition.words, ...(needed[at] ?? []).flat(2)]))
        uses.set(word, (uses.get(word) ?? 0) + 1)
    }
    for (const [place, definition] of definitions.entries()) {
      if (definition.words.length === 0) continue
      const rare = rarest(needed[place] ?? [], uses)
      const cost = (words: readonly string[]) => words.reduce((sum, word) => sum + (uses.get(word) ?? 0), 0)
      const checksWords = rare !== undefined && cost(rare) < cost(definition.words)
      const listed = { definition, place, checksWords }
      for (const word of new Set(checksWords ? rare : definition.words)) add(this.#byWord, word, listed)
    }
  }

  ofCode(code: MessageCode | undefined): readonly SyslogDefinition[] {
    if (!code) return none
    const found = this.#byCode.get(code.name)
    if (code.otherNames.length === 0) return found ?? none
    return [...(found ?? none), ...code.otherNames.flatMap((name) => this.#byCode.get(name) ?? none)]
  }

  /** In the order of the definitions. */
  ofWords({ code, program }: SyslogMessage, folded: string): readonly SyslogDefinition[] {
    const words = new Set<string>()
    if (code) collectWords(code.name.toLowerCase(), words)
    if (program !== undefined) collectWords(program.toLowerCase(), words)
    collectWords(folded, words)
    const found: Listed[] = []
    for (const word of words) {
      for (const listed of this.#byWord.get(word) ?? []) {
        if (listed.checksWords && !listed.definition.words.some((own) => words.has(own))) continue
        found.push(listed)
        if (found.length === maxListed) break
      }
    }
    if (found.length > 1) found.sort((a, b) => a.place - b.place)
    const definitions = found.map(({ definition }) => definition)
    return found.length > 1 ? definitions.filter((one, at) => one !== definitions[at - 1]) : definitions
  }
}

function collectWords(text: string, into: Set<string>): void {
  for (const word of text.match(/[a-z]+/g) ?? []) into.add(word)
}

const wordsOf = (texts: Alternatives[number]): string[] => texts.flatMap(({ words }) => words)

/** One word of each alternative of each pattern, so that a text which matches has one of them; undefined if one lacks a word. */
function rarest(
  needed: readonly (readonly (readonly string[])[])[],
  uses: ReadonlyMap<string, number>,
): string[] | undefined {
  if (needed.length === 0 || needed.some((alternatives) => alternatives.length === 0)) return undefined
  const chosen = needed.flat().map((words) => [...words].sort((a, b) => usesOf(a, uses) - usesOf(b, uses))[0])
  return chosen.every((word) => word !== undefined) ? chosen : undefined
}

const usesOf = (word: string, uses: ReadonlyMap<string, number>) => uses.get(word) ?? 0

function add<T>(index: Map<string, T[]>, key: string, value: T): void {
  const known = index.get(key)
  if (known) known.push(value)
  else index.set(key, [value])
}
