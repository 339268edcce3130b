// Makes definitions of what files of other programs say: one for each OID, with the events whose alarm it ends.

import { type TrapEvent, withoutZero } from '../../resources/alarms/trap-event.ts'
import { category as categories, type EventState } from '../event-file.ts'
import { decide } from './deciding.ts'
import type { ForeignEvent, ForeignVariable, Names, Remark } from './foreign-event.ts'

export type Definition = Omit<TrapEvent, 'id' | 'source'>

export interface Made {
  readonly file: string
  readonly line: number
  readonly definition: Definition
}

type Parameter = TrapEvent['parameter'][number]

export function definitionsOf(events: readonly ForeignEvent[], names: Names, remarks: Remark[]): Made[] {
  const faults = Map.groupBy(
    events.filter(({ does }) => does === 'raise'),
    ({ alarm }) => alarm,
  )
  const paired = events.map((event) => withFault(event, faults.get(event.alarm)?.[0], remarks))
  const groups = [...Map.groupBy(paired, ({ eventOid }) => withoutZero(eventOid)).values()]
  const made = groups.map((group) => new OneDefinition(group, faults, names, remarks).make())
  const defined = made.filter((one) => one !== undefined)
  return withoutLostEnds(defined, remarks)
}

/** An end names the resource by the same words as its fault. */
function withFault(event: ForeignEvent, fault: ForeignEvent | undefined, remarks: Remark[]): ForeignEvent {
  if (event.does !== 'end' || event.keys === undefined) return event
  const stored = { ...event, does: 'store' as const }
  if (!fault) {
    remarks.push(
      about(event, 'changed', 'no event of these files raises the alarm that it ends: it is only stored'),
    )
    return stored
  }
  const [own, theirs] = [event.keys, fault.keys ?? []]
  if (own.length !== theirs.length) {
    const reason = `it names the resource by ${own.length} variables, its fault by ${theirs.length}: it is only stored`
    remarks.push(about(event, 'changed', reason))
    return stored
  }
  const renamed = new Map(own.map((name, at) => [name, theirs[at] ?? name]))
  const nameOf = (name: string) => renamed.get(name) ?? (theirs.includes(name) ? `${name}_` : name)
  return {
    ...event,
    keys: theirs,
    variables: event.variables.map((one) => ({ ...one, name: nameOf(one.name) })),
    conditions: event.conditions.map((one) => ({ ...one, variable: nameOf(one.variable) })),
    text: event.text.replaceAll(/\{(\w+)\}/g, (_, name: string) => `{${nameOf(name)}}`),
  }
}

const about = ({ file, line, name }: ForeignEvent, kind: Remark['kind'], reason: string): Remark => ({
  ...{ file, line, name, kind, reason },
})

/** What one event may end of each alarm: nobody writes more. */
const maxFaults = 100

/** As the field of a definition takes them. */
const labelsLimit = 1000

const empty = { outOfReach: null, state: [], recovers: [] }

class OneDefinition {
  readonly #events: readonly ForeignEvent[]
  readonly #faults: ReadonlyMap<string, readonly ForeignEvent[]>
  readonly #names: Names
  readonly #remarks: Remark[]
  readonly #first: ForeignEvent

  constructor(
    events: readonly ForeignEvent[],
    faults: ReadonlyMap<string, readonly ForeignEvent[]>,
    names: Names,
    remarks: Remark[],
  ) {
    const plain = events.filter(({ conditions }) => conditions.length === 0)
    for (const one of plain.slice(1))
      remarks.push(about(one, 'lost', `line ${plain[0]?.line} has the same OID, and counts`))
    const twins = new Set(plain.slice(1))
    this.#events = events.filter((one) => !twins.has(one))
    this.#faults = faults
    this.#names = names
    this.#remarks = remarks
    // Its name and text are those of what goes wrong.
    const [first] = this.#events.toSorted((a, b) => rank(a) - rank(b))
    this.#first = first as ForeignEvent
  }

  make(): Made | undefined {
    const { file, line } = this.#first
    const definition = this.#events.some(({ conditions }) => conditions.length > 0)
      ? this.#withStates()
      : this.#plain()
    return definition && { file, line, definition }
  }

  #remark(kind: Remark['kind'], reason: string): void {
    this.#remarks.push(about(this.#first, kind, reason))
  }

  get #shared() {
    const { eventOid, name, text } = this.#first
    const known = this.#names.known(eventOid)
    return {
      eventOid,
      name,
      alarmDesc: text,
      alarmCategory: known?.alarmCategory ?? categories.other,
      ...empty,
    }
  }

  #plain(): Definition {
    const { keys, does, level } = this.#first
    const known = keys === undefined ? this.#names.known(this.#first.eventOid) : undefined
    if (known) return this.#over(known)
    const shared = {
      ...this.#shared,
      parameter: this.#parameters(keys ?? []),
      alarmLevel: level,
      handling: null,
    }
    if (does === 'store') return { ...shared, handling: 0 }
    if (does === 'raise') return shared
    return { ...shared, alarmLevel: 5, recovers: this.#recovered() }
  }

  /** The form has neither keys nor ends: those of the definition that is there stay. */
  #over(known: Omit<TrapEvent, 'id'>): Definition {
    const { eventOid, name, text, level, does } = this.#first
    const isEnd = known.recovers.length > 0 && known.alarmLevel === 5
    const own = this.#parameters([]).filter(
      (one) => !known.parameter.some((other) => other.name === one.name && other.oid === one.oid),
    )
    const taken = new Map(
      own
        .filter((one) => known.parameter.some((other) => other.name === one.name))
        .map((one) => [one.name, `${one.name}_`]),
    )
    const alarmDesc = text.replaceAll(/\{(\w+)\}/g, (_, word: string) => `{${taken.get(word) ?? word}}`)
    return {
      ...{ eventOid, name, alarmDesc, alarmCategory: known.alarmCategory, outOfReach: known.outOfReach },
      alarmLevel: isEnd || does === 'store' ? known.alarmLevel : level,
      handling: isEnd || known.state.length > 0 ? known.handling : does === 'store' ? 0 : null,
      parameter: [
        ...known.parameter,
        ...own.map((one) => ({ ...one, name: taken.get(one.name) ?? one.name })),
      ],
      ...{ recovers: known.recovers, state: known.state },
    }
  }

  #withStates(): Definition | undefined {
    const decided = decide(this.#events)
    if (typeof decided === 'string') {
      this.#remark('lost', decided)
      return undefined
    }
    const said = this.#events.filter(({ does }) => does !== 'store')
    const named = said.map(({ keys }) => keys)
    const keys = named.every((one) => one === undefined)
      ? this.#sharedWords(said, decided.states[0]?.parameter)
      : named[0]
    if (named.some((one) => one !== undefined && one.toSorted().join() !== keys?.toSorted().join())) {
      this.#remark('lost', 'its events name the resource by different variables')
      return undefined
    }
    for (const reason of decided.changes) this.#remark('changed', reason)
    const raised = said.filter(({ does }) => does === 'raise')
    if (new Set(raised.map(({ text }) => text)).size > 1)
      this.#remark(
        'changed',
        `its events have several texts: that of line ${this.#first.line} is used for all`,
      )
    const isKey = new Set([...(keys ?? []), ...decided.keys])
    const levels = raised.map(({ level }) => level)
    return {
      ...this.#shared,
      parameter: this.#parameters([...isKey]),
      alarmLevel: levels.length === 0 ? 5 : (Math.min(...levels) as TrapEvent['alarmLevel']),
      handling: null,
      recovers: this.#recovered(),
      state: decided.states.map(stateOf),
    }
  }

  /** Where the form has no keys: the variables that the texts of the fault and of its end both name. */
  #sharedWords(events: readonly ForeignEvent[], deciding: string | undefined): string[] {
    const wordsIn = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
    const [first = [], ...others] = events.map(({ text }) => wordsIn(text))
    const known = new Set(this.#events.flatMap(({ variables }) => variables.map(({ name }) => name)))
    const found = first.filter(
      (name) => name !== deciding && known.has(name) && others.every((words) => words.includes(name)),
    )
    const keys = [...new Set(found)]
    if (others.length > 0)
      this.#remark(
        'changed',
        keys.length === 0
          ? 'nothing says which variable names the resource: a device has one such alarm'
          : `the resource is named by ${keys.join(', ')}, which all its texts name`,
      )
    return keys
  }

  #parameters(keys: readonly string[]): Parameter[] {
    const all = new Map<string, ForeignVariable>()
    for (const one of this.#events.flatMap(({ variables }) => variables)) {
      const id = `${one.name} ${one.place} ${one.fromIndex ?? ''}`
      all.set(id, { ...all.get(id), ...one })
    }
    const isTooLong = (labels = '') => labels.length > labelsLimit
    const unnamed = [...all.values()].filter(({ labels }) => isTooLong(labels)).map(({ name }) => name)
    if (unnamed.length > 0) this.#remark('changed', `${unnamed.join(', ')} has too many words for values`)
    return [...all.values()].map(({ place, name, fromIndex, labels, pattern }) => ({
      ...{ oid: place, name, isKey: keys.includes(name) || null, fromIndex: fromIndex ?? null },
      ...{ labels: labels && !isTooLong(labels) ? labels : null, pattern: pattern ?? null },
    }))
  }

  /** The OIDs of the events whose alarms it ends, its own left out. */
  #recovered(): string[] {
    const ended = this.#events.filter(({ does }) => does === 'end').map(({ alarm }) => alarm)
    const faults = [...new Set(ended)].flatMap((alarm) => this.#faults.get(alarm)?.slice(0, maxFaults) ?? [])
    const own = withoutZero(this.#first.eventOid)
    return [...new Set(faults.map(({ eventOid }) => eventOid))].filter((oid) => withoutZero(oid) !== own)
  }
}

const order = ['raise', 'end', 'store']
const rank = ({ does, level }: ForeignEvent) => order.indexOf(does) * 10 + level

const stateOf = (state: EventState): TrapEvent['state'][number] => ({
  ...state,
  alarmLevel: state.alarmLevel ?? null,
})

/** An end whose fault is not among the definitions, or names the resource otherwise, would end nothing. */
function withoutLostEnds(made: readonly Made[], remarks: Remark[]): Made[] {
  const byOid = new Map(made.map(({ definition }) => [withoutZero(definition.eventOid), definition]))
  const keysOf = (definition: Definition) =>
    definition.parameter
      .filter(({ isKey }) => isKey)
      .map(({ name }) => name)
      .toSorted()
      .join()
  return made.map((one) => {
    const { definition } = one
    const faults = definition.recovers.map((oid) => byOid.get(withoutZero(oid)))
    const isWhole = faults.every((fault) => fault && keysOf(fault) === keysOf(definition))
    // Those of a definition that was there are about events that need not be among the files.
    if (isWhole || faults.every((fault) => fault === undefined)) return one
    const recovers = definition.recovers.filter((oid) => {
      const fault = byOid.get(withoutZero(oid))
      return fault && keysOf(fault) === keysOf(definition)
    })
    const reason = 'a fault that it ends is left out, or tells alarms apart by other variables'
    remarks.push({ file: one.file, line: one.line, name: definition.name, kind: 'changed', reason })
    const isStored = recovers.length === 0 && definition.state.length === 0
    return { ...one, definition: { ...definition, recovers, handling: isStored ? 0 : definition.handling } }
  })
}
