// How the tests of the interface read answers: what was created, what was refused and why, what the store holds.

import assert from 'node:assert/strict'
import { catalog } from '../../src/resources/catalog.ts'
import { escapeXml } from '../../src/schema/xml.ts'
import { type Answer, type TestService, texts } from '../support.ts'

/** The path of what an answer's Location names, ready to be asked for. */
export function pathOf({ status, text, headers }: Answer): string {
  assert.ok(headers.location, `no Location in ${status} ${text}`)
  return new URL(headers.location).pathname
}

export const idOf = (answer: Answer): string => pathOf(answer).split('/').at(-1) ?? ''

const named: Record<string, string> = { lt: '<', gt: '>', amp: '&', '#10': '\n', '#13': '\r' }

const unescapeXml = (text: string) => text.replace(/&(#?\w+);/g, (_all, word) => named[word] ?? '?')

/** The values of every element with that name, as a reader of XML sees them. */
export const values = (xml: string, name: string): string[] => texts(xml, name).map(unescapeXml)

/** The value of the first element with that name. */
export const value = (xml: string, name: string): string | undefined => values(xml, name)[0]

export interface Refusal {
  readonly code: string | undefined
  readonly message: string
  readonly field: string | undefined
}

/** What an error answer says, after checking that headers and body say the same. */
export function refusalOf({ headers, text, json }: Answer): Refusal {
  const isJson = headers['content-type'] === 'application/json'
  const said = (name: string) => (isJson ? (json()[name] as string | undefined) : value(text, name))
  assert.match(text, isJson ? /^\{"code":/ : /^<\?xml [^>]*\?><error><code>/)
  const refusal = { code: said('code'), message: said('message') ?? '', field: said('field') }
  assert.equal(headers['error-code'], refusal.code)
  const header = decodeURIComponent(String(headers['error-message']))
  // What XML cannot carry is replaced there; the header has it percent-encoded.
  if (header.length < 500) assert.equal(isJson ? header : unescapeXml(escapeXml(header)), refusal.message)
  return refusal
}

const codes: Record<number, string> = {
  400: 'invalid',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not-found',
  405: 'method-not-allowed',
  406: 'not-acceptable',
  409: 'conflict',
  410: 'gone',
  413: 'too-large',
  415: 'unsupported-media-type',
  429: 'too-many-requests',
  500: 'internal',
  503: 'unavailable',
}

/** Holds an answer to a status, its code, and the field it names; returns the refusal for a closer look. */
export function refused(answer: Answer, status: number, field?: string): Refusal {
  assert.equal(answer.status, status, `${answer.status} ${answer.text}`)
  const refusal = refusalOf(answer)
  assert.equal(refusal.code, codes[status])
  if (field !== undefined) assert.equal(refusal.field, field, refusal.message)
  return refusal
}

/** Everything the service keeps, as its own export writes it. */
export async function everything(service: TestService): Promise<string> {
  const exports = catalog.map(({ resource }) => service.get(`/plat/data/${resource.name}`))
  return (await Promise.all(exports)).map((answer) => answer.text).join('\n')
}

/** Puts many records in at once, from a header line and rows of CSV. */
export async function load(service: TestService, resource: string, rows: readonly string[]): Promise<void> {
  const answer = await service.ask('POST', `/plat/data/${resource}`, {
    headers: { 'Content-Type': 'text/csv' },
    body: `${rows.join('\n')}\n`,
  })
  assert.equal(answer.status, 200, answer.text)
}
