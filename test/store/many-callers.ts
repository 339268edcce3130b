// Callers that raise alarms and create zones all the time, a client that follows them, and what must be true afterwards.

import assert from 'node:assert/strict'
import { type ClientRequest, request } from 'node:http'
import { after } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Service } from '../cli/running.ts'
import { record } from '../outcome.ts'
import { sendRequest } from '../support.ts'

const callers = 32
/** Alarms in one request. */
const together = 3
const OID = '1.3.6.1.4.1.32473.9.32'
const json = { 'Content-Type': 'application/json', Accept: 'application/json' }
/** So many alarms may be open. */
export const limits = ['--open-alarms', '2000000', '--open-alarms-device', '2000000']

/** Every so manieth request creates a zone: what is written in between shares commits with blocks of alarms. */
const zoneEvery = 3

/** Callers that raise alarms, three in one request, and create zones, until they are told to stop. */
export class Callers {
  readonly answered: string[] = []
  readonly #service: Service
  readonly #prefix: string
  #next = 0
  #isOver = false
  readonly #working: Promise<unknown>

  constructor(service: Service, prefix: string) {
    this.#service = service
    this.#prefix = prefix
    this.#working = Promise.all(Array.from({ length: callers }, () => this.#work()))
    after(() => this.stop())
  }

  async #work(): Promise<void> {
    while (!this.#isOver) {
      const number = this.#next++
      const name = `${this.#prefix} ${number}`
      const [path, document] =
        number % zoneEvery === 0 ? ['/ram/zone', { name }] : ['/fault/alarm', { alarm: alarmsOf(name) }]
      const body = JSON.stringify(document)
      const { status } = await sendRequest(this.#service.url, 'POST', path, { headers: json, body }).catch(
        () => ({ status: 0 }),
      )
      if (status === 201) this.answered.push(name)
      else await sleep(20)
    }
  }

  stop(): Promise<unknown> {
    this.#isOver = true
    return this.#working
  }
}

const alarmsOf = (name: string) =>
  Array.from({ length: together }, (_, part) => ({
    OID,
    alarmLevel: 2,
    resource: `${name}/${part}`,
    alarmDesc: `${name}/${part}`,
  }))

/** Follows the event stream; every alarm that is pushed, by its text. */
export class Follower {
  readonly pushed = new Set<string>()
  readonly #request: ClientRequest

  constructor({ url }: Service) {
    this.#request = request(`${url}/events?type=11`, (response) => {
      let rest = ''
      response.setEncoding('utf8').on('data', (piece: string) => {
        rest += piece
        // Not the alarms of the service about itself.
        for (const [, resource = ''] of rest.matchAll(/<alarmDesc>([^<]+ \d+\/\d+)<\/alarmDesc>/g))
          this.pushed.add(resource)
        rest = rest.slice(rest.lastIndexOf('<alarm>') + 1)
      })
      response.on('error', () => undefined)
    })
    this.#request.on('error', () => undefined).end()
    after(() => this.stop())
  }

  stop(): void {
    this.#request.destroy()
  }
}

/** Names of what is stored: with how many alarms, or whether it is a zone; one without its audit entry is a half. */
async function stored(service: Service): Promise<Map<string, number>> {
  const groups = await storedAlarms(service)
  const listed = async (path: string) => {
    const { text } = await sendRequest(service.url, 'GET', `${path}size=1000000`, { headers: json })
    return JSON.parse(text)
  }
  const { zone = [] } = await listed('/ram/zone?')
  const { audit: entries = [] } = await listed('/plat/audit?resource=zone&action=create&')
  const created = new Set(entries.map(({ resourceId }: { resourceId: string }) => resourceId))
  for (const { zoneId, name } of zone) {
    if (zoneId === '1') continue
    groups.set(name, created.delete(zoneId) ? together : 1)
  }
  for (const id of created) groups.set(`no zone ${id}`, 1)
  return groups
}

async function storedAlarms({ url }: Service): Promise<Map<string, number>> {
  const path = `/fault/alarm?faultOid=${OID}&recStatus=0&size=1000000`
  const { text } = await sendRequest(url, 'GET', path, {})
  const groups = new Map<string, number>()
  for (const [, resource = ''] of text.matchAll(/<alarmDesc>([^<]+)<\/alarmDesc>/g)) {
    const name = resource.split('/')[0] ?? ''
    groups.set(name, (groups.get(name) ?? 0) + 1)
  }
  return groups
}

export async function requireKept(
  service: Service,
  answered: readonly string[],
  pushed: Iterable<string>,
): Promise<void> {
  const there = await stored(service)
  const lost = answered.filter((name) => there.get(name) !== together)
  const halves = [...there].filter(([, count]) => count !== together)
  const unsure = [...pushed].filter((resource) => !there.has(resource.split('/')[0] ?? ''))
  record({ rounds: 1, lost: lost.length + halves.length + unsure.length })
  assert.deepEqual([lost, halves, unsure], [[], [], []])
  assert(answered.length > 0, 'something was answered')
}
