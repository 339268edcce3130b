// Reports a failing store by one line in the log and one alarm, instead of one for each consequence.

import type { Logger } from 'pino'
import type { AlarmChanger } from '../../alarms/engine/engine.ts'
import {
  openServiceAlarms,
  raiseServiceAlarm,
  recoverServiceAlarm,
} from '../../alarms/service/service-alarms.ts'
import { Fault } from '../../fault.ts'
import type { Store } from '../../store/database.ts'
import type { Health } from '../service-health.ts'

interface StoreWatchParts {
  readonly engine: AlarmChanger
  readonly database: Store
  readonly health: Health
  readonly troubles: TroubleLog
  /** The resource of the alarm about this service's store. */
  readonly resource: string
}

/** The resource of the alarm about traps that no node processes: the same, whichever node raises it. */
const processing = 'processing'

export class StoreWatch {
  readonly #parts: StoreWatchParts
  readonly #store: TroubleAlarm
  readonly #processing: TroubleAlarm

  constructor(parts: StoreWatchParts) {
    this.#parts = parts
    const { resource } = parts
    this.#store = new TroubleAlarm(parts, {
      resource,
      prefix: 'The store fails: ',
      end: 'The store works again',
    })
    this.#processing = new TroubleAlarm(parts, {
      resource: processing,
      prefix: '',
      end: 'Traps are processed again',
    })
  }

  /** Called about once a second. */
  async check(): Promise<void> {
    const { database, health, troubles } = this.#parts
    troubles.note('health', health.trouble)
    // Checked at once, so that the alarm ends as soon as the store works again.
    if (database.trouble) await database.requireHealthy().catch(() => undefined)
    await this.#store.follow(health.storeTrouble)
    await this.#processing.follow(health.processingTrouble)
  }
}

const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

interface AlarmWords {
  readonly resource: string
  /** Before the reason. */
  readonly prefix: string
  readonly end: string
}

/**
 * An alarm that is open as long as something fails. It is raised when two checks in a row find that: where this process
 * itself did not run for some seconds, only the first one takes the store for silent.
 */
class TroubleAlarm {
  readonly #parts: Pick<StoreWatchParts, 'engine' | 'database'>
  readonly #words: AlarmWords
  /** An earlier run of the service may have left it open. */
  #isOpen: boolean | undefined
  #failedBefore = false

  constructor(parts: Pick<StoreWatchParts, 'engine' | 'database'>, words: AlarmWords) {
    this.#parts = parts
    this.#words = words
  }

  async follow(trouble: Fault | undefined): Promise<void> {
    const { engine, database } = this.#parts
    const { resource, prefix, end } = this.#words
    this.#isOpen ??= (await openServiceAlarms(database, 'storeFailing')).has(resource)
    const isLasting = trouble !== undefined && this.#failedBefore
    this.#failedBefore = trouble !== undefined
    if (isLasting && !this.#isOpen) {
      // While nothing can be written, this is repeated.
      await raiseServiceAlarm(engine, 'storeFailing', resource, sentence(prefix + trouble.message))
      this.#isOpen = true
    } else if (!trouble && this.#isOpen) {
      await recoverServiceAlarm(engine, 'storeFailing', resource, end)
      this.#isOpen = false
    }
  }
}

/** Milliseconds in which the same failure of the store is logged once. */
const onceIn = 60_000

/**
 * A log without repeated messages: a failure is logged when it begins and when it ends, and transactions that wait in
 * vain for somebody else's lock are logged once.
 */
export function withoutEchoes(
  log: Logger,
  trouble: () => Fault | undefined,
  clock = () => performance.now(),
): Logger {
  let last = { message: '', at: Number.NEGATIVE_INFINITY }
  const isEcho = (about: unknown) => {
    const { err } = (about ?? {}) as { err?: unknown }
    if (!(err instanceof Fault) || err.code !== 'unavailable') return false
    if (trouble() !== undefined) return true
    const { message } = err
    const now = clock()
    if (message === last.message && now - last.at < onceIn) return true
    last = { message, at: now }
    return false
  }
  const calm: Logger = Object.create(log)
  for (const level of ['warn', 'error'] as const) {
    calm[level] = (about: object, ...more: [string?]) => {
      if (!isEcho(about)) log[level](about, ...more)
    }
  }
  return calm
}

/** Logs when the store begins to fail, and when it works again: one failure shows in several ways. */
export class TroubleLog {
  readonly #log: Logger
  readonly #signs = new Map<'store' | 'health', Fault>()

  constructor(log: Logger) {
    this.#log = log
  }

  get current(): Fault | undefined {
    const [first] = this.#signs.values()
    return first
  }

  note(sign: 'store' | 'health', trouble: Fault | undefined): void {
    const before = this.current
    if (trouble) this.#signs.set(sign, trouble)
    else this.#signs.delete(sign)
    const now = this.current
    if (now && !before) this.#log.error({ reason: now.message }, 'the store fails')
    else if (before && !now) this.#log.info('the store works again')
  }
}
