// Reads datagrams: checks the sender, decodes, detects duplicates, and prepares answers to informs.

import type { Logger } from 'pino'
import type { Incoming, IncomingTrap, Outcome } from '../alarms/engine/incoming-trap.ts'
import { Networks } from '../config/networks.ts'
import { addressOf, inSpace, spaceOf } from '../schema/space.ts'
import { trapCommunity } from '../snmp/community.ts'
import { abandonInform, answerInform, type Decoder, type Inform, type Trap } from '../snmp/decoder.ts'
import { ReportBudget } from '../snmp/report-budget.ts'
import type { Transaction } from '../store/database.ts'
import type { Datagram } from './datagram-block.ts'
import {
  Duplicates,
  type Fingerprint,
  fingerprintOf,
  isMessagePrint,
  messagePrintOf,
  type Sighting,
} from './duplicates.ts'
import { OtherNodeCopies } from './other-node-copies.ts'
import type { Tally } from './source.ts'

interface TrapReaderParts {
  readonly decoder: Decoder
  readonly senders: AllowedSenders
  /** State that reading changes, and that must be on disk together with the traps. */
  readonly kept: readonly { write(tx: Transaction): Promise<void> }[]
  /** How long an equal datagram counts as a duplicate; 0: never. */
  readonly duplicateSeconds: number
  /** The decoder's clock, if it is set to the time at which each datagram was received. */
  readonly moment?: { now: number }
  /** Reads syslog messages; absent if none are received. */
  readonly messages?: MessageReading | undefined
  readonly log: Logger
}

export interface MessageReading {
  /** Reads changed definitions. */
  refresh(): Promise<void>
  /** A report, or undefined if the message neither raises nor ends an alarm. */
  read(bytes: Uint8Array, from: Pick<IncomingTrap, 'sourceIp' | 'receivedAt'>): IncomingTrap | undefined
}

interface WaitingInform {
  readonly inform: Inform
  /** Its index in the batch. */
  readonly index: number
  readonly to: Datagram
  /** The datagram that it duplicates. */
  readonly copyOf: Sighting | undefined
}

/** An answer to the sender of a datagram. */
export interface Reply {
  readonly bytes: Buffer
  readonly to: Pick<Datagram, 'sourceIp' | 'port'>
}

/** Informs with these outcomes are not answered. */
const notKept: readonly (Outcome | undefined)[] = ['refused', 'malformed']

/** Datagrams that are processed together, in order. */
export class Batch {
  readonly incoming: Incoming[] = []
  /** SNMPv3 reports about faulty messages, which are sent before anything is processed. */
  readonly reports: Reply[] = []
  readonly waiting: WaitingInform[] = []
  readonly sightings: { readonly index: number; readonly sighting: Sighting }[] = []
  /** Fingerprints of datagrams that are not duplicates from the same node. */
  readonly #prints: { readonly index: number; readonly of: Datagram; readonly print: Fingerprint }[] = []

  note(index: number, of: Datagram, print: Fingerprint): void {
    this.#prints.push({ index, of, print })
  }

  /** Fingerprints of the datagrams that were accepted. */
  fingerprints(outcomes: readonly Outcome[]): { readonly of: Datagram; readonly print: Fingerprint }[] {
    return this.#prints.filter(({ index }) => !notKept.includes(outcomes[index]))
  }

  count(): number {
    let count = 0
    for (const incoming of this.incoming) count += incoming.kind === 'rejected' ? incoming.times : 1
    return count
  }

  /** The answers to informs, once the outcomes are known; only informs that were kept are answered. */
  answers(outcomes: readonly Outcome[] | undefined): Reply[] {
    const isKept = (index: number) => outcomes !== undefined && !notKept.includes(outcomes[index])
    for (const { index, sighting } of this.sightings) if (!isKept(index)) sighting.refused = true
    const replies: Reply[] = []
    for (const { inform, to, index, copyOf } of this.waiting) {
      // The others are not answered, so their senders try again.
      if (isKept(index) && !copyOf?.refused) replies.push({ bytes: answerInform(inform), to })
      else abandonInform(inform)
    }
    return replies
  }
}

export class TrapReader {
  readonly #parts: TrapReaderParts
  /** By the node that received the datagrams. */
  readonly #duplicates = new Map<string, Duplicates>()
  readonly #copies: OtherNodeCopies
  readonly #reports = new ReportBudget()

  constructor(parts: TrapReaderParts) {
    this.#parts = parts
    this.#copies = new OtherNodeCopies(parts.duplicateSeconds * 1000)
  }

  /** Writes the state that reading has changed, in the transaction that writes the traps. */
  async write(tx: Transaction): Promise<void> {
    for (const state of this.#parts.kept) await state.write(tx)
  }

  /** To be called before the datagrams of a block are read. */
  async refresh(): Promise<void> {
    await this.#parts.messages?.refresh()
  }

  /** Reads a datagram into a batch; `node` is the one that received it. */
  read(datagram: Datagram, batch: Batch, node = ''): void {
    batch.incoming.push(this.#read(datagram, batch, node))
  }

  #read(datagram: Datagram, batch: Batch, node: string): Incoming {
    const { receivedAt, bytes } = datagram
    const sourceIp = withoutZone(datagram.sourceIp)
    const from = { sourceIp, receivedAt }
    const { senders, decoder, moment, log } = this.#parts
    if (datagram.isMessage) return this.#readMessage(datagram, from, batch, node)
    if (!senders.allows(addressOf(sourceIp))) return refused(from, 'sender')
    if (moment) moment.now = receivedAt
    const outcome = decoder.decode(bytes, spaceOf(sourceIp))
    if (outcome.kind === 'trap') return this.#take(datagram, outcome.trap, outcome.inform, batch, node)
    if (outcome.kind === 'malformed') {
      if (outcome.cause) log.error({ err: outcome.cause }, 'the decoder failed at a datagram')
      return { kind: 'rejected', ...from, outcome: 'malformed', reason: outcome.reason, times: 1 }
    }
    if (outcome.kind === 'report' && this.#reports.maySend(datagram.sourceIp, datagram.port, receivedAt))
      batch.reports.push({ bytes: outcome.answer, to: datagram })
    return refused(from, outcome.reason, outcome.user)
  }

  /** The thread that received it has checked the sender, and matched it once: its definitions may be of another version. */
  #readMessage(
    datagram: Datagram,
    from: Pick<IncomingTrap, 'sourceIp' | 'receivedAt'>,
    batch: Batch,
    node: string,
  ): Incoming {
    const report = this.#parts.messages?.read(datagram.bytes, from)
    if (!report) {
      const reason = 'message without a definition'
      return { kind: 'rejected', ...from, outcome: 'filtered', reason, times: 1 }
    }
    if (node === '') return report
    const print = messagePrintOf(datagram)
    const index = batch.incoming.length
    batch.note(index, datagram, print)
    const copy = this.#copies.see(print, node)
    if (copy?.isAgain) return { kind: 'rejected', ...from, outcome: 'collapsed', reason: 'copy', times: 1 }
    if (copy) batch.sightings.push({ index, sighting: copy.first })
    return report
  }

  #take(datagram: Datagram, trap: Trap, inform: Inform | undefined, batch: Batch, node: string): Incoming {
    const { receivedAt } = datagram
    const sourceIp = withoutZone(datagram.sourceIp)
    if (trap.usm && trap.usm.level !== 'noAuthNoPriv') this.#reports.noteGenuine(datagram.sourceIp)
    const print = fingerprintOf(datagram, trap, inform, node !== '')
    const { again, reason, fresh } = this.#known(print, node)
    const index = batch.incoming.length
    if (reason !== 'duplicate') batch.note(index, datagram, print)
    if (inform) batch.waiting.push({ inform, to: datagram, index, copyOf: again })
    if (again) return { kind: 'rejected', receivedAt, sourceIp, outcome: 'collapsed', reason, times: 1 }
    for (const sighting of fresh) batch.sightings.push({ index, sighting })
    return {
      kind: 'trap',
      receivedAt,
      sourceIp,
      agentIp: trap.agentAddress && inSpace(trap.agentAddress, spaceOf(sourceIp)),
      version: trap.version,
      oid: trap.oid,
      uptime: Number(trap.uptime ?? 0),
      // The community is a password, and traps are shown to people.
      variables: trap.variables.filter(({ oid }) => oid !== trapCommunity),
    }
  }

  /** The earlier sighting that a datagram duplicates, at the same node or at another; else its own sightings. */
  #known(print: Fingerprint, node: string) {
    const seen = this.#duplicatesOf(node).see(print)
    if (seen?.isAgain) return { again: seen.first, reason: 'duplicate', fresh: [] }
    const copy = this.#copies.see(print, node)
    if (copy?.isAgain) return { again: copy.first, reason: 'copy', fresh: seen ? [seen.first] : [] }
    const fresh = [seen?.first, copy?.first].filter((sighting) => sighting !== undefined)
    return { again: undefined, reason: '', fresh }
  }

  /** Remembers a datagram that was processed before, by this node or another, and received by `node`. */
  recall(print: Fingerprint, node: string): void {
    if (isMessagePrint(print)) this.#copies.see(print, node)
    else this.#known(print, node)
  }

  #duplicatesOf(node: string): Duplicates {
    let own = this.#duplicates.get(node)
    if (!own) {
      own = new Duplicates(this.#parts.duplicateSeconds * 1000)
      this.#duplicates.set(node, own)
    }
    return own
  }
}

function refused(from: { sourceIp: string; receivedAt: number }, reason: string, user?: string): Incoming {
  return { kind: 'rejected', ...from, outcome: 'refused', reason, user, times: 1 }
}

/** Turns a tally into an entry for the ledger. */
export function tallied({ sourceIp, outcome, reason, storm, times, firstAt, lastAt }: Tally): Incoming {
  return {
    kind: 'rejected',
    receivedAt: lastAt,
    sourceIp: withoutZone(sourceIp),
    outcome,
    reason,
    times,
    firstAt,
    storm,
  }
}

/** Removes the zone of a link-local address, which is needed for answers but not for display. Its space stays. */
export function withoutZone(address: string): string {
  const zone = address.indexOf('%')
  return zone < 0 ? address : inSpace(address.slice(0, zone), spaceOf(address))
}

/** The addresses and networks that may send traps; an empty list allows everyone. */
export class AllowedSenders {
  readonly #networks: Networks | undefined

  constructor(networks: readonly string[]) {
    if (networks.length > 0) this.#networks = new Networks(networks)
  }

  allows(address: string): boolean {
    return this.#networks?.has(address) ?? true
  }
}
