// Serves the console: one page, its files, and the redirect from the root. None of it requires credentials, because
// people sign in there; its data comes from ordinary requests.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { Fault } from '../../fault.ts'
import type { Target } from '../call.ts'
import { choose, mediaTypes, notAcceptable } from '../content-negotiation.ts'
import { sendEmpty } from '../responses.ts'
import { type Asset, type Assets, compress, type Encoding, loadAssets, signature } from './assets.ts'
import { asLanguage, type Language, languageFor } from './language.ts'

const home = '/console'
const files = `${home}/files/`
/** Where the links in messages lead. */
const act = `${home}/act`

/** Scripts and style from here alone, nothing inline, no frame around it. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "object-src 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

const guarded = {
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Resource-Policy': 'same-origin',
}

const pageHeaders = {
  ...guarded,
  'Content-Security-Policy': policy,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Referrer-Policy': 'same-origin',
  'X-Frame-Options': 'DENY',
  'Cache-Control': 'no-cache',
}

const html = { form: 'html', ranges: ['text/html'] } as const

export class Console {
  readonly #assets = new Map<Language, Promise<Assets>>()
  #signature = ''
  /** The pages, by their name, language and the path of the service root. */
  readonly #pages = new Map<string, Promise<Asset>>()

  /** Whether it answers this; a route of the service takes precedence. */
  concerns({ path }: Target, { method, headers }: IncomingMessage): boolean {
    if (path === '/') return isReading(method) && prefersPage(headers.accept)
    return path === home || path.startsWith(`${home}/`)
  }

  /** `base` is the address of the root as the caller knows it. */
  async answer(request: IncomingMessage, response: ServerResponse, { path }: Target, base: string) {
    if (!isReading(request.method)) {
      throw new Fault('method-not-allowed', `${request.method} is not possible here: expected GET or HEAD`)
    }
    const root = new URL(base).pathname.replace(/\/$/, '')
    if (path === '/') return sendEmpty(response, 303, { Location: `${root}${home}`, Vary: 'Accept' })
    if (path.startsWith(files)) return this.#sendFile(request, response, path.slice(files.length))
    const accept = request.headers.accept?.trim() || '*/*'
    if (!choose(accept, [{ form: 'html', ranges: ['text/html', 'text/*', '*/*'] }])) {
      throw notAcceptable(accept, 'text/html')
    }
    const language = languageFor(request.headers)
    const assets = await this.#current(language)
    const page = await this.#page(assets, language, root, path === act ? 'act.html' : 'index.html')
    const tag = `"${assets.version}"`
    const headers = { ...pageHeaders, ETag: tag, Vary: 'Accept-Encoding, Accept-Language, Cookie' }
    if (request.headers['if-none-match'] === tag) return sendEmpty(response, 304, headers)
    send(request, response, page, headers)
  }

  /**
   * Prepares the files of the first page before somebody asks for them, so that the first person to open the console
   * waits no longer than the next.
   */
  async prepare(): Promise<void> {
    const assets = await this.#current('en')
    await Promise.all(assets.firstFiles.map((name) => assets.find(name)))
  }

  async #sendFile(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    const [folder, version, ...name] = path.split('/')
    const language = asLanguage(folder)
    const assets = language && (await (this.#assets.get(language) ?? this.#current(language)))
    const asset = version === assets?.version ? await assets?.find(name.join('/')) : undefined
    if (!asset) throw new Fault('not-found', 'this is no file of the console that is served now')
    // Its address changes with its content.
    const cached = 'public, max-age=31536000, immutable'
    send(request, response, asset, { ...guarded, 'Cache-Control': cached, Vary: 'Accept-Encoding' })
  }

  /** Made when it is first requested: most starts of the service do not need the console, and few all languages. */
  #current(language: Language): Promise<Assets> {
    const found = signature()
    if (found !== this.#signature) {
      this.#signature = found
      this.#assets.clear()
      this.#pages.clear()
    }
    const known = this.#assets.get(language)
    if (known) return known
    const assets = loadAssets(language)
    this.#assets.set(language, assets)
    // What could not be made is tried again with the next request.
    assets.catch(() => {
      if (this.#assets.get(language) === assets) this.#assets.delete(language)
    })
    return assets
  }

  #page(assets: Assets, language: Language, root: string, name: 'index.html' | 'act.html'): Promise<Asset> {
    const folder = `${root}${files}${language}/${assets.version}/`
    const write = () => compress(name, Buffer.from(assets.page(name, folder)))
    const key = `${name} ${language} ${root}`
    const known = this.#pages.get(key) ?? write()
    // There are two pages in two languages, and two roots, or one that the settings name.
    if (this.#pages.size < 16) this.#pages.set(key, known)
    return known
  }
}

const isReading = (method: string | undefined) => method === 'GET' || method === 'HEAD'

/** Programs that accept anything get the form for programs. */
const prefersPage = (accept = '') => choose(accept, [...mediaTypes, html]) === 'html'

function send(
  { method, headers: asked }: IncomingMessage,
  response: ServerResponse,
  { type, bodies }: Asset,
  headers: Record<string, string>,
): void {
  const wanted = encodingFor(String(asked['accept-encoding'] ?? ''))
  const encoding = bodies[wanted] ? wanted : 'identity'
  const body = bodies[encoding] ?? bodies.identity
  response.writeHead(200, {
    'Content-Type': type,
    'Content-Length': body.length,
    ...(encoding !== 'identity' && { 'Content-Encoding': encoding }),
    ...headers,
  })
  response.end(method === 'HEAD' ? undefined : body)
}

function encodingFor(accept: string): Encoding {
  const isWanted = (name: string) => choose(accept, [{ form: name, ranges: [name, '*'] }]) !== undefined
  return isWanted('br') ? 'br' : isWanted('gzip') ? 'gzip' : 'identity'
}
