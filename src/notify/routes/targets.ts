// Who is told at a step of a route: its targets resolved to channels, each once, and the hours in which people are left
// in peace.

import { serviceEvents } from '../../events/service-events.ts'
import { type Alarm, fromService } from '../../resources/alarms/alarm.ts'
import { readTime } from '../../resources/alarms/validity.ts'
import {
  type People,
  peopleTables,
  type ReachableContact,
  readPeople,
} from '../../resources/notify/people.ts'
import { ZoneTime } from '../../rules/zone-time.ts'
import type { Database, Reader } from '../../store/database.ts'
import { TableCache } from '../../store/table-cache.ts'
import type { MessageAlarm } from '../message.ts'
import type { Incident } from './incident.ts'
import type { AdministratorTarget, Target } from './route.ts'
import type { KnownRoute, Step } from './route-index.ts'

export interface Recipient {
  /** 0 for a channel that belongs to nobody. */
  readonly contactId: bigint
  readonly channelId: bigint
  /** Milliseconds after the step. */
  readonly delay: number
}

export interface Resolved {
  readonly recipients: readonly Recipient[]
  /** Why a target led to nobody. */
  readonly remarks: readonly string[]
}

/** What this room needs of schedules. */
export interface OnCallSource {
  /** Who is on call; undefined where the schedule does not exist. */
  at(scheduleId: bigint, time: number): Promise<readonly bigint[] | undefined>
}

/** The people of the store, ready to be asked. */
export class Directory {
  readonly #database: Database
  readonly #onCall: OnCallSource
  readonly #cache: TableCache<People>
  readonly #zones = new Map<string, ZoneTime>()
  readonly #timeZone: string

  /** `timeZone`: that of contacts who name none. */
  constructor(database: Database, onCall: OnCallSource, timeZone: string) {
    this.#database = database
    this.#onCall = onCall
    this.#cache = new TableCache(database, ...peopleTables)
    this.#timeZone = timeZone
  }

  people(reader: Reader = this.#database): Promise<People> {
    return this.#cache.get(reader, readPeople)
  }

  /** Who is told at a step at a time. Not inside a transaction: schedules are read beside it. */
  async resolve({ targets }: Pick<Step, 'targets'>, at: number): Promise<Resolved> {
    const people = await this.people()
    const found = new Map<bigint, Recipient>()
    const remarks: string[] = []
    for (const target of targets) {
      const { recipients, remark } = await this.#resolveOne(people, target, at)
      for (const one of recipients) {
        const known = found.get(one.channelId)
        if (!known || one.delay < known.delay) found.set(one.channelId, one)
      }
      if (remark !== undefined) remarks.push(remark)
    }
    return { recipients: [...found.values()].toSorted(byDelay), remarks }
  }

  async #resolveOne(
    people: People,
    target: Target | AdministratorTarget,
    at: number,
  ): Promise<{ recipients: Recipient[]; remark?: string }> {
    if (target.kind === 'channel') {
      const channel = people.channels.get(target.id)
      if (!channel)
        return {
          recipients: [],
          remark: `channel ${target.id} does not exist, is not confirmed, is on a disabled gateway, or is of a contact who is disabled`,
        }
      return { recipients: [{ contactId: channel.contactId ?? 0n, channelId: channel.id, delay: 0 }] }
    }
    const contacts = await this.#contactsOf(people, target, at)
    const recipients = contacts?.flatMap((contact) => channelsOf(contact)) ?? []
    if (recipients.length > 0) return { recipients }
    if (target.kind === 'administrators')
      return { recipients, remark: 'no administrator has a confirmed channel' }
    if (!contacts) return { recipients, remark: `${target.kind} ${target.id} does not exist` }
    return { recipients, remark: `${target.kind} ${target.id} ${reasonOf(target.kind, contacts)}` }
  }

  /** Undefined where the target does not exist. */
  async #contactsOf(
    people: People,
    target: Target | AdministratorTarget,
    at: number,
  ): Promise<ReachableContact[] | undefined> {
    if (target.kind === 'administrators') {
      return [...people.contacts.values()].filter(({ role }) => role === 'administrator')
    }
    if (target.kind === 'contact') {
      const contact = people.contacts.get(target.id)
      return contact && [contact]
    }
    const ids = target.kind === 'team' ? people.teams.get(target.id) : await this.#onCall.at(target.id, at)
    return ids?.flatMap((id) => people.contacts.get(id) ?? [])
  }

  /** Until when a contact is not told of an alarm of this level; undefined where it is told. */
  async quietUntil(
    contactId: bigint,
    level: number,
    at: number,
    reader?: Reader,
  ): Promise<number | undefined> {
    const contact = (await this.people(reader)).contacts.get(contactId)
    if (!contact?.quiet || level <= contact.quiet.level) return undefined
    const zone = this.#zone(contact.timeZone ?? this.#timeZone)
    const [from, to] = [readTime(contact.quiet.from), readTime(contact.quiet.to)]
    const { day, secondOfDay } = zone.local(at)
    if (from < to) return secondOfDay >= from && secondOfDay < to ? zone.instant(day, to) : undefined
    if (secondOfDay >= from) return zone.instant(day + 1, to)
    return secondOfDay < to ? zone.instant(day, to) : undefined
  }

  #zone(name: string): ZoneTime {
    let zone = this.#zones.get(name)
    if (!zone) {
      zone = new ZoneTime(name)
      this.#zones.set(name, zone)
    }
    return zone
  }
}

/** Why none of the contacts of a target is told. */
function reasonOf(kind: Target['kind'], contacts: readonly ReachableContact[]): string {
  const [first] = contacts
  if (!first) return kind === 'team' ? 'has no members' : 'has nobody on call'
  const { id, silenced } = first
  const told = contacts.filter((one) => one.silenced === undefined)
  if (silenced === undefined || told.length > 0) {
    return told.some(({ isCutOff }) => isCutOff)
      ? 'has confirmed channels on disabled gateways only'
      : 'has no confirmed channel'
  }
  if (kind === 'contact') return silenced
  return kind === 'team' ? 'has only members who are disabled' : `leads to contact ${id}, who ${silenced}`
}

const byDelay = (a: Recipient, b: Recipient) => a.delay - b.delay

/** The channels of a contact, each after those before it. */
function channelsOf({ id: contactId, channels }: ReachableContact): Recipient[] {
  let delay = 0
  return channels.map((channel, index) => {
    if (index > 0) delay += channel.delay
    return { contactId, channelId: channel.id, delay }
  })
}

/** Of alarms of the service about itself, which are told in any case. */
export const ownEvents: ReadonlySet<string> = new Set(
  Object.values(serviceEvents).map(({ eventOid }) => eventOid),
)

/** Alarms that programs raise over HTTP look like the service's own but for their events. */
export const isOfService = ({ originalType, OID }: Pick<Alarm, 'originalType' | 'OID'>): boolean =>
  originalType === fromService && ownEvents.has(OID)

/** Whether an incident is about an alarm of the service about itself. */
export function isOwn({ alarm }: Incident): boolean {
  const { OID, deviceId } = JSON.parse(alarm) as MessageAlarm
  return deviceId === '0' && ownEvents.has(OID)
}

const minute = 60_000

/** Said by messages to the last resort that a route asks for. */
export const lastResortDetail = 'Nobody could be told by the route.'

/** Takes alarms of the service itself that no route takes: whoever administers it is told, in every case. */
export const lastResort: KnownRoute = {
  ...{
    id: 0n,
    name: 'last resort',
    enabled: true,
    position: Number.MAX_SAFE_INTEGER,
    goOn: false,
    since: 0n,
  },
  filter: {
    ...{ levels: new Set(), addresses: new Set(), segments: [], oids: new Set(), subtrees: new Set() },
    ...{ view: undefined, sendRecovered: false, zones: new Set(), changes: false, causes: false },
  },
  categories: new Set(),
  ...{ delay: minute, repeatAfter: 0, startsAgain: false, hourlyLimit: 60 },
  steps: [{ after: 0, targets: [{ kind: 'administrators' }] }],
  isInForce: () => true,
}
