// Raises an alarm about a registered client that is far behind, until it has caught up or is gone. Clients of an
// operator that are not connected share an alarm: whoever registers under ever new names must not cause as many alarms.

import { createHash } from 'node:crypto'
import type { AlarmChanger } from '../../alarms/engine/engine.ts'
import {
  openServiceAlarms,
  raiseServiceAlarm,
  recoverServiceAlarm,
} from '../../alarms/service/service-alarms.ts'
import type { Client, Push } from '../../push/push.ts'
import type { Database } from '../../store/database.ts'

/** The most clients that a text names. */
const namedLimit = 5
const nameLength = 100

/** The subject of an alarm: one client, or those of an operator that are not connected. */
interface Subject {
  readonly resource: string
  readonly who: string
  readonly clients: Client[]
}

export class LagWatch {
  readonly #engine: AlarmChanger
  readonly #database: Database
  readonly #threshold: bigint
  /** For alarms about several clients: how many were far behind when it was raised. */
  readonly #counted = new Map<string, number>()

  constructor(engine: AlarmChanger, database: Database, threshold: number) {
    this.#engine = engine
    this.#database = database
    this.#threshold = BigInt(threshold)
  }

  async check(push: Push): Promise<void> {
    const over = await openServiceAlarms(this.#database, 'clientLagging')
    for (const subject of subjectsOf(await push.clients())) {
      const { resource, clients } = subject
      const far = clients.filter(({ lag }) => lag > this.#threshold)
      if (far.length > 0) await this.#report(subject, far, over.has(resource))
      // A client that is behind, but not far, keeps its alarm.
      if (clients.some(({ lag }) => lag > 0n)) over.delete(resource)
    }
    for (const resource of over) await this.#recover(resource)
  }

  /** An alarm whose number of clients has doubled is replaced by a new one, so that people look again. */
  async #report({ resource, who }: Subject, far: readonly Client[], isOpen: boolean): Promise<void> {
    const counted = this.#counted.get(resource) ?? far.length
    this.#counted.set(resource, counted)
    if (isOpen && far.length < 2 * counted) return
    if (isOpen) await this.#recover(resource)
    this.#counted.set(resource, far.length)
    await raiseServiceAlarm(this.#engine, 'clientLagging', resource, textOf(who, far))
  }

  async #recover(resource: string): Promise<void> {
    this.#counted.delete(resource)
    const text = `Over (${resource}): caught up, connected, no longer registered, or reported anew`
    await recoverServiceAlarm(this.#engine, 'clientLagging', resource, text)
  }
}

function subjectsOf(clients: readonly Client[]): Subject[] {
  const subjects = new Map<string, Subject>()
  for (const client of clients) {
    const { uuid, holder, connected } = client
    if (uuid === '') continue
    const resource = connected ? `uuid=${short(uuid)}` : `away=${holder}`
    const who = connected ? 'reads too slowly' : 'is not connected'
    const subject = subjects.get(resource)
    if (subject) subject.clients.push(client)
    else subjects.set(resource, { resource, who, clients: [client] })
  }
  return [...subjects.values()]
}

/** Shortens a name of any length; a hash in place of the rest still distinguishes it. */
function short(uuid: string): string {
  if (uuid.length <= nameLength) return uuid
  const rest = createHash('sha256').update(uuid).digest('hex').slice(0, 16)
  return `${uuid.slice(0, nameLength).toWellFormed()}…${rest}`
}

function textOf(who: string, far: readonly Client[]): string {
  const [first, ...others] = far.toSorted((a, b) => (a.lag > b.lag ? -1 : 1))
  if (!first) return ''
  const behind = `${first.lag} entries (${first.lagSeconds} s) behind`
  if (others.length === 0) return `Client ${short(first.uuid)} is ${behind}: it ${who}`
  const named = others.slice(0, namedLimit - 1).map(({ uuid }) => short(uuid))
  const more = others.length - named.length
  return `${far.length} clients are far behind and not connected: ${short(first.uuid)} (${behind}), ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
