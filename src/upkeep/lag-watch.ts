// A registered client that is far behind, connected or not, is worth an alarm until it has caught up or is gone.

import type { AlarmEngine } from '../alarms/engine.ts'
import { openOwn, raiseOwn, recoverOwn } from '../alarms/own-alarms.ts'
import type { Push } from '../push/push.ts'
import type { Database } from '../store/database.ts'

export class LagWatch {
  readonly #engine: AlarmEngine
  readonly #database: Database
  readonly #threshold: bigint

  constructor(engine: AlarmEngine, database: Database, threshold: number) {
    this.#engine = engine
    this.#database = database
    this.#threshold = BigInt(threshold)
  }

  async look(push: Push): Promise<void> {
    const open = await openOwn(this.#database, 'clientLagging')
    for (const { uuid, lag, lagSeconds, connected } of await push.clients()) {
      const resource = `uuid=${uuid}`
      if (uuid === '' || lag === 0n) continue
      if (lag > this.#threshold && !open.has(resource)) {
        const how = connected ? 'reads too slowly' : 'is not connected'
        const text = `Client ${uuid} is ${lag} entries (${lagSeconds} s) behind: it ${how}`
        await raiseOwn(this.#engine, 'clientLagging', resource, text)
      }
      // What is behind, but not yet far or no longer, keeps the alarm it has.
      open.delete(resource)
    }
    for (const resource of open) {
      const text = `Client ${resource.slice('uuid='.length)} has caught up, or is no longer registered`
      await recoverOwn(this.#engine, 'clientLagging', resource, text)
    }
  }
}
