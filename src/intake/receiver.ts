// The receiving thread as the rest of the service uses it: blocks of datagrams come out, answers go in.

import { Worker } from 'node:worker_threads'
import type { Logger } from 'pino'
import { Fault } from '../fault.ts'
import { TimeSlice } from '../pacing/time-slice.ts'
import { translateThreadError } from '../store/sqlite/sqlite-faults.ts'
import { moveTimes, steadyTime } from './datagram-block.ts'
import type { Report } from './intake.ts'
import { kernelDrops } from './kernel-drops.ts'
import type { Answer, FromThread, ThreadSettings, ToThread } from './receiver-thread.ts'
import type { Tally } from './source.ts'
import type { Reply } from './trap-reader.ts'

/** Datagrams as the thread hands them over; `tallies`: those that it counted and did not keep. */
export interface ReceivedBlock {
  readonly block: ArrayBuffer
  readonly tallies: readonly Tally[]
  readonly storms: readonly string[] | undefined
}

/** What the keeper of blocks may do with the receiver. */
export interface Handling {
  /** Of the block that is being kept. */
  readonly pace: TimeSlice
  /** At once: answers that do not wait until the block is kept. */
  send(replies: readonly Reply[]): void
  /** Called once it is known how many datagrams there were. */
  count(datagrams: number): void
  /** Whether a stop has waited long enough. */
  isAborted(): boolean
}

/** Where received blocks go: they are processed at once, or written to the store, where they survive this service. */
export interface BlockConsumer {
  /** Whether what is kept is processed, too; if not, `processed` of the receiver is called later. */
  readonly processesDirectly: boolean
  /** Tries until it is kept. Returns the answers to what was in it. */
  accept(received: ReceivedBlock, handling: Handling): Promise<readonly Reply[]>
  /** Called when nothing more is received. */
  close(): Promise<void>
}

/** What is shown from outside. */
export interface ReceiverCounts {
  /** Datagrams taken from the socket since the start. */
  readonly received: number
  /** What storms now: sources, or all of them together. */
  readonly storms: readonly string[]
  /** Read from the system each time; undefined where it does not report it. */
  kernelDrops(): number | undefined
}

/** Milliseconds that a stop spends on what has arrived. During about half of them the thread goes on receiving. */
const stopLimit = 2500

export class TrapReceiver implements ReceiverCounts {
  /** Fails where traps cannot be received. */
  readonly listening: Promise<void>
  readonly #log: Logger
  readonly #worker: Worker
  #consumer: BlockConsumer | undefined
  #clock: () => number = Date.now
  #received = 0
  /** Blocks that were kept, and of these, processed. */
  readonly #blocks = { kept: 0, processed: 0 }
  #storms: readonly string[] = []
  /** As it was when the socket was still open. */
  #lastDrops: number | undefined
  #port = 0
  #buffer = { asked: 0, granted: 0 }
  /** What made the thread end. */
  #failure: Error | undefined
  #stopping = false
  #stopped: Promise<void> | undefined
  #aborted = false
  readonly #closed = Promise.withResolvers<void>()
  readonly #begun = Promise.withResolvers<void>()
  #working: Promise<void> = this.#begun.promise

  /** Starts the thread. What it receives before `handTo` waits there, within its limit. */
  constructor(log: Logger, settings: ThreadSettings) {
    this.#log = log
    const source = import.meta.url.endsWith('.ts') ? './receiver-thread.ts' : './receiver-thread.js'
    this.#worker = new Worker(new URL(source, import.meta.url), { workerData: settings })
    this.listening = this.#listen(settings)
    // Whoever waits for it is told; until somebody does, that is no error of the process.
    this.listening.catch(() => undefined)
  }

  /** Called once, when there is a store to keep things in. By `clock`, datagrams get the time at which they came. */
  handTo(keeper: BlockConsumer, clock: () => number): void {
    this.#consumer = keeper
    this.#clock = clock
    this.#begun.resolve()
  }

  /** Called when the service is ready. */
  announce(): void {
    const { asked, granted } = this.#buffer
    this.#log.info({ port: this.#port, bufferSize: granted }, 'receiving traps')
    // The kernel reports twice the requested size: half of it is for its own use.
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

  get received(): number {
    return this.#received
  }

  get storms(): readonly string[] {
    return this.#storms
  }

  kernelDrops(): number | undefined {
    if (!this.#stopping) this.#lastDrops = kernelDrops(this.#port)
    return this.#lastDrops
  }

  #listen({ host, port, bufferSize }: ThreadSettings): Promise<void> {
    const log = this.#log
    return new Promise((resolve, reject) => {
      this.#worker.on('error', (error) => {
        log.error({ err: error }, 'the receiving thread failed')
        this.#failure = error as Error
        this.#closed.resolve()
        reject(translateThreadError(error))
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

  /** Blocks are kept one after the other; the thread holds back what comes meanwhile. */
  #take(block: ArrayBuffer, report: Report | undefined): void {
    this.#working = this.#working.then(async () => {
      if (!this.#consumer) return
      const pace = new TimeSlice()
      const replies = await this.#accept(block, report, this.#consumer, pace)
      this.#post({ kind: 'taken', answers: replies.map(answerOf) })
      this.#blocks.kept += 1
      if (this.#consumer.processesDirectly) this.processed(this.#blocks.kept)
      await pace.yieldNow()
    })
  }

  async #accept(
    block: ArrayBuffer,
    report: Report | undefined,
    keeper: BlockConsumer,
    pace: TimeSlice,
  ): Promise<readonly Reply[]> {
    // A storm is known before its alarm is raised, and over only when all of it is counted in the alarm.
    if (report) this.#storms = [...new Set([...this.#storms, ...report.storms])]
    const received = this.#timed({ block, tallies: report?.tallies ?? [], storms: report?.storms })
    const replies = await keeper.accept(received, {
      pace,
      send: (early) => this.send(early),
      count: (datagrams) => {
        this.#received += datagrams
      },
      isAborted: () => this.#aborted,
    })
    if (report) this.#storms = report.storms
    return replies
  }

  /** The thread has a steady clock alone: what waited there while the time was set came when it came. */
  #timed({ block, tallies, storms }: ReceivedBlock): ReceivedBlock {
    const ahead = Math.floor(this.#clock() - steadyTime())
    moveTimes(block, ahead)
    const moved = tallies.map((tally) => ({
      ...tally,
      firstAt: tally.firstAt + ahead,
      lastAt: tally.lastAt + ahead,
    }))
    return { block, tallies: moved, storms }
  }

  /** Sends from the socket on which traps are received. */
  send(replies: readonly Reply[]): void {
    if (replies.length > 0) this.#post({ kind: 'send', answers: replies.map(answerOf) })
  }

  /** So many blocks are processed, counted from the first: informs in them that come again are new. */
  processed(blocks: number): void {
    if (blocks <= this.#blocks.processed) return
    this.#blocks.processed = blocks
    this.#post({ kind: 'processed', blocks })
  }

  #post(message: ToThread): void {
    this.#worker.postMessage(message)
  }

  /** Keeps what has arrived, as long as the store accepts it; receives until there is nothing left to keep. */
  stop(): Promise<void> {
    this.#stopped ??= this.#stop()
    return this.#stopped
  }

  async #stop(): Promise<void> {
    const isListening = await this.listening.then(
      () => true,
      () => false,
    )
    if (isListening) await this.#finish()
    await this.#worker.terminate()
  }

  async #finish(): Promise<void> {
    this.kernelDrops()
    this.#stopping = true
    // After a failed start there is nowhere to keep it.
    this.#begun.resolve()
    const patience = setTimeout(() => {
      this.#aborted = true
    }, stopLimit)
    this.#post({ kind: 'close' })
    await this.#closed.promise
    await this.#working
    clearTimeout(patience)
    await this.#consumer?.close()
  }
}

/** The bytes alone: they may be part of a pool of buffers, which would be sent along as a whole. */
const answerOf = ({ bytes, to: { sourceIp, port } }: Reply): Answer => ({
  bytes: new Uint8Array(bytes),
  port,
  address: sourceIp,
})
