// Messages and definitions to measure with: what a network says when nothing is wrong, and one in a hundred that matters.

import { Sources } from '../src/intake/source.ts'
import { MessageMatcher } from '../src/syslog/message-matcher.ts'
import { readMessage } from '../src/syslog/message-reader.ts'
import {
  readDefinitions,
  readShippedDefinitions,
  type SyslogDefinition,
} from '../src/syslog/syslog-definitions.ts'

const shipped = readShippedDefinitions()

const harmless = [
  '<86>Nov 18 10:00:01 srv1 sshd[2211]: Accepted publickey for deploy from 192.0.2.10 port 51234 ssh2: RSA SHA256:abc',
  '<86>Nov 18 10:00:01 srv1 CRON[2212]: pam_unix(cron:session): session opened for user root by (uid=0)',
  '<30>Nov 18 10:00:01 srv1 systemd[1]: Started Session 1234 of user root.',
  '<166>Nov 18 2024 10:00:01 fw1 : %ASA-6-302013: Built outbound TCP connection 12345 for outside:192.0.2.1/443 (192.0.2.1/443) to inside:10.0.0.1/51234 (10.0.0.1/51234)',
  '<189>date=2024-11-18 time=10:00:01 devname="fgt1" devid="FG1" logid="0000000013" type="traffic" subtype="forward" level="notice" vd="root" srcip=10.1.1.1 srcport=1234 srcintf="port1" dstip=192.0.2.1 dstport=443 dstintf="wan1" action="close" policyid=1 service="HTTPS" sentbyte=1234 rcvdbyte=5678',
  '<134>1,2024/11/18 10:00:01,0123456789,TRAFFIC,end,2305,2024/11/18 10:00:01,10.1.1.1,192.0.2.1,203.0.113.1,192.0.2.1,rule1,,,ssl,vsys1,trust,untrust,ethernet1/1,ethernet1/2,fwd',
  '<30>Nov 18 10:00:01 srv1 dhcpd: DHCPACK on 10.0.0.55 to 00:1b:44:11:3a:b7 (host55) via eth0',
  '<190>Nov 18 10:00:01 r1 123456: Nov 18 09:00:01.123 UTC: %SEC-6-IPACCESSLOGP: list 101 denied tcp 192.0.2.5(1234) -> 10.0.0.1(23), 1 packet',
  '<14>1 2024-11-18T10:00:01.123Z host app 123 ID47 [x@32473 a="b"] A request was served in 12 ms by worker 4',
  '<4>Nov 18 10:00:01 srv1 kernel: [12345.678901] DROP IN=eth0 OUT= SRC=192.0.2.1 DST=10.0.0.1 LEN=60 TTL=52 PROTO=TCP SPT=1234 DPT=22',
  '<22>Nov 18 10:00:01 mail postfix/smtpd[1234]: disconnect from unknown[192.0.2.1] ehlo=1 auth=0/1 quit=1 commands=2/3',
]

/** In an order that repeats: ninety-nine that are harmless, then an example of a definition. */
export function linesOf(count: number): Buffer[] {
  const examples = shipped.definitions.flatMap((one) => one.examples.map(({ message }) => message))
  return Array.from({ length: count }, (_, at) => {
    const from = at % 100 === 99 ? examples : harmless
    const turn = at % 100 === 99 ? Math.floor(at / 100) : at
    return Buffer.from(from[turn % from.length] ?? '')
  })
}

const parts = ['pump', 'valve', 'relay', 'cache', 'queue', 'tunnel', 'sensor', 'door', 'shelf', 'blade']
const common = ['port', 'interface', 'link', 'fan', 'from', 'for', 'session', 'user', 'connection', 'request']

/** Letters, because words of definitions have no digits. */
const nameOf = (number: number): string =>
  Array.from(number.toString(26), (digit) => String.fromCharCode(97 + Number.parseInt(digit, 26))).join('')

/** Of ten: five by a code, three by a word that few have, two by a word that is in every other message. */
function made(at: number): object {
  const subject = `${parts[at % parts.length]}${nameOf(at)}`
  const by = at % 10
  const texts = [`\\b${subject} (?P<unit>\\w+) (?:changed to |is )?(?P<state>failed|ok)\\b`]
  const found =
    by < 5 ? { codes: [`SYS${at}-STATE`] } : { words: [by < 8 ? subject : common[Math.floor(at / 10) % 10]] }
  return {
    name: `made${at}`,
    event: shipped.events[0]?.eventOid,
    does: 'state',
    ...found,
    texts,
    key: ['unit'],
    examples: [],
  }
}

/** The shipped ones, and as many others as there have to be. */
export function definitionsOf(count: number): SyslogDefinition[] {
  const more = Math.max(0, count - shipped.definitions.length)
  return [...madeDefinitions(more), ...shipped.definitions].slice(0, count)
}

/** As users write them: they mean what they say. */
export const ownDefinitions = (count: number): SyslogDefinition[] =>
  madeDefinitions(count).map((one) => ({ ...one, isLiteral: true }))

function madeDefinitions(count: number): SyslogDefinition[] {
  const definitions = Array.from({ length: count }, (_, at) => made(at))
  const byOid = new Map(shipped.events.map((event) => [event.eventOid, event]))
  return readDefinitions(JSON.stringify({ about: 'made', definitions }), 'made', byOid, true)
}

/** Reads, matches and counts as the sieve does. */
export class Matching {
  readonly #matcher: MessageMatcher
  readonly #sources = new Sources()
  /** Messages that raise or end an alarm. */
  passed = 0

  /** `own` are tried before the others. */
  constructor(definitions: readonly SyslogDefinition[], own: readonly SyslogDefinition[] = []) {
    this.#matcher = new MessageMatcher(definitions)
    this.#matcher.prefer(own)
  }

  /** Microseconds of processor time a message. */
  cost(lines: readonly Buffer[]): number {
    const before = process.threadCpuUsage()
    for (const [at, line] of lines.entries()) this.#sieve(line, `192.0.2.${at & 127}`, at)
    const { user, system } = process.threadCpuUsage(before)
    return (user + system) / lines.length
  }

  #sieve(line: Buffer, sourceIp: string, at: number): void {
    const meaning = this.#matcher.match(readMessage(line))
    if (meaning?.does === 'raise' || meaning?.does === 'clear') this.passed += 1
    else
      this.#sources
        .find(sourceIp, at)
        .count(meaning ? 'message without an alarm' : 'message without a definition', undefined, at)
  }
}
