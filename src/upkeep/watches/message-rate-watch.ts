// The leader's part of watching what devices say by syslog: one alarm for each of twenty devices that have fallen silent, and
// one for each of twenty that flood; one more for all further ones, so that the failure of a relay is not a storm of alarms.

import type { AlarmChanger } from '../../alarms/engine/engine.ts'
import { type AlarmedDevice, DeviceAlarms, devicesAlarmedBefore } from '../../alarms/service/device-alarms.ts'
import {
  openServiceAlarms,
  raiseServiceAlarm,
  recoverServiceAlarm,
} from '../../alarms/service/service-alarms.ts'
import { deviceHeads } from '../../resources/inventory/device.ts'
import type { Database } from '../../store/database.ts'
import { judged, type Listening, longestGap, type RateState, usualCount } from './message-rate.ts'
import { lastListened, putRates, takeRates } from './message-rate-store.ts'

export interface MessageRateWatchParts {
  readonly database: Database
  /** Refused unless this service is the leader. */
  readonly leaderDatabase: Database
  readonly alarms: AlarmChanger
  readonly everySeconds: number
}

/** At most this many devices have an alarm of one kind. */
const deviceAlarms = 20
const manyDevices = 'many devices'

type RateEvent = 'messagesSilent' | 'messagesFlooding'

/** What each alarm says of a device, by its id. */
type Found = Record<RateEvent, Map<bigint, string>>

const over: Record<RateEvent, string> = {
  messagesSilent: 'It sends syslog messages again, or none are expected of it any more',
  messagesFlooding: 'It sends fewer syslog messages again, or this many have become usual',
}
const manyText: Record<RateEvent, (devices: number) => string> = {
  messagesSilent: (devices) =>
    `${devices} devices have fallen silent: they send no syslog messages. Look at a relay, or the network between them and this service`,
  messagesFlooding: (devices) => `${devices} devices send a hundred times more syslog messages than usual`,
}

export class MessageRateWatch {
  readonly #parts: MessageRateWatchParts
  readonly #interval: number
  /** Since when this service has watched without an interruption. */
  #since: number | undefined
  #lastCheck = 0
  #lastListened = 0

  constructor(parts: MessageRateWatchParts) {
    this.#parts = parts
    this.#interval = parts.everySeconds * 1000
  }

  /** Called once in each interval. */
  async check(now: number): Promise<void> {
    const { database } = this.#parts
    const listening = { now, interval: this.#interval, since: await this.#listeningSince(now) }
    const found: Found = { messagesSilent: new Map(), messagesFlooding: new Map() }
    for (let after: bigint | undefined = 0n; after !== undefined; )
      after = await this.#judgeSome(after, listening, found)
    for (const event of ['messagesSilent', 'messagesFlooding'] as const) {
      await this.#tell(event, found[event])
      await this.#tellMany(event, found[event].size, await openServiceAlarms(database, event))
    }
  }

  /** Undefined if nobody receives messages. */
  async #listeningSince(now: number): Promise<number | undefined> {
    const { database } = this.#parts
    const few = 3 * this.#interval
    const listened = await lastListened(database)
    const isPaused = Math.abs(now - this.#lastCheck) > few
    this.#lastCheck = now
    // After a start, nodes have a while to say that they listen.
    if (isPaused || (listened !== undefined && Math.abs(now - listened) <= few)) this.#lastListened = now
    if (now - this.#lastListened > few) this.#since = undefined
    // A node that is gone may be the one to which a device sends.
    else if (
      this.#since === undefined ||
      isPaused ||
      (await openServiceAlarms(database, 'nodeGone')).size > 0
    )
      this.#since = now
    return this.#since
  }

  /** Returns the last device that was judged; undefined where there are no more. */
  #judgeSome(after: bigint, listening: Listening, found: Found): Promise<bigint | undefined> {
    return this.#parts.leaderDatabase.transaction(async (tx) => {
      const rates = await takeRates(tx, after)
      const heads = await deviceHeads(
        tx,
        rates.map(({ deviceId }) => deviceId),
      )
      const states = new Map<bigint, RateState | undefined>()
      for (const { deviceId, state, heard } of rates) {
        const head = heads.get(deviceId)
        const next = head && judged(state, heard, listening)
        states.set(deviceId, next)
        if (next?.isSilent) found.messagesSilent.set(deviceId, silentText(head?.label ?? '', next, listening))
        if (next?.isFlooding)
          found.messagesFlooding.set(deviceId, floodText(head?.label ?? '', next, listening, heard?.count))
      }
      await putRates(tx, states)
      return rates.at(-1)?.deviceId
    })
  }

  async #tell(event: RateEvent, found: ReadonlyMap<bigint, string>): Promise<void> {
    const { database, alarms } = this.#parts
    const open = await devicesAlarmedBefore(database, event, Number.MAX_SAFE_INTEGER)
    const isOpen = new Set(open.map(({ id }) => id))
    const ended = open.filter(({ id }) => id !== 0n && !found.has(id))
    const room = deviceAlarms - open.filter(({ id }) => id !== 0n).length + ended.length
    const ids = [...found.keys()].filter((id) => !isOpen.has(id)).slice(0, Math.max(0, room))
    if (ended.length + ids.length === 0) return
    await alarms.change(async (changes, tx) => {
      const heads = await deviceHeads(tx, ids)
      const raised = Array.from(
        heads.values(),
        ({ id, ip, label }): AlarmedDevice => ({ id, ip, name: label }),
      )
      const ofDevices = new DeviceAlarms(changes, tx, alarms)
      await ofDevices.gather([...ended, ...raised], [event])
      for (const device of ended) ofDevices.end(device, [event], over[event])
      for (const device of raised) await ofDevices.raise(device, event, found.get(device.id) ?? '')
    })
  }

  async #tellMany(event: RateEvent, devices: number, open: ReadonlySet<string>): Promise<void> {
    const { alarms } = this.#parts
    const areMany = devices > deviceAlarms
    if (areMany && !open.has(manyDevices))
      await raiseServiceAlarm(alarms, event, manyDevices, manyText[event](devices))
    else if (!areMany && open.has(manyDevices))
      await recoverServiceAlarm(alarms, event, manyDevices, 'They are no longer that many')
  }
}

const silentText = (name: string, state: RateState, { now }: Listening) =>
  `${name} has sent no syslog message for ${lengthOf(now - state.last)}; in the last two weeks it was never silent for longer than ${lengthOf(longestGap(state))}`

function floodText(name: string, state: RateState, listening: Listening, count = 0): string {
  const usual = Math.round((usualCount(state, listening) ?? 0) * (86_400_000 / listening.interval))
  const minutes = Math.max(1, Math.round(listening.interval / 60_000))
  return `${name} sends more than a hundred times as many syslog messages as usual: ${count.toLocaleString('en')} in the last ${minutes} min, usually ${usual.toLocaleString('en')} a day`
}

function lengthOf(milliseconds: number): string {
  const minutes = Math.max(1, Math.round(milliseconds / 60_000))
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`
}
