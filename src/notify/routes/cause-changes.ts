// Alarms that follow from others: they are counted into the incident of their cause, also where that is found later.

import type { LogEntry } from '../../alarms/log/alarm-log.ts'
import type { Alarm } from '../../resources/alarms/alarm.ts'
import type { Incident } from './incident.ts'
import { type EntryContext, type IncidentChanges, isUnsent, scheduleUpdate } from './incident-changes.ts'
import type { IncidentWork } from './incident-work.ts'
import { changeOf } from './log-entries.ts'

/** Alarms below others, at most so many levels. */
const deepest = 3

export class CauseChanges {
  readonly #context: EntryContext
  readonly #work: IncidentWork
  readonly #changes: IncidentChanges

  constructor(context: EntryContext, changes: IncidentChanges) {
    this.#context = context
    this.#work = context.work
    this.#changes = changes
  }

  /** The alarm that it follows from, as far as that is open. */
  rootOf(alarm: Alarm): bigint {
    let root = alarm
    for (let depth = 0; depth < deepest && root.parentId !== 0n; depth += 1) {
      const parent = this.#context.alarm(root.parentId)
      if (parent?.recStatus !== 0) break
      root = parent
    }
    return root.id
  }

  /** Counts an alarm into an incident; the root itself is what it is about from then on. */
  async count(entry: LogEntry, incident: Incident, alarm: Alarm): Promise<void> {
    this.#work.members.join(incident, alarm)
    this.#work.change(incident, { alarms: incident.alarms + 1 })
    if (incident.rootId === alarm.id) {
      const alarmLevel = Math.min(incident.alarmLevel, alarm.alarmLevel)
      this.#work.change(incident, { alarmId: alarm.id, alarm: this.#context.describe(alarm), alarmLevel })
    }
    this.#changes.note(
      entry,
      incident,
      changeOf(entry),
      'merged',
      'it is counted into the alarm that it follows from',
      alarm.id,
    )
    if (incident.state === 'open' || incident.state === 'acknowledged')
      await scheduleUpdate(this.#work, incident)
  }

  /** A cause was found after the alarm was taken. */
  async found(entry: LogEntry): Promise<void> {
    const alarm = this.#context.alarm(entry.alarmId)
    if (!alarm) return
    for (const member of this.#work.members.of(alarm.id)) {
      const incident = this.#work.get(member.incidentId)
      const rootId = this.rootOf(alarm)
      if (incident.rootId !== alarm.id || rootId === alarm.id) continue
      const cause = await this.#work.withRoot(incident.routeId, rootId)
      if (!cause) {
        this.#work.change(incident, { rootId })
        continue
      }
      this.#work.change(cause, { alarms: cause.alarms + incident.alarms })
      if (incident.state === 'waiting') {
        await this.#work.endHead(incident, 'merged', 'it is counted into its cause')
        this.#work.close(incident)
        await this.#work.members.move(incident, cause)
      } else {
        // Those who were told of it are told of its end; nobody else is called for it.
        this.#work.change(incident, { dueAt: null })
        await this.#work.endHead(incident, 'merged', 'it is counted into its cause')
        for (const row of (await this.#work.pending(incident)).filter(isUnsent)) {
          this.#work.end(row, 'merged', 'it is counted into its cause')
        }
      }
      if (cause.state === 'open' || cause.state === 'acknowledged') await scheduleUpdate(this.#work, cause)
    }
  }
}
