// Compares what clients received with the alarm log, and names the guarantees that were broken.
// As a program: `checker.ts evidence.json` prints what was broken, one line each, and ends with 1 where anything was.

import { readFileSync } from 'node:fs'
import type { Outcome } from '../outcome.ts'

type Guarantee =
  | 'Ordered'
  | 'Nothing missing'
  | 'Nothing before it is on disk'
  | 'Position valid'
  | 'Gap reported'

interface Broken {
  readonly guarantee: Guarantee
  /** The client for which it was broken, or `store`. */
  readonly to: string
  readonly detail: string
}

/** An entry of the log that is pushed. `gone`: it is not kept any more. */
export interface Stored {
  readonly number: number
  readonly alarmId: string
  readonly action: 'Push' | 'Recover'
  readonly alarmLevel: number
  readonly gone?: boolean
}

export interface Epoch {
  readonly number: number
  readonly first: number
}

export type Received =
  | {
      readonly kind: 'alarm'
      readonly position: string
      readonly id: string
      readonly action: string
      readonly alarmLevel: number
    }
  /** The last number that is missing, where the client was informed. */
  | { readonly kind: 'gap'; readonly to: number }

export interface Connection {
  /** The position that the client sent. */
  readonly since?: string
  readonly received: readonly Received[]
}

export interface Client {
  readonly name: string
  /** Its filter; everything without one. */
  readonly wants?: (entry: Stored) => boolean
  /** It must receive everything after `from` and up to `until`. */
  readonly from: number
  readonly until: number
  readonly connections: readonly Connection[]
}

export interface Evidence {
  /** Ids of alarms whose raising was answered. */
  readonly acknowledged: readonly string[]
  readonly stored: readonly Stored[]
  readonly epochs: readonly Epoch[]
  /** The last number in the log. */
  readonly head: number
  readonly clients: readonly Client[]
}

export function check(evidence: Evidence): Broken[] {
  const byNumber = new Map(evidence.stored.map((entry) => [entry.number, entry]))
  return [
    ...checkStore(evidence),
    ...evidence.clients.flatMap((client) => [
      ...checkDocuments(client, evidence, byNumber),
      ...checkOrder(client),
      ...checkWhole(client, evidence),
      ...checkResumes(client, evidence),
    ]),
  ]
}

function checkStore({ acknowledged, stored }: Evidence): Broken[] {
  const ids = new Set(stored.map(({ alarmId }) => alarmId))
  return acknowledged
    .filter((id) => !ids.has(id))
    .map((id) => ({
      guarantee: 'Nothing missing',
      to: 'store',
      detail: `alarm ${id} was answered but not kept`,
    }))
}

/** What a client received is in the log, with the same content. */
function checkDocuments(client: Client, evidence: Evidence, byNumber: ReadonlyMap<number, Stored>): Broken[] {
  const broken: Broken[] = []
  const complain = (guarantee: Guarantee, detail: string) =>
    broken.push({ guarantee, to: client.name, detail })
  for (const document of client.connections.flatMap(({ received }) => received)) {
    if (document.kind === 'gap') continue
    const { position, id, action, alarmLevel } = document
    if (!isValid(position, evidence)) complain('Position valid', `${position} is in no epoch of the store`)
    const entry = byNumber.get(numberIn(position))
    if (!entry) complain('Nothing before it is on disk', `${position} was sent and is not in the log`)
    else if (entry.alarmId !== id || entry.action !== action || entry.alarmLevel !== alarmLevel) {
      const sent = `${action} of ${id} at level ${alarmLevel}`
      const kept = `${entry.action} of ${entry.alarmId} at level ${entry.alarmLevel}`
      complain('Nothing before it is on disk', `${position} was sent as ${sent} and is kept as ${kept}`)
    }
  }
  return broken
}

function checkOrder({ name, connections }: Client): Broken[] {
  const broken: Broken[] = []
  for (const [index, { received }] of connections.entries()) {
    let last = Number.NEGATIVE_INFINITY
    for (const document of received) {
      if (document.kind === 'gap') continue
      const number = numberIn(document.position)
      if (number <= last) {
        const detail = `on connection ${index + 1}, ${number} came after ${last}`
        broken.push({ guarantee: 'Ordered', to: name, detail })
      }
      last = number
    }
  }
  return broken
}

/** A client never receives an entry before all earlier ones of its filter, or a gap in their place. */
function checkWhole(client: Client, { stored }: Evidence): Broken[] {
  const { name, connections, from, until, wants = () => true } = client
  const owed = stored.filter((entry) => entry.number > from && entry.number <= until && wants(entry))
  const broken: Broken[] = []
  const seen = new Set<number>()
  let next = 0
  const passTo = (number: number, excuse: number) => {
    for (; (owed[next]?.number ?? number) < number; next += 1) {
      const entry = owed[next]
      if (!entry || seen.has(entry.number) || entry.number <= excuse) continue
      const guarantee = entry.gone ? 'Gap reported' : 'Nothing missing'
      broken.push({ guarantee, to: name, detail: `${entry.number} was passed over before ${number}` })
    }
  }
  let reported = Number.NEGATIVE_INFINITY
  for (const document of connections.flatMap(({ received }) => received)) {
    if (document.kind === 'gap') reported = Math.max(reported, document.to)
    else {
      const number = numberIn(document.position)
      passTo(number, reported)
      seen.add(number)
    }
  }
  passTo(until + 1, reported)
  return broken
}

/** A client with a position that the store does not know is sent a gap before anything else. */
function checkResumes({ name, connections }: Client, evidence: Evidence): Broken[] {
  return connections
    .filter(({ since }) => since !== undefined && !isValid(since, evidence))
    .filter(({ received }) => received.length > 0 && received[0]?.kind !== 'gap')
    .map(({ since }) => ({
      guarantee: 'Gap reported',
      to: name,
      detail: `it came with ${since}, which is in no epoch of the store, and was not informed`,
    }))
}

const numberIn = (position: string) => Number(position.split(':')[1])

function isValid(position: string, { epochs, head }: Evidence): boolean {
  const [name, number] = position.split(':').map(Number)
  const index = epochs.findIndex((epoch) => epoch.number === name)
  const epoch = epochs[index]
  if (!epoch || number === undefined) return false
  const end = (epochs[index + 1]?.first ?? head + 1) - 1
  return number >= epoch.first - 1 && number <= end
}

/** What was broken, for people. */
export const summaryOf = (broken: readonly Broken[]) =>
  broken.map(({ guarantee, to, detail }) => `${guarantee}: ${to}: ${detail}`).join('\n')

/** What was broken, for the table of outcomes. */
export function outcomeOf(broken: readonly Broken[]): Outcome {
  const count = (...guarantees: Guarantee[]) =>
    broken.filter(({ guarantee }) => guarantees.includes(guarantee)).length
  const untold = count('Gap reported')
  return {
    lost: count('Nothing missing'),
    unordered: count('Ordered'),
    idsUsedTwice: count('Nothing before it is on disk', 'Position valid'),
    ...(untold > 0 && { gapsOwed: untold }),
  }
}

if (import.meta.main) {
  const [file] = process.argv.slice(2)
  if (file === undefined) {
    console.error('expected a file with evidence in JSON')
    process.exit(2)
  }
  const broken = check(JSON.parse(readFileSync(file, 'utf8')))
  console.log(broken.length === 0 ? 'every guarantee was kept' : summaryOf(broken))
  process.exitCode = broken.length === 0 ? 0 : 1
}
