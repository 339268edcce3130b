// Messages that a route would have sent, counted in a simulation: their delays, quiet hours, and limits.

import type { EventQueue } from './event-queue.ts'
import { quotaKinds } from './quotas.ts'
import type { KnownRoute } from './route-index.ts'
import type { Directory, Recipient } from './targets.ts'

/** What the messages of an incident are about. */
export interface PastSubject {
  readonly deviceIp: string
  readonly deviceName: string
  alarmLevel: number
}

/** Of an incident, what concerns its messages. */
export interface PastThread {
  about: PastSubject
  /** Changes when what waits is not sent any more. */
  turn: number
  /** Contacts by the channels that were told. */
  readonly told: Map<bigint, bigint>
  /** How many messages wait, by channel. */
  readonly waiting: Map<bigint, number>
  /** Those that wait for the end of quiet hours look again whether these let them pass. */
  readonly quiet: Set<() => void>
}

export interface DeviceShare {
  readonly deviceIp: string
  readonly deviceName: string
  messages: number
}

const maxDevices = 100_000
/** After the changes of alarms, and the steps, of the same moment. */
const rank = 2

interface Used {
  beganAt: number
  used: number
}

export class PastMessages {
  readonly #queue: EventQueue
  readonly #directory: Directory
  readonly #route: KnownRoute
  readonly #quotas = new Map<string, Used>()
  readonly devices = new Map<string, DeviceShare>()
  sent = 0
  limited = 0
  now = 0

  constructor(queue: EventQueue, directory: Directory, route: KnownRoute) {
    this.#queue = queue
    this.#directory = directory
    this.#route = route
  }

  /** Takes one of a quota, as quotas.ts does; returns whether that is more than the limit. */
  exceeds(name: string, span: number, limit: number): boolean {
    if (limit === 0) return false
    const quota = this.#quotas.get(name) ?? { beganAt: this.now, used: 0 }
    if (this.now - quota.beganAt >= span) Object.assign(quota, { beganAt: this.now, used: 0 })
    quota.used += 1
    this.#quotas.set(name, quota)
    return quota.used > limit
  }

  /** To each recipient within the limits. The message of a storm leaves in any case. */
  sendLimited(thread: PastThread, recipients: readonly Recipient[], isSummary: boolean): void {
    for (const recipient of recipients) {
      const limit = this.#reached(recipient)
      if (limit === undefined || isSummary) this.send(thread, recipient)
      else {
        this.limited += 1
        if (!this.exceeds(`told ${limit} ${recipient.channelId}`, quotaKinds.route.span, 1))
          this.send(thread, { ...recipient, delay: 0 }, true)
      }
    }
  }

  #reached({ contactId, channelId }: Recipient): string | undefined {
    const { span } = quotaKinds.route
    if (this.exceeds('route', span, this.#route.hourlyLimit)) return 'route'
    const kind = contactId === 0n ? 'channel' : 'contact'
    const name = `${kind} ${contactId === 0n ? channelId : contactId}`
    return this.exceeds(name, quotaKinds[kind].span, quotaKinds[kind].limit) ? name : undefined
  }

  /** `isNotice`: it says that a limit was reached, whatever becomes of the incident. */
  send(thread: PastThread, recipient: Recipient, isNotice = false): void {
    const { channelId, delay } = recipient
    if (!isNotice) thread.waiting.set(channelId, (thread.waiting.get(channelId) ?? 0) + 1)
    const { turn } = thread
    let due = this.now + delay
    const later = (at: number) => {
      due = at
      this.#queue.add(at, rank, deliver)
    }
    const again = () => later(this.now)
    const deliver = async () => {
      if (this.now !== due || (!isNotice && thread.turn !== turn)) return
      thread.quiet.delete(again)
      const until = await this.#quietUntil(recipient, thread.about.alarmLevel)
      if (until === undefined) return this.#delivered(thread, recipient, isNotice)
      thread.quiet.add(again)
      later(until)
    }
    later(due)
  }

  async #quietUntil({ contactId }: Recipient, level: number): Promise<number | undefined> {
    return contactId === 0n ? undefined : this.#directory.quietUntil(contactId, level, this.now)
  }

  #delivered(thread: PastThread, { channelId, contactId }: Recipient, isNotice: boolean): void {
    this.sent += 1
    if (!isNotice) {
      const left = (thread.waiting.get(channelId) ?? 1) - 1
      if (left === 0) thread.waiting.delete(channelId)
      else thread.waiting.set(channelId, left)
      thread.told.set(channelId, contactId)
    }
    const { deviceIp, deviceName } = thread.about
    const known = this.devices.get(deviceIp)
    if (known) known.messages += 1
    else if (this.devices.size < maxDevices) this.devices.set(deviceIp, { deviceIp, deviceName, messages: 1 })
  }

  /** Of what waits, nothing is sent. */
  stop(thread: PastThread): void {
    thread.turn += 1
    thread.waiting.clear()
    thread.quiet.clear()
  }

  /** To those who were told of the fault. */
  tell(thread: PastThread): void {
    for (const [channelId, contactId] of thread.told) this.send(thread, { channelId, contactId, delay: 0 })
  }
}
