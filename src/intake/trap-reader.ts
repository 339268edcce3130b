// Reads datagrams: who may send, what it is, whether it came before, and which answer its sender waits for.

import type { Logger } from 'pino'
import type { Incoming, Outcome } from '../alarms/engine/incoming-trap.ts'
import { trapCommunity } from '../snmp/community.ts'
import { abandonInform, answerInform, type Decoder, type Inform, type Trap } from '../snmp/decoder.ts'
import { ReportBudget } from '../snmp/report-budget.ts'
import type { Transaction } from '../store/database.ts'
import type { AllowedSenders } from './allowed-senders.ts'
import type { Datagram } from './datagram-block.ts'
import { Duplicates, type Sighting } from './duplicates.ts'
import { type Fingerprint, fingerprintOf } from './fingerprint.ts'
import { OtherNodeCopies } from './other-node-copies.ts'
import type { Tally } from './source.ts'

export interface TrapReaderParts {
  readonly decoder: Decoder
  readonly senders: AllowedSenders
  /** What reading has changed and must be on disk together with what was read. */
  readonly kept: readonly { write(tx: Transaction): Promise<void> }[]
  /** How long the same datagram again counts as the same notification; 0: never. */
  readonly duplicateSeconds: number
  /** The clock of the decoder, where it follows the time at which a datagram was received. */
  readonly moment?: { now: number }
  readonly log: Logger
}

interface WaitingInform {
  readonly inform: Inform
  /** Its place in the batch. */
  readonly index: number
  readonly to: Datagram
  /** The datagram that it repeats. */
  readonly copyOf: Sighting | undefined
}

/** What is to be sent back to the sender of a datagram. */
export interface Reply {
  readonly bytes: Buffer
  readonly to: Pick<Datagram, 'sourceIp' | 'port'>
}

/** Informs with these outcomes are not answered. */
const lost: readonly (Outcome | undefined)[] = ['refused', 'malformed']

/** Datagrams that were read together, in the order in which they are processed. */
export class Batch {
  readonly incoming: Incoming[] = []
  /** Reports that are sent back before anything is processed: what is wrong with a message. */
  readonly reports: Reply[] = []
  readonly waiting: WaitingInform[] = []
  readonly sightings: { readonly index: number; readonly sighting: Sighting }[] = []
  /** Of those that are no repetitions of a datagram of the same node. */
  readonly #prints: { readonly index: number; readonly of: Datagram; readonly print: Fingerprint }[] = []

  note(index: number, of: Datagram, print: Fingerprint): void {
    this.#prints.push({ index, of, print })
  }

  /** What is remembered of those that were accepted. */
  fingerprints(bins: readonly Outcome[]): { readonly of: Datagram; readonly print: Fingerprint }[] {
    return this.#prints.filter(({ index }) => !lost.includes(bins[index]))
  }

  count(): number {
    let all = 0
    for (const incoming of this.incoming) all += incoming.kind === 'rejected' ? incoming.times : 1
    return all
  }

  /** The answers to informs, once the outcome of each is known; only what is kept is answered. */
  answers(bins: readonly Outcome[] | undefined): Reply[] {
    const isKept = (index: number) => bins !== undefined && !lost.includes(bins[index])
    for (const { index, sighting } of this.sightings) if (!isKept(index)) sighting.refused = true
    const replies: Reply[] = []
    for (const { inform, to, index, copyOf } of this.waiting) {
      // Senders of the others try again.
      if (isKept(index) && !copyOf?.refused) replies.push({ bytes: answerInform(inform), to })
      else abandonInform(inform)
    }
    return replies
  }
}

export class TrapReader {
  readonly #parts: TrapReaderParts
  /** By the node that received. */
  readonly #duplicates = new Map<string, Duplicates>()
  readonly #copies: OtherNodeCopies
  readonly #reports = new ReportBudget()

  constructor(parts: TrapReaderParts) {
    this.#parts = parts
    this.#copies = new OtherNodeCopies(parts.duplicateSeconds * 1000)
  }

  /** Writes what reading has changed, in the transaction of what was read. */
  async write(tx: Transaction): Promise<void> {
    for (const one of this.#parts.kept) await one.write(tx)
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
    if (!senders.allows(sourceIp)) return refused(from, 'sender')
    if (moment) moment.now = receivedAt
    const outcome = decoder.decode(bytes)
    if (outcome.kind === 'trap') return this.#take(datagram, outcome.trap, outcome.inform, batch, node)
    if (outcome.kind === 'malformed') {
      if (outcome.cause) log.error({ err: outcome.cause }, 'a datagram met a fault of the decoder')
      return { kind: 'rejected', ...from, outcome: 'malformed', reason: outcome.reason, times: 1 }
    }
    if (outcome.kind === 'report' && this.#reports.maySend(datagram.sourceIp, datagram.port, receivedAt))
      batch.reports.push({ bytes: outcome.answer, to: datagram })
    return refused(from, outcome.reason)
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
      agentIp: trap.agentAddress,
      version: trap.version,
      oid: trap.oid,
      uptime: Number(trap.uptime ?? 0),
      // It is a password, and traps are shown to people.
      variables: trap.variables.filter(({ oid }) => oid !== trapCommunity),
    }
  }

  /** What it repeats, of those that came before at the same node or at another; else its own sightings. */
  #known(print: Fingerprint, node: string) {
    const seen = this.#duplicatesOf(node).see(print)
    if (seen?.isAgain) return { again: seen.first, reason: 'duplicate', fresh: [] }
    const copy = this.#copies.see(print, node)
    if (copy?.isAgain) return { again: copy.first, reason: 'copy', fresh: seen ? [seen.first] : [] }
    const fresh = [seen?.first, copy?.first].filter((one) => one !== undefined)
    return { again: undefined, reason: '', fresh }
  }

  /** What was processed before, by this service or another, and received by this node. */
  recall(print: Fingerprint, node: string): void {
    this.#known(print, node)
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

function refused(from: { sourceIp: string; receivedAt: number }, reason: string): Incoming {
  return { kind: 'rejected', ...from, outcome: 'refused', reason, times: 1 }
}

/** Datagrams that were counted and not kept. */
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

/** Answers need the zone of a link-local address; people and documents do not. */
export function withoutZone(address: string): string {
  const zone = address.indexOf('%')
  return zone < 0 ? address : address.slice(0, zone)
}
