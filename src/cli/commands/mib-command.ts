// belfry mib: loads, lists and removes modules (MIBs), and accepts proposals.

import { json } from 'node:stream/consumers'
import { Fault } from '../../fault.ts'
import { type Command, countedNoun, type Option, verbOf } from '../command.ts'
import { filesOf, looksLikeModule, type ModuleFile, moduleNames, readWhole } from '../module-files.ts'
import { ask, askJson, reach, withService } from '../service-connection.ts'

const options: Record<string, Option> = {
  confidence: {
    form: 'high|medium|low',
    help: 'The least confidence of a proposal: to be listed (default low), or to be accepted with its module (default medium).',
  },
  remarks: { help: 'Also shows what was wrong in a module but clear enough to be read.' },
}

const usage = 'belfry mib load|list|proposals|accept|remove … [options] [settings]'

const text = `Modules (MIBs) name what traps carry, and propose what they mean.

  belfry mib load FILE|FOLDER…          reads modules; what cannot be read is listed with its line
  belfry mib list                       what is loaded
  belfry mib proposals [MODULE…]        event definitions proposed for notifications that have none
  belfry mib accept MODULE|OID|NAME…    creates definitions from them: of a module those of sufficient confidence,
                                        others by name or OID, together with what they end or what ends them
  belfry mib remove MODULE…             removes a module; definitions stay

The order of files does not matter, and the standard base (SNMPv2-SMI, SNMPv2-TC and the like) need not be loaded.
A module that is loaded again replaces the old one. Modules of one name that differ in enterprise or revision are kept
side by side; where both describe something, the later revision is used.

  belfry mib load /usr/share/snmp/mibs vendor/ACME-MIB.txt
  belfry mib proposals ACME-MIB --confidence high
  belfry mib accept ACME-MIB

Exit codes: 0 done; 1 something could not be read, or is not known, the rest is done; 2 wrong arguments.`

type Work = (
  url: string,
  names: readonly string[],
  options: Readonly<Record<string, string>>,
) => Promise<number>

const verbs: Readonly<Record<string, { readonly work: Work; readonly needs?: string }>> = {
  load: { work: load, needs: 'a file or a folder' },
  list: { work: list },
  proposals: { work: proposals },
  accept: { work: accept, needs: 'a module, or a notification by name or OID' },
  remove: { work: remove, needs: 'a module' },
}

export const mib: Command = {
  name: 'mib',
  summary: 'loads modules (MIBs), proposes what their notifications mean',
  usage,
  text,
  options,
  takesFiles: true,
  verbs: Object.keys(verbs),
  async run({ files, options, config }) {
    const [verb, ...names] = files
    const chosen = verbOf(verbs, verb, 'mib')
    if (chosen.needs !== undefined && names.length === 0)
      throw new Fault('invalid', `name ${chosen.needs}. Try belfry mib --help`)
    return withService(config, (url) => chosen.work(url, names, options), { fills: chosen.work === load })
  },
}

const path = '/fault/mibModule'

interface Remark {
  readonly module: string
  readonly kind: 'lost' | 'accepted' | 'unknown'
  readonly line: string
  readonly reason: string
}

interface Loaded {
  readonly module: readonly {
    readonly name: string
    readonly objects: string
    readonly notifications: string
    readonly replaced: string
  }[]
  readonly remark: readonly Remark[]
}

interface Module {
  readonly name: string
  readonly file?: string
  readonly objects: string
  readonly notifications: string
  readonly remark: readonly Remark[]
}

interface Proposal {
  readonly module: string
  readonly name: string
  readonly eventOid: string
  readonly alarmLevel: string
  readonly confidence: string
  readonly reason: string
  readonly alarmDesc?: string
  readonly recovers: readonly string[]
}

interface Accepted {
  readonly name: string
  readonly eventOid?: string
  readonly outcome: 'accepted' | 'defined' | 'unsure' | 'unknown'
  readonly definition?: string
}

// Loading

async function load(
  url: string,
  names: readonly string[],
  options: Readonly<Record<string, string>>,
): Promise<number> {
  const files = (await Promise.all(names.map(filesOf))).flat()
  const from = new Map<string, string>()
  const latest = new Map<string, string>()
  let lost = 0
  let skipped = 0
  for await (const { file, shownAs, loaded } of loadInOrder(url, files)) {
    if (!loaded) {
      skipped += 1
      continue
    }
    for (const { name, objects, notifications, replaced } of loaded.module) {
      const before = latest.get(name)
      if (before !== undefined && replaced === 'true')
        console.log(`${name} is in ${before} and in ${file}: the latter is used`)
      latest.set(name, file)
      from.set(`${name} ${shownAs}`, file)
      console.log(`${name}: ${countedNoun(objects, 'object')}, ${countedNoun(notifications, 'notification')}`)
    }
    lost += printRemarks(file, loaded.remark, options.remarks !== undefined)
  }
  if (skipped > 0) console.log(`${countedNoun(skipped, 'file')} without a module skipped`)
  await printUnknown(url, from)
  const proposals = await countProposals(url)
  const open =
    proposals > 0
      ? `; ${countedNoun(proposals, 'notification')} without a definition: belfry mib proposals`
      : ''
  console.log(`${countedNoun(from.size, 'module')} loaded${open}`)
  return lost > 0 ? 1 : 0
}

async function countProposals(url: string): Promise<number> {
  // They are made when somebody wants to see them.
  const answer = await reach(`${url}/fault/mibProposal`, { method: 'HEAD' })
  if (answer.ok) return Number(answer.headers.get('Total'))
  throw new Fault('unavailable', `proposals cannot be counted: the service answered ${answer.status}`)
}

const unread = (reason: string): Loaded => ({
  module: [],
  remark: [{ module: '', kind: 'lost', line: '1', reason }],
})

interface FileLoad extends ModuleFile {
  /** Absent where there is no module in the file. */
  readonly loaded: Loaded | undefined
}

/** Files under way at once: one is parsed while another is saved. */
const atOnce = 4

/**
 * In the order of the files. Of two modules with one name the latter is used: files that name the same module are loaded
 * one after the other.
 */
async function* loadInOrder(url: string, files: readonly ModuleFile[]): AsyncGenerator<FileLoad> {
  const underWay: { readonly names: ReadonlySet<string>; readonly load: Promise<FileLoad> }[] = []
  for (const one of files) {
    const body = await readWhole(one.file)
    const names = new Set(typeof body === 'string' ? [] : moduleNames(body))
    const first = () => (underWay.shift() as (typeof underWay)[number]).load
    while (underWay.length >= atOnce || underWay.some((other) => !other.names.isDisjointFrom(names)))
      yield await first()
    const load = loadOne(url, one, body)
    // It is awaited in its turn, also where an earlier one fails.
    load.catch(() => undefined)
    underWay.push({ names, load })
  }
  for (const { load } of underWay) yield await load
}

async function loadOne(url: string, one: ModuleFile, body: Buffer | string): Promise<FileLoad> {
  if (typeof body === 'string') return { ...one, loaded: unread(body) }
  const isSkipped = !one.isNamed && !looksLikeModule(body)
  return { ...one, loaded: isSkipped ? undefined : await loadFile(url, one.shownAs, body) }
}

/** `shownAs` is the path inside the named folder. */
async function loadFile(url: string, shownAs: string, body: Buffer): Promise<Loaded> {
  const query = new URLSearchParams({ file: shownAs, unknown: 'false' })
  const answer = await ask(`${url}${path}?${query}`, {
    method: 'POST',
    headers: { 'Content-Type': 'text/plain', Accept: 'application/json' },
    body: new Uint8Array(body),
  })
  return (await json(answer)) as Loaded
}

/** Returns how many definitions could not be read. */
function printRemarks(file: string, remarks: readonly Remark[], all: boolean): number {
  for (const { kind, line, reason } of remarks) {
    if (kind === 'lost') console.log(`${file}:${line}: ${reason}`)
    else if (kind === 'accepted' && all) console.log(`${file}:${line}: accepted: ${reason}`)
  }
  return remarks.filter(({ kind }) => kind === 'lost').length
}

/** Read when everything is loaded, because a later file may define what an earlier one lacks. */
async function printUnknown(url: string, from: ReadonlyMap<string, string>): Promise<void> {
  for (const { name, file: shownAs, remark } of await modules(url)) {
    const file = from.get(`${name} ${shownAs}`)
    if (file === undefined) continue
    for (const { kind, line, reason } of remark)
      if (kind === 'unknown') console.log(`${file}:${line}: ${reason}`)
  }
}

async function modules(url: string): Promise<Module[]> {
  const { mibModule } = await askJson<{ mibModule: Module[] }>(`${url}${path}?size=1000000`)
  return mibModule
}

// Looking

async function list(url: string): Promise<number> {
  const all = await modules(url)
  const width = Math.max(...all.map(({ name }) => name.length), 0)
  for (const { name, objects, notifications, file = '', remark } of all) {
    const sizes = `${countedNoun(objects, 'object').padStart(13)}, ${countedNoun(notifications, 'notification').padStart(17)}`
    console.log(`${name.padEnd(width)} ${sizes}  ${file}`)
    for (const { kind, line, reason } of remark)
      if (kind !== 'accepted') console.log(`    line ${line}: ${reason}`)
  }
  console.log(
    all.length === 0 ? 'no module is loaded: belfry mib load FILE' : countedNoun(all.length, 'module'),
  )
  return 0
}

const levelNames = ['', 'critical', 'major', 'minor', 'warning', 'info']

async function proposals(
  url: string,
  names: readonly string[],
  options: Readonly<Record<string, string>>,
): Promise<number> {
  const known = names.length > 0 ? (await modules(url)).map(({ name }) => name) : []
  const missing = names.filter((name) => !known.includes(name))
  for (const name of missing) console.log(`${name} is not loaded`)
  if (missing.length > 0 && missing.length === names.length) return 1
  const query = new URLSearchParams(
    options.confidence === undefined ? {} : { confidence: options.confidence },
  )
  const { mibProposal } = await askJson<{ mibProposal: Proposal[] }>(`${url}/fault/mibProposal?${query}`)
  const wanted = mibProposal.filter(({ module }) => names.length === 0 || names.includes(module))
  for (const [module, group] of Map.groupBy(wanted, (one) => one.module)) {
    console.log(module)
    for (const one of group) printProposal(one)
  }
  console.log(
    wanted.length === 0
      ? 'nothing to propose: every notification of these modules has a definition, or there is none'
      : `${countedNoun(wanted.length, 'proposal')}; belfry mib accept MODULE|OID|NAME makes definitions of them`,
  )
  return missing.length > 0 ? 1 : 0
}

function printProposal({ name, eventOid, alarmLevel, confidence, alarmDesc = '', reason }: Proposal): void {
  console.log(`  ${name}  ${levelNames[Number(alarmLevel)]}  (confidence ${confidence})  ${eventOid}`)
  console.log(`      ${alarmDesc}`)
  console.log(`      ${reason}`)
}

async function accept(
  url: string,
  names: readonly string[],
  options: Readonly<Record<string, string>>,
): Promise<number> {
  const { mibAccepted } = await askJson<{ mibAccepted: Accepted[] }>(
    `${url}/fault/mibProposal/accept`,
    'POST',
    {
      choice: names,
      ...(options.confidence !== undefined && { confidence: options.confidence }),
    },
  )
  for (const { name, eventOid = '', outcome, definition = '' } of mibAccepted) {
    const words = {
      accepted: `${name} is definition ${definition} (${eventOid})`,
      defined: `${name} has a definition already: ${definition} (${eventOid}) stays as it is`,
      unsure: `${name} is not sure enough: name it, or say --confidence low`,
      unknown: `${name} is neither a loaded module nor a notification of one`,
    }
    console.log(words[outcome])
  }
  const accepted = mibAccepted.filter(({ outcome }) => outcome === 'accepted')
  console.log(`${countedNoun(accepted.length, 'definition')} made`)
  return mibAccepted.some(({ outcome }) => outcome === 'unknown') ? 1 : 0
}

async function remove(url: string, names: readonly string[]): Promise<number> {
  for (const name of names) {
    await askJson(`${url}${path}/${encodeURIComponent(name)}`, 'DELETE')
    console.log(`${name} removed`)
  }
  return 0
}
