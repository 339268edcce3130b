// Reads files of event definitions, our own and those of other programs, in a thread: they may be large, and come from
// anywhere.

import { Fault, shown } from '../../fault.ts'
import { Library } from '../../mibs/module-library.ts'
import type { ModuleText } from '../../mibs/module-text.ts'
import { readDefinitions } from '../../resources/alarms/mib-module.ts'
import { otherSpelling, type TrapEvent, trapEvent, trapEvents } from '../../resources/alarms/trap-event.ts'
import { unsaved } from '../../resources/collection.ts'
import { jsonElement, jsonWriter } from '../../schema/json.ts'
import { readDraft } from '../../schema/read-document.ts'
import type { Reader } from '../../store/database.ts'
import { VendorCatalogue } from '../vendor-catalogue.ts'
import { type Definition, definitionsOf, type Made } from './definitions.ts'
import { type Names, type ReadFile, type Remark, requireFew, type SourceFile } from './foreign-event.ts'
import { readNetdata } from './netdata.ts'
import { readNoc } from './noc.ts'
import { readOpenNms } from './opennms.ts'
import { readOwn } from './own-file.ts'
import { readSnmptt } from './snmptt.ts'

/** A definition, and that of the store which has its OID. */
export interface TranslatedEvent extends Definition {
  readonly id: bigint | null
  readonly file: string
  readonly line: number
}

export type Translated =
  | { readonly definitions: readonly TranslatedEvent[]; readonly remarks: readonly Remark[] }
  | { readonly message: string }

const formats = {
  opennms: 'event definitions of OpenNMS (.xml)',
  snmptt: 'the configuration of SNMPTT (.conf)',
  noc: 'rules and classes of NOC (.json)',
  netdata: 'trap profiles of Netdata (.yaml)',
  own: 'definitions as belfry event export writes them (.json)',
}
export type Format = keyof typeof formats

/** Of a file, where its form is looked for. */
const headLength = 4000

/** By its ending where that says it, else by how it begins. */
function formatOf({ name, text }: SourceFile): Format {
  const ending = name.slice(name.lastIndexOf('.') + 1).toLowerCase()
  const [start = ''] = /\S/.exec(text) ?? []
  if (ending === 'xml' || start === '<') return 'opennms'
  if (ending === 'json' || start === '{' || start === '[')
    return ['"trapEvent"', '"eventOid"'].some((name) => text.slice(0, headLength).includes(name))
      ? 'own'
      : 'noc'
  if (ending === 'yaml' || ending === 'yml') return 'netdata'
  if (ending === 'conf' || /^EVENT\s/m.test(text)) return 'snmptt'
  if (/^(traps|varbinds|vendor):/m.test(text)) return 'netdata'
  throw new Fault('invalid', `line 1: the form is not known: expected ${Object.values(formats).join(', ')}`)
}

export async function work(reader: Reader, files: readonly SourceFile[]): Promise<Translated> {
  try {
    const names = await StoredNames.read(reader)
    const remarks: Remark[] = []
    const made = translate(files, names, remarks)
    const definitions = made.map(({ file, line, definition }) => ({
      ...definition,
      ...{ file, line, id: names.id(definition.eventOid) },
    }))
    return { definitions, remarks }
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    return { message: error.message }
  }
}

function translate(files: readonly SourceFile[], names: Names, remarks: Remark[]): Made[] {
  const sorted = Map.groupBy(files, (file) => inFile(file, () => formatOf(file)))
  const own = (sorted.get('own') ?? []).flatMap((file) => inFile(file, () => readOwn(file)))
  const readers = { opennms: readOpenNms, snmptt: readSnmptt, netdata: readNetdata }
  const read: ReadFile[] = [readNoc(sorted.get('noc') ?? [], names)]
  for (const [format, readOne] of Object.entries(readers))
    for (const file of sorted.get(format as Format) ?? []) read.push(inFile(file, () => readOne(file, names)))
  const events = read.flatMap((one) => one.events)
  for (const one of read.flatMap((each) => each.remarks)) remarks.push(one)
  requireFew(own.length + events.length, remarks.length)
  const made = definitionsOf(events, names, remarks).filter((one) => isAccepted(one, remarks))
  const kept = withoutTwins([...own, ...made], remarks)
  requireFew(kept.length, remarks.length)
  return kept
}

const write = jsonWriter(trapEvent)

/** Whether the store would take it: names, values and patterns of others may be longer, or in another syntax. */
function isAccepted({ file, line, definition }: Made, remarks: Remark[]): boolean {
  try {
    const element = jsonElement(JSON.stringify(write(definition)), trapEvent.name)
    unsaved(trapEvents, readDraft(trapEvent, element, 'create'))
    return true
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    const reason = error.field === undefined ? error.message : `${error.field}: ${error.message}`
    remarks.push({ file, line, name: definition.name, kind: 'lost', reason })
    return false
  }
}

/** Of two definitions of one OID, the first counts. */
function withoutTwins(all: readonly Made[], remarks: Remark[]): Made[] {
  const seen = new Map<string, Made>()
  return all.filter((one) => {
    const { eventOid, name } = one.definition
    const before = seen.get(eventOid) ?? seen.get(otherSpelling(eventOid))
    seen.set(eventOid, one)
    if (before) {
      const reason = `${eventOid} is defined in ${before.file}, line ${before.line}, too, which counts`
      remarks.push({ file: one.file, line: one.line, name, kind: 'lost', reason })
    }
    return !before
  })
}

function inFile<T>({ name }: SourceFile, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    throw new Fault('invalid', `${shown(name).slice(1, -1)}: ${error.message}`, { cause: error })
  }
}

/** Names from loaded modules and from the definitions of the store. */
class StoredNames implements Names {
  readonly #library: Library
  readonly #vendors: VendorCatalogue
  readonly #events = new Map<string, TrapEvent>()
  readonly #objects = new Map<string, string>()
  readonly #notifications = new Map<string, string>()

  private constructor(library: Library, vendors: VendorCatalogue) {
    this.#library = library
    this.#vendors = vendors
  }

  static async read(reader: Reader): Promise<StoredNames> {
    const texts: ModuleText[] = []
    for await (const text of readDefinitions(reader)) texts.push(text)
    const vendors = new VendorCatalogue()
    await vendors.open()
    const names = new StoredNames(new Library(texts), vendors)
    const { form, name } = trapEvents.table
    for (const row of await reader.all(`select ${form.names} from ${name}`))
      names.#add(form.toRecord(row) as TrapEvent)
    for (const module of names.#library.modules.values()) {
      for (const one of module.objects) names.#objects.set(one.name, one.oid)
      for (const one of module.notifications) names.#notifications.set(one.name, one.oid)
    }
    return names
  }

  #add(event: TrapEvent): void {
    this.#events.set(event.eventOid, event)
    this.#notifications.set(event.name, event.eventOid)
    for (const { name, oid } of event.parameter) if (!oid.startsWith('#')) this.#objects.set(name, oid)
  }

  id(eventOid: string): bigint | null {
    return (this.#events.get(eventOid) ?? this.#events.get(otherSpelling(eventOid)))?.id ?? null
  }

  known(eventOid: string) {
    const stored = this.#events.get(eventOid) ?? this.#events.get(otherSpelling(eventOid))
    return stored ?? this.#vendors.find(eventOid)
  }

  variable(eventOid: string, place: number) {
    const notification =
      this.#library.notification(eventOid) ?? this.#library.notification(otherSpelling(eventOid))
    const object = notification?.objects[place - 1]
    const isAlone = notification?.objects.filter((one) => one === object).length === 1
    if (!object || !isAlone) return { place: `#${place}`, name: `value${place}` }
    return { place: object.oid, name: object.name.replaceAll(/\W/g, '_').slice(0, 100) }
  }

  object(name: string): string | undefined {
    return this.#objects.get(withoutModule(name))
  }

  event(name: string): string | undefined {
    return this.#notifications.get(withoutModule(name))
  }
}

const withoutModule = (name: string) => name.slice(name.indexOf('::') < 0 ? 0 : name.indexOf('::') + 2)
