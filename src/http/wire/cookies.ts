// Reads and writes cookies.

import type { Channel } from '../call.ts'

/** The prefix makes browsers refuse it from other hosts and from connections that are not encrypted. */
const nameOn = (channel: Channel, name: string) => (channel === 'encrypted' ? `__Host-${name}` : name)

/** Its value; undefined where it was not sent, or twice with different values: one of them is somebody else's. */
export function readCookie(header: string | undefined, channel: Channel, name: string): string | undefined {
  const wanted = `${nameOn(channel, name)}=`
  const pairs = (header ?? '').split(';').map((pair) => pair.trim())
  const found = new Set(pairs.filter((pair) => pair.startsWith(wanted)))
  const [pair] = found
  return found.size === 1 ? pair?.slice(wanted.length) : undefined
}

interface CookieForm {
  readonly sameSite: 'Strict' | 'Lax'
  /** Seconds; without it, until the browser is closed. 0 removes it. */
  readonly maxAge?: number
}

export function writeCookie(channel: Channel, name: string, value: string, form: CookieForm): string {
  const parts = [`${nameOn(channel, name)}=${value}`, 'Path=/', 'HttpOnly', `SameSite=${form.sameSite}`]
  if (channel === 'encrypted') parts.push('Secure')
  if (form.maxAge !== undefined) parts.push(`Max-Age=${form.maxAge}`)
  return parts.join('; ')
}
