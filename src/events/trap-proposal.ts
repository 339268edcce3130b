// Proposes a definition for a stored trap: that of the catalogue or of a loaded module, else one made from what the trap
// itself carries.

import type { Library } from '../mibs/module-library.ts'
import type { TrapRecord } from '../resources/alarms/trap.ts'
import { otherSpelling, type TrapEvent, trapEvent } from '../resources/alarms/trap-event.ts'
import { complete } from '../schema/read-document.ts'
import { fold } from '../schema/scalar.ts'
import type { Confidence } from './mib-levels.ts'
import { fullProposal } from './mib-loading.ts'
import type { ListedProposal } from './mib-proposing.ts'
import { enterpriseOf, type VendorCatalogue } from './vendor-catalogue.ts'

export interface TrapProposal {
  /** Where it comes from. */
  readonly basis: 'definition' | 'catalogue' | 'module' | 'trap'
  readonly confidence: Confidence
  readonly reason: string
  readonly event: Omit<TrapEvent, 'id' | 'source'>
}

interface Sources {
  /** The definition that the store has, if any. */
  readonly defined: TrapEvent | undefined
  readonly vendors: VendorCatalogue
  readonly proposals: readonly ListedProposal[]
  readonly library: Library
}

/** The definition of the trap's event first, then those that it ends or that end it and have none yet. */
export function proposeForTrap(trap: TrapRecord, sources: Sources): TrapProposal[] {
  const { defined, vendors, proposals, library } = sources
  const oids = [trap.OID, otherSpelling(trap.OID)]
  if (defined) return [proposal('definition', 'high', `definition ${defined.id} says what it means`, defined)]
  const shipped = vendors.find(trap.OID)
  if (shipped) return [proposal('catalogue', 'high', `from ${shipped.source}`, { id: 0n, ...shipped })]
  const listed = proposals.find(({ eventOid }) => oids.includes(eventOid))
  if (!listed) return [fromVariables(trap, sources, library)]
  const byOid = new Map(proposals.map((one) => [one.eventOid, one]))
  const found = fullProposal(listed)
  const partners = found.partners.flatMap((oid) => byOid.get(oid) ?? []).map(fullProposal)
  return [found, ...partners].map(({ confidence, reason, event }) =>
    proposal('module', confidence, reason, complete(trapEvent.fields, event) as TrapEvent),
  )
}

function proposal(
  basis: TrapProposal['basis'],
  confidence: Confidence,
  reason: string,
  { id: _id, source: _source, ...event }: TrapEvent,
): TrapProposal {
  return { basis, confidence, reason, event }
}

type Parameter = TrapEvent['parameter'][number]
type State = TrapEvent['state'][number]

/** Of the trap itself, not of its subject: RFC 3584. */
const ofEveryTrap = '1.3.6.1.6.3.'
const parameterLimit = 50
const shownParameters = 5

/** What variables that carry a severity say, after ITU-T X.733, and what people write for the end of an alarm. */
const severities: readonly { readonly words: readonly string[]; readonly level?: number }[] = [
  { words: ['critical', 'emergency', 'fatal'], level: 1 },
  { words: ['major', 'error'], level: 2 },
  { words: ['minor'], level: 3 },
  { words: ['warning'], level: 4 },
  { words: ['cleared', 'clear', 'normal', 'ok'] },
]

/** A warning: nothing says how severe it is, nor what ends it. */
const unknownLevel = 4
const otherCategory = 15

function fromVariables(trap: TrapRecord, { vendors }: Sources, library: Library): TrapProposal {
  const read = trap.variables
    .filter(({ oid }) => !oid.startsWith(ofEveryTrap))
    .slice(0, parameterLimit)
    .map(({ oid, value }, place) => ({ ...readVariable(library, oid, place + 1), value: value ?? '' }))
  const row = rowOf(read)
  const severity = read.find(({ value }) => severityOf(value) !== undefined)
  const parameter: Parameter[] = [
    ...(row ? [{ ...blank, oid: row.object, name: 'row', isKey: true, fromIndex: true }] : []),
    ...read.map(({ object, name }) => ({ ...blank, oid: object, name })),
  ]
  const name = nameFor(trap.OID, vendors)
  const shown = read.slice(0, shownParameters).map((one) => `${one.name} {${one.name}}`)
  const reasons = [
    'no module that describes it is loaded: check the level, the words and what ends it',
    row
      ? 'the resource is named by the row of its variables'
      : 'it names no resource, so a device has one such alarm',
    ...(severity ? [`the severity is in ${severity.name}`] : []),
  ]
  const draft = {
    eventOid: trap.OID,
    name,
    alarmLevel: unknownLevel,
    alarmCategory: otherCategory,
    alarmDesc: [`${name} at {deviceName}`, ...(shown.length > 0 ? [shown.join(', ')] : [])].join(': '),
    parameter,
    recovers: [],
    state: severity ? statesOf(severity.name, row !== undefined) : [],
  }
  const event = complete(trapEvent.fields, draft) as TrapEvent
  return proposal('trap', 'low', reasons.join('; '), event)
}

const blank = { isKey: null, fromIndex: null, labels: null, pattern: null }

interface ReadVariable {
  readonly name: string
  readonly object: string
  /** The instance; empty for a scalar. */
  readonly index: string
}

/** Where no module knows the object, its instance is taken to be the last number. */
function readVariable(library: Library, oid: string, place: number): ReadVariable {
  const found = library.find(oid)
  if (found) {
    const name = found.object.name.replaceAll(/\W/g, '_').slice(0, 100)
    return { name, object: found.object.oid, index: found.index === '0' ? '' : found.index }
  }
  const cut = oid.lastIndexOf('.')
  const last = oid.slice(cut + 1)
  return { name: `value${place}`, object: oid.slice(0, cut), index: last === '0' ? '' : last }
}

/** The first variable of a row, if all that are in rows are in the same. */
function rowOf(read: readonly ReadVariable[]): ReadVariable | undefined {
  const rows = read.filter(({ index }) => index !== '')
  return rows.every(({ index }) => index === rows[0]?.index) ? rows[0] : undefined
}

const severityOf = (value: string) => {
  const word = fold(value.trim())
  return severities.find(({ words }) => words.includes(word))
}

/** Without a row, the end of one part's fault would end that of another: that value is stored only. */
const statesOf = (parameter: string, hasRow: boolean): State[] =>
  severities.map(({ words, level }) => {
    const values = words.join(';')
    if (level !== undefined) return { parameter, values, handling: 1, alarmLevel: level }
    return { parameter, values, handling: hasRow ? 2 : 0, alarmLevel: null }
  })

/** The vendor, and the number of the trap below it. */
function nameFor(oid: string, vendors: VendorCatalogue): string {
  const enterprise = enterpriseOf(oid)
  if (enterprise === '') return `trap ${oid}`
  const vendor = vendors.file?.vendors[enterprise] ?? `enterprise ${enterprise}`
  const rest = oid.slice(`1.3.6.1.4.1.${enterprise}.`.length)
  return `${vendor} trap ${rest}`.slice(0, 200)
}
