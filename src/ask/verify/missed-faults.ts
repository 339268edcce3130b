// Which faults of a device nobody has reported: parts that were good when they were last looked at, or whose alarm has ended
// since, and that are broken now without an alarm.

import { faultOf } from '../../alarms/engine/same-faults.ts'
import type { ReportedAlarm } from '../../alarms/open/reported-alarms.ts'
import { instanceOf, partsOf } from './checks.ts'
import type { Picture, PicturedPart, PicturedTable } from './picture.ts'
import { mayHaveRestarted, type Run, runOfReport, startOf } from './readings.ts'
import type { Watch, WatchedState } from './watches.ts'

/** What was known of a part: that it was good, or broken with an alarm. */
export interface SeenPart {
  readonly name: string
  readonly had: 'good' | 'alarm'
  /** The alarm, where it was seen. */
  readonly alarm?: bigint | undefined
}

/** By the name of the watch, then by instance. */
export type SeenParts = ReadonlyMap<string, ReadonlyMap<string, SeenPart>>

/** What a device said when it was last looked at. */
export interface Seen {
  /** When that was, on the store's clock; 0: never. */
  readonly at: number
  readonly parts: SeenParts
}

/** A part that is broken, and should have an alarm. */
export interface Suspect {
  readonly watch: Watch
  readonly instance: string
  readonly name: string
  /** All names that it has, where they are known. */
  readonly names: readonly string[]
  /** What was known of it before. */
  readonly before: SeenPart | undefined
  /** The open alarm about the part that has another instance now. */
  readonly moved: bigint | undefined
  /** Beside that, the alarm that it has at this instance already. */
  readonly own: bigint | undefined
  /** The open alarm of another part, which has the identity that its own would have. */
  readonly occupant: bigint | undefined
}

export interface Comparison {
  readonly suspects: readonly Suspect[]
  /** What is known now; suspects are not in it. */
  readonly parts: SeenParts
}

const none: ReadonlyMap<string, SeenPart> = new Map()

/** A fault that was found and could not be raised. */
export interface RefusedFault {
  readonly event: string
  readonly instance: string
  readonly name: string
}

/** What is known where these are still to be raised. */
export function expecting(seen: Seen, refused: readonly RefusedFault[], watches: readonly Watch[]): Seen {
  if (refused.length === 0) return seen
  const parts = new Map(Array.from(seen.parts, ([watch, table]) => [watch, new Map(table)]))
  for (const { event, instance, name } of refused) {
    const watch = watches.find(({ raises }) => raises === event)
    if (!watch) continue
    const table = parts.get(watch.name) ?? new Map<string, SeenPart>()
    const [found = instance] = table.entries().find(([, part]) => name !== '' && part.name === name) ?? []
    parts.set(watch.name, table.set(found, { name, had: 'good' }))
  }
  return { ...seen, parts }
}

/** Whether the names of the parts matter: where one may be another than before. */
export const needsNames =
  (seen: Seen, open: readonly ReportedAlarm[]) =>
  (watch: Watch, states: ReadonlyMap<string, WatchedState>, run: Run): boolean => {
    if (mayHaveRestarted(startOf(run), seen.at, run.sentAt)) return true
    if (open.some(({ alarmType }) => watch.events.includes(alarmType))) return true
    const known = seen.parts.get(watch.name) ?? none
    return states
      .entries()
      .some(([instance, { condition }]) =>
        condition === 'good' ? !known.has(instance) : condition === 'broken' && known.has(instance),
      )
  }

export function findMissed(
  seen: Seen,
  { run, tables }: Picture,
  watches: readonly Watch[],
  open: readonly ReportedAlarm[],
): Comparison {
  const hasRestarted = mayHaveRestarted(startOf(run), seen.at, run.sentAt)
  const suspects: Suspect[] = []
  const parts = new Map<string, ReadonlyMap<string, SeenPart>>()
  for (const watch of watches) {
    const known = seen.parts.get(watch.name) ?? none
    const table = tables.get(watch)
    if (!table) continue
    const found = new TableComparison({ watch, known, table, open, hasRestarted, run }).compare()
    suspects.push(...found.suspects)
    if (found.parts.size > 0) parts.set(watch.name, found.parts)
  }
  return { suspects, parts }
}

interface TableParts {
  readonly watch: Watch
  readonly known: ReadonlyMap<string, SeenPart>
  readonly table: PicturedTable
  readonly open: readonly ReportedAlarm[]
  readonly hasRestarted: boolean
  readonly run: Run
}

interface PlacedAlarm {
  readonly alarm: ReportedAlarm
  /** As it was reported, and where its part is now. */
  readonly reported: string | undefined
  readonly place: string | undefined
}

class TableComparison {
  readonly #all: TableParts
  readonly #placeOfName: ReadonlyMap<string, string | undefined>
  readonly #knownByName: ReadonlyMap<string, SeenPart | undefined>
  readonly #byReported: ReadonlyMap<string | undefined, readonly PlacedAlarm[]>
  readonly #byPlace: ReadonlyMap<string | undefined, readonly PlacedAlarm[]>

  constructor(all: TableParts) {
    this.#all = all
    const { table, known, watch, open } = all
    this.#placeOfName = unique(
      table.parts
        .entries()
        .flatMap(([instance, { names }]) => new Set(names).values().map((name) => [name, instance])),
    )
    this.#knownByName = unique(known.values().map((part) => [part.name, part]))
    const alarms = open
      .filter(({ alarmType }) => watch.events.includes(alarmType))
      .map((alarm) => this.#placed(alarm))
    this.#byReported = Map.groupBy(alarms, ({ reported }) => reported)
    this.#byPlace = Map.groupBy(alarms, ({ place }) => place)
  }

  compare(): { readonly suspects: readonly Suspect[]; readonly parts: ReadonlyMap<string, SeenPart> } {
    const { table, known, watch } = this.#all
    const suspects: Suspect[] = []
    const parts = new Map<string, SeenPart>()
    for (const [instance, part] of table.parts) {
      const before = this.#before(instance, part)
      const name = part.names[0] ?? before?.name ?? ''
      if (part.condition === 'good') parts.set(instance, { name, had: 'good' })
      if (part.condition !== 'broken') continue
      const alarms = this.#byPlace.get(instance) ?? []
      const own = alarms.find(({ reported }) => reported === instance)?.alarm.id
      const others = alarms.filter(({ reported }) => reported !== instance)
      // Of several, one that is in the way of another fault goes first.
      const moved = (others.find((one) => this.#isInTheWay(one)) ?? others[0])?.alarm.id
      const alarm = own ?? moved
      if (alarm !== undefined) parts.set(instance, { name, had: 'alarm', alarm })
      if (moved === undefined && (alarm !== undefined || !before)) continue
      const names = [name, ...part.names].filter(Boolean)
      const occupant = this.#occupantOf(instance)
      suspects.push({ ...{ watch, instance, name, names, before }, ...{ moved, own, occupant } })
    }
    // An agent that is just starting names few.
    if (!table.isComplete || table.parts.size === 0)
      for (const [instance, part] of known) if (!table.parts.has(instance)) parts.set(instance, part)
    return { suspects, parts }
  }

  #placed(alarm: ReportedAlarm): PlacedAlarm {
    const { key } = this.#all.watch
    const reported = instanceOf(alarm.resource, key)
    const name = alarm.portName || (partsOf(alarm.resource).get('ifDescr') ?? '')
    return {
      alarm,
      reported,
      place: this.#keepsPlace(alarm, reported, name) ? reported : (this.#placeOfName.get(name) ?? reported),
    }
  }

  /** Whether it is about the part that has this instance now, whatever its name says. */
  #keepsPlace({ lastTime, isFound }: ReportedAlarm, reported: string | undefined, name: string): boolean {
    const { table, run } = this.#all
    if (reported === undefined) return false
    const reporter = runOfReport(startOf(run), lastTime, run.sentAt)
    if (reporter !== 'unsure') return reporter === 'this'
    // The name of a report may be that from before the restart. What was found had it when it was asked.
    if (isFound && this.#placeOfName.get(name) !== undefined) return false
    return table.parts.get(reported)?.condition === 'broken'
  }

  /** Whether another part is broken where it was reported. */
  #isInTheWay({ reported }: PlacedAlarm): boolean {
    return reported !== undefined && this.#all.table.parts.get(reported)?.condition === 'broken'
  }

  /** The alarm of another part that was reported at this instance. */
  #occupantOf(instance: string): bigint | undefined {
    const type = faultOf(this.#all.watch.raises)
    return this.#byReported
      .get(instance)
      ?.find(({ alarm, place }) => place !== instance && alarm.alarmType === type)?.alarm.id
  }

  /** What was known of the part that has this instance now. */
  #before(instance: string, { names }: PicturedPart): SeenPart | undefined {
    const { known, watch, hasRestarted } = this.#all
    const same = known.get(instance)
    if (watch.isLasting) return same
    const [name] = names
    const isUnique = name !== undefined && this.#placeOfName.get(name) === instance
    const byName = isUnique ? this.#knownByName.get(name) : undefined
    if (byName) return byName
    if (hasRestarted || !same) return undefined
    const isRenamed = name !== undefined && !this.#placeOfName.has(same.name) && !this.#knownByName.has(name)
    const isSame = name === undefined || same.name === '' || same.name === name
    return isSame || isRenamed ? same : undefined
  }
}

/** Keys that are there more than once have no value. */
function unique<T>(pairs: Iterable<readonly [string, T]>): ReadonlyMap<string, T | undefined> {
  const found = new Map<string, T | undefined>()
  for (const [key, value] of pairs) if (key !== '') found.set(key, found.has(key) ? undefined : value)
  return found
}
