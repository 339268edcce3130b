// Datagrams in, settled batches out: who may send, what it says, and the answer to an inform once its alarm is on disk.

import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { Logger } from 'pino'
import type { AlarmEngine } from '../alarms/engine.ts'
import type { Bin, Incoming } from '../alarms/incoming.ts'
import { Fault } from '../fault.ts'
import { abandonInform, answerInform, type Decoder, type Inform } from '../snmp/decoder.ts'
import { ReportBudget } from '../snmp/report-budget.ts'
import type { Transaction } from '../store/database.ts'
import { Pace } from '../store/pace.ts'
import { type Datagram, unpack } from './datagrams.ts'
import { Duplicates, type Sighting } from './duplicates.ts'
import type { Report } from './intake.ts'
import { kernelDrops } from './kernel-drops.ts'
import type { FromThread, ThreadSettings, ToThread } from './receiver-thread.ts'
import type { Senders } from './senders.ts'
import type { Tally } from './source.ts'

/** What settles datagrams. */
export interface Settling {
  readonly engine: AlarmEngine
  readonly decoder: Decoder
  readonly senders: Senders
  /** What reading has changed and must be on disk together with what was read. */
  readonly kept: readonly { write(tx: Transaction): Promise<void> }[]
  /** How long the same datagram again is the same notification; 0: never. */
  readonly duplicateSeconds: number
}

/** What is watched from outside. */
export interface ReceiverCounts {
  received: number
  /** Undefined where the system does not say. */
  kernelDrops: number | undefined
  /** What storms now: sources, or all of them. */
  storms: readonly string[]
}

interface Answer {
  readonly inform: Inform
  /** Its place in the batch. */
  readonly index: number
  readonly to: Datagram
  /** The datagram that it repeats. */
  readonly copyOf: Sighting | undefined
}

/** What is left to do for a batch once it is on disk. */
interface Work {
  readonly answers: Answer[]
  readonly sightings: { readonly index: number; readonly sighting: Sighting }[]
}

/** Of these an inform is not answered. */
const lost: readonly (Bin | undefined)[] = ['refused', 'malformed']

/** A proxy may pass the community on as a variable: it is a password, and traps are shown to people. */
const trapCommunity = '1.3.6.1.6.3.18.1.4.0'

export class TrapReceiver {
  readonly #log: Logger
  readonly #worker: Worker
  #settling: Settling | undefined
  readonly #counts: ReceiverCounts = { received: 0, kernelDrops: 0, storms: [] }
  #port = 0
  #buffer = { asked: 0, granted: 0 }
  /** What ended the thread. */
  #failure: Error | undefined
  #stopping = false
  #stopped: Promise<void> | undefined
  #givenUp = false
  /** What came and is not read any more. */
  readonly #left: Incoming[] = []
  readonly #closed = Promise.withResolvers<void>()
  readonly #begun = Promise.withResolvers<void>()
  #working: Promise<void> = this.#begun.promise
  #duplicates = new Duplicates(0)
  readonly #reports = new ReportBudget()
  /** Of the block that is being settled. */
  #pace = new Pace()

  private constructor(log: Logger, settings: ThreadSettings) {
    this.#log = log
    const source = import.meta.url.endsWith('.ts') ? './receiver-thread.ts' : './receiver-thread.js'
    this.#worker = new Worker(new URL(source, import.meta.url), { workerData: settings })
  }

  /** Receives from now on. What comes before `settle` waits in the thread, within its limit. */
  static async open(log: Logger, settings: ThreadSettings): Promise<TrapReceiver> {
    const receiver = new TrapReceiver(log, settings)
    try {
      await receiver.#listen(settings)
    } catch (error) {
      await receiver.#worker.terminate()
      throw error
    }
    return receiver
  }

  /** Called once, when there is a store to settle to. */
  settle(settling: Settling): void {
    this.#settling = settling
    this.#duplicates = new Duplicates(settling.duplicateSeconds * 1000)
    this.#begun.resolve()
  }

  /** Called when the service is ready. */
  announce(): void {
    const { asked, granted } = this.#buffer
    this.#log.info({ port: this.#port, bufferSize: granted }, 'receiving traps')
    // The kernel reports twice what it was asked for: half of it is its own book-keeping.
    if (granted < asked) {
      this.#log.warn(this.#buffer, 'the receive buffer is smaller than asked for: raise net.core.rmem_max')
    }
  }

  requireReceiving(): void {
    if (this.#failure) throw new Fault('unavailable', `traps are not received: ${this.#failure.message}`)
  }

  get port(): number {
    return this.#port
  }

  /** What storms now: sources, or all of them together. */
  get storms(): readonly string[] {
    return this.#counts.storms
  }

  counts(): ReceiverCounts {
    if (!this.#stopping) this.#counts.kernelDrops = kernelDrops(this.#port)
    return { ...this.#counts }
  }

  #listen({ host, port, bufferSize }: ThreadSettings): Promise<void> {
    const log = this.#log
    return new Promise((resolve, reject) => {
      this.#worker.on('error', (error) => {
        log.error({ err: error }, 'the receiving thread failed')
        this.#failure = error as Error
        this.#closed.resolve()
        reject(error)
      })
      this.#worker.on('message', (message: FromThread) => {
        if (message.kind === 'block') this.#take(message.block, message.report)
        else if (message.kind === 'closed') this.#closed.resolve()
        else if (message.kind === 'failed') {
          const why = { EADDRINUSE: 'the port is in use', EACCES: 'the port needs more rights' }[
            message.code ?? ''
          ]
          const reason = why ?? message.message
          reject(new Fault('unavailable', `cannot receive traps on ${host}:${port}: ${reason}`))
        } else {
          this.#port = message.port
          this.#buffer = { asked: bufferSize, granted: message.bufferSize }
          resolve()
        }
      })
    })
  }

  /** Blocks are settled one after the other; the thread holds back what comes meanwhile. */
  #take(block: ArrayBuffer, report: Report | undefined): void {
    this.#working = this.#working.then(async () => {
      if (!this.#settling) return
      if (this.#givenUp) return this.#leave(block, report?.tallies ?? [])
      this.#pace = new Pace()
      await this.#settleReported(block, report, this.#settling)
      this.#post({ kind: 'taken' })
      await this.#pace.rest()
    })
  }

  /** A stop does not wait for all that came in a storm: what is not read any more is counted. */
  #leave(block: ArrayBuffer, tallies: Report['tallies']): void {
    for (const tally of tallies) this.#left.push(tallied(tally))
    const bySource = new Map<string, { times: number; receivedAt: number }>()
    for (const { sourceIp, receivedAt } of unpack(block)) {
      const known = bySource.get(sourceIp)
      bySource.set(sourceIp, { times: (known?.times ?? 0) + 1, receivedAt })
    }
    for (const [sourceIp, { times, receivedAt }] of bySource) {
      const from = { sourceIp: withoutZone(sourceIp), receivedAt }
      this.#left.push({ kind: 'rejected', ...from, bin: 'refused', reason: 'stopping', times })
    }
  }

  async #settleReported(block: ArrayBuffer, report: Report | undefined, settling: Settling): Promise<void> {
    // A storm is known before its alarm is raised, and over only when all of it is in the alarm.
    if (report) this.#counts.storms = [...new Set([...this.#counts.storms, ...report.storms])]
    await this.#settleBlock(block, report?.tallies ?? [], settling)
    if (report) this.#counts.storms = report.storms
  }

  async #settleBlock(block: ArrayBuffer, tallies: Report['tallies'], settling: Settling): Promise<void> {
    const batch: Incoming[] = tallies.map(tallied)
    const work: Work = { answers: [], sightings: [] }
    for (const datagram of unpack(block)) {
      const others = this.#pace.step()
      if (others) await others
      batch.push(this.#read(datagram, batch.length, work, settling))
    }
    for (const incoming of batch) this.#counts.received += incoming.kind === 'rejected' ? incoming.times : 1
    const bins = await this.#store(batch, settling)
    const isKept = (index: number) => bins !== undefined && !lost.includes(bins[index])
    for (const { index, sighting } of work.sightings) if (!isKept(index)) sighting.refused = true
    for (const { inform, to, index, copyOf } of work.answers) {
      // Only what is on disk is answered; the sender of the rest tries again.
      if (isKept(index) && !copyOf?.refused) this.#send(answerInform(inform), to)
      else abandonInform(inform)
    }
  }

  /** Tries until it is on disk: a full disk is freed one day, and the traps are still here then. */
  async #store(batch: readonly Incoming[], settling: Settling): Promise<Bin[] | undefined> {
    const { engine, kept } = settling
    for (let wait = 100; ; wait = Math.min(wait * 2, 5000)) {
      try {
        return await engine.handle(batch, async (tx) => {
          for (const one of kept) await one.write(tx)
        })
      } catch (error) {
        const next = this.#givenUp ? 'stopping without them' : 'trying again'
        this.#log.error({ err: error, traps: batch.length }, `traps could not be stored: ${next}`)
        if (this.#givenUp) return undefined
        const isOfStore = error instanceof Fault && error.code === 'unavailable'
        if (!isOfStore && canBeLess(batch)) return this.#storeLess(batch, settling)
        await sleep(wait)
      }
    }
  }

  /**
   * What fails for another reason than the store's is a fault of ours, and fails each time. The trap that meets it is
   * found, half by half, and counted; it must not hold up all others for ever.
   */
  async #storeLess(batch: readonly Incoming[], settling: Settling): Promise<Bin[] | undefined> {
    const [first] = batch
    if (batch.length === 1 && first) {
      const { receivedAt, sourceIp } = first
      const [bin, reason] = ['malformed', 'unexpected'] as const
      return this.#store([{ kind: 'rejected', receivedAt, sourceIp, bin, reason, times: 1 }], settling)
    }
    const half = Math.ceil(batch.length / 2)
    const before = await this.#store(batch.slice(0, half), settling)
    const after = await this.#store(batch.slice(half), settling)
    return before && after && [...before, ...after]
  }

  #read(datagram: Datagram, index: number, work: Work, { senders, decoder }: Settling): Incoming {
    const { receivedAt, bytes } = datagram
    const sourceIp = withoutZone(datagram.sourceIp)
    const from = { sourceIp, receivedAt }
    if (!senders.allows(sourceIp)) return refused(from, 'sender')
    const outcome = decoder.decode(bytes)
    if (outcome.kind === 'trap') {
      const { trap, inform } = outcome
      if (trap.usm && trap.usm.level !== 'noAuthNoPriv') this.#reports.noteGenuine(datagram.sourceIp)
      const sighting = this.#duplicates.see(datagram, trap, inform)
      const copyOf = sighting?.isAgain ? sighting.first : undefined
      if (inform) work.answers.push({ inform, to: datagram, index, copyOf })
      if (copyOf) {
        return { kind: 'rejected', receivedAt, sourceIp, bin: 'collapsed', reason: 'duplicate', times: 1 }
      }
      if (sighting) work.sightings.push({ index, sighting: sighting.first })
      return {
        kind: 'trap',
        receivedAt,
        sourceIp,
        agentIp: trap.agentAddress,
        version: trap.version,
        oid: trap.oid,
        variables: trap.variables.filter(({ oid }) => oid !== trapCommunity),
      }
    }
    if (outcome.kind === 'malformed') {
      if (outcome.cause) this.#log.error({ err: outcome.cause }, 'a datagram met a fault of the decoder')
      return { kind: 'rejected', receivedAt, sourceIp, bin: 'malformed', reason: outcome.reason, times: 1 }
    }
    if (outcome.kind === 'report' && this.#reports.maySend(datagram.sourceIp, datagram.port, receivedAt))
      this.#send(outcome.answer, datagram)
    return refused(from, outcome.reason)
  }

  #send(bytes: Buffer, { sourceIp, port }: Datagram): void {
    this.#post({ kind: 'send', bytes, port, address: sourceIp })
  }

  #post(message: ToThread): void {
    this.#worker.postMessage(message)
  }

  /** Settles what has arrived, as long as the store takes it; receives until there is nothing left to settle. */
  stop(): Promise<void> {
    this.#stopped ??= this.#stop()
    return this.#stopped
  }

  async #stop(): Promise<void> {
    this.counts()
    this.#stopping = true
    // Where a start failed there is nothing to settle to.
    this.#begun.resolve()
    this.#post({ kind: 'close' })
    await this.#closed.promise
    const patience = setTimeout(() => {
      this.#givenUp = true
    }, 3000)
    await this.#working
    clearTimeout(patience)
    if (this.#settling && this.#left.length > 0) await this.#store(this.#left, this.#settling)
    await this.#worker.terminate()
  }
}

const canBeLess = (batch: readonly Incoming[]) => batch.length > 1 || batch[0]?.kind === 'trap'

function refused(from: { sourceIp: string; receivedAt: number }, reason: string): Incoming {
  return { kind: 'rejected', ...from, bin: 'refused', reason, times: 1 }
}

function tallied({ sourceIp, bin, reason, storm, times, firstAt, lastAt }: Tally): Incoming {
  return {
    kind: 'rejected',
    receivedAt: lastAt,
    sourceIp: withoutZone(sourceIp),
    bin,
    reason,
    times,
    firstAt,
    storm,
  }
}

/** Answers need the zone of a link-local address; to people and in documents it means nothing. */
const withoutZone = (address: string) => address.split('%', 1)[0] ?? ''
