// Operations on modules: loading files, listing proposals, accepting them.

import type { Library } from '../mibs/module-library.ts'
import type { MibNotification } from '../mibs/module-resolver.ts'
import { type ModuleRemark, moduleKey, type StoredFile, type StoredModule } from '../mibs/module-text.ts'
import { TimeSlice } from '../pacing/time-slice.ts'
import { findSame, saveModule } from '../resources/alarms/mib-module.ts'
import { definedEvents, otherSpelling, trapEvents } from '../resources/alarms/trap-event.ts'
import { createIn } from '../resources/collection.ts'
import type { Database, Transaction } from '../store/database.ts'
import { threadFile } from '../store/worker-thread.ts'
import { type Confidence, confidences } from './mib-levels.ts'
import type { MibLibrary } from './mib-library.ts'
import type { MibProposalList } from './mib-proposal-list.ts'
import type { Proposal } from './mib-proposals.ts'
import type { ListedProposal } from './mib-proposing.ts'

interface LoadedModule {
  readonly name: string
  readonly objects: number
  readonly notifications: number
  /** Whether one of the same name was there before. */
  readonly replaced: boolean
}

export interface Loaded {
  readonly modules: readonly LoadedModule[]
  readonly remarks: readonly (ModuleRemark & { readonly module: string })[]
}

const readerModule = threadFile('../mibs/module-reader.ts', import.meta.url)

/**
 * Loads the modules of a file; each replaces the one that has its name, enterprise and revision, all of them in one transaction. To find unknown
 * names, all modules are searched.
 */
export async function loadModules(
  database: Database,
  library: MibLibrary,
  source: string,
  file: string | null,
  reportUnknown = true,
): Promise<Loaded> {
  const read = await database.workInBackground<StoredFile>(readerModule, source)
  // Of two with one name in a file, the last counts.
  const modules = [...new Map(read.modules.map((module) => [module.name, module])).values()]
  const outside = read.remarks.map((remark) => ({ module: '', ...remark }))
  const twice = read.modules
    .filter((module) => !modules.includes(module))
    .map(({ name, line }) =>
      lost(name, line, `${name} stands in the file again further down: that one counts`),
    )
  const done = await database.transaction((tx) => saveModules(tx, modules, file))
  const remarks = [...outside, ...twice, ...done.remarks]
  if (!reportUnknown) return { modules: done.loaded, remarks }
  const known = await library.refresh()
  const unknown = modules.flatMap((module) =>
    (known.modules.get(moduleKey(module))?.unknown ?? []).map((remark) => ({
      module: module.name,
      ...remark,
    })),
  )
  return { modules: done.loaded, remarks: [...remarks, ...unknown] }
}

async function saveModules(
  tx: Transaction,
  modules: readonly StoredModule[],
  file: string | null,
): Promise<{ readonly loaded: LoadedModule[]; readonly remarks: Loaded['remarks'][number][] }> {
  const loaded: LoadedModule[] = []
  const remarks: Loaded['remarks'][number][] = []
  for (const module of modules) {
    const before = (await findSame(tx, module))?.size
    remarks.push(...module.remarks.map((remark) => ({ module: module.name, ...remark })))
    // A file that was cut off must not remove what a complete one brought.
    if (module.isEmpty && before !== undefined && before > 0) {
      remarks.push(lost(module.name, module.line, 'nothing in it can be used: what was loaded before stays'))
      continue
    }
    await saveModule(tx, module, file)
    loaded.push({
      name: module.name,
      objects: module.objects,
      notifications: module.notifications,
      replaced: before !== undefined,
    })
  }
  return { loaded, remarks }
}

const lost = (module: string, line: number, reason: string) =>
  ({ module, kind: 'lost', line, reason }) as const

interface ProposalChoice {
  /** A module, by its exact name; absent: all. */
  readonly module?: string | undefined
  /** The least confidence. */
  readonly confidence?: Confidence | undefined
}

export async function listProposals(
  list: MibProposalList,
  choice: ProposalChoice,
): Promise<readonly ListedProposal[]> {
  const least = rank(choice.confidence ?? 'low')
  return (await list.current()).filter(
    ({ module, confidence }) =>
      (choice.module === undefined || module === choice.module) && rank(confidence) >= least,
  )
}

/** How many there are of any confidence, without making them: one for each notification that has no definition. */
export async function countProposals(
  database: Database,
  modules: MibLibrary,
  module: string | undefined,
): Promise<number> {
  const library = await modules.refresh()
  const defined = await definedEvents(database)
  const timeSlice = new TimeSlice()
  let count = 0
  for (const { name, notifications } of library.modules.values()) {
    await timeSlice.step()
    if (module !== undefined && name !== module) continue
    for (const one of notifications)
      if (
        library.notification(one.oid) === one &&
        !defined.has(one.oid) &&
        !defined.has(otherSpelling(one.oid))
      )
        count += 1
  }
  return count
}

export type Outcome = 'accepted' | 'defined' | 'unsure' | 'unknown'

interface Acceptance {
  /** What was asked for, or what was accepted with it. */
  readonly name: string
  readonly eventOid: string | null
  readonly outcome: Outcome
  /** The definition: the new one, or the existing one. */
  readonly definition: bigint | null
}

/**
 * A choice is a module, of which what is sure enough is accepted, or a notification by name or OID, which is accepted
 * however sure, together with those that it ends or that end it.
 */
export async function acceptProposals(
  database: Database,
  modules: MibLibrary,
  list: MibProposalList,
  choices: readonly string[],
  least: Confidence,
): Promise<Acceptance[]> {
  const library = await modules.refresh()
  const listed = new Map((await list.current()).map((one) => [one.eventOid, one]))
  const called = calledIn(library, choices)
  return database.transaction(async (tx) => {
    const defined = await definedEvents(tx)
    const definitionOf = (oid: string) => defined.get(oid) ?? defined.get(otherSpelling(oid))
    const wanted = new Map<string, Proposal>()
    const done: Acceptance[] = []
    for (const choice of new Set(choices)) {
      const ofModule = library.named(choice).flatMap(({ notifications }) => notifications)
      const asked = ofModule.length > 0 ? ofModule : called.get(choice)
      if (!asked) done.push({ name: choice, eventOid: null, outcome: 'unknown', definition: null })
      for (const { name, oid: eventOid } of asked ?? []) {
        const proposal = listed.get(eventOid)
        const definition = definitionOf(eventOid) ?? null
        if (!proposal || definition !== null) done.push({ name, eventOid, outcome: 'defined', definition })
        else if (ofModule.length > 0 && rank(proposal.confidence) < rank(least))
          done.push({ name, eventOid, outcome: 'unsure', definition })
        else for (const one of withPartners(proposal, listed)) wanted.set(one.event.eventOid, one)
      }
    }
    for (const { event } of wanted.values()) {
      // Somebody else may have defined one of the partners since the list was made.
      if (definitionOf(event.eventOid) !== undefined) continue
      const definition = await createIn(tx, trapEvents, event)
      done.push({ name: event.name, eventOid: event.eventOid, outcome: 'accepted', definition })
    }
    return done
  })
}

/** The notifications that are chosen by name or OID. */
function calledIn(library: Library, choices: readonly string[]): Map<string, MibNotification[]> {
  const wanted = new Map(choices.map((choice) => [choice.replace(/^\./, ''), choice]))
  const called = new Map<string, MibNotification[]>()
  for (const { notifications } of library.modules.values()) {
    for (const one of notifications) {
      const choice = wanted.get(one.name) ?? wanted.get(one.oid)
      if (choice !== undefined) called.set(choice, [...(called.get(choice) ?? []), one])
    }
  }
  return called
}

const rank = (confidence: Confidence) => confidences.indexOf(confidence)

export const fullProposal = ({ text }: ListedProposal): Proposal => JSON.parse(text)

function withPartners(listed: ListedProposal, all: ReadonlyMap<string, ListedProposal>): Proposal[] {
  const proposal = fullProposal(listed)
  return [proposal, ...proposal.partners.flatMap((oid) => all.get(oid) ?? []).map(fullProposal)]
}
