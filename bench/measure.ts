// `npm run measure -- syslog FILE` is in measure-syslog.ts, `npm run measure -- ask FOLDER` in measure-ask.ts.
//
// `npm run measure -- proposals FOLDER`: compares what is proposed for notifications of vendors with a judgement that was
// made one by one (bench/corpus). The modules are not part of the project: FOLDER has them.
//
// A third of the corpus, by a hash of the module's name, is held back: whoever works on the proposals must not look at
// its mistakes. `--mistakes` lists those of the rest.

import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Proposal, propose } from '../src/events/mib-proposals.ts'
import { Library } from '../src/mibs/module-library.ts'
import { readModules } from '../src/mibs/module-reader.ts'
import type { MibNotification } from '../src/mibs/module-resolver.ts'
import type { ModuleText } from '../src/mibs/module-text.ts'
import { measureAsk } from './measure-ask.ts'
import { measureSyslog } from './measure-syslog.ts'
import { Share } from './share.ts'

/** The judgement of a notification. */
interface Judged {
  readonly module: string
  readonly oid: string
  readonly name: string
  readonly kind: 'fault' | 'end' | 'event' | 'state'
  /** Of a state, the worst. */
  readonly level: number
  /** The objects that name the resource, or whose row does; absent: not judged. */
  readonly key?: readonly string[]
  /** The faults that it ends. */
  readonly ends?: readonly string[]
  /** Those that it may end or not: both are right. */
  readonly perhaps?: readonly string[]
  /** The enumeration that says whether it is a fault or its end. */
  readonly state?: string
}

const corpus: readonly Judged[] = JSON.parse(
  readFileSync(new URL('corpus/notifications.json', import.meta.url), 'utf8'),
)
const isHeldBack = ({ module }: Judged) => createHash('sha256').update(module).digest().readUInt8(0) < 86

/** The modules of the corpus and those that they import from, found by the names of files. */
function readNeeded(folder: string): ModuleText[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
  const byName = Map.groupBy(files, ({ name }) => name.replace(/\.(mib|my|txt)$/i, ''))
  const wanted = [...new Set(corpus.map(({ module }) => module))]
  const texts: ModuleText[] = []
  for (const name of wanted) {
    for (const one of byName.get(name) ?? []) {
      const path = join(one.parentPath, one.name)
      for (const { remarks: _, ...module } of readModules(readFileSync(path, 'latin1')).modules) {
        texts.push({ ...module, folder: dirname(path) })
        for (const [, from] of module.imports) if (!wanted.includes(from)) wanted.push(from)
      }
    }
  }
  return texts
}

const rows = [
  ['pairs found', 'recall'],
  ['pairs that are right', 'precision'],
  ['level exact', 'exact'],
  ['level within one', 'near'],
  ['key right', 'key'],
  ['state in a variable found', 'state'],
  ['right of confidence high', 'high'],
  ['of confidence high', 'share'],
] as const

type Figure = (typeof rows)[number][1]
type Figures = Record<Figure, Share>

function compare(
  one: Judged,
  proposal: Proposal,
  notification: MibNotification,
  nameOf: (oid: string) => string,
  figures: Figures,
): string[] {
  const wrong: string[] = []
  const { event, confidence } = proposal
  const proposed = (event.recovers ?? []).map(nameOf)
  const ends = one.ends ?? []
  const missing = ends.filter((name) => !proposed.includes(name))
  const invented = proposed.filter((name) => !ends.includes(name) && !one.perhaps?.includes(name))
  for (const name of ends) figures.recall.add(proposed.includes(name))
  for (const name of proposed) figures.precision.add(!invented.includes(name))
  if (missing.length > 0) wrong.push(`does not end ${missing.join(', ')}`)
  if (invented.length > 0) wrong.push(`ends ${invented.join(', ')}`)
  const states = event.state ?? []
  const raised = states.flatMap(({ handling, alarmLevel }) =>
    handling === 1 ? [alarmLevel ?? event.alarmLevel] : [],
  )
  const level = raised.length > 0 ? Math.min(...raised.map(Number)) : Number(event.alarmLevel)
  if (one.kind !== 'end') {
    figures.exact.add(level === one.level)
    figures.near.add(Math.abs(level - one.level) <= 1)
    if (level !== one.level) wrong.push(`level ${level}, not ${one.level}`)
  }
  if (one.state !== undefined) {
    const found = states.some(({ parameter }) => parameter === one.state)
    figures.state.add(found)
    if (!found) wrong.push(`state not in ${one.state}`)
  }
  let keyIsRight = true
  if (one.key !== undefined) {
    keyIsRight = sameKey(one.key, proposal, notification)
    figures.key.add(keyIsRight)
    if (!keyIsRight)
      wrong.push(
        `key ${
          keysOf(proposal)
            .map(({ name }) => name)
            .join('+') || 'none'
        }, not ${one.key.join('+') || 'none'}`,
      )
  }
  figures.share.add(confidence === 'high')
  if (confidence === 'high')
    figures.high.add(
      missing.length + invented.length === 0 &&
        keyIsRight &&
        (one.kind === 'end' || Math.abs(level - one.level) <= 1),
    )
  return wrong.map((text) => `${one.module} ${one.name} (${confidence}): ${text}`)
}

const keysOf = ({ event }: Proposal) => (event.parameter ?? []).filter(({ isKey }) => isKey)

/** Each key names the row, or is the object, of one that was judged to be a key, and the other way round. */
function sameKey(judged: readonly string[], proposal: Proposal, { objects }: MibNotification): boolean {
  const identity = (name: string) => {
    const object = objects.find((candidate) => candidate.name === name)
    return object?.row ? `row ${object.row.index.map((index) => index.name).join() || object.row.name}` : name
  }
  const wanted = new Set(judged.map(identity))
  const given = new Set(
    keysOf(proposal).map(({ oid, name }) =>
      identity(objects.find((object) => object.oid === oid)?.name ?? name),
    ),
  )
  // A row of a larger table names the row of the smaller one as well.
  const covers = (one: string, other: string) =>
    one === other || one.startsWith(`${other},`) || other.startsWith(`${one},`)
  return (
    [...wanted].every((one) => [...given].some((other) => covers(one, other))) &&
    [...given].every((one) => [...wanted].some((other) => covers(one, other)))
  )
}

const emptyFigures = () => Object.fromEntries(rows.map(([, name]) => [name, new Share()])) as Figures

function measure(folder: string, showMistakes: boolean): void {
  const library = new Library(readNeeded(folder))
  const proposals = new Map(propose(library, () => false).map((one) => [one.event.eventOid, one]))
  const nameOf = (oid: string) => library.notification(oid)?.name ?? oid
  const [worked, heldBack] = [emptyFigures(), emptyFigures()]
  const mistakes: string[] = []
  let absent = 0
  for (const one of corpus) {
    const proposal = proposals.get(one.oid)
    const notification = library.notification(one.oid)
    if (!proposal || !notification) {
      absent += 1
      continue
    }
    const found = compare(one, proposal, notification, nameOf, isHeldBack(one) ? heldBack : worked)
    if (!isHeldBack(one)) mistakes.push(...found)
  }
  console.log(
    `${corpus.length} notifications of ${new Set(corpus.map(({ module }) => module)).size} modules; ${absent} not found in ${basename(folder)}\n`,
  )
  console.log(`${''.padEnd(28)}${'worked on'.padEnd(20)}held back`)
  for (const [words, name] of rows)
    console.log(`${words.padEnd(28)}${String(worked[name]).padEnd(20)}${heldBack[name]}`)
  if (showMistakes) console.log(`\n${mistakes.join('\n')}`)
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { mistakes: { type: 'boolean' } },
})
const [what, path] = positionals
if (what === 'proposals' && path !== undefined) measure(path, values.mistakes === true)
else if (what === 'syslog' && path !== undefined) measureSyslog(path, values.mistakes === true)
else if (what === 'ask' && path !== undefined) await measureAsk(path, values.mistakes === true)
else {
  console.error(
    'npm run measure -- proposals FOLDER [--mistakes]: FOLDER has the modules (MIBs) of the corpus',
  )
  console.error(
    'npm run measure -- syslog FILE [--mistakes]: FILE has messages and their meaning, as JSON lines',
  )
  console.error(
    'npm run measure -- ask FOLDER [--mistakes]: FOLDER has recorded walks (.snmprec, .snmprec.bz2)',
  )
  process.exitCode = 2
}
