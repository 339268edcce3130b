// Datagrams in, settled batches out: who may send, what it says, and the answer to an inform once its alarm is on disk.

import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { Logger } from 'pino'
import type { AlarmEngine } from '../alarms/engine.ts'
import type { Bin, Incoming } from '../alarms/incoming.ts'
import { Fault } from '../fault.ts'
import { type Datagram, unpack } from './datagrams.ts'
import type { EngineClocks } from './engine-clocks.ts'
import { kernelDrops } from './kernel-drops.ts'
import type { FromThread, ThreadSettings, ToThread } from './receiver-thread.ts'
import type { Senders } from './senders.ts'
import { abandonInform, answerInform, type Decoder, type Inform } from './snmp.ts'

export interface ReceiverParts {
  readonly engine: AlarmEngine
  readonly decoder: Decoder
  readonly senders: Senders
  readonly clocks: EngineClocks
  readonly log: Logger
}

/** What is watched from outside. */
export interface ReceiverCounts {
  received: number
  /** Undefined where the system does not tell. */
  kernelDrops: number | undefined
}

interface Answer {
  readonly inform: Inform
  /** Its place in the batch. */
  readonly index: number
  readonly to: Datagram
}

/** A proxy may pass the community on as a variable: it is a password, and traps are shown to people. */
const trapCommunity = '1.3.6.1.6.3.18.1.4.0'

// Reports go to whoever asks, known or not: no more of them a second than a few engines need.
const reportsPerSecond = 100

export class TrapReceiver {
  readonly #parts: ReceiverParts
  readonly #worker: Worker
  readonly #counts: ReceiverCounts = { received: 0, kernelDrops: 0 }
  #port = 0
  #stopping = false
  #givenUp = false
  readonly #closed = Promise.withResolvers<void>()
  #working: Promise<void> = Promise.resolve()
  #reports = { second: 0, sent: 0 }

  private constructor(parts: ReceiverParts, settings: ThreadSettings) {
    this.#parts = parts
    const source = import.meta.url.endsWith('.ts') ? './receiver-thread.ts' : './receiver-thread.js'
    this.#worker = new Worker(new URL(source, import.meta.url), { workerData: settings })
  }

  static async start(parts: ReceiverParts, settings: ThreadSettings): Promise<TrapReceiver> {
    const receiver = new TrapReceiver(parts, settings)
    try {
      await receiver.#listen(settings)
    } catch (error) {
      await receiver.#worker.terminate()
      throw error
    }
    return receiver
  }

  get port(): number {
    return this.#port
  }

  counts(): ReceiverCounts {
    if (!this.#stopping) this.#counts.kernelDrops = kernelDrops(this.#port)
    return { ...this.#counts }
  }

  #listen({ host, port, bufferSize }: ThreadSettings): Promise<void> {
    const { log } = this.#parts
    return new Promise((resolve, reject) => {
      this.#worker.on('error', (error) => {
        log.error({ err: error }, 'the receiving thread failed')
        reject(error)
      })
      this.#worker.on('message', (message: FromThread) => {
        if (message.kind === 'block') this.#take(message.block, message.overflow)
        else if (message.kind === 'closed') this.#closed.resolve()
        else if (message.kind === 'failed') {
          const why = { EADDRINUSE: 'the port is in use', EACCES: 'the port needs more rights' }[
            message.code ?? ''
          ]
          const reason = why ?? message.message
          reject(new Fault('unavailable', `cannot receive traps on ${host}:${port}: ${reason}`))
        } else {
          this.#port = message.port
          log.info({ port: message.port, bufferSize: message.bufferSize }, 'receiving traps')
          // The kernel reports twice what it was asked for: half of it is its own book-keeping.
          if (message.bufferSize < bufferSize) {
            const granted = { asked: bufferSize, granted: message.bufferSize }
            log.warn(granted, 'the receive buffer is smaller than asked for: raise net.core.rmem_max')
          }
          resolve()
        }
      })
    })
  }

  /** Blocks are settled one after the other; the thread holds back what comes meanwhile. */
  #take(block: ArrayBuffer, overflow: number): void {
    this.#working = this.#working.then(async () => {
      await this.#settle(block, overflow)
      this.#tell({ kind: 'taken' })
    })
  }

  async #settle(block: ArrayBuffer, overflow: number): Promise<void> {
    const batch: Incoming[] = []
    const answers: Answer[] = []
    for (const datagram of unpack(block)) batch.push(this.#read(datagram, batch.length, answers))
    this.#counts.received += batch.length + overflow
    if (overflow > 0)
      batch.push(refused({ sourceIp: '0.0.0.0', receivedAt: Date.now() }, 'overload', overflow))
    const bins = await this.#store(batch)
    for (const { inform, to, index } of answers) {
      // Only what is on disk is answered; the sender of the rest tries again.
      if (bins && bins[index] !== 'refused') this.#send(answerInform(inform), to)
      else abandonInform(inform)
    }
  }

  /** Tries until it is on disk: a full disk is freed one day, and the traps are still here then. */
  async #store(batch: readonly Incoming[]): Promise<Bin[] | undefined> {
    const { engine, clocks, log } = this.#parts
    for (let wait = 100; ; wait = Math.min(wait * 2, 5000)) {
      try {
        const bins = await engine.handle(batch, (tx) => clocks.write(tx))
        clocks.written()
        return bins
      } catch (error) {
        const next = this.#givenUp ? 'stopping without them' : 'trying again'
        log.error({ err: error, traps: batch.length }, `traps could not be stored: ${next}`)
        if (this.#givenUp) return undefined
        await sleep(wait)
      }
    }
  }

  #read(datagram: Datagram, index: number, answers: Answer[]): Incoming {
    const { receivedAt, bytes } = datagram
    const { senders, decoder, log } = this.#parts
    // Answers need the zone of a link-local address; to people and in documents it means nothing.
    const sourceIp = datagram.sourceIp.replace(/%.*$/, '')
    const from = { sourceIp, receivedAt }
    if (!senders.allows(sourceIp)) return refused(from, 'sender')
    const outcome = decoder.decode(bytes)
    if (outcome.kind === 'trap') {
      const { trap, inform } = outcome
      if (inform) answers.push({ inform, to: datagram, index })
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
      if (outcome.cause) log.error({ err: outcome.cause }, 'a datagram met a fault of the decoder')
      return { kind: 'rejected', receivedAt, sourceIp, bin: 'malformed', reason: outcome.reason, times: 1 }
    }
    if (outcome.kind === 'report' && this.#mayReport(receivedAt)) this.#send(outcome.answer, datagram)
    return refused(from, outcome.reason)
  }

  #mayReport(now: number): boolean {
    const second = Math.floor(now / 1000)
    if (second !== this.#reports.second) this.#reports = { second, sent: 0 }
    this.#reports.sent += 1
    return this.#reports.sent <= reportsPerSecond
  }

  #send(bytes: Buffer, { sourceIp, port }: Datagram): void {
    this.#tell({ kind: 'send', bytes, port, address: sourceIp })
  }

  #tell(message: ToThread): void {
    this.#worker.postMessage(message)
  }

  /** Settles what has arrived, as long as the store takes it. */
  async stop(): Promise<void> {
    this.counts()
    this.#stopping = true
    this.#tell({ kind: 'close' })
    await this.#closed.promise
    const patience = setTimeout(() => {
      this.#givenUp = true
    }, 3000)
    await this.#working
    clearTimeout(patience)
    await this.#worker.terminate()
  }
}

function refused(from: { sourceIp: string; receivedAt: number }, reason: string, times = 1): Incoming {
  const { sourceIp, receivedAt } = from
  return { kind: 'rejected', receivedAt, sourceIp, bin: 'refused', reason, times }
}
