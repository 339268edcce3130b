// A page that stands for people's phones: it takes messages as an ntfy server does, and shows them. On loopback alone.

import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Assets, loadAssets } from '../../http/console/assets.ts'
import { type Language, languageFor } from '../../http/console/language.ts'
import { createServer } from '../../http/wire/node-http.ts'

/** A message as ntfy takes it. Further ones with the same `sequence_id` replace it. */
export interface PhoneMessage {
  readonly topic: string
  readonly sequence_id: string
  readonly title: string
  readonly message: string
  /** 5 is the most urgent. */
  readonly priority: number
  readonly actions: readonly { readonly label: string; readonly url: string }[]
  /** Milliseconds. */
  readonly time: number
  /** How many of one incident it stands for. */
  readonly count: number
}

const maxBodyBytes = 2 ** 17
const maxKept = 60
const maxActions = 3

const textOf = (value: unknown, most: number) => (typeof value === 'string' ? value.slice(0, most) : '')

function readMessage(body: string): Omit<PhoneMessage, 'time' | 'count'> {
  const given: unknown = JSON.parse(body)
  if (typeof given !== 'object' || given === null) throw new SyntaxError('expected a JSON object')
  const { topic, sequence_id, title, message, priority, actions } = given as Record<string, unknown>
  if (textOf(topic, 64) === '') throw new SyntaxError('a message needs a topic')
  const listed: unknown[] = Array.isArray(actions) ? actions.slice(0, maxActions) : []
  return {
    topic: textOf(topic, 64),
    sequence_id: textOf(sequence_id, 64),
    title: textOf(title, 250),
    message: textOf(message, 4096),
    priority: typeof priority === 'number' ? priority : 3,
    actions: listed.map((one) => {
      const { label, url } = (one ?? {}) as Record<string, unknown>
      return { label: textOf(label, 60), url: textOf(url, 4096) }
    }),
  }
}

class TooLarge extends Error {}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size > maxBodyBytes) throw new TooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

/** Of the console's files, those of this page. */
const files = new Set(['/phones-page.js', '/phones.css'])

const headers = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
}

export class DemoPhone {
  readonly #server: Server
  /** The newest last. */
  #messages: readonly PhoneMessage[] = []
  /** Made when somebody opens the page. */
  readonly #assets = new Map<Language, Promise<Assets>>()
  readonly #waiting = new Set<(message: PhoneMessage) => void>()

  private constructor() {
    this.#server = createServer((request, response) => void this.#answer(request, response))
  }

  static async open(): Promise<DemoPhone> {
    const phone = new DemoPhone()
    await new Promise<void>((resolve, reject) => {
      phone.#server.once('error', reject)
      phone.#server.listen(0, '127.0.0.1', resolve)
    })
    return phone
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  get messages(): readonly PhoneMessage[] {
    return this.#messages
  }

  /** The next message to somebody; undefined where none comes in time. */
  next(topic: string, milliseconds: number): Promise<PhoneMessage | undefined> {
    return new Promise((resolve) => {
      const end = (message?: PhoneMessage) => {
        clearTimeout(timer)
        this.#waiting.delete(take)
        resolve(message)
      }
      const take = (message: PhoneMessage) => message.topic === topic && end(message)
      const timer = setTimeout(end, milliseconds)
      this.#waiting.add(take)
    })
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const end = (status: number, type: string, text: string) => {
      const full = type.includes('charset') ? type : `${type}; charset=utf-8`
      response.writeHead(status, { ...headers, 'Content-Type': full }).end(text)
    }
    const refuse = (status: number, reason: string) => end(status, 'text/plain', reason)
    // A page elsewhere could give its own name our address, and then read what is shown here.
    if (request.headers.host !== new URL(this.url).host) return refuse(403, 'called by another name')
    const { method, url = '/' } = request
    if (method === 'GET' && url === '/messages')
      return end(200, 'application/json', JSON.stringify(this.#messages))
    if (method === 'GET' && (url === '/' || files.has(url))) {
      const file = await this.#file(url, languageFor(request.headers)).catch((error: Error) => error)
      return file instanceof Error ? refuse(503, file.message) : end(200, ...file)
    }
    if (method !== 'POST' || url !== '/') return refuse(404, 'there is nothing here')
    // Pages elsewhere can send other types without being asked whether they may.
    if (!request.headers['content-type']?.startsWith('application/json'))
      return refuse(415, 'expected application/json')
    try {
      this.#take(readMessage(await bodyOf(request)))
      end(200, 'application/json', '{}')
    } catch (error) {
      if (error instanceof TooLarge) return refuse(413, `expected at most ${maxBodyBytes} bytes`)
      refuse(400, error instanceof SyntaxError ? error.message : 'the message broke off')
    }
  }

  async #file(url: string, language: Language): Promise<readonly [type: string, text: string]> {
    const made = this.#assets.get(language) ?? loadAssets(language)
    this.#assets.set(language, made)
    const assets = await made.catch((error) => {
      this.#assets.delete(language)
      throw error
    })
    if (url === '/') return ['text/html', assets.page('phones.html', '/')]
    const asset = await assets.find(url.slice(1))
    if (!asset) throw new Error(`${url} is missing in this installation`)
    return [asset.type, asset.bodies.identity.toString()]
  }

  #take(given: Omit<PhoneMessage, 'time' | 'count'>): void {
    const isSame = (one: PhoneMessage) =>
      given.sequence_id !== '' && one.topic === given.topic && one.sequence_id === given.sequence_id
    const before = this.#messages.find(isSame)
    const message = { ...given, time: Date.now(), count: (before?.count ?? 0) + 1 }
    this.#messages = [...this.#messages.filter((one) => one !== before), message].slice(-maxKept)
    for (const take of this.#waiting) take(message)
  }
}
