// Before it matters: who would be told of an alarm at any time. Nothing is changed and nothing is sent.

import type { People } from '../../resources/notify/people.ts'
import type { Subject } from '../../rules/maintenance-windows.ts'
import { notifiedByAnother } from './incident.ts'
import type { MaintenanceForecast } from './maintenance-forecast.ts'
import type { KnownRoute } from './route-index.ts'
import { type Directory, lastResort } from './targets.ts'

/** What would happen to one channel, or why nothing would. */
export interface PlannedMessage {
  readonly route: KnownRoute
  /** From 0. */
  readonly step: number
  readonly at: number
  readonly contactId: bigint
  readonly contactName: string
  /** 0 where nobody would be told. */
  readonly channelId: bigint
  /** Of a channel that belongs to nobody. */
  readonly channelName: string
  readonly remark: string
}

export interface PlanParts {
  readonly directory: Directory
  readonly forecast: MaintenanceForecast
  /** The alarm as maintenance windows see it, and its level. */
  readonly subject: Subject
  readonly level: number
}

const plannedLimit = 500
/** Messages of two routes that are due at about the same time are one, as in claims.ts. */
const aboutNow = 60_000

export class Planner {
  readonly #parts: PlanParts
  readonly #planned: PlannedMessage[] = []
  #people: Pick<People, 'contacts' | 'channels'> = { contacts: new Map(), channels: new Map() }

  constructor(parts: PlanParts) {
    this.#parts = parts
  }

  /** As if nobody acknowledged, the alarm stayed open, and nobody was told of anything else. */
  async plan(routes: readonly KnownRoute[], at: number, isOwn: boolean): Promise<PlannedMessage[]> {
    this.#people = await this.#parts.directory.people()
    for (const route of routes) {
      const isNotified = await this.#planRoute(route, at)
      if (!isNotified && isOwn && !routes.includes(lastResort)) await this.#planRoute(lastResort, at)
      if (this.#planned.length >= plannedLimit) break
    }
    return this.#planned.slice(0, plannedLimit)
  }

  /** Returns whether anybody would be told. */
  async #planRoute(route: KnownRoute, at: number): Promise<boolean> {
    const { directory } = this.#parts
    let time = at + route.delay
    let isSkipped = false
    let isNotified = false
    for (const [step, one] of route.steps.entries()) {
      if (!isSkipped || step === 0) time += one.after
      const free = this.#freeFrom(time)
      if (free === undefined) break
      time = free.at
      const { recipients, remarks } = await directory.resolve(one, time)
      isSkipped = recipients.length === 0
      isNotified ||= !isSkipped
      if (isSkipped) this.#add({ route, step, at: time, remark: remarks.join('; ') })
      for (const { contactId, channelId, delay } of recipients)
        await this.#planMessage({ route, step, contactId, channelId }, time + delay, free.remark)
    }
    return isNotified
  }

  async #planMessage(
    message: Pick<PlannedMessage, 'route' | 'step' | 'contactId' | 'channelId'>,
    due: number,
    remark: string,
  ): Promise<void> {
    const { directory, level } = this.#parts
    const free = this.#freeFrom(due)
    if (free === undefined) return
    const { contactId } = message
    const quiet = contactId === 0n ? undefined : await directory.quietUntil(contactId, level, free.at)
    const at = quiet ?? free.at
    const remarks = [remark || free.remark, quiet === undefined ? '' : 'after quiet hours']
    const twin = this.#planned.find((one) => isTwin(one, { ...message, at }))
    if (twin) remarks.push(`${notifiedByAnother}: ${twin.route.name}`)
    this.#add({ ...message, at, remark: remarks.filter((one) => one !== '').join('; ') })
  }

  #add(message: Pick<PlannedMessage, 'route' | 'step' | 'at' | 'remark'> & Partial<PlannedMessage>): void {
    const { contactId = 0n, channelId = 0n } = message
    const { contacts, channels } = this.#people
    const contactName = contacts.get(contactId)?.name ?? ''
    const channelName = contactId === 0n ? (channels.get(channelId)?.name ?? '') : ''
    this.#planned.push({ ...message, contactId, channelId, contactName, channelName })
  }

  /** When no window covers the alarm; undefined where that is never. */
  #freeFrom(time: number): { at: number; remark: string } | undefined {
    const { forecast, subject } = this.#parts
    const { until, windows } = forecast.coverage(subject, time)
    if (windows.length === 0) return { at: time, remark: '' }
    return until === undefined ? undefined : { at: until, remark: `after ${windows.join(', ')}` }
  }
}

const isTwin = (a: PlannedMessage, b: Pick<PlannedMessage, 'route' | 'step' | 'channelId' | 'at'>) =>
  a.route !== b.route &&
  a.channelId === b.channelId &&
  (a.step === 0 ? b.step === 0 : b.step > 0 && Math.abs(a.at - b.at) < aboutNow)
