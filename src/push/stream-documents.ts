// Encodes entries for clients, in the variants that clients can ask for.

import type { EntryKind, LogEntry } from '../alarms/log/alarm-log.ts'
import { alarmOperatorFields, pushedAlarm } from '../resources/alarms/alarm.ts'
import { flatXmlReader } from '../schema/flat-xml.ts'
import { declaration, escapeXml } from '../schema/xml.ts'

export type StreamForm = 'xml' | 'json' | 'sse'

export interface Variant {
  readonly form: StreamForm
  readonly sendRecovered: boolean
  /** Whether XML and JSON documents carry their position. */
  readonly cursor: boolean
  /** Whether documents also contain operators' work on the alarm. */
  readonly changes?: boolean
}

const either = [true, false]
const variants: readonly Variant[] = (['xml', 'json', 'sse'] as const).flatMap((form) =>
  either.flatMap((sendRecovered) =>
    either.flatMap((cursor) => either.map((changes) => ({ form, sendRecovered, cursor, changes }))),
  ),
)

/** The same object for all equal variants, so that it can be a key of caches. */
export const sharedVariant = ({ form, sendRecovered, cursor, changes = false }: Variant): Variant =>
  variants.find(
    (variant) =>
      variant.form === form &&
      variant.sendRecovered === sendRecovered &&
      variant.cursor === cursor &&
      variant.changes === changes,
  ) as Variant

/** The content of a document. */
export interface Pushed {
  readonly xml: string
  /** Push, Recover, or an operator's action. */
  readonly action: string
  /** XML elements about operators' work, for clients that asked for it. */
  readonly more?: string
  readonly clearedOids: readonly string[]
  /** Undefined where the document has none. */
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
const readWork = flatXmlReader(alarmOperatorFields, true)

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

/** Reports missing entries to a client that sent a position. */
export function encodeGap(gap: { from: string; to: string; reason: string }, variant: Variant): string {
  const { from, to, reason } = gap
  if (variant.form === 'xml') {
    return `${declaration}<gap><from>${escapeXml(from)}</from><to>${to}</to><reason>${escapeXml(reason)}</reason></gap>\n\n`
  }
  if (variant.form === 'sse') return `event: gap\n${sseEvent(to, JSON.stringify(gap))}`
  return `${JSON.stringify({ gap })}\n\n`
}

/** Moves a client with a narrow filter forward, so that its position is not removed from the log. */
export function encodeBookmark(position: string, variant: Variant): string | undefined {
  // A comment keeps the connection alive; the id alone moves a browser's position without an event.
  if (variant.form === 'sse') return `:\nid: ${position}\n\n`
  if (!variant.cursor) return undefined
  if (variant.form === 'json') return `${JSON.stringify({ bookmark: { cursor: position } })}\n\n`
  return `${declaration}<bookmark><cursor>${position}</cursor></bookmark>\n\n`
}

/** The iMC form ends like a document: a client that reads up to an empty line would join it to the next alarm. */
export const heartbeat = (form: StreamForm, imcForm: boolean) =>
  form === 'sse' ? ':\n\n' : imcForm ? '#HEART_BEAT\n\n' : '\n'

const sseEvent = (position: string | undefined, data: string) =>
  `${position === undefined ? '' : `id: ${position}\n`}data: ${data}\n\n`
