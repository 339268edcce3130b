// Many durable clients of a service that stops and starts, a load of alarms, and a record of what both saw.

import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after } from 'node:test'
import { EventReader, field } from '../push/reader.ts'
import { eventually } from '../push/station.ts'
import type { Client, Connection, Epoch, Evidence, Received, Stored } from './checker.ts'

/** Where the service is at the moment; it changes with every start. */
export interface Place {
  url: string
}

/** A document in the form of the checker; bookmarks are left out. */
export function received(document: string): Received | undefined {
  if (document.includes('<gap>')) return { kind: 'gap', to: Number(field(document, 'to').split(':')[1]) }
  if (!document.includes('<alarm>')) return undefined
  // The alarm about a gap has no position; its parameters say where the gap ends.
  if (field(document, 'id') === '0') return { kind: 'gap', to: Number(/to=(\d+)/.exec(document)?.[1]) }
  return {
    kind: 'alarm',
    position: field(document, 'cursor'),
    id: field(document, 'id'),
    action: field(document, 'nAction'),
    alarmLevel: Number(field(document, 'alarmLevel')),
  }
}

/** A document that many clients received is kept once: thirty of them receive a million entries in a long run. */
export class Hearings {
  readonly #known = new Map<string, Received>()

  same(got: Received): Received {
    if (got.kind === 'gap') return got
    const key = `${got.position} ${got.id} ${got.action} ${got.alarmLevel}`
    const known = this.#known.get(key)
    if (known) return known
    this.#known.set(key, got)
    return got
  }
}

/** A client that reconnects whenever its stream ends, by its uuid alone. */
export class Durable {
  readonly name: string
  readonly #place: Place
  readonly #hearings: Hearings
  readonly connections: { since?: string; received: Received[] }[] = []
  reader: EventReader | undefined
  /** Where it was connected last. */
  place = ''
  /** The highest number seen. */
  reached = 0
  #stopped = false
  #running: Promise<void> = Promise.resolve()

  constructor(name: string, place: Place, hearings = new Hearings()) {
    this.name = name
    this.#place = place
    this.#hearings = hearings
  }

  /** Resolves when it is registered for the first time. */
  async start(): Promise<void> {
    await this.#connect()
    this.#running = this.#stay()
  }

  async #connect(): Promise<void> {
    const { url } = this.#place
    const reader = await EventReader.open(url, `type=11&cursor=true&uuid=${this.name}`)
    if (reader.status !== 202) throw new Error(`status ${reader.status}`)
    this.place = url
    reader.keeps = false
    const connection = { received: [] as Received[] }
    this.connections.push(connection)
    reader.onDocument = (document) => {
      const got = received(document)
      if (!got) return
      connection.received.push(this.#hearings.same(got))
      if (got.kind === 'alarm') this.reached = Math.max(this.reached, Number(got.position.split(':')[1]))
    }
    this.reader = reader
  }

  async #stay(): Promise<void> {
    while (!this.#stopped) {
      await this.reader?.end()
      if (this.#stopped) return
      await this.#connect().catch(() => new Promise((resolve) => setTimeout(resolve, 50)))
    }
  }

  async stop(): Promise<void> {
    this.#stopped = true
    this.reader?.reset()
    await this.#running
  }
}

/** Raises alarms, a few at a time, until it is stopped; continues when the service is back. */
let loads = 0

export class Load {
  /** Distinguishes its alarms from those of another load: what is open already would only be repeated. */
  readonly #name = ++loads
  readonly #place: Place
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 4 })
  readonly acknowledged: string[] = []
  #sent = 0
  #stopped = false
  #running: Promise<unknown> = Promise.resolve()

  readonly #workers: number
  /** Milliseconds between two alarms of a worker. */
  readonly #pause: number

  constructor(place: Place, { workers = 4, pause = 0 } = {}) {
    this.#place = place
    this.#workers = workers
    this.#pause = pause
  }

  start(): void {
    after(() => this.stop())
    this.#running = Promise.all(Array.from({ length: this.#workers }, () => this.#work()))
  }

  async stop(): Promise<void> {
    this.#stopped = true
    await this.#running
    this.#agent.destroy()
  }

  /** Waits until so many more were answered. */
  async more(count: number): Promise<void> {
    const wanted = this.acknowledged.length + count
    await eventually(() => this.acknowledged.length >= wanted, `${count} more alarms`)
  }

  async #work(): Promise<void> {
    while (!this.#stopped) {
      this.#sent += 1
      try {
        const id = await this.#raise(this.#sent)
        // Some end at once, so that there are recoveries too.
        if (this.#sent % 7 === 0) await this.#ask('PUT', `/fault/alarm/recover/${id}`)
        this.acknowledged.push(id)
        if (this.#pause > 0) await new Promise((resolve) => setTimeout(resolve, this.#pause))
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    }
  }

  async #raise(number: number): Promise<string> {
    const body = `<alarm><OID>1.3.6.1.6.3.1.1.5.3</OID><alarmLevel>${(number % 5) + 1}</alarmLevel><resource>load=${this.#name};n=${number}</resource></alarm>`
    return (await this.#ask('POST', '/fault/alarm', body)).split('/').at(-1) ?? ''
  }

  /** Returns the address of the new alarm. */
  #ask(method: string, path: string, body = ''): Promise<string> {
    return new Promise((resolve, reject) => {
      const headers = { 'Content-Type': 'application/xml', 'Content-Length': Buffer.byteLength(body) }
      const asked = request(
        `${this.#place.url}${path}`,
        { method, headers, agent: this.#agent },
        (answer) => {
          answer.resume()
          answer.on('error', reject)
          answer.on('end', () => {
            if ((answer.statusCode ?? 500) < 300) resolve(answer.headers.location ?? '')
            else reject(new Error(`status ${answer.statusCode}`))
          })
        },
      )
      asked.on('error', reject)
      asked.end(body)
    })
  }
}

interface Log {
  readonly stored: readonly Stored[]
  readonly epochs: readonly Epoch[]
  readonly head: number
}

/** The log as it is on disk, read without the service. */
export function readLog(folder: string): Log {
  const database = new DatabaseSync(join(folder, 'belfry.db'), { readOnly: true })
  try {
    const rows = database.prepare(
      "select number, kind, alarm_id, alarm_level from alarm_log where kind in ('raise', 'rise', 'recover') order by number",
    )
    const epochs = database.prepare('select number, first_entry from epoch order by number')
    const [head] = database.prepare("select value from counter where name = 'alarm log'").all()
    return {
      stored: rows.all().map((row) => ({
        number: Number(row.number),
        alarmId: String(row.alarm_id),
        action: row.kind === 'recover' ? 'Recover' : 'Push',
        alarmLevel: Number(row.alarm_level),
      })),
      epochs: epochs.all().map((row) => ({ number: Number(row.number), first: Number(row.first_entry) })),
      head: Number(head?.value ?? 0),
    }
  } finally {
    database.close()
  }
}

interface Witness {
  readonly name: string
  readonly connections: readonly Connection[]
}

/** What clients that were connected from the beginning should have received, and did receive. */
export function evidenceOf(
  log: Log,
  witnesses: readonly Witness[],
  acknowledged: readonly string[],
): Evidence {
  const clients: Client[] = witnesses.map(({ name, connections }) => ({
    name,
    connections,
    from: 0,
    until: log.head,
  }))
  return { ...log, acknowledged, clients }
}

/** Waits until every client has the last entry there is. */
export async function allHave(clients: readonly Durable[], folder: string): Promise<void> {
  const { stored } = readLog(folder)
  const last = stored.at(-1)?.number ?? 0
  await eventually(() => clients.every(({ reached }) => reached >= last), `all clients at ${last}`)
}
