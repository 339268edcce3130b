// Sieves syslog messages where they are received: those that raise or end an alarm go on, byte by byte as they came; all
// others are counted by source, and cost no row. The last of all of them can be read.

import { messageStorm } from '../alarms/service/service-alarms.ts'
import { addressOf } from '../schema/space.ts'
import { MessageMatcher } from '../syslog/message-matcher.ts'
import { readMessage } from '../syslog/message-reader.ts'
import type { SyslogDefinition } from '../syslog/syslog-definitions.ts'
import { type Datagram, monotonicTime } from './datagram-block.ts'
import type { Report } from './intake.ts'
import { MessageCounts } from './message-counts.ts'
import { MessageMemory } from './message-memory.ts'
import { MessageRelays } from './message-relays.ts'
import { MessageThresholds } from './message-thresholds.ts'
import { Sources, type Tally } from './source.ts'
import { StormGuard, type StormSettings } from './storm-guard.ts'
import { AllowedSenders, withoutZone } from './trap-reader.ts'

export interface SieveSettings {
  readonly senders: readonly string[]
  readonly relays: readonly string[]
  /** Messages a second. */
  readonly storm: StormSettings
  /** Memory for the last messages. */
  readonly ringBytes: number
}

export class MessageSieve {
  readonly #senders: AllowedSenders
  readonly matcher: MessageMatcher
  readonly #sources = new Sources()
  readonly #guard: StormGuard
  readonly relays: MessageRelays
  readonly memory: MessageMemory
  readonly thresholds = new MessageThresholds()
  /** What each device has said, read or not. */
  readonly counts = new MessageCounts()

  constructor(
    { senders, relays, storm, ringBytes }: SieveSettings,
    definitions: readonly SyslogDefinition[],
    now: number,
  ) {
    this.#senders = new AllowedSenders(senders)
    this.matcher = new MessageMatcher(definitions)
    this.#guard = new StormGuard(storm, this.#sources, now)
    this.relays = new MessageRelays(relays)
    this.memory = new MessageMemory(ringBytes)
  }

  /** Whether it may open a connection; if not, that is counted. */
  admitsSender(sourceIp: string): boolean {
    const isAllowed = this.#senders.allows(addressOf(withoutZone(sourceIp)))
    if (!isAllowed) this.count(sourceIp, 'sender')
    return isAllowed
  }

  /** Counts a message that is not read, or a connection that was refused. */
  count(sourceIp: string, reason: Tally['reason']): void {
    this.#sources.find(sourceIp, performance.now()).count(reason, undefined, monotonicTime())
  }

  /** Whether the message goes on; if not, it is counted. */
  admits(datagram: Datagram, now: number): boolean {
    const { sourceIp, receivedAt, bytes } = datagram
    const source = this.#sources.find(sourceIp, now)
    const count = (reason: Tally['reason']) => source.count(reason, undefined, receivedAt)
    if (!this.#senders.allows(addressOf(withoutZone(sourceIp)))) count('sender')
    // Before it is read: a sender that floods the service costs next to nothing.
    else if (!this.#guard.admits(source, now)) {
      source.count('storm', messageStorm + this.#guard.about(source), receivedAt)
      this.counts.note(withoutZone(sourceIp), receivedAt)
    } else {
      const message = readMessage(bytes)
      const address = withoutZone(sourceIp)
      const deviceIp = this.relays.deviceOf(address, message.host) ?? address
      this.counts.note(deviceIp, receivedAt)
      if (!this.thresholds.passes(deviceIp, message)) {
        count('message below a threshold')
        return false
      }
      const meaning = this.matcher.match(message, deviceIp)
      this.memory.note(deviceIp, datagram, message, meaning)
      if (meaning?.does === 'raise' || meaning?.does === 'clear') return true
      count(meaning ? 'message without an alarm' : 'message without a definition')
    }
    return false
  }

  /** About once a second: the counts since the last time, and the current storms. */
  tick(now: number): Report {
    this.#guard.tick(now)
    const tallies = Array.from(this.#sources, (source) => source.takeTallies()).flat()
    this.#sources.forgetSilent(now)
    return { tallies, storms: this.#guard.storms().map((storm) => messageStorm + storm) }
  }
}
