// `npm run measure -- syslog FILE`: how many messages are read right, and how many mean what somebody else says that they
// mean. The messages are not part of the project: FILE has one a line, as JSON with the fields `vendor`, `system`,
// `class`, `message`, `kind` (raise, clear, neither, both) and `vars`, which names what the message is about.
//
// A third, by a hash of vendor, system and class, is held back: `--mistakes` does not list it.

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { MessageMatcher, type SyslogMeaning } from '../src/syslog/message-matcher.ts'
import { readMessage } from '../src/syslog/message-reader.ts'
import { readShippedDefinitions } from '../src/syslog/syslog-definitions.ts'
import type { SyslogMessage } from '../src/syslog/syslog-message.ts'
import { Share } from './share.ts'

interface Judged {
  readonly vendor: string
  readonly system: string
  readonly class: string
  readonly message: string
  readonly kind: 'raise' | 'clear' | 'neither' | 'both'
  readonly vars: Readonly<Record<string, string>>
}

/** Host and time as hashes, so that nothing of the messages is kept here; severity where the message says it. */
interface JudgedHeader {
  readonly host?: string
  readonly time?: string
  readonly severity?: number
}

const hash = (text: string, length: number) =>
  createHash('sha256').update(text).digest('hex').slice(0, length)
const headers: Readonly<Record<string, JudgedHeader>> = JSON.parse(
  readFileSync(new URL('corpus/syslog-headers.json', import.meta.url), 'utf8'),
)
const isHeldBack = (one: Judged) =>
  createHash('sha256').update(`${one.vendor}/${one.system}/${one.class}`).digest().readUInt8(0) < 86

const rows = [
  ['host read right', 'host'],
  ['time read right', 'time'],
  ['severity read right', 'severity'],
  ['raise, clear or neither right', 'kind'],
  ['raises found', 'raise'],
  ['clears found', 'clear'],
  ['neutral ones that open nothing', 'neutral'],
  ['key right: links, BGP, OSPF, power, fans', 'key'],
] as const
type Figures = Record<(typeof rows)[number][1], Share>
const emptyFigures = () => Object.fromEntries(rows.map(([, name]) => [name, new Share()])) as Figures

const hasKey = /\| (?:Link \| Link|BGP \| (?:Peer Down|Established)|OSPF \||PSU \| PSU|Fan \| Fan)/
/** The variables by which the corpus names the subject of such a message. */
const subjects = ['interface', 'peer', 'neighbor', 'name']

const plain = (text: string) => text.toLowerCase().replace(/[\s:,.]+/g, '')

function keyIsRight({ vars }: Judged, { parts, definition }: SyslogMeaning): boolean {
  const wanted = subjects.map((name) => vars[name]).find((value) => value !== undefined)
  const given = definition.key.map((name) => plain(parts.get(name) ?? ''))
  if (wanted === undefined) return true
  return given.some(
    (value) => value !== '' && (value.includes(plain(wanted)) || plain(wanted).includes(value)),
  )
}

function compare(
  one: Judged,
  message: SyslogMessage,
  meaning: SyslogMeaning | undefined,
  figures: Figures,
  judgesHeaders: boolean,
): string[] {
  const wrong: string[] = []
  const judge = (figure: keyof Figures, isRight: boolean, words: string) => {
    figures[figure].add(isRight)
    if (!isRight) wrong.push(words)
  }
  const header = headers[hash(one.message, 16)] ?? {}
  const { host, time, severity } = message
  if (judgesHeaders) {
    judge('host', header.host === (host && hash(host, 8)), `host ${host}`)
    judge('time', header.time === (time && hash(time, 8)), `time ${time}`)
  }
  if (header.severity !== undefined) judge('severity', severity === header.severity, `severity ${severity}`)
  const does = meaning?.does === 'raise' || meaning?.does === 'clear' ? meaning.does : 'neither'
  const by = meaning ? ` (${meaning.definition.name})` : ''
  const isRight = one.kind === does || (one.kind === 'both' && does !== 'neither')
  judge('kind', isRight, `${does}${by}, not ${one.kind}`)
  if (one.kind === 'raise' || one.kind === 'clear') figures[one.kind].add(isRight)
  if (one.kind === 'neither') figures.neutral.add(does !== 'raise')
  if (meaning && isRight && does !== 'neither' && hasKey.test(one.class))
    judge('key', keyIsRight(one, meaning), `key ${meaning.resource}, not ${JSON.stringify(one.vars)}${by}`)
  return wrong.map((words) => `${one.vendor} ${one.system}: ${words}: ${one.message.slice(0, 140)}`)
}

export function measureSyslog(file: string, showMistakes: boolean): void {
  const corpus: Judged[] = readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
  const { definitions } = readShippedDefinitions()
  const matcher = new MessageMatcher(definitions)
  const [worked, heldBack, all] = [emptyFigures(), emptyFigures(), emptyFigures()]
  const mistakes: string[] = []
  // Of other messages it is not known what their headers say.
  const judgesHeaders = corpus.some(({ message }) => headers[hash(message, 16)] !== undefined)
  for (const one of corpus) {
    const message = readMessage(Buffer.from(one.message))
    const meaning = matcher.match(message)
    compare(one, message, meaning, all, judgesHeaders)
    const found = compare(one, message, meaning, isHeldBack(one) ? heldBack : worked, judgesHeaders)
    if (!isHeldBack(one)) mistakes.push(...found)
  }
  console.log(`${corpus.length} messages, ${definitions.length} definitions\n`)
  console.log(`${''.padEnd(42)}${'all'.padEnd(20)}${'worked on'.padEnd(20)}held back`)
  for (const [words, name] of rows)
    console.log(
      `${words.padEnd(42)}${String(all[name]).padEnd(20)}${String(worked[name]).padEnd(20)}${heldBack[name]}`,
    )
  if (showMistakes) console.log(`\n${mistakes.join('\n')}`)
}
