// Turns a syslog message that a definition knows into a report that the engine processes like a trap.

import type { IncomingTrap } from '../alarms/engine/incoming-trap.ts'
import type { ReportedByMessages } from '../alarms/engine/reported-faults.ts'
import { shippedOf, standardEvents } from '../events/event-file.ts'
import type { Variable } from '../events/naming.ts'
import { messageTextOid, wholeMessageOid } from '../resources/alarms/message-definition.ts'
import type { SyslogMeaning } from '../syslog/message-matcher.ts'
import { messageText, readMessage } from '../syslog/message-reader.ts'
import type { OwnDefinitions } from '../syslog/own-definitions.ts'
import type { ReportedEvent, SyslogCatalogue } from '../syslog/syslog-definitions.ts'
import type { SyslogMessage } from '../syslog/syslog-message.ts'
import type { KnownNames } from './known-names.ts'
import type { MessageRelays } from './message-relays.ts'
import type { MessageReading } from './trap-reader.ts'

/** The device's own time, as a variable of the message. */
const timeOid = '1.3.6.1.4.1.32473.514.3.2'
const maxTextLength = 2000

/** The notification with which traps report the end, by the OID of the fault. */
const endings = new Map(
  standardEvents.toReversed().flatMap((event) => (event.recovers ?? []).map((fault) => [fault, event])),
)

/** Undefined if the message neither raises nor ends an alarm. */
export function reportOf(
  message: SyslogMessage,
  { definition: { event, key, isLevelBySeverity }, does, parts }: SyslogMeaning,
  from: Pick<IncomingTrap, 'sourceIp' | 'agentIp' | 'receivedAt'>,
  /** As it came. */
  whole: string,
): IncomingTrap | undefined {
  if (event === undefined || (does !== 'raise' && does !== 'clear')) return undefined
  const reported = does === 'clear' ? (endings.get(event.eventOid) ?? event) : event
  const named = key.flatMap((name) => {
    const value = parts.get(name)
    return value === undefined ? [] : [[name, bounded(value)] as const]
  })
  const own = [octets(messageTextOid, bounded(message.text))]
  if (message.time !== undefined) own.push(octets(timeOid, bounded(message.time)))
  own.push(octets(wholeMessageOid, bounded(whole)))
  const level = isLevelBySeverity ? levelOf(message.severity) : undefined
  return {
    kind: 'trap',
    ...from,
    version: 'syslog',
    oid: reported.eventOid,
    variables: [...variablesOf(reported, parts), ...own],
    message: { does, fault: event.eventOid, level, key: new Map(named) },
  }
}

/** Critical for emergency, alert and critical; warning for notice and what is less severe. */
const levels = [1, 1, 1, 2, 3]
const levelOf = (severity: number) => levels[severity] ?? 4

const bounded = (text: string) => text.trim().slice(0, maxTextLength).toWellFormed()
const octets = (oid: string, value: string): Variable => ({ oid, type: 'OctetString', value })

/** Parts have the names of the event's parameters. */
function variablesOf({ parameter = [] }: ReportedEvent, parts: ReadonlyMap<string, string>): Variable[] {
  return parameter.flatMap(({ name, oid, fromIndex }) => {
    const value = parts.get(name)
    if (value === undefined) return []
    return [fromIndex ? octets(`${oid}.${bounded(value)}`, '') : octets(oid, bounded(value))]
  })
}

/** Reads messages that were sieved, as reports; `relays` are those whose messages name the device. */
export const messageReading = (
  definitions: OwnDefinitions,
  relays: MessageRelays,
  names: KnownNames,
): MessageReading => ({
  async refresh() {
    await definitions.refresh()
    relays.setNames(await names.read())
  },
  read(bytes, from) {
    const message = readMessage(bytes)
    const agentIp = relays.deviceOf(from.sourceIp, message.host)
    const meaning = definitions.matcher.match(message, agentIp ?? from.sourceIp)
    return meaning && reportOf(message, meaning, { ...from, agentIp }, messageText(bytes))
  },
})

/** What the engine has to know of the events that messages report. */
export function reportedByMessages({
  events,
  definitions,
}: SyslogCatalogue): Omit<ReportedByMessages, 'areExpected'> {
  const own = new Map(events.map((event) => [event.eventOid, shippedOf(event, 'syslog definitions')]))
  const used = definitions.flatMap(({ event }) => (event ? [event.eventOid] : []))
  return { events: own, shared: new Set(used.filter((oid) => !own.has(oid))) }
}
