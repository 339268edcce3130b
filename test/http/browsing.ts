// A browser as far as signing in is concerned: it keeps cookies, and says where its requests come from.

import type { IncomingHttpHeaders } from 'node:http'
import { type Answer, type Ask, sendRequest } from '../support.ts'

interface Cookie {
  readonly value: string
  /** As they were sent, in lower case. */
  readonly attributes: readonly string[]
}

export class Browser {
  readonly url: string
  readonly cookies = new Map<string, Cookie>()
  readonly #always: Record<string, string>

  /** What is sent with every request beside what browsers send: what a proxy adds. */
  constructor(url: string, always: Record<string, string> = {}) {
    this.url = url
    this.#always = always
  }

  /** As a script of the service's own page asks. */
  async ask(method: string, path: string, { headers = {}, body }: Ask = {}): Promise<Answer> {
    const answer = await sendRequest(this.url, method, path, {
      headers: { ...this.headers, Origin: this.url, 'Sec-Fetch-Site': 'same-origin', ...headers },
      ...(body !== undefined && { body }),
    })
    this.keep(answer.headers)
    return answer
  }

  get headers(): Record<string, string> {
    const cookie = [...this.cookies].map(([name, { value }]) => `${name}=${value}`).join('; ')
    return {
      Accept: 'application/json',
      'Sec-Fetch-Mode': 'cors',
      ...this.#always,
      ...(cookie !== '' && { Cookie: cookie }),
    }
  }

  keep(headers: IncomingHttpHeaders): void {
    for (const line of headers['set-cookie'] ?? []) {
      const [pair = '', ...attributes] = line.split(';').map((part) => part.trim())
      const [name = '', value = ''] = pair.split('=')
      const kept = attributes.map((attribute) => attribute.toLowerCase())
      if (kept.includes('max-age=0')) this.cookies.delete(name)
      else this.cookies.set(name, { value, attributes: kept })
    }
  }

  json(method: string, path: string, body: unknown, more: Record<string, string> = {}): Promise<Answer> {
    const headers = { 'Content-Type': 'application/json', ...more }
    return this.ask(method, path, { headers, body: JSON.stringify(body) })
  }

  signIn(name: string, password: string): Promise<Answer> {
    return this.json('POST', '/console/session', { name, password })
  }

  async whoAmI(): Promise<Record<string, unknown>> {
    return (await this.ask('GET', '/console/session')).json()
  }
}
