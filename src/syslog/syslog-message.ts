// A syslog message as it was read: the fields of RFC 5424, whichever form it came in.

export interface SyslogMessage {
  /** 0 to 23. */
  readonly facility: number
  /** 0 (emergency) to 7 (debug). */
  readonly severity: number
  /** The name or address that the message gives its sender, which need not be the address it came from. */
  readonly host: string | undefined
  /** The device's own time as it wrote it: clocks of devices are wrong too often to be calculated with. */
  readonly time: string | undefined
  readonly program: string | undefined
  readonly processId: string | undefined
  /** The vendor's name for this kind of message, such as `LINK-3-UPDOWN`, `SNMP_TRAP_LINK_DOWN` or a MSGID. */
  readonly code: MessageCode | undefined
  /** Structured data (`id.name`), and the pairs of messages that are written as key=value. */
  readonly data: ReadonlyMap<string, string>
  readonly text: string
}

export interface MessageCode {
  /** Without severity, in upper case, `-` between the parts: `LINK-UPDOWN`. */
  readonly name: string
  /** Shorter names of the same: without the slot (`PM-SP-4-…`), or without the family (`ROUTING-BGP-5-…`). */
  readonly otherNames: readonly string[]
  /** Its last part, which says what happened. */
  readonly mnemonic: string
  readonly severity: number | undefined
}

/** Words and letters that devices use for a severity; `undefined` for others. */
export function severityOf(word: string): number | undefined {
  return severityWords[word.toLowerCase()]
}

const severityWords: Readonly<Record<string, number>> = {
  emerg: 0,
  emergency: 0,
  alert: 1,
  a: 1,
  crit: 2,
  critical: 2,
  fatal: 2,
  major: 2,
  c: 2,
  err: 3,
  erro: 3,
  error: 3,
  high: 3,
  minor: 3,
  e: 3,
  warn: 4,
  warning: 4,
  medium: 4,
  w: 4,
  notice: 5,
  noti: 5,
  notification: 5,
  low: 5,
  n: 5,
  info: 6,
  information: 6,
  informational: 6,
  summ: 6,
  i: 6,
  debug: 7,
  debu: 7,
  d: 7,
}
