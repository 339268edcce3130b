// People, routes and a receiver that counts, over an alarm engine: what they are told is decided by the real parts, step
// by step on a clock that stands still.

import { pino } from 'pino'
import { LogSignal } from '../../src/alarms/log/log-signal.ts'
import { Fault } from '../../src/fault.ts'
import type { Message, SendResult } from '../../src/notify/message.ts'
import { type LedgerRow, ledgerColumns, rowOf } from '../../src/notify/routes/ledger.ts'
import { Notifier, openRouting } from '../../src/notify/routes/notifier.ts'
import { type Route, routes } from '../../src/notify/routes/route.ts'
import { AlarmTexts } from '../../src/resources/alarms/alarm.ts'
import { createIn } from '../../src/resources/collection.ts'
import type { Database } from '../../src/store/database.ts'
import { ifIndex, linkDown, linkUp, World } from '../alarms/world.ts'
import type { TestStore } from '../support.ts'

export interface Sent {
  readonly at: number
  readonly channelId: bigint
  readonly message: Message
}

type Answerer = (sent: Sent, signal: AbortSignal) => SendResult | Promise<SendResult>
export const delivered: SendResult = { outcome: 'delivered', answer: '200 OK' }
export const refused: SendResult = { outcome: 'failed', retry: true, reason: 'connection refused' }

type Draft = Partial<Omit<Route, 'id' | 'step'>> & {
  readonly name: string
  readonly step: readonly [after: number, target: string][]
}

export class Town {
  readonly world: World
  readonly sent: Sent[] = []
  readonly onCall = new Map<bigint, bigint[]>()
  answer: Answerer = () => delivered
  /** What a message waits for before it is sent. */
  queue: () => Promise<void> = async () => {}
  notifier: Notifier
  isLeader = true
  /** Whether the service ends before it can raise alarms of its own. */
  isEnding = false
  #people = 0n

  private constructor(world: World) {
    this.world = world
    this.notifier = this.another()
  }

  static async open(store: TestStore): Promise<Town> {
    const town = new Town(await World.open(store))
    // From the end of the log, as on a new store.
    await town.turn()
    return town
  }

  /** A second one over the same store, as after a restart. */
  another(): Notifier {
    const { database, engine } = this.world
    // As the fence of several nodes does: who no longer leads changes nothing.
    const leaderDatabase = new Proxy(database, {
      get: (target, name: keyof Database) => {
        const value = target[name]
        if (typeof value !== 'function') return value
        if (name === 'transaction' && !this.isLeader) throw new Fault('conflict', 'another service leads')
        return value.bind(target)
      },
    })
    return new Notifier({
      ...{ database, leaderDatabase, log: pino({ level: 'silent' }) },
      ...openRouting(database, { at: async (id) => this.onCall.get(id) ?? [] }, 'UTC'),
      isLeader: () => this.isLeader,
      alarms: {
        ...engine.asLeader,
        change: (work) => {
          if (this.isEnding) throw new Error('the service ends')
          return engine.asLeader.change(work)
        },
      },
      alarmTexts: new AlarmTexts(database, 'UTC'),
      logSignal: new LogSignal(),
      senders: {
        send: async (channelId, message, signal, onTurn) => {
          await this.queue()
          onTurn()
          if (signal.aborted) return refused
          const sent = { at: this.world.time.now, channelId, message }
          this.sent.push(sent)
          return this.answer(sent, signal)
        },
      },
      links: { linksFor: async () => [] },
    })
  }

  get database(): Database {
    return this.world.database
  }

  /** Does all that is due now. */
  async turn(): Promise<void> {
    for (let quiet = 0; quiet < 2; ) {
      const isMore = await this.notifier.turn()
      const before = this.sent.length
      await this.notifier.idle()
      quiet = isMore || this.sent.length > before ? 0 : quiet + 1
    }
  }

  async later(seconds: number): Promise<void> {
    this.world.time.now += seconds * 1000
    await this.turn()
  }

  /** A contact with confirmed channels, each so many seconds after the one before it; returns the ids. */
  async contact(delays: readonly number[] = [0], fields: Partial<Record<string, string | number>> = {}) {
    this.#people += 1n
    const id = this.#people
    const channels: bigint[] = []
    await this.database.transaction(async (tx) => {
      await tx.run(
        "insert into gateway (id, name, name_key, kind, enabled, secret_set) values (1, 'hook', 'hook', 'webhook', 1, '[]') on conflict do nothing",
      )
      const { quietFrom = null, quietTo = null, quietLevel = null, operatorId = null } = fields
      await tx.run(
        'insert into contact (id, name, name_key, operator_id, time_zone, quiet_from, quiet_to, quiet_level) values (?, ?, ?, ?, ?, ?, ?, ?)',
        [id, `contact ${id}`, `contact ${id}`, operatorId, 'UTC', quietFrom, quietTo, quietLevel],
      )
      for (const [index, delay] of delays.entries()) {
        const channelId = id * 100n + BigInt(index)
        channels.push(channelId)
        await tx.run(
          'insert into channel (id, contact_id, gateway_id, position, delay, confirmed, confirmed_time) values (?, ?, 1, ?, ?, 1, 0)',
          [channelId, id, index, delay],
        )
      }
    })
    return { id, channels, target: `contact:${id}` }
  }

  route({ step, ...draft }: Draft): Promise<bigint> {
    const steps = step.map(([after, target]) => ({ after, target }))
    return this.database.transaction((tx) => createIn(tx, routes, { ...draft, step: steps }))
  }

  /** An interface of a device goes down. */
  async down(device: number, index = 1): Promise<bigint> {
    const ip = `10.0.${device >> 8}.${device & 255}`
    await this.world.handle(this.world.trap(linkDown, ip, [ifIndex(index)]))
    const open = (await this.world.alarmsOf(ip)).filter(
      (one) => one.recStatus === 0 && one.isReceoverFault === 0,
    )
    return open.at(-1)?.id ?? 0n
  }

  async up(device: number, index = 1): Promise<void> {
    const ip = `10.0.${device >> 8}.${device & 255}`
    await this.world.handle(this.world.trap(linkUp, ip, [ifIndex(index)]))
  }

  /** Waits until the service has raised an alarm of its own, which it does beside its turns. */
  async raised(event: string): Promise<void> {
    const found = 'select id from alarm where event_name = ?'
    while ((await this.database.all(found, [event])).length === 0)
      await new Promise((resolve) => setTimeout(resolve, 5))
  }

  async ledger(): Promise<LedgerRow[]> {
    const rows = await this.database.all(`select ${ledgerColumns} from notification order by id`)
    return rows.map(rowOf)
  }

  /** What was sent, as channel and change. */
  get told(): string[] {
    return this.sent.map(({ channelId, message }) => `${channelId} ${message.change}`)
  }
}
