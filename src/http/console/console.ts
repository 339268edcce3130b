// The console: one page, its files, and the redirect to it from the root. None of it is secret, so that people can sign
// in there; what the page shows, it requests like every other caller.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { Fault } from '../../fault.ts'
import { threadFile } from '../../store/thread.ts'
import { sendEmpty } from '../answers.ts'
import { choose, mediaTypes, notAcceptable, type Target } from '../call.ts'
import { type Asset, Assets, type Encoding, type FirstView, make, signature, styleName } from './assets.ts'

const home = '/console'
const files = `${home}/files/`

const makingModule = threadFile('making', import.meta.url)

/** Scripts and style from here alone, nothing inline, no frame around it. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
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
  #assets: Assets | undefined
  #prepared: FirstView | undefined
  #signature = ''
  /** The page, by the path of the service root. */
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
    const { version } = this.#current()
    const page = await this.#page(root)
    const tag = `"${version}"`
    const headers = { ...pageHeaders, ETag: tag, Vary: 'Accept-Encoding' }
    if (request.headers['if-none-match'] === tag) return sendEmpty(response, 304, headers)
    send(request, response, page, headers)
  }

  /**
   * Prepares the files of the first page before somebody asks for them, so that the first person to open the console
   * waits no longer than the next. They are made in another thread: that takes half a second.
   */
  async prepare(make: (module: URL) => Promise<FirstView>): Promise<void> {
    this.#prepared = await make(makingModule)
    this.#assets?.adopt(this.#prepared)
  }

  async #sendFile(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    const assets = this.#assets ?? this.#current()
    const [version, ...name] = path.split('/')
    const asset = version === assets.version ? await assets.find(name.join('/')) : undefined
    if (!asset) throw new Fault('not-found', 'this is no file of the console that is served now')
    // Its address changes with its content.
    const cached = 'public, max-age=31536000, immutable'
    send(request, response, asset, { ...guarded, 'Cache-Control': cached, Vary: 'Accept-Encoding' })
  }

  /** Made when it is first requested: most starts of the service do not need the console. */
  #current(): Assets {
    const found = signature()
    if (!this.#assets || found !== this.#signature) {
      this.#assets = new Assets()
      if (this.#prepared) this.#assets.adopt(this.#prepared)
      this.#signature = found
      this.#pages.clear()
    }
    return this.#assets
  }

  #page(root: string): Promise<Asset> {
    const known = this.#pages.get(root) ?? make('index.html', this.#write(root))
    // There are two roots, or one that the settings name.
    if (this.#pages.size < 4) this.#pages.set(root, known)
    return known
  }

  #write(root: string): string {
    const assets = this.#assets ?? this.#current()
    const at = (name: string) => `${root}${files}${assets.version}/${name}`
    const links = assets
      .firstFiles()
      .map((name) =>
        name === styleName
          ? `<link rel="stylesheet" href="${at(name)}">`
          : `<link rel="modulepreload" href="${at(name)}">`,
      )
    return assets
      .text('index.html')
      .replace('<!-- links -->', links.join('\n    '))
      .replaceAll(/(src|href)="\.\/([^"]+?)(?:\.ts)?"/g, (_, attribute: string, name: string) => {
        const file = assets.names.find((one) => one.replace(/\.[jt]s$/, '') === name) ?? name
        return `${attribute}="${at(file)}"`
      })
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
  const encoding = encodingFor(String(asked['accept-encoding'] ?? ''))
  const body = bodies[encoding]
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
