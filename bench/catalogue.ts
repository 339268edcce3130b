// `npm run catalogue -- FOLDER`: makes the catalogue of vendors' events (definitions/vendors/events.bin) from the modules
// in a folder, which has a folder for each vendor, by the proposals that also users get for their modules. The modules
// are not part of the project. Facts are taken from them (OIDs, names, variables, values); levels and texts are made here.

import { isUtf8 } from 'node:buffer'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { type CatalogueFigures, type ShippedEvent, writeCatalogue } from '../src/events/catalogue-file.ts'
import { standardEvents, terminalEvents } from '../src/events/event-file.ts'
import { type Proposal, propose } from '../src/events/mib-proposals.ts'
import { enterpriseOf } from '../src/events/vendor-catalogue.ts'
import { Library } from '../src/mibs/module-library.ts'
import { readModules } from '../src/mibs/module-reader.ts'
import { type ModuleText, moduleFileLimit, moduleKey, momentOf } from '../src/mibs/module-text.ts'
import { endAlarm, trapEvent, withoutZero } from '../src/resources/alarms/trap-event.ts'
import { complete } from '../src/schema/read-document.ts'

/** Reserved for examples, and used by the service itself. */
const exampleEnterprise = '32473'
const warning = 4

interface ReadFolder {
  readonly files: number
  readonly texts: readonly ModuleText[]
}

function readFolder(folder: string): ReadFolder {
  const inside = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
  const paths = inside.map((one) => join(one.parentPath, one.name)).sort()
  const texts: ModuleText[] = []
  for (const path of paths) {
    if (statSync(path).size > moduleFileLimit) continue
    const bytes = readFileSync(path)
    const text = bytes.toString(isUtf8(bytes) ? 'utf8' : 'latin1')
    for (const { remarks: _, ...module } of readModules(text).modules)
      texts.push({ ...module, folder: dirname(relative(folder, path)) })
  }
  return { files: paths.length, texts }
}

/** `PowerNet-MIB 2019-03-28`. */
function sourceOf(name: string, revision: string | undefined): string {
  const [, year, month, day] = /^(\d{4})(\d\d)(\d\d)/.exec(momentOf(revision)) ?? []
  return day === undefined ? name : `${name} ${year}-${month}-${day}`
}

/** Of two spellings of one OID, that of version 2. */
function chosen(proposals: readonly Proposal[]): Proposal[] {
  const byOid = new Map<string, Proposal>()
  for (const one of proposals) {
    const { eventOid } = one.event
    if (enterpriseOf(eventOid) === exampleEnterprise) continue
    const key = withoutZero(eventOid)
    const other = byOid.get(key)
    if (!other || other.event.eventOid.length < eventOid.length) byOid.set(key, one)
  }
  return [...byOid.values()].sort((a, b) => compareOids(a.event.eventOid, b.event.eventOid))
}

function compareOids(a: string, b: string): number {
  const [one, other] = [a.split('.'), b.split('.')]
  const at = one.findIndex((arc, index) => arc !== other[index])
  return at < 0 ? one.length - other.length : Number(one[at]) - Number(other[at] ?? -1)
}

/** An end that names its resource in another way than the fault would not find the alarm. */
function withFittingEnds(drafts: readonly ShippedEvent[]): ShippedEvent[] {
  const keys = new Map(drafts.map((event) => [withoutZero(event.eventOid), keysOf(event)]))
  return drafts.map((event) => ({
    ...event,
    recovers: event.recovers.filter((oid) => keys.get(withoutZero(oid)) === keysOf(event)),
  }))
}

const keysOf = ({ parameter }: ShippedEvent) =>
  parameter
    .flatMap(({ name, isKey }) => (isKey ? [name] : []))
    .sort()
    .join()

/** An alarm that nothing ends would stay until somebody ends it: it is a warning, unless somebody wants it otherwise. */
function withModestLevel(event: ShippedEvent, ended: ReadonlySet<string>): ShippedEvent {
  const hasEnd =
    ended.has(withoutZero(event.eventOid)) || event.state.some(({ handling }) => handling === endAlarm)
  if (hasEnd) return event
  const modest = (level: number) => Math.max(level, warning)
  return {
    ...event,
    alarmLevel: modest(event.alarmLevel),
    state: event.state.map((one) => ({
      ...one,
      alarmLevel: one.alarmLevel === null ? null : modest(one.alarmLevel),
    })),
  }
}

/** What vendors are called: the folder in which most of the modules are, else their place in the tree. */
function vendorsOf(
  library: Library,
  texts: readonly ModuleText[],
  events: readonly ShippedEvent[],
): Record<string, string> {
  const folders = new Map<string, Map<string, number>>()
  const folderOf = new Map(texts.map((text) => [moduleKey(text), (text.folder ?? '.').split(sep)[0] ?? '.']))
  const placeNames = new Map<string, string>()
  for (const { key, notifications, objects } of library.modules.values()) {
    for (const { oid, name } of objects)
      if (/^1\.3\.6\.1\.4\.1\.\d+$/.test(oid) && !placeNames.has(enterpriseOf(oid)))
        placeNames.set(enterpriseOf(oid), name)
    const folder = folderOf.get(key) ?? '.'
    if (folder === '.') continue
    for (const { oid } of notifications) {
      const counts = folders.get(enterpriseOf(oid)) ?? new Map<string, number>()
      folders.set(enterpriseOf(oid), counts.set(folder, (counts.get(folder) ?? 0) + 1))
    }
  }
  const numbers = new Set(
    events.map(({ eventOid }) => enterpriseOf(eventOid)).filter((number) => number !== ''),
  )
  return Object.fromEntries(
    [...numbers].map((number) => {
      const [most] = [...(folders.get(number) ?? [])].sort(([, a], [, b]) => b - a)
      return [number, most?.[0] ?? placeNames.get(number) ?? number]
    }),
  )
}

/** Notifications that were read, and whose OID is unknown. */
function lostOf(library: Library, texts: readonly ModuleText[]): number {
  return texts.reduce((sum, text) => {
    const module = library.modules.get(moduleKey(text))
    const known = new Set(module?.notifications.map(({ name }) => name))
    const missing =
      module && module.unknown.length > 0 ? text.notifications.filter(({ name }) => !known.has(name)) : []
    return sum + missing.length
  }, 0)
}

function make(folder: string, target: URL): CatalogueFigures {
  const { files, texts } = readFolder(folder)
  const library = new Library(texts)
  const known = new Set([...standardEvents, ...terminalEvents].map(({ eventOid }) => withoutZero(eventOid)))
  const revisions = new Map<string, string | undefined>()
  for (const { name, revision } of texts)
    if (momentOf(revision) >= momentOf(revisions.get(name))) revisions.set(name, revision)
  const proposals = chosen(propose(library, (oid) => known.has(withoutZero(oid))))
  const drafts = withFittingEnds(
    proposals.map(({ module, event }) => ({
      ...(complete(trapEvent.fields, event) as unknown as ShippedEvent),
      source: sourceOf(module, revisions.get(module)),
    })),
  )
  const ended = new Set(drafts.flatMap(({ recovers }) => recovers.map(withoutZero)))
  const events = drafts.map((event) => withModestLevel(event, ended))
  const byFolder = Map.groupBy(texts, (text) => (text.folder ?? '.').split(sep)[0] ?? '.')
  const figures: CatalogueFigures = {
    made: new Date().toISOString().slice(0, 10),
    files,
    modules: library.modules.size,
    events: events.length,
    ends: events.filter(({ recovers }) => recovers.length > 0).length,
    endedFaults: events.filter(({ eventOid }) => ended.has(withoutZero(eventOid))).length,
    states: events.filter(({ state }) => state.length > 0).length,
    lost: lostOf(library, texts),
    without: [...byFolder].flatMap(([name, some]) =>
      some.every(({ notifications }) => notifications.length === 0) ? [name] : [],
    ),
  }
  writeFileSync(target, writeCatalogue(events, vendorsOf(library, texts, events), figures))
  return figures
}

const [folder] = process.argv.slice(2)
if (folder === undefined) {
  console.error('npm run catalogue -- FOLDER: FOLDER has modules (MIBs), those of each vendor in a folder')
  process.exitCode = 2
} else {
  const target = new URL('../definitions/vendors/events.bin', import.meta.url)
  const { without, ...figures } = make(folder, target)
  console.log({ ...figures, without: without.length, bytes: statSync(target).size })
}
