// How the texts of settings are parsed. An error says what was expected.

import { isIP } from 'node:net'
import { shown } from '../fault.ts'
import { defaultSpace, maxSpace } from '../schema/space.ts'

export interface Address {
  readonly host: string
  readonly port: number
}

export function readAddress(value: string): Address {
  const match = /^(?:\[([^\]]+)\]|([^:]+)):(\d+)$/.exec(value)
  const host = match?.[1] ?? match?.[2]
  if (host === undefined) throw new Error('expected host:port, such as 127.0.0.1:8080 or [::1]:8080')
  return { host, port: readPort(match?.[3] ?? '') }
}

/** Where datagrams or connections are received, and the address space of those who send them. */
export interface Listener extends Address {
  readonly space: number
}

/** One for each space: an answer must come from the address that was asked. */
export function readSpaceListeners(value: string): readonly Listener[] {
  const listeners = readWords(value).map((word) => {
    const { text, space } = splitSpace(word)
    return { ...readAddress(text), space }
  })
  const again = listeners.find(({ space }, at) => listeners.findIndex((one) => one.space === space) < at)
  if (again)
    throw new Error(
      again.space === defaultSpace
        ? 'expected one host:port, and others with address spaces of their own, such as 192.0.2.1:1162@2'
        : `expected one host:port for space ${again.space}`,
    )
  return listeners
}

export function readTrapListeners(value: string): readonly Listener[] {
  const listeners = readSpaceListeners(value)
  if (listeners.length === 0) throw new Error('expected host:port, such as 127.0.0.1:8080 or [::1]:8080')
  return listeners
}

/** What stands before the address space, which is behind an @. */
export function splitSpace(word: string): { readonly text: string; readonly space: number } {
  const cut = word.lastIndexOf('@')
  if (cut < 0) return { text: word, space: defaultSpace }
  const space = number(defaultSpace, maxSpace)
  try {
    return { text: word.slice(0, cut), space: space(word.slice(cut + 1)) }
  } catch (cause) {
    throw new Error(`${shown(word)}: the address space after @: ${(cause as Error).message}`)
  }
}

function readPort(digits: string): number {
  const port = Number(digits)
  if (port > 65535) throw new Error(`port ${digits.slice(0, 20)} is too high: expected at most 65535`)
  return port
}

/** Of an address of one host or of several: where it cannot be parsed, a port may be the reason. */
function requirePorts(address: string): void {
  const [, hosts = ''] = /^[a-z]+:\/\/([^/?#]*)/.exec(address) ?? []
  for (const host of hosts.split(',')) readPort(/:(\d+)$/.exec(host)?.[1] ?? '')
}

export const number = (min: number, max: number) => (value: string) => {
  const result = /^\d+$/.test(value) ? Number(value) : Number.NaN
  if (!(result >= min && result <= max)) throw new Error(`expected a whole number from ${min} to ${max}`)
  return result
}

export const choice =
  <T extends string>(...words: readonly T[]) =>
  (value: string): T => {
    const word = words.find((known) => known === value)
    if (!word) throw new Error(`expected ${words.join(' or ')}`)
    return word
  }

/** A text without further form, such as the name of a file, which is checked where it is used. */
export const readText = (value: string) => value

export function readFolder(value: string): string {
  if (value === '') throw new Error('expected a folder')
  return value
}

export const readWords = (value: string) =>
  value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')

export function readAddresses(value: string): readonly string[] {
  const addresses = readWords(value)
  const bad = addresses.find((address) => isIP(address) === 0)
  if (bad !== undefined) throw new Error(`${shown(bad)} is not an IP address`)
  return addresses
}

export function readStore(value: string): string {
  if (value === '') return ''
  // Several hosts are separated by commas.
  const one = value.replace(/,[^/]*/, '')
  requirePorts(value)
  const url = URL.canParse(one) ? new URL(one) : undefined
  if (!url || !/^postgres(ql)?:$/.test(url.protocol) || url.pathname.length < 2)
    throw new Error('expected postgres://user@host:port/database, or several hosts separated by commas')
  // Not in an address: settings are shown to people, and in the list of processes.
  if (url.password !== '' || url.searchParams.has('password'))
    throw new Error(
      'expected no password here, but in the file of store-password-file, PGPASSWORD or PGPASSFILE',
    )
  return value
}

export function readNodeName(value: string): string {
  if (!/^[\w.-]{0,100}$/.test(value))
    throw new Error('expected at most 100 letters, digits, dots, hyphens and underscores')
  return value
}

export function readPublicUrl(value: string): string {
  if (value === '') return ''
  requirePorts(value)
  const url = URL.canParse(value) ? new URL(value) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash) {
    throw new Error('expected an http or https address without query, such as https://nms.example.net')
  }
  let end = value.length
  while (value[end - 1] === '/') end -= 1
  return value.slice(0, end)
}

export function readProxy(value: string): string {
  if (value === '') return ''
  requirePorts(value)
  const url = URL.canParse(value) ? new URL(value) : undefined
  if (url?.protocol !== 'http:' || url.username || url.pathname !== '/' || url.search || url.hash)
    throw new Error('expected an http address without user and path, such as http://proxy.example.net:3128')
  return value
}

export function readIssuer(value: string): string {
  if (value === '') return ''
  const url = URL.canParse(value) ? new URL(value) : undefined
  const isHere = url?.protocol === 'http:' && isLoopbackName(url.hostname)
  if (!url || url.search || url.hash || url.username || !(url.protocol === 'https:' || isHere))
    throw new Error('expected an https address without query, such as https://login.example.net/realms/staff')
  return value
}

const isLoopbackName = (name: string) => /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(name)

export function readScopes(value: string): string {
  const words = value.split(/\s+/).filter((word) => word !== '')
  if (!words.includes('openid') || !words.every((word) => /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(word)))
    throw new Error('expected words separated by spaces, openid among them')
  return words.join(' ')
}

/** Groups of a provider of identities, each with the role of its members: `NOC=operator; staff=viewer`. */
export function readGroupRoles(value: string): ReadonlyMap<string, string> {
  const pairs = value
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair !== '')
    .map((pair) => {
      // Groups of a directory have signs of equality in their names; roles have none.
      const cut = pair.lastIndexOf('=')
      const [group, role] = [pair.slice(0, Math.max(cut, 0)).trim(), pair.slice(cut + 1).trim()]
      if (group === '' || !['viewer', 'operator', 'administrator'].includes(role))
        throw new Error(
          'expected groups with the role of each, such as noc=operator; admins=administrator; *=viewer',
        )
      return [group, role] as const
    })
  return new Map(pairs)
}

export function readRealm(value: string): string {
  if (!/^[\x20\x21\x23-\x5b\x5d-\x7e]{1,100}$/.test(value))
    throw new Error('expected 1 to 100 visible ASCII characters without quotes and backslashes')
  return value
}

export function readTimeZone(value: string): string {
  try {
    // Without a name, that of the machine.
    return new Intl.DateTimeFormat('en', value === '' ? {} : { timeZone: value }).resolvedOptions().timeZone
  } catch {
    throw new Error('expected the name of a time zone such as Europe/Berlin')
  }
}

const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

export function readLevel(value: string): (typeof levels)[number] {
  const level = levels.find((known) => known === value)
  if (!level) throw new Error(`expected one of ${levels.join(', ')}`)
  return level
}
