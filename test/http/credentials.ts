// A service with operators, and callers with credentials.

import assert from 'node:assert/strict'
import { type Algorithm, expectedResponse, ha1 } from '../../src/access/digest.ts'
import { type Role, roles } from '../../src/resources/access/role.ts'
import { type Answer, type Ask, startService, type TestOptions, type TestService } from '../support.ts'

/** Of every operator in the tests, under their own name. */
export const passwordOf = (name: string) => `${[...name].reverse().join('')}-horse-staple-9`

interface Challenged {
  readonly realm: string
  readonly nonce: string
  readonly lines: readonly string[]
}

/** What a 401 asks for. Node joins the lines of this header. */
export function challengeOf({ headers }: Answer): Challenged {
  const text = String(headers['www-authenticate'])
  const value = (name: string) => new RegExp(`\\b${name}="([^"]*)"`).exec(text)?.[1] ?? ''
  return { realm: value('realm'), nonce: value('nonce'), lines: text.split(/, (?=Digest|Basic|Bearer)/) }
}

export interface Show {
  readonly name: string
  readonly password?: string
  readonly method?: string
  readonly uri: string
  readonly algorithm?: Algorithm
  readonly nc?: string
  readonly cnonce?: string
}

/** An Authorization header as a program would make it. */
export function digestHeader({ realm, nonce }: Pick<Challenged, 'realm' | 'nonce'>, show: Show): string {
  const { name, password = passwordOf(name), method = 'GET', uri } = show
  const { algorithm = 'SHA-256', nc = '00000001', cnonce = 'abcdef' } = show
  const secret = ha1(algorithm, name, realm, password)
  const response = expectedResponse(secret, method, { algorithm, nonce, nc, cnonce, uri })
  const wire = Buffer.from(name, 'utf8').toString('latin1')
  return `Digest username="${wire}", realm="${realm}", nonce="${nonce}", uri="${uri}", algorithm=${algorithm}, qop=auth, nc=${nc}, cnonce="${cnonce}", response="${response}"`
}

interface Guarded extends TestService {
  /** Asks for a challenge, and answers it. */
  as(name: string, method: string, path: string, ask?: Ask): Promise<Answer>
  challenge(): Promise<Challenged>
  asJson(name: string, method: string, path: string, body: unknown): Promise<Answer>
}

export function guard(service: TestService): Guarded {
  const challenge = async () => challengeOf(await service.get('/'))
  const as = async (name: string, method: string, path: string, { headers = {}, body }: Ask = {}) => {
    const Authorization = digestHeader(await challenge(), { name, method, uri: path })
    const sent = { headers: { ...headers, Authorization }, ...(body !== undefined && { body }) }
    return service.ask(method, path, sent)
  }
  const asJson = (name: string, method: string, path: string, body: unknown) => {
    const headers = { 'Content-Type': 'application/json', Accept: 'application/json' }
    return as(name, method, path, { headers, body: JSON.stringify(body) })
  }
  return { ...service, as, challenge, asJson }
}

/** One operator of each role, named after it; from the first one on, credentials are required. */
export async function startGuarded(
  flags: Record<string, string> = {},
  options: TestOptions = {},
  names: readonly Role[] = roles,
): Promise<Guarded> {
  const service = guard(await startService(flags, options))
  const record = (role: Role) => ({ name: role, role, password: passwordOf(role) })
  const first = await service.sendJson('POST', '/plat/operator', record('administrator'))
  assert.equal(first.status, 201, first.text)
  for (const role of names) {
    if (role === 'administrator') continue
    const made = await service.asJson('administrator', 'POST', '/plat/operator', record(role))
    assert.equal(made.status, 201, made.text)
  }
  return service
}

export const bearer = (token: string) => ({ Authorization: `Bearer ${token}` })

/** What a session needs for what outlasts it. */
export const present = (name: string, password = passwordOf(name)) => ({
  'Belfry-Password': encodeURIComponent(password),
})

/** Makes a token and returns it. */
export async function tokenOf(service: Guarded, name: string, wanted: object = {}): Promise<string> {
  const made = await service.asJson(name, 'POST', '/plat/token', wanted)
  assert.equal(made.status, 201, made.text)
  return String(made.json().token)
}
