// Alarms of the service about notifications: a channel through which messages are not delivered, and changes that no
// route has seen.

import type { AlarmChanger } from '../../alarms/engine/engine.ts'
import {
  openServiceAlarms,
  raiseServiceAlarm,
  recoverServiceAlarm,
} from '../../alarms/service/service-alarms.ts'
import { describeChannel } from '../../resources/notify/people.ts'
import type { Database } from '../../store/database.ts'
import type { Directory } from './targets.ts'

export interface FailureParts {
  readonly database: Database
  /** Refuses changes while this service does not lead. */
  readonly leaderDatabase: Database
  readonly alarms: AlarmChanger
  readonly directory: Directory
}

const day = 24 * 3600 * 1000

export const resourceOf = (channelId: bigint | '') => `channel=${channelId}`

export class FailureWatch {
  readonly #parts: FailureParts

  constructor(parts: FailureParts) {
    this.#parts = parts
  }

  /** Raises an alarm for each channel through which a message was given up; again where this service ends in between. */
  async raise(): Promise<void> {
    const { alarms, database, leaderDatabase } = this.#parts
    const rows = await database.all(
      'select channel_id, reason, failed_at from notify_failure order by channel_id',
    )
    for (const { channel_id, reason, failed_at } of rows) {
      const channelId = channel_id as bigint
      const named = await describeChannel(database, channelId)
      const text = `Messages through ${named} are not delivered: ${reason}`
      await raiseServiceAlarm(alarms, 'notificationFailed', resourceOf(channelId), text)
      await leaderDatabase.transaction((tx) =>
        tx.run('delete from notify_failure where channel_id = ? and failed_at = ?', [
          channelId,
          failed_at ?? 0,
        ]),
      )
    }
  }

  /** Ends alarms of channels that deliver again, or are gone; also those that an earlier run raised. */
  async check(): Promise<void> {
    const { database, alarms, directory } = this.#parts
    await this.raise()
    const failing = await openServiceAlarms(database, 'notificationFailed')
    if (failing.size > 0) {
      const { channels } = await directory.people()
      for (const resource of failing) {
        const channelId = BigInt(resource.slice(resourceOf('').length))
        const reason = channels.has(channelId)
          ? await this.#endOf(channelId)
          : 'The channel is no longer used'
        if (reason !== undefined) await recoverServiceAlarm(alarms, 'notificationFailed', resource, reason)
      }
    }
    for (const resource of await openServiceAlarms(database, 'notificationsMissed', database.now() - day)) {
      await recoverServiceAlarm(alarms, 'notificationsMissed', resource, 'It was shown for a day')
    }
  }

  async #endOf(channelId: bigint): Promise<string | undefined> {
    const { database } = this.#parts
    const last = (outcome: string) =>
      database.all(
        'select end_time from notification where channel_id = ? and outcome = ? order by id desc limit 1',
        [channelId, outcome],
      )
    const [[delivered], [givenUp]] = [await last('delivered'), await last('givenUp')]
    const failedAt = Number(givenUp?.end_time ?? 0)
    if (Number(delivered?.end_time ?? 0) > failedAt) return 'The channel delivers again'
    return database.now() - failedAt > day ? 'Nothing has failed for a day' : undefined
  }
}
