// Derives the parameters of a proposed definition from the objects of its notification, and which of them say what part of
// the device it is about. A fault and its end must have the same ones, or the end of one part's fault would end that of
// another.

import type { MibNotification } from '../mibs/module-resolver.ts'
import type { MibObject } from '../mibs/oid-tree.ts'
import type { TrapEvent } from '../resources/alarms/trap-event.ts'
import { argumentsOf, isHistory, type Part, partOf } from './mib-parts.ts'
import { isTelling } from './mib-values.ts'
import { wordsOf } from './mib-words.ts'

type Parameter = TrapEvent['parameter'][number]

const parameterLimit = 50
const labelLimit = 1000

export interface KeyParameter {
  /** What it distinguishes: rows that are numbered by the same objects, or a value. */
  readonly id: string
  readonly name: string
  readonly object: MibObject
  readonly fromIndex: boolean
  /** It may name something else: it counts only where nothing surer is sent. */
  readonly doubtful: boolean
}

export interface Keys {
  /** Whether some notification of the group identifies more than all of them can. */
  readonly dropped: boolean
  parameters(one: MibNotification): readonly KeyParameter[]
}

/** Unless another variable of the notification names the same thing, more surely. */
function identifies(object: MibObject, named: ReadonlyMap<MibObject, Part>): boolean {
  const own = named.get(object)
  return (
    own !== undefined && !named.values().some(({ thing, rank }) => thing === own.thing && rank < own.rank)
  )
}

/**
 * A fault and its end must agree in all keys: those that every member of the group has. `byText` says that there are
 * several such parts, so that a text has to tell them apart where nothing else does.
 */
export function keysOf(members: readonly MibNotification[], byText: boolean): Keys {
  const own = new Map(members.map((one) => [one, candidates(one)]))
  const all = [...own.values()]
  const [first = new Map<string, KeyParameter[]>(), ...others] = all
  const shared = [...first.keys()].filter((id) => others.every((other) => other.has(id)))
  const sure = shared.filter((id) => isSure(first, id))
  const common = sure.length > 0 ? sure : shared
  if (common.length === 0 && members.length > 1 && byText) return keysByText(members)
  // By value only where all can: the value and the row of a text are written differently.
  const byValue = new Set(
    common.filter((id) => all.every((other) => other.get(id)?.some(({ fromIndex }) => !fromIndex))),
  )
  const chosen = new Map(
    members.map((one) => [
      one,
      common.flatMap(
        (id) =>
          own
            .get(one)
            ?.get(id)
            ?.find(({ fromIndex }) => fromIndex !== byValue.has(id)) ?? [],
      ),
    ]),
  )
  const dropped = all.some((one) => [...one.keys()].some((id) => isSure(one, id) && !common.includes(id)))
  return { dropped, parameters: (one) => chosen.get(one) ?? [] }
}

function keysByText(members: readonly MibNotification[]): Keys {
  const [first, ...others] = members
  const shared = textsOf(first?.objects ?? []).filter((object) =>
    others.every(({ objects }) => objects.includes(object)),
  )
  const keys = shared.map((object) => ({
    id: object.oid,
    name: plain(object.name),
    object,
    fromIndex: false,
    doubtful: true,
  }))
  return { dropped: false, parameters: () => keys }
}

const textsOf = (objects: readonly MibObject[]) =>
  objects.filter((object) => standsAlone(object) && isTelling(object))

const isSure = (some: Candidates, id: string) => some.get(id)?.some(({ doubtful }) => !doubtful) === true

/** What a notification can be told apart by, with the ways to do so. */
type Candidates = ReadonlyMap<string, readonly KeyParameter[]>

/** The ids of what a notification can be told apart by, and of those the sure ones. */
export function identityOf(one: MibNotification): Identity {
  const found = candidates(one)
  const all = new Set(found.keys())
  return {
    all,
    sure: new Set([...all].filter((id) => isSure(found, id))),
    texts: new Set(textsOf(one.objects).map(({ oid }) => oid)),
  }
}

export interface Identity {
  readonly all: ReadonlySet<string>
  readonly sure: ReadonlySet<string>
  /** Texts that may tell it apart where nothing else does. */
  readonly texts: ReadonlySet<string>
}

function candidates(one: MibNotification): Candidates {
  const { objects } = one
  const said = argumentsOf(one)
  const named = new Map(
    objects.flatMap((object) => {
      const part = standsAlone(object) ? namedBy(object, said.get(object)) : undefined
      return part ? [[object, part] as const] : []
    }),
  )
  const found = new Map<string, KeyParameter[]>()
  for (const object of objects) {
    for (const key of keysFrom(object, objects, named)) found.set(key.id, [...(found.get(key.id) ?? []), key])
  }
  return found
}

/** The row of a table of events is that of the message: only what is in it may name a part. */
const standsAlone = ({ kind, row }: MibObject) =>
  kind === 'scalar' || (kind === 'column' && row !== undefined && isOfEvents(row))

const isOfEvents = (row: MibObject) => isHistory(wordsOf(row.index.at(-1)?.name ?? row.name))

/** By its own name, else by the words of the description. */
function namedBy(object: MibObject, said: readonly string[] | undefined): Part | undefined {
  const byName = partOf(object, wordsOf(object.name))
  if (said === undefined || byName?.doubtful === false) return byName
  const bySaying = partOf(object, said)
  return bySaying?.doubtful === false ? bySaying : byName
}

function keysFrom(
  object: MibObject,
  objects: readonly MibObject[],
  named: ReadonlyMap<MibObject, Part>,
): KeyParameter[] {
  const { kind, row, oid, name } = object
  if (standsAlone(object)) {
    const doubtful = named.get(object)?.doubtful === true
    return identifies(object, named)
      ? [{ id: oid, name: plain(name), object, fromIndex: false, doubtful }]
      : []
  }
  if (kind !== 'column' || !row) return []
  const { index } = row
  const [only] = index
  const id = index.length > 0 ? index.map((one) => one.oid).join(' ') : row.oid
  const rowName = plain(only && index.length === 1 ? only.name : row.name.replace(/entry$/i, ''))
  const byRow: KeyParameter = { id, name: rowName, object, fromIndex: true, doubtful: false }
  if (index.length !== 1 || !only || !objects.includes(only)) return [byRow]
  return [byRow, { id, name: rowName, object: only, fromIndex: false, doubtful: false }]
}

export function keyWords(one: MibNotification, keys: Keys): string {
  const own = keys.parameters(one)
  const lost = keys.dropped ? ', though they do not all identify as much' : ''
  if (own.length === 0) return `it names no resource, so a device has one such alarm${lost}`
  const named = own.map(({ name, object, fromIndex }) => (fromIndex ? `the row of ${object.name}` : name))
  return `the resource is named by ${named.join(' and ')}${lost}`
}

export function parametersOf({ objects }: MibNotification, keys: readonly KeyParameter[]): Parameter[] {
  const rows = keys.filter(({ fromIndex }) => fromIndex)
  const byRow = rows.map(
    ({ object, name }): Parameter => ({
      oid: object.oid,
      name,
      isKey: true,
      fromIndex: true,
      labels: null,
      pattern: null,
    }),
  )
  const shown = [...new Set(objects)]
    .filter((object) => !rows.some(({ name }) => name === plain(object.name)))
    .map((object): Parameter => {
      const isKey = keys.some((key) => !key.fromIndex && key.object === object)
      const { oid, name } = object
      return {
        oid,
        name: plain(name),
        isKey: isKey || null,
        fromIndex: null,
        labels: isKey ? null : labels(object),
        pattern: null,
      }
    })
  return [...byRow, ...shown].slice(0, parameterLimit)
}

function labels({ base, values }: MibObject): string | null {
  if (values.size === 0 || base === 'BITS') return null
  const text = [...values].map(([number, name]) => `${number}=${name}`).join(';')
  return text.length > labelLimit ? null : text
}

/** Names in a text are between braces, where only these characters are read. */
const plain = (name: string) => name.replace(/\W/g, '_').slice(0, 100)
