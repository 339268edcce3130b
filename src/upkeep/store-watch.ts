// A store that fails in part causes one line in the log and one alarm, not one for each thing that fails because of it.

import type { Logger } from 'pino'
import type { Raising } from '../alarms/engine.ts'
import { openOwn, raiseOwn, recoverOwn } from '../alarms/own-alarms.ts'
import { Fault } from '../fault.ts'
import type { Database } from '../store/database.ts'

export class StoreWatch {
  readonly #engine: Raising
  readonly #database: Database
  readonly #resource: string
  /** An earlier run of the service may have left its alarm open. */
  #isOpen: boolean | undefined

  constructor(engine: Raising, database: Database, resource = 'store') {
    this.#engine = engine
    this.#database = database
    this.#resource = resource
  }

  /** Called about once a second. */
  async check(): Promise<void> {
    // It is over as soon as it works again, also where nobody asks for /health.
    if (this.#database.trouble) await this.#database.requireSound().catch(() => undefined)
    const { trouble } = this.#database
    this.#isOpen ??= (await openOwn(this.#database, 'storeFailing')).has(this.#resource)
    if (trouble && !this.#isOpen) {
      // Where nothing can be written, this is tried until it can.
      await raiseOwn(this.#engine, 'storeFailing', this.#resource, `The store fails: ${trouble.message}`)
      this.#isOpen = true
    } else if (!trouble && this.#isOpen) {
      await recoverOwn(this.#engine, 'storeFailing', this.#resource, 'The store works again')
      this.#isOpen = false
    }
  }
}

/**
 * The same log without what has been reported already: the failure itself is logged when it begins and when it is over.
 */
export function withoutEchoes(log: Logger, trouble: () => Fault | undefined): Logger {
  const isEcho = (about: unknown) => {
    const { err } = (about ?? {}) as { err?: unknown }
    return err instanceof Fault && err.code === 'unavailable' && trouble() !== undefined
  }
  const calm: Logger = Object.create(log)
  for (const level of ['warn', 'error'] as const) {
    calm[level] = (about: object, ...more: [string?]) => {
      if (!isEcho(about)) log[level](about, ...more)
    }
  }
  return calm
}

/** Logs when a failure begins, and when it is over. */
export const logTrouble = (log: Logger) => (trouble: Fault | undefined) => {
  if (trouble) log.error({ reason: trouble.message }, 'the store fails')
  else log.info('the store works again')
}
