// Looks at all states of a device, and finds the faults that nobody has reported. What seems to be one is asked about again;
// the leader raises it.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import {
  type EndedAlarm,
  endedAlarms,
  type ReportedAlarm,
  reportedAlarms,
} from '../../alarms/open/reported-alarms.ts'
import type { EventCatalog } from '../../events/event-catalog.ts'
import { SerialQueue } from '../../pacing/serial-queue.ts'
import type { Database } from '../../store/database.ts'
import { AskFault } from '../ask-fault.ts'
import type { DeviceSession } from '../device-session.ts'
import type { CheckRules } from './checks.ts'
import { instanceOf } from './checks.ts'
import { findMissed, needsNames, type Seen, type SeenPart, type Suspect } from './missed-faults.ts'
import { askPicture } from './picture.ts'
import { lookAgain, stillExpected } from './second-look.ts'
import { type FoundFault, type Survey, seenOf, writeSurveys } from './seen-states.ts'
import { watchesOf } from './watches.ts'

export interface SurveyorParts {
  readonly database: Database
  readonly log: Logger
  readonly rules: CheckRules
  definitions(): Promise<EventCatalog>
  /** How long after the first answer the second question is asked. */
  readonly againSeconds: number
}

const tick = 1000
/** Devices that are looked at at the same time. */
const atOnce = 16
/** Parts of a device that are asked about again in one round; others have their turn in the next. */
const budget = 60
/** Alarms of a device that are read. */
const mostAlarms = 2000

export class Surveyor {
  readonly #parts: SurveyorParts
  readonly #waiting = new Map<bigint, DeviceSession>()
  readonly #underWay = new Set<bigint>()
  readonly #writing = new SerialQueue()
  readonly #stopping = new AbortController()
  #surveys: Survey[] = []
  #timer: NodeJS.Timeout | undefined

  constructor(parts: SurveyorParts) {
    this.#parts = parts
  }

  start(): void {
    this.#timer = setInterval(() => {
      void this.#writing.run(() => this.#write())
      this.#next()
    }, tick)
  }

  /** Questions under way end with their socket. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    clearInterval(this.#timer)
    await this.#writing.run(() => this.#write())
  }

  /** A device that is to be looked at. */
  add(id: bigint, session: DeviceSession): void {
    this.#waiting.set(id, session)
    this.#next()
  }

  #next(): void {
    for (const [id, session] of this.#waiting) {
      if (this.#underWay.size >= atOnce || this.#stopping.signal.aborted) return
      if (this.#underWay.has(id)) continue
      this.#waiting.delete(id)
      this.#underWay.add(id)
      void this.#survey(id, session).finally(() => {
        this.#underWay.delete(id)
        this.#next()
      })
    }
  }

  async #survey(id: bigint, session: DeviceSession): Promise<void> {
    try {
      const survey = await this.#look(id, session)
      if (survey) this.#surveys.push(survey)
    } catch (error) {
      // That it does not answer is told by its reachability.
      if (error instanceof AskFault || this.#stopping.signal.aborted) return
      this.#parts.log.warn(
        { err: error, device: id },
        'the states of a device could not be compared: trying again',
      )
    }
  }

  async #look(id: bigint, session: DeviceSession): Promise<Survey | undefined> {
    const { database, rules } = this.#parts
    const watches = watchesOf(rules, await this.#parts.definitions())
    const seen = await seenOf(database, id)
    const before = await reportedAlarms(database, id, mostAlarms)
    const now = () => database.now()
    const picture = await askPicture(session, { watches, needsNames: needsNames(seen, before), now })
    if (!picture) return undefined
    const open = await reportedAlarms(database, id, mostAlarms)
    const { suspects, parts } = findMissed(seen, picture, watches, open)
    const known = new Map(Array.from(parts, ([watch, table]) => [watch, new Map(table)]))
    const faults = await this.#ask(id, session, { suspects, seen, known, open, run: picture.run })
    return { deviceId: id, seen: { at: picture.run.sentAt, parts: known }, faults }
  }

  /** Asks about suspects again; what is known of each goes to `known`. */
  async #ask(
    id: bigint,
    session: DeviceSession,
    { suspects, seen, known, open, run }: Looked,
  ): Promise<readonly FoundFault[]> {
    if (suspects.length === 0) return []
    await sleep(this.#parts.againSeconds * 1000, undefined, { signal: this.#stopping.signal })
    const ended = await endedAlarms(this.#parts.database, id, seen.at, mostAlarms)
    const faults: FoundFault[] = []
    for (const [at, suspect] of suspects.entries()) {
      const isMeant = isExpected(suspect, ended, open)
      const second =
        isMeant && at < budget
          ? await lookAgain(session, suspect, run, () => this.#parts.database.now())
          : undefined
      if (second?.fault) faults.push(second.fault)
      const part = !isMeant ? withoutAlarm(suspect) : second ? second.part : stillExpected(suspect)
      if (part) note(known, suspect, part)
    }
    return faults
  }

  async #write(): Promise<void> {
    const surveys = this.#surveys
    if (surveys.length === 0) return
    try {
      // Of a device the last one counts.
      const last = new Map(surveys.map((one) => [one.deviceId, one]))
      await this.#parts.database.transaction((tx) => writeSurveys(tx, [...last.values()]))
      this.#surveys = this.#surveys.slice(surveys.length)
    } catch (error) {
      this.#parts.log.warn({ err: error }, 'the states of devices could not be written: trying again')
    }
  }
}

interface Looked {
  readonly suspects: readonly Suspect[]
  readonly seen: Seen
  readonly known: Map<string, Map<string, SeenPart>>
  readonly open: readonly ReportedAlarm[]
  readonly run: Parameters<typeof lookAgain>[2]
}

function note(known: Looked['known'], { watch, instance }: Suspect, part: SeenPart): void {
  const table = known.get(watch.name) ?? new Map<string, SeenPart>()
  known.set(watch.name, table.set(instance, part))
}

/** A part that is broken and has no alarm, or not yet: its good state does not count any more, and its name stays known. */
const withoutAlarm = ({ name, before }: Suspect): SeenPart => ({
  ...{ name, had: 'alarm' },
  alarm: before?.alarm,
})

/** Whether an alarm is expected: not where a person has ended it since the part was last looked at. */
function isExpected(
  { watch, instance, names, before, moved }: Suspect,
  ended: readonly EndedAlarm[],
  open: readonly ReportedAlarm[],
): boolean {
  if (moved !== undefined) return true
  // The alarm that it had stands for another part now.
  if (before?.alarm !== undefined && open.some(({ id }) => id === before.alarm)) return true
  // It may have had another instance when its alarm ended, and no name.
  const last = ended.find(
    ({ id, alarmType, resource, portName }) =>
      id === before?.alarm ||
      (watch.events.includes(alarmType) &&
        (instanceOf(resource, watch.key) === instance || names.includes(portName))),
  )
  return last ? !last.isByHand : before?.had === 'good'
}
