// Looks at all states of a device, and finds the faults that nobody has reported. What seems to be one is asked about again.

import { setTimeout as sleep } from 'node:timers/promises'
import {
  type EndedAlarm,
  endedAlarms,
  type ReportedAlarm,
  reportedAlarms,
} from '../../alarms/open/reported-alarms.ts'
import type { EventCatalog } from '../../events/event-catalog.ts'
import type { Database, Reader } from '../../store/database.ts'
import type { DeviceSession } from '../device-session.ts'
import { knownNames } from './alarm-checks.ts'
import { type CheckRules, instanceOf } from './checks.ts'
import { expecting, findMissed, needsNames, type Seen, type SeenPart, type Suspect } from './missed-faults.ts'
import { inTurn } from './moves.ts'
import { askPicture } from './picture.ts'
import { lookAgain, stillExpected } from './second-look.ts'
import { type FoundFault, refusedFaults, type Survey, seenOf } from './seen-states.ts'
import { watchesOf } from './watches.ts'

export interface SurveyParts {
  readonly database: Database
  readonly rules: CheckRules
  definitions(): Promise<EventCatalog>
  /** How long after the first answer the second question is asked. */
  readonly againSeconds: number
}

/** Parts of a device that are asked about again in one round; others have their turn in the next. */
const budget = 60
/** Alarms of a device that are read. */
const maxAlarms = 2000

/** Undefined where the device does not say since when its agent runs, or restarts meanwhile. */
export async function surveyOf(
  parts: SurveyParts,
  id: bigint,
  session: DeviceSession,
  signal: AbortSignal,
): Promise<Survey | undefined> {
  const { database, rules } = parts
  const watches = watchesOf(rules, await parts.definitions())
  const refused = await refusedFaults(database, id)
  const seen = expecting(await seenOf(database, id), refused, watches)
  const before = await reportedAlarms(database, id, maxAlarms)
  const now = () => database.now()
  const picture = await askPicture(session, { watches, needsNames: needsNames(seen, before), now })
  if (!picture) return undefined
  const open = await reportedAlarms(database, id, maxAlarms)
  const { suspects, parts: found } = findMissed(seen, picture, watches, await withNames(database, open))
  const known = new Map(Array.from(found, ([watch, table]) => [watch, new Map(table)]))
  const faults = await askAgain(parts, session, { id, suspects, seen, known, open, run: picture.run }, signal)
  return { deviceId: id, seen: { at: picture.run.sentAt, parts: known }, faults, refused }
}

/** With the names that their parts had when they were last asked about. */
async function withNames(reader: Reader, open: readonly ReportedAlarm[]): Promise<readonly ReportedAlarm[]> {
  const names = await knownNames(
    reader,
    open.map(({ id }) => id),
  )
  return open.map((alarm) => ({ ...alarm, portName: names.get(alarm.id) ?? alarm.portName }))
}

/** Asks about suspects again; what is known of each goes to `known`. */
async function askAgain(
  { database, againSeconds }: SurveyParts,
  session: DeviceSession,
  { id, suspects, seen, known, open, run }: Looked,
  signal: AbortSignal,
): Promise<readonly FoundFault[]> {
  if (suspects.length === 0) return []
  await sleep(againSeconds * 1000, undefined, { signal })
  const ended = await endedAlarms(database, id, seen.at, maxAlarms)
  const meant = new Set(suspects.filter((suspect) => isExpected(suspect, ended, open)))
  const asked = inTurn([...meant], budget)
  const faults: FoundFault[] = []
  for (const suspect of suspects) {
    const isMeant = meant.has(suspect)
    const second = asked.has(suspect)
      ? await lookAgain(session, suspect, run, () => database.now())
      : undefined
    if (second?.fault) faults.push(second.fault)
    const part = !isMeant ? withoutAlarm(suspect) : second ? second.part : stillExpected(suspect)
    if (part) note(known, suspect, part)
  }
  return faults
}

interface Looked {
  readonly id: bigint
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
  // The alarm that it had stands for another part now. One that was found when it was looked at is known by the
  // name with which it was raised.
  const isItsOwn = ({ id, alarmType, portName }: ReportedAlarm) =>
    before?.alarm === undefined
      ? watch.events.includes(alarmType) && names.includes(portName)
      : id === before.alarm
  if (before && open.some(isItsOwn)) return true
  // It may have had another instance when its alarm ended, and no name.
  const last = ended.find(
    ({ id, alarmType, resource, portName }) =>
      id === before?.alarm ||
      (watch.events.includes(alarmType) &&
        (instanceOf(resource, watch.key) === instance || names.includes(portName))),
  )
  return last ? !last.isByHand : before?.had === 'good'
}
