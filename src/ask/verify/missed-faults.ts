// Which faults of a device nobody has reported: parts that were good when they were last looked at, or whose alarm has ended
// since, and that are broken now without an alarm.

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
}

export interface Comparison {
  readonly suspects: readonly Suspect[]
  /** What is known now; suspects are not in it. */
  readonly parts: SeenParts
}

const none: ReadonlyMap<string, SeenPart> = new Map()

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
  readonly #alarms: readonly PlacedAlarm[]

  constructor(all: TableParts) {
    this.#all = all
    const { table, known, watch, open } = all
    this.#placeOfName = unique(
      table.parts
        .entries()
        .flatMap(([instance, { names }]) => new Set(names).values().map((name) => [name, instance])),
    )
    this.#knownByName = unique(known.values().map((part) => [part.name, part]))
    this.#alarms = open
      .filter(({ alarmType }) => watch.events.includes(alarmType))
      .map((alarm) => this.#placed(alarm))
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
      const alarms = this.#alarms.filter(({ place }) => place === instance)
      const suspect = { watch, instance, name, names: [name, ...part.names].filter(Boolean), before }
      const [first] = alarms
      if (first) {
        parts.set(instance, { name, had: 'alarm', alarm: first.alarm.id })
        const moved = alarms.find(({ reported }) => reported !== instance)
        if (moved) suspects.push({ ...suspect, moved: moved.alarm.id })
      } else if (before) {
        // Its identity is that of another part's alarm, which is to end first.
        if (this.#isOccupied(instance)) parts.set(instance, before)
        else suspects.push({ ...suspect, moved: undefined })
      }
    }
    // An agent that is just starting names few.
    if (!table.isComplete || table.parts.size === 0)
      for (const [instance, part] of known) if (!table.parts.has(instance)) parts.set(instance, part)
    return { suspects: suspects.toSorted((a, b) => Number(!a.moved) - Number(!b.moved)), parts }
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

  /** Whether an alarm of another part, which is no longer broken or is not found, has this instance. */
  #isOccupied(instance: string): boolean {
    return this.#alarms.some(({ reported, place }) => {
      if (reported !== instance || place === undefined || place === instance) return false
      return this.#all.table.parts.get(place)?.condition !== 'broken'
    })
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
