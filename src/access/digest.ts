// Parses and verifies HTTP Digest (RFC 7616) headers; no state, only computation.

import { createHash, timingSafeEqual } from 'node:crypto'

/** In the order in which they are offered: programs use the first, or the last, that they know. */
export const algorithms = { 'SHA-256': 'sha256', MD5: 'md5' } as const

export type Algorithm = keyof typeof algorithms

export interface DigestAnswer {
  readonly username: string
  readonly realm: string
  readonly nonce: string
  readonly uri: string
  readonly response: string
  readonly algorithm: Algorithm
  readonly cnonce: string
  /** The number of the request with this nonce, as it was written. */
  readonly nc: string
  readonly opaque: string | undefined
}

function hashOf(algorithm: Algorithm, text: string, encoding: 'utf8' | 'latin1' = 'utf8'): string {
  return createHash(algorithms[algorithm]).update(text, encoding).digest('hex')
}

/** Whoever has this can answer any challenge: it is as good as the password. */
export const ha1 = (algorithm: Algorithm, name: string, realm: string, password: string) =>
  hashOf(algorithm, `${name}:${realm}:${password}`)

type Asked = Pick<DigestAnswer, 'algorithm' | 'nonce' | 'nc' | 'cnonce' | 'uri'>

export function expectedResponse(secret: string, method: string, asked: Asked): string {
  const { algorithm, nonce, nc, cnonce, uri } = asked
  // Node decodes headers as Latin-1; encoding them the same way gives back the bytes that were sent.
  const ha2 = hashOf(algorithm, `${method}:${uri}`, 'latin1')
  return hashOf(algorithm, `${secret}:${nonce}:${nc}:${cnonce}:auth:${ha2}`, 'latin1')
}

/** Compares in constant time. */
export function isSame(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a, 'utf8'), Buffer.from(b, 'utf8')]
  return left.length === right.length && timingSafeEqual(left, right)
}

interface Challenge {
  readonly realm: string
  readonly nonce: string
  readonly opaque: string
  readonly stale: boolean
}

/** One challenge per algorithm. Nonce and opaque are the same in all of them: some programs join the lines. */
export function challenges({ realm, nonce, opaque, stale }: Challenge): string[] {
  return Object.keys(algorithms).map(
    (algorithm) =>
      `Digest realm="${realm}", qop="auth", algorithm=${algorithm}, nonce="${nonce}", opaque="${opaque}", charset=UTF-8${stale ? ', stale=true' : ''}`,
  )
}

const maxLength = 512

const patterns = {
  space: /[ \t]*/y,
  name: /[!#$%&'*+.^_`|~0-9A-Za-z-]{1,32}/y,
  equals: /=/y,
  quoted: /"((?:[^"\\]|\\.)*)"/y,
  plain: /[^\s",;]*/y,
  comma: /,/y,
}

/** Parses a header from left to right: no pattern looks at anything twice, whatever was sent. */
class Scanner {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  get ended(): boolean {
    return this.#at >= this.#text.length
  }

  /** Returns the text that matches here, if any, and skips the white space after it. */
  take(form: keyof typeof patterns): string | undefined {
    const found = this.#match(patterns[form])
    if (found) this.#match(patterns.space)
    return found && (found[1] ?? found[0])
  }

  #match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text) ?? undefined
    if (found) this.#at = pattern.lastIndex
    return found
  }
}

/** The parameters after the scheme; undefined if they are truncated, repeated or too many. */
function readParts(text: string): Map<string, string> | undefined {
  const parts = new Map<string, string>()
  const scanner = new Scanner(text)
  scanner.take('space')
  while (!scanner.ended) {
    const name = scanner.take('name')?.toLowerCase()
    if (name === undefined || scanner.take('equals') === undefined) return undefined
    const value = scanner.take('quoted')?.replace(/\\(.)/g, '$1') ?? scanner.take('plain') ?? ''
    const goesOn = scanner.take('comma') !== undefined || scanner.ended
    if (!goesOn || parts.has(name) || parts.size > 20 || value.length > 8192) return undefined
    parts.set(name, value)
  }
  return parts
}

/** Node decodes headers as Latin-1; names come in UTF-8, and from some programs really in Latin-1. */
export function decodeHeader(value: string): string {
  const bytes = Buffer.from(value, 'latin1')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return value
  }
}

/** RFC 8187: `UTF-8''%C3%A4rger`. */
function readExtended(value: string): string | undefined {
  const match = /^utf-8'[^']*'(.*)$/i.exec(value)
  try {
    return match?.[1] === undefined ? undefined : decodeURIComponent(match[1])
  } catch {
    return undefined
  }
}

/** Parses the header after the word Digest; returns a sentence about the error if it cannot be used. */
export function readDigest(text: string): DigestAnswer | string {
  const parts = readParts(text)
  if (!parts) return 'the Digest header is not well formed'
  const plain = parts.get('username')
  const extended = parts.get('username*')
  const username = plain !== undefined ? decodeHeader(plain) : extended && readExtended(extended)
  const [realm, nonce, uri, response, cnonce, nc] = ['realm', 'nonce', 'uri', 'response', 'cnonce', 'nc'].map(
    (name) => parts.get(name) ?? '',
  ) as [string, string, string, string, string, string]
  const missing = Object.entries({ username, realm, nonce, uri, response, cnonce, nc })
    .filter(([, value]) => !value)
    .map(([name]) => name)
  if (missing.length > 0 || !username) return `the Digest header lacks ${missing.join(', ')}`
  if (plain !== undefined && extended !== undefined) return 'the Digest header names its user twice'
  if (parts.get('userhash')?.toLowerCase() === 'true') return 'the Digest header has a hashed user name'
  if (parts.get('qop')?.toLowerCase() !== 'auth') return 'the Digest header lacks qop=auth'
  const named = parts.get('algorithm')?.toUpperCase() ?? 'MD5'
  const algorithm = Object.keys(algorithms).find((known): known is Algorithm => known === named)
  if (!algorithm) return 'the Digest algorithm is not one that was offered'
  if (!/^[0-9a-f]{8}$/i.test(nc) || /^0+$/.test(nc)) return 'the Digest header has a wrong count (nc)'
  if (cnonce.length > maxLength || nonce.length > maxLength || username.length > maxLength)
    return 'the Digest header is too long'
  const opaque = parts.get('opaque')
  const name = username.normalize('NFC')
  return {
    username: name,
    realm: decodeHeader(realm),
    nonce,
    uri,
    response: response.toLowerCase(),
    algorithm,
    cnonce,
    nc,
    opaque,
  }
}

const pathOf = (uri: string) => uri.replace(/^https?:\/\/[^/?#]*/i, '')

/** Compared exactly; through a proxy, a program may send either form. */
export const isTarget = (uri: string, target: string) => uri === target || pathOf(uri) === pathOf(target)
