// Reads lists of NetBox by its REST API, page by page. Nothing is written there.

import { Fault, shown } from '../../fault.ts'

/** A record of NetBox; what is read of it is checked where it is used. */
export type NetBoxRecord = Readonly<Record<string, unknown>>

export interface NetBoxPlace {
  /** Such as https://netbox.example.net, or with a path. */
  readonly base: string
  readonly token: string
}

const pageSize = 500
const requestTimeout = 60_000
/** An answer that never ends must not fill the memory. */
const maxPageBytes = 64 * 2 ** 20
const maxRecords = 1_000_000

/** Its address without a `/` at the end. A token is not sent in clear text over a network. */
export function netBoxBase(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isLoopback = url !== undefined && /^(127\.[\d.]+|\[::1\]|localhost)$/.test(url.hostname)
  const isPlain = url !== undefined && url.search === '' && url.hash === '' && url.username === ''
  if (!isPlain || !(url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback)))
    throw new Fault(
      'invalid',
      `${shown(text)}: expected the address of NetBox, such as https://netbox.example.net; http only on this machine, because the token would be sent in clear text`,
    )
  return url.href.replace(/\/(api\/?)?$/, '')
}

/** All records of a list, in the order of their ids. */
export async function readNetBox(place: NetBoxPlace, path: string): Promise<readonly NetBoxRecord[]> {
  const found = new Map<unknown, NetBoxRecord>()
  for (let offset = 0; ; ) {
    const { count, results } = await readPage(place, path, offset)
    // What was added or removed meanwhile moves the pages: a record may come twice.
    for (const one of results) found.set(one.id, one)
    offset += results.length
    if (results.length === 0 || offset >= count) return [...found.values()]
    if (offset > maxRecords) throw new Fault('unavailable', `NetBox has more than ${maxRecords} ${path}`)
  }
}

/** NetBox itself says where the next page is, but behind a proxy not always with an address that can be reached. */
async function readPage(
  { base, token }: NetBoxPlace,
  path: string,
  offset: number,
): Promise<{ readonly count: number; readonly results: readonly NetBoxRecord[] }> {
  const where = `${base}/api/${path}/`
  const answer = await fetch(`${where}?limit=${pageSize}&offset=${offset}&ordering=id`, {
    headers: { Accept: 'application/json', Authorization: authorization(token) },
    // Elsewhere the token is nobody's business.
    redirect: 'manual',
    signal: AbortSignal.timeout(requestTimeout),
  }).catch((cause) => {
    throw new Fault('unavailable', `${where} cannot be read: ${cause.cause?.message ?? cause.message}`, {
      cause,
    })
  })
  if (answer.status !== 200) {
    await answer.body?.cancel()
    throw new Fault(
      answer.status < 500 ? 'invalid' : 'unavailable',
      `${where} answers ${answer.status}${meaning[answer.status] ?? ''}`,
    )
  }
  const page = parsed(await textOf(answer, where))
  if (!page) throw new Fault('invalid', `${where} does not answer as NetBox does: is the address right?`)
  return page
}

const meaning: Readonly<Record<number, string>> = {
  301: ': it moved; give the address that it redirects to',
  302: ': it redirects; give the address of NetBox itself',
  401: ': the token is wrong or has expired',
  403: ': the token is wrong, or may not read this',
  404: ': is the address right? NetBox 3.3 or newer is expected',
}

/** Tokens of version 2, since NetBox 4.5, are named differently. */
const authorization = (token: string) => `${token.startsWith('nbt_') ? 'Bearer' : 'Token'} ${token}`

async function textOf(answer: Response, where: string): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of answer.body ?? []) {
      size += chunk.length
      if (size > maxPageBytes) break
      chunks.push(chunk)
    }
  } catch (cause) {
    throw new Fault('unavailable', `${where} broke off`, { cause })
  }
  if (size > maxPageBytes)
    throw new Fault('unavailable', `${where} answers with more than ${maxPageBytes} bytes`)
  return Buffer.concat(chunks).toString('utf8')
}

function parsed(text: string) {
  try {
    const { count, results } = JSON.parse(text)
    const isList = Array.isArray(results) && results.every((one) => typeof one?.id === 'number')
    return typeof count === 'number' && isList ? { count, results: results as NetBoxRecord[] } : undefined
  } catch {
    return undefined
  }
}
