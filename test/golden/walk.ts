// Walks over all operations with a service of its own, in XML or JSON, at the root or below /imcrs.

import assert from 'node:assert/strict'
import { join } from 'node:path'
import type { Operation } from '../../src/http/operation.ts'
import { operations } from '../../src/http/operations.ts'
import { Routes } from '../../src/http/routes.ts'
import { escapeXml } from '../../src/schema/xml.ts'
import type { Store } from '../../src/store/database.ts'
import { Postgres } from '../../src/store/postgres/postgres.ts'
import { openSqlite } from '../../src/store/sqlite/sqlite.ts'
import { bearer, startGuarded, tokenOf } from '../http/credentials.ts'
import { idOf } from '../http/reading.ts'
import { newDatabase } from '../postgres-database.ts'
import { EventReader } from '../push/reader.ts'
import { type Answer, type Ask, type TestStore, temporaryFolder } from '../support.ts'
import { type As, chapters, type Event, type Step, start } from './steps.ts'
import { normalised, transcript } from './transcript.ts'

export type Form = 'xml' | 'json'
export type Root = '' | '/imcrs'

const routes = new Routes(operations)
const types = { xml: 'application/xml', json: 'application/json' } as const

/** The operation that answers a request. */
export function operationAt(method: string, path: string): Operation {
  const steps = (path.split('?')[0] ?? '').split('/').filter((one) => one !== '')
  const asked = method === 'HEAD' || method === 'OPTIONS' ? 'GET' : method
  const found = routes.find(steps)?.route.operations.get(asked as Operation['method'])
  return found ?? assert.fail(`${method} ${path} is no operation`)
}

export const nameOf = ({ method, path }: Operation) => `${method} ${path}`

/** A document of JSON as XML. */
function xmlOf(name: string, value: unknown): string {
  if (Array.isArray(value)) return value.map((one) => xmlOf(name, one)).join('')
  const inner =
    typeof value === 'object' && value !== null
      ? Object.entries(value)
          .map(([field, one]) => xmlOf(field, one))
          .join('')
      : escapeXml(String(value))
  return `<${name}>${inner}</${name}>`
}

/** A body in the form of the walk. */
export function bodyIn(form: Form, { takes }: Operation, body: object | string): string {
  if (typeof body === 'string') return body
  if (form === 'json') return JSON.stringify(body)
  return xmlOf(rootOf(takes, body), body)
}

function rootOf(takes: Operation['takes'], body: object): string {
  if (typeof takes !== 'object') return 'document'
  if ('rows' in takes) return 'list'
  if (!('oneOrMore' in takes)) return takes.name
  const { name } = takes.oneOrMore
  return name in body ? 'list' : name
}

/** A store that can be made to fail, with a fault of the store or with anything else. */
export class Failing {
  with: Error | undefined

  wrap(database: Store): Store {
    const asked = new Set<keyof Store>([
      'all',
      'readInBackground',
      'values',
      'readSnapshot',
      'transaction',
      'workInBackground',
      'writeConcurrently',
      'copyTo',
    ])
    return new Proxy(database, {
      get: (target, name) => {
        const value = Reflect.get(target, name)
        if (typeof value !== 'function') return value
        const bound = value.bind(target)
        if (!asked.has(name as keyof Store)) return bound
        return (...given: unknown[]) => (this.with ? Promise.reject(this.with) : bound(...given))
      },
    })
  }
}

/** It is closed by the service. */
async function openStore({ name }: TestStore, clock: () => number): Promise<Store> {
  if (name === 'SQLite') return openSqlite(join(temporaryFolder(), 'golden.db'), { clock })
  return new Postgres(await newDatabase(), { clock })
}

const limits = { importBytes: 4096 }
const flags = { 'body-limit': '4096', 'time-zone': 'Europe/Berlin', node: 'first' }

export class Walk {
  readonly form: Form
  readonly root: Root
  readonly service: Awaited<ReturnType<typeof startGuarded>>
  readonly failing: Failing
  readonly tokens: Readonly<Record<'administrator' | 'viewer' | 'radius', string>>
  readonly clock: { now: number }
  /** Kind of record → the id of the one that was created last. */
  readonly #made = new Map<string, string>()
  #reader: EventReader | undefined

  private constructor(parts: Pick<Walk, 'form' | 'root' | 'service' | 'failing' | 'tokens' | 'clock'>) {
    this.form = parts.form
    this.root = parts.root
    this.service = parts.service
    this.failing = parts.failing
    this.tokens = parts.tokens
    this.clock = parts.clock
  }

  static async begin(store: TestStore, form: Form, root: Root): Promise<Walk> {
    const clock = { now: start }
    const failing = new Failing()
    const open = async () => failing.wrap(await openStore(store, () => clock.now))
    const service = await startGuarded(flags, { clock: () => clock.now, open, limits }, [
      'administrator',
      'viewer',
    ])
    const tokens = {
      administrator: await tokenOf(service, 'administrator', {
        scope: 'administrator,events,operators,tokens,backup,heartbeat',
      }),
      viewer: await tokenOf(service, 'viewer'),
      radius: await tokenOf(service, 'administrator', { scope: 'access' }),
    }
    return new Walk({ form, root, service, failing, tokens, clock })
  }

  /** Names of what was made, replaced by their ids. */
  filled(text: string): string {
    return text.replaceAll(
      /\{(\w+)\}/g,
      (_all, kind) => this.#made.get(kind) ?? assert.fail(`no ${kind} was made`),
    )
  }

  headersFor(as: As, hasBody: boolean): Record<string, string> {
    const type = types[this.form]
    return {
      Accept: type,
      ...(hasBody && { 'Content-Type': type }),
      ...(as !== 'nobody' && as !== 'browser' && bearer(this.tokens[as])),
    }
  }

  challenge() {
    return this.service.challenge()
  }

  ask(method: string, path: string, ask: Ask): Promise<Answer> {
    return this.service.ask(method, `${this.root}${path}`, ask)
  }

  /** Takes all steps of a chapter; title → answer. */
  async take(chapter: string): Promise<Map<string, string>> {
    const answers = new Map<string, string>()
    for (const one of chapters[chapter] ?? []) {
      if (!('line' in one)) await this.#happen(one)
      else {
        const title = titleOf(one, answers)
        answers.set(title, await this.#answer(one))
      }
    }
    return answers
  }

  async #happen(event: Event): Promise<void> {
    const { service, clock } = this
    if ('traps' in event)
      await service.engine.handle(event.traps.map((one) => ({ ...one, receivedAt: clock.now })))
    else if ('minutes' in event) {
      clock.now += event.minutes * 60_000
      // Not a moment later, by the service itself: what follows would have other numbers.
      await service.engine.releaseSuppressed(clock.now)
    } else if ('sql' in event) await service.database.transaction((tx) => tx.run(event.sql))
    else {
      const query = `type=11&uuid=${encodeURIComponent(event.listen)}`
      this.#reader?.close()
      this.#reader = await EventReader.open(
        service.url,
        query,
        this.headersFor('administrator', false),
        `${this.root}/events`,
      )
    }
  }

  async #answer(step: Step): Promise<string> {
    const [method = '', path = ''] = this.filled(step.line).split(' ')
    const operation = operationAt(method, path)
    const { body, as = 'administrator' } = step
    const headers = { ...this.headersFor(as, body !== undefined), ...step.headers }
    if (typeof body === 'string' && !step.headers) headers['Content-Type'] = 'text/plain'
    if (step.documents !== undefined) return this.#stream(path, headers, step.documents)
    const sent = body === undefined ? {} : { body: bodyIn(this.form, operation, body) }
    const answer = await this.ask(method, path, { headers, ...sent })
    assert.ok(answer.status < 400 || step.mayBeRefused, `${step.line}: ${answer.status} ${answer.text}`)
    if (answer.headers.location) this.#made.set(operation.subject, idOf(answer))
    const events = /registrations\/.*test$/.test(path) ? `\n${await this.#heard()}` : ''
    return this.#based(transcript(answer, shownOf(operation, answer)) + events)
  }

  async #heard(): Promise<string> {
    const [document = ''] = (await this.#reader?.take(1)) ?? []
    return normalised(`the client reads: ${document}`)
  }

  async #stream(path: string, headers: Record<string, string>, documents: number): Promise<string> {
    const [, query = ''] = path.split('?')
    const reader = await EventReader.open(this.service.url, query, headers, `${this.root}/events`)
    const read = await reader.take(documents)
    const { status } = reader
    const text = read.join('\n\n')
    reader.close()
    return this.#based(transcript({ status, headers: reader.headers, text }))
  }

  /** Addresses of the service begin with the root that was asked. */
  #based(text: string): string {
    return text.replaceAll(`http://HOST${this.root}/`, 'http://BASE/')
  }

  async end(): Promise<void> {
    this.#reader?.close()
    await this.service.stop()
  }
}

/** The same question again, later in the walk, has a number. */
function titleOf({ line, body, as }: Step, before: ReadonlyMap<string, string>): string {
  const sent =
    body === undefined ? '' : ` ${typeof body === 'string' ? JSON.stringify(body) : JSON.stringify(body)}`
  const title = `${line}${as ? ` as ${as}` : ''}${sent}`
  for (let times = 1; ; times += 1) {
    const numbered = times === 1 ? title : `${title} (${times})`
    if (!before.has(numbered)) return numbered
  }
}

/** Fields with what is measured, or drawn by chance: by operation. */
const measured: Readonly<Record<string, readonly string[]>> = {
  '/': ['version'],
  '/plat/node': ['since', 'lastSign', 'clockOffsetMilliseconds', 'version'],
  '/report/result': ['milliseconds'],
  '/plat/check': ['looked'],
  '/plat/check/repair': ['looked'],
  '/plat/key/rotation': ['keyId'],
  // Refused and successful logins are recorded every few seconds, and take ids.
  '/plat/audit': ['id'],
  '/plat/audit/{id}': ['id'],
  // Alarms of the service about itself take numbers of the log.
  '/notify/route': ['since'],
  '/notify/route/{id}': ['since'],
  '/notify/route/dryRun': ['examined'],
  raisedAlarms: ['id'],
}

function withoutMeasured(path: string, text: string): string {
  return (measured[path] ?? []).reduce(
    (so, name) =>
      so
        .replaceAll(new RegExp(`(<${name}>)[^<]*<`, 'g'), `$1${name.toUpperCase()}<`)
        .replaceAll(new RegExp(`("${name}":")[^"]*"`, 'g'), `$1${name.toUpperCase()}"`),
    text,
  )
}

/** What is no text is named and not shown. */
function shownOf({ path }: Operation, { headers, text }: Answer): string {
  const type = headers['content-type'] ?? ''
  if (type === 'application/pdf') return '(a PDF)'
  if (type === 'application/vnd.sqlite3') return `(${JSON.stringify(text.slice(0, 15))}…)`
  if (path === '/plat/data/audit') return zonesOf(text)
  // What came in by the minute is counted once a second.
  if (path === '/fault/overview')
    return text
      .replace(/<minute>.*<\/minute>/, '<minute>…</minute>')
      .replace(/"minute":\[.*\]/, '"minute":[…]')
  if (path === '/fault/alarm' && text.includes('isNew')) return withoutMeasured('raisedAlarms', text)
  return path === '/metrics' ? metricNames(text) : withoutMeasured(path, text)
}

/** Of the audit log as CSV, the entries about zones, without their ids. */
const zonesOf = (text: string) =>
  text
    .split('\n')
    .filter((line) => /^id|,zone,/.test(line))
    .join('\n')
    .replace(/^\d+/gm, 'ID')

/** Every measurement with its labels, without its value. */
function metricNames(text: string): string {
  const lines = text
    .split('\n')
    .map((line) =>
      line.startsWith('#') ? line : line.replace(/ \S+$/, '').replace(/version="[^"]*"/, 'version="VERSION"'),
    )
  return [...new Set(lines)].filter((line) => !/quantile|_bucket|nodejs_|process_/.test(line)).join('\n')
}
