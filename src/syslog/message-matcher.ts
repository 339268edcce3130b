// Finds the definition that a message is meant by. An index by code and by word leads to the few definitions whose
// patterns are tried, so that a message costs the same with a hundred definitions and with ten thousand.

import { foldedText } from '../schema/pattern.ts'
import { DefinitionIndex } from './definition-index.ts'
import { hasClearMark, saysRecovered, transitionOf } from './state-words.ts'
import type { SyslogDefinition } from './syslog-definitions.ts'
import type { SyslogMessage } from './syslog-message.ts'

/** What a message means. */
export interface SyslogMeaning {
  readonly definition: SyslogDefinition
  readonly does: 'raise' | 'clear' | 'event' | 'ignore'
  readonly parts: ReadonlyMap<string, string>
  /** What it is about, on its device: the parts that are the key, as `name=value`. */
  readonly resource: string
}

/** The patterns of so many definitions are run at most: a text made of words from definitions must not become expensive. */
const maxTried = 40
const maxValueLength = 200
const noParts: ReadonlyMap<string, string> = new Map()

export class MessageMatcher {
  readonly #index: DefinitionIndex
  #preferred: DefinitionIndex | undefined

  /** Definitions by code come before those by word; otherwise the first that matches counts. */
  constructor(definitions: readonly SyslogDefinition[]) {
    this.#index = new DefinitionIndex(definitions)
  }

  /** From now on, these definitions come before the others. */
  prefer(definitions: readonly SyslogDefinition[]): void {
    this.#preferred = definitions.length === 0 ? undefined : new DefinitionIndex(definitions)
  }

  /** `deviceIp` is the device that the message is about. */
  match(message: SyslogMessage, deviceIp = ''): SyslogMeaning | undefined {
    const folded = foldedText(message.text)
    const preferred = this.#preferred && matchBy(this.#preferred, message, folded, deviceIp)
    return preferred ?? matchBy(this.#index, message, folded, deviceIp)
  }
}

function matchBy(
  index: DefinitionIndex,
  message: SyslogMessage,
  folded: string,
  deviceIp: string,
): SyslogMeaning | undefined {
  let left = maxTried
  const byCode = index.ofCode(message.code)
  for (const definition of byCode) {
    if (definition.onlyFrom?.has(deviceIp) === false) continue
    const meaning = meaningOf(definition, message, folded, true)
    if (meaning) return meaning
    left -= 1
    if (left === 0) return undefined
  }
  for (const definition of index.ofWords(message, folded)) {
    if (byCode.includes(definition) || !mayMean(definition, folded)) continue
    if (definition.onlyFrom?.has(deviceIp) === false) continue
    const meaning = meaningOf(definition, message, folded, false)
    if (meaning) return meaning
    left -= 1
    if (left === 0) return undefined
  }
  return undefined
}

/** Whether one of its patterns has to be run. */
const mayMean = ({ texts }: SyslogDefinition, folded: string): boolean =>
  texts.length === 0 || texts.some((finder) => finder.mayMatch(folded))

function meaningOf(
  definition: SyslogDefinition,
  message: SyslogMessage,
  folded: string,
  byCode: boolean,
): SyslogMeaning | undefined {
  const { texts, unless, key, does, isLiteral } = definition
  const { text } = message
  // A code alone says that a message is no fault; whether it is one may depend on its text.
  const needsText = texts.length > 0 && (isLiteral || !byCode || (does !== 'event' && does !== 'ignore'))
  let parts: ReadonlyMap<string, string> | undefined
  for (const finder of texts) {
    parts = finder.find(text, folded)
    if (parts) break
  }
  if ((!parts && needsText) || unless?.find(text, folded)) return undefined
  parts ??= noParts
  let state = does === 'state' ? stateOf(definition, message, parts.get('state')) : does
  // Words alone do not tell a fault from the report of its end.
  if (does === 'raise' && !byCode && !isLiteral && saysRecovered(text)) state = 'clear'
  if (state === 'raise' && !isLiteral && hasClearMark(text)) state = 'clear'
  if (state === undefined) return undefined
  const resource = key
    .filter((name) => parts.has(name))
    .map((name) => `${name}=${parts.get(name)?.trim().slice(0, maxValueLength).toWellFormed()}`)
    .join(';')
  return { definition, does: state, parts, resource }
}

/** A state that no list names is judged by its words; where they say nothing, the message is not meant. */
function stateOf(
  { raises, clears }: SyslogDefinition,
  { code, text }: SyslogMessage,
  state: string | undefined,
): SyslogMeaning['does'] | undefined {
  const folded = state?.toLowerCase()
  if (folded !== undefined && raises.includes(folded)) return 'raise'
  if (folded !== undefined && clears.includes(folded)) return 'clear'
  return state === undefined ? transitionOf(code?.mnemonic ?? '', text) : transitionOf('', state)
}
