// Requests to a service: one at a time, again and again while something else goes on, and streams.

import { type Agent, type OutgoingHttpHeaders, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Served } from './processes.ts'

interface Request {
  readonly method?: string
  /** JSON where it begins with a brace, else CSV. */
  readonly body?: string
  readonly agent?: Agent
  readonly headers?: OutgoingHttpHeaders
}

interface Answer {
  readonly status: number
  readonly text: string
  header(name: string): string
}

/** On a new connection unless an agent is given: one kept from before may have been closed while this process was busy. */
export function ask(
  port: number,
  path: string,
  { method, body, agent, headers }: Request = {},
): Promise<Answer> {
  const type = body && { 'Content-Type': /^[[{]/.test(body) ? 'application/json' : 'text/csv' }
  return new Promise((resolve, reject) => {
    const asked = request({
      ...{ host: '127.0.0.1', port, path, method: method ?? 'GET', agent: agent ?? false },
      headers: { Accept: 'application/json', ...type, ...headers },
    })
    asked.on('response', (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (piece) => {
        text += piece
      })
      const header = (name: string) => String(response.headers[name] ?? '')
      response
        .on('error', reject)
        .on('end', () => resolve({ status: response.statusCode ?? 0, text, header }))
    })
    asked.on('error', reject).end(body)
  })
}

export async function until(isSo: () => Promise<boolean>, every = 50): Promise<void> {
  for (const began = performance.now(); !(await isSo()); await sleep(every)) {
    if (performance.now() - began > 60_000) throw new Error('it takes more than a minute')
  }
}

const plain = { headers: { Accept: '*/*' } }

export const metrics = async (port: number): Promise<string> => (await ask(port, '/metrics', plain)).text

/** How many traps the service has processed since it started. */
export async function processed({ port }: Pick<Served, 'port'>): Promise<number> {
  const bins = (await metrics(port)).matchAll(/^belfry_traps_binned_total\{bin="(\w[\w-]*)"\} (\d+)/gm)
  return bins.reduce((sum, [, bin, n]) => sum + (bin === 'refused' ? 0 : Number(n)), 0)
}

/** Milliseconds that each answer took, on a new connection each time, as a monitor asks. */
export async function askHealth(port: number, goesOn: () => boolean): Promise<number[]> {
  const took: Promise<number>[] = []
  while (goesOn()) {
    const began = performance.now()
    took.push(ask(port, '/health', plain).then(() => performance.now() - began))
    await sleep(30)
  }
  return Promise.all(took)
}

/** Asks for something that costs nothing, again and again: it waits as long as the service is held up. */
export function pings({ port }: Served): { end(): Promise<number> } {
  let [running, longest] = [true, 0]
  const done = (async () => {
    while (running) {
      const began = performance.now()
      await ask(port, '/fault/trapRule', { method: 'OPTIONS' })
      longest = Math.max(longest, performance.now() - began)
      await sleep(2)
    }
  })()
  return {
    async end() {
      running = false
      await done
      return longest
    },
  }
}

const mark = '<nAction>'

interface Subscriber {
  documents: number
  end(): void
}

/** Counts the documents of a stream. */
export async function subscribe(port: number, arrived: () => void = () => undefined): Promise<Subscriber> {
  const path = '/events?type=11'
  const asked = request({ host: '127.0.0.1', port, path, agent: false }).on('error', () => undefined)
  let rest = ''
  const counted = { documents: 0, end: () => asked.destroy() }
  await new Promise<void>((resolve) => {
    asked.on('response', (response) => {
      response.setEncoding('utf8').on('data', (text: string) => {
        const all = rest + text
        const found = all.split(mark).length - 1
        counted.documents += found
        rest = all.slice(1 - mark.length)
        if (found > 0) arrived()
      })
      response.on('error', () => undefined)
      resolve()
    })
    asked.end()
  })
  return counted
}
