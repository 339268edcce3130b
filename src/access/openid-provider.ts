// A client of an OpenID Connect provider: the code flow with PKCE. Wrong or missing answers of the provider become a
// Fault. Messages never contain codes, tokens or the secret.

import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type * as Client from 'openid-client'
import type { Config } from '../config/config.ts'
import { Fault, shown } from '../fault.ts'
import { FairSlots } from '../pacing/fair-slots.ts'
import type { ProviderIdentity } from '../resources/access/identity.ts'
import { isSame } from './digest.ts'
import { newSecret } from './secrets.ts'

type Library = typeof Client

/** The user that the provider has authenticated, as it reports it. */
export interface Person {
  readonly identity: ProviderIdentity
  /** For display only; another user may have it tomorrow. */
  readonly name: string
  readonly fullName: string
  readonly groups: readonly string[]
  /** When the provider last asked the user to sign in, by its own clock; not every provider says. */
  readonly presentTime: number | undefined
  /** Lets us ask the provider later whether it still knows the user; not every provider issues one. */
  readonly refreshToken: string | undefined
}

/** Whether a provider still knows a user; undefined if it did not say. */
interface Knowing {
  readonly isKnown: boolean | undefined
  /** Replaces the refresh token that was used. */
  readonly next?: string | undefined
}

/** A sign-in that has begun. The browser keeps it until it comes back, and nobody else knows the seed. */
export interface BegunSignIn {
  readonly seed: string
  readonly begunTime: number
  /** Whether the user must be asked again, even if the provider knows the browser. */
  readonly isAgain: boolean
}

const answerSeconds = 10
/** The most bytes of a document of the provider. */
const answerLimit = 1024 * 1024
/** How long the provider's metadata is used, and how long a failure to read it. */
const keptFor = 3_600_000
const downFor = 5000
const exchanges = { atOnce: 8, perAddress: 2, waitingPerAddress: 4, waiting: 64 }
/** How far the provider's clock may be from ours. */
const clockSeconds = 60
const nameLimit = 200
const subjectLimit = 255
const groupLimit = 1000

export class OpenIdProvider {
  readonly issuer: string
  readonly #config: Config
  readonly #clock: () => number
  #known: { readonly at: number; readonly provider: Promise<Client.Configuration> } | undefined
  readonly #exchanges = new FairSlots(exchanges)

  /** Undefined if the settings name no provider. */
  static open(config: Config, clock: () => number): OpenIdProvider | undefined {
    if (config['openid-issuer'] === '') return undefined
    const provider = new OpenIdProvider(config, clock)
    provider.#readSecret()
    return provider
  }

  private constructor(config: Config, clock: () => number) {
    this.issuer = config['openid-issuer']
    this.#config = config
    this.#clock = clock
  }

  /** `back` is the page to which the provider sends the browser. Returns where the browser goes first. */
  async begin(back: string, isAgain: boolean): Promise<{ begun: BegunSignIn; address: string }> {
    const library = await import('openid-client')
    const provider = await this.#find()
    // One secret in the browser; everything that is checked later is derived from it.
    const seed = newSecret()
    const address = library.buildAuthorizationUrl(provider, {
      redirect_uri: back,
      scope: this.#config['openid-scopes'],
      state: derived(seed, 'state'),
      nonce: derived(seed, 'nonce'),
      code_challenge: await library.calculatePKCECodeChallenge(derived(seed, 'verifier')),
      code_challenge_method: 'S256',
      // The user can remove these from the address; what counts is the ID token.
      ...(isAgain && { prompt: 'login', max_age: '0' }),
    })
    return { begun: { seed, begunTime: this.#clock(), isAgain }, address: address.href }
  }

  /** Completes a sign-in; `query` is the query string that the provider added to the address of the page. */
  async finish(begun: BegunSignIn | undefined, back: string, query: string, place: string): Promise<Person> {
    const url = new URL(`${back}?${query.replace(/^\?/, '')}`)
    if (!begun || !isSame(url.searchParams.get('state') ?? '', derived(begun.seed, 'state'))) {
      const message =
        'this answer of the provider belongs to no sign-in that this browser has begun: begin again'
      throw new Fault('unauthorized', message)
    }
    return this.#exchanges.run(place, async () => {
      try {
        const library = await import('openid-client')
        const provider = await this.#find()
        return await this.#exchange(library, provider, url, begun)
      } catch (error) {
        throw this.#faultOf(error, 'unauthorized')
      }
    })
  }

  /** Asks with a refresh token. Only the answer "invalid_grant" means that the user is no longer known. */
  async stillKnows(refreshToken: string): Promise<Knowing> {
    try {
      const library = await import('openid-client')
      const tokens = await library.refreshTokenGrant(await this.#find(), refreshToken)
      return { isKnown: true, next: tokens.refresh_token }
    } catch (error) {
      return { isKnown: (error as ProviderError).error === 'invalid_grant' ? false : undefined }
    }
  }

  async #exchange(
    library: Library,
    provider: Client.Configuration,
    url: URL,
    begun: BegunSignIn,
  ): Promise<Person> {
    const { seed } = begun
    const tokens = await library.authorizationCodeGrant(provider, url, {
      expectedState: derived(seed, 'state'),
      expectedNonce: derived(seed, 'nonce'),
      pkceCodeVerifier: derived(seed, 'verifier'),
      idTokenExpected: true,
    })
    const own = tokens.claims()
    // An empty subject would match every user without one.
    if (!own || own.sub === '' || own.sub.length > subjectLimit)
      throw new Fault(
        'unauthorized',
        'the provider did not say who you are: expected an ID token with a subject',
      )
    const presentTime = own.auth_time === undefined ? undefined : own.auth_time * 1000
    if (Math.max(own.iat, own.auth_time ?? 0) > this.#clock() / 1000 + clockSeconds)
      throw new Fault(
        'unauthorized',
        `the ID token is from the future, by more than ${clockSeconds} seconds: compare the clocks of the provider and of this service`,
      )
    if (begun.isAgain) this.#requireAsked(presentTime, begun)
    const { 'openid-group-claim': groupClaim } = this.#config
    // Some providers report groups and names only on request.
    const isBare = own[groupClaim] === undefined && provider.serverMetadata().userinfo_endpoint !== undefined
    const more = isBare ? await library.fetchUserInfo(provider, tokens.access_token, own.sub) : {}
    const claims: Readonly<Record<string, unknown>> = { ...more, ...own }
    const texts = ['preferred_username', 'email', 'name', 'sub'].map((name) => textOf(claims[name]))
    return {
      identity: { issuer: own.iss, subject: own.sub },
      name: texts.find((text) => text !== '') ?? '',
      fullName: textOf(claims.name),
      groups: textsOf(claims[groupClaim]),
      presentTime,
      refreshToken: tokens.refresh_token,
    }
  }

  /** Only the signed time shows that the user was asked again. */
  #requireAsked(presentTime: number | undefined, { begunTime }: BegunSignIn): void {
    if (presentTime === undefined) {
      const reason = `${this.issuer} does not say when you signed in there: its ID token has no auth_time, which max_age asks for. Whoever runs the provider can add it`
      throw new Fault('forbidden', reason)
    }
    if (presentTime < begunTime - clockSeconds * 1000)
      throw new Fault('unauthorized', 'the provider did not ask you to sign in again: begin again')
  }

  /** The provider's metadata is read once an hour. */
  #find(): Promise<Client.Configuration> {
    const now = this.#clock()
    if (this.#known && Math.abs(now - this.#known.at) < keptFor) return this.#known.provider
    const provider = this.#discover().catch((error) => {
      // It is read again soon, but not for every waiting caller.
      if (this.#known) this.#known = { ...this.#known, at: now - keptFor + downFor }
      throw this.#faultOf(error, 'unavailable')
    })
    this.#known = { at: now, provider }
    return provider
  }

  async #discover(): Promise<Client.Configuration> {
    const library = await import('openid-client')
    const issuer = new URL(this.issuer)
    const execute = [library.enableNonRepudiationChecks]
    // The settings allow it only on this machine.
    if (issuer.protocol === 'http:') execute.push(library.allowInsecureRequests)
    // The library uses the clock of this machine, which may be wrong.
    const time = { [library.clockSkew]: Math.round((this.#clock() - Date.now()) / 1000) }
    return library.discovery(issuer, this.#config['openid-client-id'], time, this.#showSecret(library), {
      execute,
      timeout: answerSeconds,
      [library.customFetch]: fetchBounded,
    })
  }

  /** By a method that the provider supports. */
  #showSecret(library: Library): Client.ClientAuth {
    const secret = this.#readSecret()
    if (secret === undefined) return library.None()
    const [basic, post] = [library.ClientSecretBasic(secret), library.ClientSecretPost(secret)]
    return (server, client, body, headers) => {
      const ways = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
      return (ways.includes('client_secret_basic') ? basic : post)(server, client, body, headers)
    }
  }

  #readSecret(): string | undefined {
    const file = this.#config['openid-secret-file']
    if (file === '') return undefined
    try {
      return readFileSync(file, 'utf8').trim()
    } catch (cause) {
      const { message } = cause as Error
      throw new Fault('invalid', `openid-secret-file: ${file} cannot be read: ${message}`, { cause })
    }
  }

  /** `otherwise` is the reason unless the error says more. */
  #faultOf(error: unknown, otherwise: 'unauthorized' | 'unavailable'): Fault {
    const { message, code, error: reason, cause } = error as ProviderError
    if (error instanceof Fault) return error
    if (cause instanceof Fault) return cause
    const isRefusal = ['OAUTH_AUTHORIZATION_RESPONSE_ERROR', 'OAUTH_RESPONSE_BODY_ERROR'].includes(code ?? '')
    if (isRefusal && reason === 'invalid_client') {
      const reason = `${this.issuer} refuses the secret of this service (invalid_client)`
      return new Fault('unavailable', reason)
    }
    if (isRefusal)
      return new Fault('unauthorized', `the provider refused the sign-in: ${shown(reason ?? 'no reason')}`)
    const isOfLibrary = (code ?? cause?.code)?.startsWith('OAUTH_')
    if (!isOfLibrary || code === 'OAUTH_TIMEOUT') {
      const why = code === 'OAUTH_TIMEOUT' ? `no answer in ${answerSeconds} seconds` : cause?.code
      return new Fault('unavailable', `${this.issuer} cannot be reached${why ? `: ${why}` : ''}`)
    }
    // The inner message is more precise; neither contains values.
    return new Fault(
      otherwise,
      `the answer of ${this.issuer} cannot be accepted: ${cause?.message ?? message}`,
    )
  }
}

/** Errors of the library, and of Node's fetch, which it uses. */
interface ProviderError extends Error {
  readonly code?: string
  readonly error?: string
  readonly cause?: Error & { readonly code?: string }
}

/** Identifies a sign-in, to recognise one that was finished before. */
export const markOf = ({ seed }: BegunSignIn) => derived(seed, 'used')

const derived = (seed: string, purpose: string) =>
  createHmac('sha256', seed).update(purpose).digest('base64url')

const textOf = (value: unknown) => (typeof value === 'string' ? value.trim().slice(0, nameLimit) : '')

/** Some providers send a single group as a text, not as a list. */
const textsOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value.slice(0, groupLimit) : [value]).filter((text) => typeof text === 'string')

/** A provider that sends without end must not fill our memory. */
const fetchBounded: Client.CustomFetch = async (url, options) => {
  const { body, status, headers } = await fetch(url, options as RequestInit)
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.length
    if (size > answerLimit)
      throw new Fault('unavailable', `${new URL(url).host} answers more than ${answerLimit} bytes`)
    chunks.push(chunk)
  }
  const isBare = status === 204 || status === 304
  return new Response(isBare ? null : Buffer.concat(chunks), { status, headers })
}
