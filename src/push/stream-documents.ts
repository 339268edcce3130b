// Entries as they are written to clients: each is encoded once per variant, however many clients there are.

import type { EntryKind, LogEntry } from '../alarms/log/alarm-log.ts'
import { pushedAlarm, workOnAlarm } from '../resources/alarms/alarm.ts'
import { flatXmlReader } from '../schema/flat-xml.ts'
import { declaration, escapeXml } from '../schema/xml.ts'

export type StreamForm = 'xml' | 'json' | 'sse'

export interface Variant {
  readonly form: StreamForm
  readonly sendRecovered: boolean
  /** Whether XML and JSON documents carry their position. */
  readonly cursor: boolean
  /** Whether documents also contain what people have done with the alarm. */
  readonly changes?: boolean
}

const either = [true, false]
const variants: readonly Variant[] = (['xml', 'json', 'sse'] as const).flatMap((form) =>
  either.flatMap((sendRecovered) =>
    either.flatMap((cursor) => either.map((changes) => ({ form, sendRecovered, cursor, changes }))),
  ),
)

/** The one object for all equal variants: encoded forms are then found by it. */
export const sharedVariant = ({ form, sendRecovered, cursor, changes = false }: Variant): Variant =>
  variants.find(
    (one) =>
      one.form === form &&
      one.sendRecovered === sendRecovered &&
      one.cursor === cursor &&
      one.changes === changes,
  ) as Variant

/** What is sent of an entry. */
export interface Pushed {
  readonly xml: string
  /** Push, Recover, or an action of people. */
  readonly action: string
  /** For clients that asked for people's work: XML elements. */
  readonly more?: string
  readonly clearedOids: readonly string[]
  /** Absent where a document has no position. */
  readonly position: string | undefined
}

export const pushedOf = (entry: LogEntry, position: string | undefined): Pushed => ({
  xml: entry.xml,
  action: actionOf(entry.kind),
  more: entry.operatorXml,
  clearedOids: entry.cleared.map(({ OID }) => OID),
  position,
})

/** Whether documents of a variant carry their position. */
export const carriesPosition = ({ form, cursor }: Variant): boolean => form === 'sse' || cursor

const pushes: ReadonlySet<EntryKind> = new Set(['raise', 'rise', 'release'])

const actionOf = (kind: EntryKind) =>
  pushes.has(kind) ? 'Push' : kind.charAt(0).toUpperCase() + kind.slice(1)

const begin = `<${pushedAlarm.name}>`
const end = `</${pushedAlarm.name}>`
const readAlarm = flatXmlReader(pushedAlarm)
const readWork = flatXmlReader(workOnAlarm, true)

export function encode(pushed: Pushed, variant: Variant): string {
  const { xml, action, clearedOids, position } = pushed
  const more = variant.changes ? (pushed.more ?? '') : ''
  const withCleared = variant.sendRecovered && action === 'Recover'
  if (variant.form === 'xml') {
    const cleared = withCleared
      ? `<lstRecovered>${clearedOids.map((oid) => `<faultOid>${escapeXml(oid)}</faultOid>`).join('')}</lstRecovered>`
      : ''
    const cursor = variant.cursor && position !== undefined ? `<cursor>${position}</cursor>` : ''
    return `${declaration}${xml.slice(0, -end.length)}<nAction>${action}</nAction>${cleared}${more}${cursor}${end}\n\n`
  }
  const object: Record<string, unknown> = {
    ...readAlarm(xml.slice(begin.length, -end.length)),
    nAction: action,
  }
  if (withCleared) object.lstRecovered = { faultOid: clearedOids }
  if (more !== '') Object.assign(object, readWork(more))
  if (variant.form === 'sse') return sseEvent(position, JSON.stringify(object))
  if (variant.cursor && position !== undefined) object.cursor = position
  return `${JSON.stringify(object)}\n\n`
}

/** A position that is no longer covered, reported to a client that sent one. */
export function encodeGap(gap: { from: string; to: string; reason: string }, variant: Variant): string {
  const { from, to, reason } = gap
  if (variant.form === 'xml') {
    return `${declaration}<gap><from>${escapeXml(from)}</from><to>${to}</to><reason>${escapeXml(reason)}</reason></gap>\n\n`
  }
  if (variant.form === 'sse') return `event: gap\n${sseEvent(to, JSON.stringify(gap))}`
  return `${JSON.stringify({ gap })}\n\n`
}

/** How far a client with a narrow filter has come, so that it does not fall out of the log. */
export function encodeBookmark(position: string, variant: Variant): string | undefined {
  // A comment keeps the connection alive; the id alone moves a browser's position without an event.
  if (variant.form === 'sse') return `:\nid: ${position}\n\n`
  if (!variant.cursor) return undefined
  if (variant.form === 'json') return `${JSON.stringify({ bookmark: { cursor: position } })}\n\n`
  return `${declaration}<bookmark><cursor>${position}</cursor></bookmark>\n\n`
}

/** The family's ends like a document: a reader that collects up to an empty line would join it to the next alarm. */
export const heartbeat = (form: StreamForm, familyForm: boolean) =>
  form === 'sse' ? ':\n\n' : familyForm ? '#HEART_BEAT\n\n' : '\n'

const sseEvent = (position: string | undefined, data: string) =>
  `${position === undefined ? '' : `id: ${position}\n`}data: ${data}\n\n`
