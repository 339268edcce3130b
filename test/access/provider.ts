// Identity providers on this machine: a real one, and one whose ID tokens are wrong.

/// <reference path="./oidc-provider.d.ts" />

import { createSign, generateKeyPairSync } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import Provider, { type Context } from 'oidc-provider'
import { sendRequest } from '../support.ts'

export const clientId = 'belfry'
export const clientSecret = 'a secret between two services'

/** What the provider knows of somebody beside the subject; tests change it. */
export type People = Map<string, Record<string, unknown>>

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function bodyOf(request: IncomingMessage): Promise<URLSearchParams> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return new URLSearchParams(Buffer.concat(chunks).toString())
}

export interface TestProvider {
  readonly issuer: string
  readonly people: People
  /** Registers a service by the page that browsers are sent back to; before, no service is registered. */
  serve(back: string): void
  /** How often it was asked with a refresh token; and how it answers that from now on. */
  refreshes(): number
  refuse(how: 'down' | 'unknown'): void
  stop(): void
}

/** Any name is accepted; it becomes the subject. */
export async function startProvider(): Promise<TestProvider> {
  const people: People = new Map()
  let provider: Provider | undefined
  let refreshes = 0
  let refusing: 'down' | 'unknown' | undefined
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    if (path.startsWith('/enter/')) void enter(request, response)
    else if (path === '/token' && refusing === 'down') {
      refreshes += 1
      request.destroy()
    } else if (provider) provider.callback()(request, response)
    else request.destroy()
  })
  const enter = async (request: IncomingMessage, response: ServerResponse) => {
    if (request.method !== 'POST') {
      response.setHeader('Content-Type', 'text/html')
      response.end(
        '<title>Provider</title><form method="post"><label>Who <input name="who"></label><button>Enter</button></form>',
      )
      return
    }
    const who = (await bodyOf(request)).get('who') ?? ''
    const result = who === '' ? { error: 'access_denied' } : { login: { accountId: who } }
    await provider?.interactionFinished(request, response, result)
  }
  const issuer = await listen(server)
  const serve = (back: string) => {
    provider = new Provider(issuer, configurationFor(people, back))
    provider.on('grant.success', ({ oidc }: Context) => {
      if (oidc.params.grant_type === 'refresh_token') refreshes += 1
    })
  }
  const stop = () => {
    server.closeAllConnections()
    server.close()
  }
  const refuse = (how: 'down' | 'unknown') => {
    refusing = how
    if (how === 'unknown') people.clear()
  }
  return { issuer, people, serve, refreshes: () => refreshes, refuse, stop }
}

/** One client, without a page of consent. */
const configurationFor = (people: People, back: string) => ({
  clients: [
    {
      client_id: clientId,
      client_secret: clientSecret,
      redirect_uris: [back],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
    },
  ],
  cookies: { keys: ['only for tests'] },
  claims: { openid: ['sub'], profile: ['name', 'preferred_username', 'groups'] },
  features: { devInteractions: { enabled: false } },
  interactions: { url: (_: unknown, { uid }: { uid: string }) => `/enter/${uid}` },
  pkce: { required: () => true },
  issueRefreshToken: async () => true,
  // Somebody who was removed is not known any more.
  findAccount: (_: unknown, sub: string) =>
    people.size > 0 ? { accountId: sub, claims: () => ({ sub, ...people.get(sub) }) } : undefined,
  loadExistingGrant: async ({ oidc }: Context) => {
    // As long as its session lasts there is one: another would end the refresh tokens of the one before.
    const known = oidc.session?.grantIdFor(oidc.client.clientId)
    if (known !== undefined) return oidc.provider.Grant.find(known)
    const grant = new oidc.provider.Grant({
      accountId: oidc.account.accountId,
      clientId: oidc.client.clientId,
    })
    grant.addOIDCScope('openid profile')
    await grant.save()
    return grant
  },
})

/** Goes through the provider's pages as somebody; returns what it adds to the address that it sends back to. */
export async function enterAs(
  address: string,
  who: string,
  /** Of a browser that was there before. */
  cookies = new Map<string, string>(),
): Promise<string> {
  let next = new URL(address)
  let method = 'GET'
  for (let hops = 0; hops < 10; hops += 1) {
    const headers: Record<string, string> = {
      Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      ...(method === 'POST' && { 'Content-Type': 'application/x-www-form-urlencoded' }),
    }
    const body = new URLSearchParams({ who }).toString()
    const answer = await sendRequest(next.origin, method, next.pathname + next.search, {
      headers,
      ...(method === 'POST' && { body }),
    })
    for (const line of answer.headers['set-cookie'] ?? []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    const { location } = answer.headers
    if (location === undefined && method === 'POST') throw new Error(answer.text)
    method = location === undefined ? 'POST' : 'GET'
    if (location === undefined) continue
    next = new URL(location, next)
    if (next.pathname.endsWith('/console/openid')) return next.search.slice(1)
  }
  throw new Error(`no way through ${address}`)
}

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Its metadata is right; its ID tokens contain whatever a test wants. */
export async function startLiar(): Promise<{
  issuer: string
  lie: Record<string, unknown>
  forge: boolean
}> {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const another = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
  const self = { issuer: '', lie: {} as Record<string, unknown>, forge: false }
  const tokenOf = () => {
    const now = Math.floor(Date.now() / 1000)
    const right = { iss: self.issuer, sub: 'liar', aud: clientId, iat: now, exp: now + 60, groups: ['noc'] }
    const text = `${encode({ alg: 'RS256', kid: 'one' })}.${encode({ ...right, ...self.lie })}`
    const key = self.forge ? another : privateKey
    return `${text}.${createSign('RSA-SHA256').update(text).sign(key).toString('base64url')}`
  }
  const documents: Record<string, () => object> = {
    '/.well-known/openid-configuration': () => ({
      issuer: self.issuer,
      authorization_endpoint: `${self.issuer}/enter`,
      token_endpoint: `${self.issuer}/token`,
      jwks_uri: `${self.issuer}/keys`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      code_challenge_methods_supported: ['S256'],
    }),
    '/keys': () => ({
      keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'RS256', use: 'sig' }],
    }),
    '/token': () => ({ access_token: 'x', token_type: 'Bearer', id_token: tokenOf() }),
  }
  const server = createServer((request, response) => {
    response.setHeader('Content-Type', 'application/json')
    response.end(JSON.stringify(documents[request.url ?? '']?.() ?? {}))
  })
  self.issuer = await listen(server)
  return self
}
