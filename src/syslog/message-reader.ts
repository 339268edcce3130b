// Reads a syslog message, as RFC 5424 and RFC 3164 define it and as devices send it. Reading never fails: what is not
// recognised is text. It takes one pass over the text; headers are looked for in its beginning only.

import { findTime } from './device-time.ts'
import { findCode } from './message-code.ts'
import { readCommaSeparated, readPairs, readStructuredData } from './message-fields.ts'
import { type MessageCode, type SyslogMessage, severityOf } from './syslog-message.ts'

/** Longer messages are cut. */
export const maxMessageLength = 65_536

/** Without a priority a message is of facility user and severity notice (RFC 3164, 4.3.3). */
const defaultFacility = 1
const defaultSeverity = 5
const maxPriority = 191

const decoder = new TextDecoder('utf-8')
// Control characters do nothing but harm where the text is shown; lines and tabs stay.
const controls = /[\p{Cc}--[\n\t]]+/gv
const hasControls = /[\p{Cc}--[\n\t]]/v
const noData: ReadonlyMap<string, string> = new Map()

/** What the header has said so far. */
interface Header {
  facility: number | undefined
  severity: number | undefined
  host: string | undefined
  time: string | undefined
  program: string | undefined
  processId: string | undefined
}

/** All of a message, without characters that do harm. */
export const messageText = (bytes: Uint8Array): string =>
  cleaned(decoder.decode(bytes.subarray(0, maxMessageLength)))

export function readMessage(bytes: Uint8Array): SyslogMessage {
  const text = messageText(bytes)
  const header: Header = {
    facility: undefined,
    severity: undefined,
    host: undefined,
    time: undefined,
    program: undefined,
    processId: undefined,
  }
  const body = text.slice(readPriority(text, header)).replace(/^[\uFEFF\s]{1,8}/, '')
  return readStandard(body, header) ?? readLegacy(body, header)
}

/** Without the zeros and line ends that some devices append. */
function cleaned(text: string): string {
  let end = text.length
  while (end > 0 && '\0\r\n '.includes(text.charAt(end - 1))) end -= 1
  const whole = text.slice(0, end)
  return hasControls.test(whole) ? whole.replace(controls, (run) => '\uFFFD'.repeat(run.length)) : whole
}

function readPriority(text: string, header: Header): number {
  const found = /^\s{0,4}<(\d{1,3})>/.exec(text.slice(0, 9))
  const value = Number(found?.[1])
  if (!found || value > maxPriority) return 0
  header.facility = value >> 3
  header.severity = value & 7
  return found[0].length
}

const finish = (
  header: Header,
  code: MessageCode | undefined,
  data: ReadonlyMap<string, string>,
  text: string,
): SyslogMessage => ({
  ...header,
  facility: header.facility ?? defaultFacility,
  severity: header.severity ?? code?.severity ?? defaultSeverity,
  code,
  data,
  text,
})

// RFC 5424: version, time, host, program, process, message id, structured data, text.
const standard =
  /^[1-9]\d{0,2} (-|\d{4}-\d\d-\d\dT[\d:.]{8,18}(?:Z|[+-]\d\d:\d\d)?) (\S{1,255}) (\S{1,48}) (\S{1,128}) (\S{1,64}) /

function readStandard(body: string, header: Header): SyslogMessage | undefined {
  const found = standard.exec(body.slice(0, 600))
  if (!found) return undefined
  const [whole, time, host, program, processId, messageId] = found.map((field) =>
    field === '-' ? undefined : field,
  )
  const rest = body.slice(whole?.length)
  const structured = readStructuredData(rest)
  const text = rest.slice(structured?.length ?? 0).replace(/^ ?\uFEFF?/, '')
  const all = { ...header, time, host, program, processId }
  const inside = findCode(text)
  // The name of a message is more exact than what its text begins with.
  const named = messageId === undefined ? undefined : findCode(`${messageId}:`)?.code
  const code = named ?? inside?.code ?? nameless(messageId)
  const plain = inside && inside.start === 0 ? text.slice(inside.end).trimStart() : text
  return finish(all, code, structured?.data ?? noData, plain)
}

/** A message id that is not written as a code is one all the same. */
const nameless = (messageId: string | undefined): MessageCode | undefined =>
  messageId === undefined
    ? undefined
    : { name: messageId.toUpperCase(), otherNames: [], mnemonic: messageId, severity: undefined }

const sequence = /^\d{1,12}: /
// The card that speaks: RP/0/RSP0/CPU0:May  1 10:20:30
const speakingCard = /^[A-Z0-9]{1,8}(?:\/[A-Z0-9]{1,8}){1,4}:(?=\S)/
const name = /^([A-Za-z0-9][\w.-]{0,254}):? {1,2}/
const hostAfterTime = /^([A-Za-z0-9][\w.:()-]{0,254}) {1,2}/
const tag = /^([A-Za-z/][\w./()-]{0,47}?)(?:\[([\w.-]{1,32})\])?: ?/
const severityWord =
  /^(EMERG|ALERT|CRIT|CRITICAL|MAJOR|MINOR|ERR|ERROR|WARN|WARNING|NOTICE|INFO|DEBUG)(?:\(\d\)|[:,])[: ]{0,2}/
const topics = /^([a-z][\w!-]{0,30}(?:,[a-z][\w!-]{0,30}){1,5}) /
const maxParts = 8

/** Where a host may follow: after a time; after a time with a colon only if a code comes next. */
type HostPlace = 'anywhere' | 'before a code' | 'nowhere'

interface Taken {
  readonly length: number
  readonly hostPlace: HostPlace
}

/** Headers of RFC 3164 and of vendors, which come in any order and number. */
function readLegacy(body: string, header: Header): SyslogMessage {
  let rest = body.replace(/^:? {0,2}/, '')
  let hostPlace: HostPlace = 'nowhere'
  for (let part = 0; part < maxParts; part += 1) {
    const taken = takeHeaderPart(rest, header, hostPlace)
    if (taken === undefined) break
    hostPlace = taken.hostPlace
    rest = rest.slice(taken.length)
  }
  return readFields(rest, header) ?? readText(rest, header)
}

function takeHeaderPart(rest: string, header: Header, hostPlace: HostPlace): Taken | undefined {
  const number = sequence.exec(rest)
  if (number) return { length: number[0].length, hostPlace: 'nowhere' }
  const time = findTime(rest)
  if (time) {
    header.time = time.text
    return { length: time.length, hostPlace: time.endsWithColon ? 'before a code' : 'anywhere' }
  }
  if (rest.startsWith(': ')) return { length: 2, hostPlace }
  const card = speakingCard.exec(rest)
  if (card) return { length: card[0].length, hostPlace: 'nowhere' }
  return header.host === undefined ? takeHost(rest, header, hostPlace) : undefined
}

function takeHost(rest: string, header: Header, hostPlace: HostPlace): Taken | undefined {
  // Some devices put their name before the time or before the code.
  const before = name.exec(rest.slice(0, 260))
  if (before) {
    const [whole, host] = before
    const next = rest.slice(whole.length).replace(/^: /, '')
    const isBeforeTime = findTime(next) !== undefined || findTime(next.replace(sequence, '')) !== undefined
    const isBeforeCode = hostPlace === 'before a code' && whole.includes(':') && next.startsWith('%')
    if (isBeforeTime || isBeforeCode) {
      if (!isRelay.test(host ?? '')) header.host = host
      return { length: whole.length, hostPlace: 'nowhere' }
    }
  }
  const after = hostPlace === 'anywhere' ? hostAfterTime.exec(rest.slice(0, 260)) : null
  if (!after || after[1]?.endsWith(':') || rest.startsWith('last message repeated')) return undefined
  header.host = after[1]
  return { length: after[0].length, hostPlace: 'nowhere' }
}

/** Relays that write what they are before the time of the message. */
const isRelay = /^(?:syslogd?|msg)$/i

/** Bodies that are fields rather than text: key=value, and the values of Palo Alto Networks. */
function readFields(rest: string, header: Header): SyslogMessage | undefined {
  if (/^1?,\d{4}\/\d\d\/\d\d /.test(rest)) return readPaloAlto(rest, header)
  const start =
    /^(?:[\w-]{1,64}: )?(?:NetScreen )?(?=(?:date|id|device|device_id|devname|logver|timestamp)=)/.exec(
      rest.slice(0, 100),
    )
  if (!start) return undefined
  const data = readPairs(rest.slice(start[0].length))
  const first = (...names: string[]) => names.map((one) => data.get(one)).find((value) => value)
  const time = first('time', 'timestamp')
  const written = [data.get('date'), time].filter((part) => part !== undefined).join(' ')
  const id = first('logid', 'log_id', 'm', 'messageid')
  const level = first('level', 'severity', 'priority', 'pri') ?? ''
  // ScreenOS: device_id=fw-1  [Root]system-information-00542: …
  const screen = /^\S{1,80} {1,2}\[[\w-]{1,32}\]system-([a-z]{1,20})-(\d{5})/.exec(
    rest.slice(start[0].length, 200),
  )
  const all = {
    ...header,
    host: first('devname', 'device_name', 'device_id', 'fw', 'device') ?? header.host,
    time: written === '' ? header.time : written,
    severity:
      header.severity ??
      severityOf(screen?.[1] ?? level) ??
      (/^[0-7]$/.test(level) ? Number(level) : undefined),
    program: first('subtype', 'log_component') ?? header.program,
  }
  return finish(all, nameless(screen?.[2] ?? id), data, rest.slice(start[0].length))
}

/** SYSTEM messages have their name in the ninth field; the others are traffic and threats. */
function readPaloAlto(rest: string, header: Header): SyslogMessage {
  const fields = readCommaSeparated(rest, 24)
  const [, time, serial = '', type = '', subtype = ''] = fields
  const isSystem = type === 'SYSTEM'
  const severity = isSystem ? severityOf(fields[13] ?? '') : undefined
  const all = {
    ...header,
    time: time ?? header.time,
    host: header.host ?? (fields[22] || undefined),
    program: `${type}/${subtype}`,
    severity: header.severity ?? severity,
  }
  const data = new Map([
    ['serial', serial],
    ['object', fields[9] ?? ''],
  ])
  return isSystem
    ? finish(all, nameless(fields[8]), data, fields[14] ?? '')
    : finish(all, undefined, data, rest)
}

function readText(rest: string, header: Header): SyslogMessage {
  const word = severityWord.exec(rest.slice(0, 24))
  let text = rest
  if (word) {
    header.severity ??= severityOf(word[1] ?? '')
    text = text.slice(word[0].length)
  }
  const topic = word ? null : topics.exec(text.slice(0, 200))
  if (topic) {
    const named = (topic[1] ?? '').split(',')
    header.program = named[0]
    header.severity ??= named.map(severityOf).find((level) => level !== undefined)
    text = text.slice(topic[0].length)
  }
  const code = findCode(text)
  if (code && code.start === 0) return finish(header, code.code, noData, text.slice(code.end).trimStart())
  const found = tag.exec(text.slice(0, 100))
  // After a severity or a topic comes the text, which may have a colon too.
  if (found && !topic && !word) {
    header.program = found[1]
    header.processId = found[2]
    text = text.slice(found[0].length)
  }
  const inside = findCode(text)
  const plain = inside ? text.slice(inside.end).trimStart() : text
  return finish(header, inside?.code, noData, plain)
}
