// The one way to the service: every request of the console goes through here, and so does every refusal.

import { signal } from '@preact/signals'
import { texts } from '../texts/shared-texts.ts'
import { root } from './address.ts'
import { Refused } from './refused.ts'

/** Grows each time the service no longer accepts the session. */
export const signedOut = signal(0)

export interface Answer<T> {
  readonly data: T
  readonly total: number
  /** Remarks of the service about what it accepted. */
  readonly remarks: string
  readonly location: string
}

export interface Ask {
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>
  readonly body?: unknown
  /** Of a body that is no JSON. */
  readonly type?: string
  readonly signal?: AbortSignal | undefined
  /** The operator's own, for what outlasts the session. */
  readonly presentPassword?: string | undefined
}

export async function ask<T>(method: string, path: string, asked: Ask = {}) {
  const { query, body, type, signal: over, presentPassword = '' } = asked
  const response = await request(method, path + searchOf(query), {
    headers: {
      Accept: 'application/json',
      ...(body !== undefined && { 'Content-Type': type ?? 'application/json' }),
      ...(presentPassword !== '' && { 'Belfry-Password': encodeURIComponent(presentPassword) }),
    },
    ...(body !== undefined && { body: type === undefined ? JSON.stringify(body) : (body as BodyInit) }),
    ...(over && { signal: over }),
  })
  const text = await response.text()
  return {
    data: (text === '' ? undefined : JSON.parse(text)) as T,
    total: Number(response.headers.get('Total') ?? 0),
    remarks: decode(response.headers.get('Belfry-Warning') ?? ''),
    location: response.headers.get('Location') ?? '',
  } satisfies Answer<T>
}

/** Has the browser save an answer as a file, as a link would that could say who is present. */
export async function save(path: string, presentPassword: string): Promise<void> {
  const response = await request('GET', path, {
    headers: {
      Accept: 'application/json',
      'Belfry-Password': encodeURIComponent(presentPassword),
    },
  })
  const [, name = 'download'] =
    /filename="([^"]+)"/.exec(response.headers.get('Content-Disposition') ?? '') ?? []
  const link = document.createElement('a')
  link.href = URL.createObjectURL(await response.blob())
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}

export const read = async <T>(path: string, query?: Ask['query'], over?: AbortSignal) =>
  (await ask<T>('GET', path, { ...(query && { query }), signal: over })).data

export interface Rows<T> {
  readonly rows: readonly T[]
  readonly total: number
  /** Remarks of the service about the list, such as what is missing in it. */
  readonly remarks: string
}

/** A list is an object with the rows under their own name. */
export async function list<T>(path: string, query: Ask['query'] = {}, over?: AbortSignal): Promise<Rows<T>> {
  const { data, total, remarks } = await ask<Record<string, T[]>>('GET', path, { query, signal: over })
  return { rows: Object.values(data ?? {})[0] ?? [], total, remarks }
}

/** In one piece, however long: for what must not miss any. */
export async function listWhole<T>(path: string, query: Ask['query'] = {}, over?: AbortSignal): Promise<T[]> {
  const all: T[] = []
  for (;;) {
    const { rows, total } = await list<T>(path, { ...query, start: all.length, size: portion }, over)
    all.push(...rows)
    if (rows.length === 0 || all.length >= total) return all
  }
}

const portion = 1000

export async function count(path: string, query: Ask['query'] = {}): Promise<number> {
  return (await ask('GET', path, { query: { ...query, total: true } })).total
}

/** The answer itself, for callers that read it as it comes; throws a `Refused` unless it is successful. */
export async function request(method: string, path: string, init: RequestInit): Promise<Response> {
  let response: Response
  try {
    response = await fetch(root + path, { method, credentials: 'same-origin', cache: 'no-store', ...init })
  } catch (error) {
    if ((error as Error).name === 'AbortError') throw error
    throw new Refused(0, 'unreachable', texts.errors.unreachable)
  }
  if (response.ok) return response
  if (response.status === 401) signedOut.value += 1
  throw await refusalOf(response)
}

async function refusalOf(response: Response): Promise<Refused> {
  const { status, headers } = response
  let document: { code?: string; message?: string; field?: string } = {}
  try {
    document = await response.json()
  } catch {
    // The answer is a proxy's own, or was cut off.
  }
  const code = document.code ?? headers.get('Error-Code') ?? 'unknown'
  const message = document.message ?? decode(headers.get('Error-Message') ?? '')
  const text = message === '' ? texts.errors.status(status) : texts.errors.refused(code, message)
  return new Refused(status, code, text, document.field)
}

function searchOf(query: Ask['query'] = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '')
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
  return search === '' ? '' : `?${search}`
}

/** Headers carry what is not ASCII percent-encoded. */
function decode(header: string): string {
  try {
    return decodeURIComponent(header)
  } catch {
    return header
  }
}
