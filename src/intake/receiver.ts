// The receiving thread as the rest of the service uses it: blocks of datagrams come out, answers go in.

import { readFileSync } from 'node:fs'
import { MessageChannel, Worker } from 'node:worker_threads'
import type { Logger } from 'pino'
import { Fault } from '../fault.ts'
import { TimeSlice } from '../pacing/time-slice.ts'
import { translateThreadError } from '../store/sqlite/sqlite-faults.ts'
import { monotonicTime, moveTimes } from './datagram-block.ts'
import type { Report } from './intake.ts'
import type { Answer, FromThread, ThreadData, ThreadSettings, ToThread } from './receiver-thread.ts'
import type { Tally } from './source.ts'
import { SyslogReceiver } from './syslog-receiver.ts'
import type { StreamFigures, SyslogSettings } from './syslog-thread.ts'
import type { Reply } from './trap-reader.ts'

/** Datagrams as the thread hands them over; `tallies` counts those that it did not keep. */
export interface ReceivedBlock {
  readonly block: ArrayBuffer
  readonly tallies: readonly Tally[]
  readonly storms: readonly string[] | undefined
}

/** What the consumer of a block may ask of the receiver. */
export interface Handling {
  /** The time slice of this block. */
  readonly timeSlice: TimeSlice
  /** Sends answers at once, without waiting until the block is accepted. */
  send(replies: readonly Reply[]): void
  /** Called when the number of datagrams in the block is known. */
  count(datagrams: number): void
  /** Whether a stop has waited long enough. */
  isAborted(): boolean
}

/** Where received blocks go: they are processed at once, or written to the store, where they survive this service. */
export interface BlockConsumer {
  /** Whether an accepted block is also processed; if not, `processed` of the receiver is called later. */
  readonly processesDirectly: boolean
  /** Tries until the block is accepted. Returns the answers to its informs. */
  accept(received: ReceivedBlock, handling: Handling): Promise<readonly Reply[]>
  /** Called when nothing more is received. */
  close(): Promise<void>
}

/** Counts for metrics and health checks. */
export interface ReceiverCounts {
  /** Datagrams taken from the socket since the start. */
  readonly received: number
  /** The current storms: sources, or all of them together. */
  readonly storms: readonly string[]
  /** Read from the system at each call; undefined if the system does not report it. */
  kernelDrops(): number | undefined
  messageDrops(): number | undefined
  readonly syslog: { readonly figures: StreamFigures } | undefined
}

/**
 * Milliseconds that a stop spends on datagrams that have arrived. For about half of them the thread goes on receiving.
 */
const stopLimit = 2500

export class TrapReceiver implements ReceiverCounts {
  /** Rejects if traps cannot be received. */
  readonly listening: Promise<void>
  /** Its messages come in the same blocks as traps. */
  readonly syslog: SyslogReceiver | undefined
  readonly #log: Logger
  readonly #worker: Worker
  #consumer: BlockConsumer | undefined
  #clock: () => number = Date.now
  #received = 0
  /** The number of blocks that were accepted, and of those that were processed. */
  readonly #blocks = { accepted: 0, processed: 0 }
  #storms: readonly string[] = []
  /** The last count while the socket was open. */
  #lastDrops: number | undefined
  #lastMessageDrops: number | undefined
  #ports: readonly number[] = []
  #buffer = { requested: 0, granted: 0 }
  /** Why the thread ended. */
  #failure: Error | undefined
  #stopping = false
  #stopped: Promise<void> | undefined
  #aborted = false
  readonly #closed = Promise.withResolvers<void>()
  readonly #begun = Promise.withResolvers<void>()
  #working: Promise<void> = this.#begun.promise

  /** Starts the thread. Datagrams that it receives before `handTo` wait there, up to its limit. */
  constructor(log: Logger, settings: ThreadSettings, syslog?: SyslogSettings) {
    this.#log = log
    const channel = syslog && new MessageChannel()
    const workerData: ThreadData = { settings, messages: channel?.port1 }
    const source = import.meta.url.endsWith('.ts') ? './receiver-thread.ts' : './receiver-thread.js'
    this.#worker = new Worker(new URL(source, import.meta.url), {
      workerData,
      transferList: channel ? [channel.port1] : [],
    })
    this.syslog = channel && new SyslogReceiver(log, syslog, channel.port2)
    this.listening = this.#listen(settings).then(() => this.syslog?.listening)
    // Callers that wait for it get the error; until one does, it must not be an unhandled rejection.
    this.listening.catch(() => undefined)
  }

  /** Called once, when there is a store. `clock` determines the times of datagrams. */
  handTo(consumer: BlockConsumer, clock: () => number): void {
    this.#consumer = consumer
    this.#clock = clock
    this.#begun.resolve()
  }

  /** Called when the service is ready. */
  announce(): void {
    this.syslog?.announce()
    const { requested, granted } = this.#buffer
    const [port, ...otherPorts] = this.#ports
    const ports = otherPorts.length > 0 ? { port, otherPorts } : { port }
    this.#log.info({ ...ports, bufferSize: granted }, 'receiving traps')
    // The kernel reports twice the requested size: half of it is for its own use.
    if (granted < requested) {
      this.#log.warn(this.#buffer, 'the receive buffer is smaller than requested: raise net.core.rmem_max')
    }
  }

  requireReceiving(): void {
    if (this.#failure) throw new Fault('unavailable', `traps are not received: ${this.#failure.message}`)
    this.syslog?.requireReceiving()
  }

  /** In the order of the sockets. */
  get ports(): readonly number[] {
    return this.#ports
  }

  get received(): number {
    return this.#received
  }

  get storms(): readonly string[] {
    return this.#storms
  }

  kernelDrops(): number | undefined {
    if (!this.#stopping) this.#lastDrops = kernelDropsAt(this.#ports)
    return this.#lastDrops
  }

  /** The same at the socket for syslog messages. */
  messageDrops(): number | undefined {
    const ports = this.syslog?.ports.udp ?? []
    if (!this.#stopping && ports.length > 0) this.#lastMessageDrops = kernelDropsAt(ports)
    return this.#lastMessageDrops
  }

  #listen({ sockets }: ThreadSettings): Promise<void> {
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
          reject(new Fault('unavailable', `cannot receive traps on ${message.place}: ${reason}`))
        } else {
          this.#ports = message.ports
          const requested = sockets[0]?.bufferSize ?? 0
          this.#buffer = { requested, granted: message.bufferSize }
          resolve()
        }
      })
    })
  }

  /** Blocks are accepted one after the other; the thread holds back later ones. */
  #take(block: ArrayBuffer, report: Report | undefined): void {
    this.#working = this.#working.then(async () => {
      if (!this.#consumer) return
      const timeSlice = new TimeSlice()
      const replies = await this.#accept(block, report, this.#consumer, timeSlice)
      this.#post({ kind: 'taken', answers: replies.map(answerOf) })
      this.#blocks.accepted += 1
      if (this.#consumer.processesDirectly) this.processed(this.#blocks.accepted)
      await timeSlice.yieldNow()
    })
  }

  async #accept(
    block: ArrayBuffer,
    report: Report | undefined,
    consumer: BlockConsumer,
    timeSlice: TimeSlice,
  ): Promise<readonly Reply[]> {
    // A storm is shown before its alarm is raised, and until all of it is counted in the alarm.
    if (report) this.#storms = [...new Set([...this.#storms, ...report.storms])]
    const received = this.#timed({ block, tallies: report?.tallies ?? [], storms: report?.storms })
    const replies = await consumer.accept(received, {
      timeSlice,
      send: (early) => this.send(early),
      count: (datagrams) => {
        this.#received += datagrams
      },
      isAborted: () => this.#aborted,
    })
    if (report) this.#storms = report.storms
    return replies
  }

  /** Converts the times of the thread, which has a monotonic clock, so that setting the wall clock does not move them. */
  #timed({ block, tallies, storms }: ReceivedBlock): ReceivedBlock {
    const ahead = Math.floor(this.#clock() - monotonicTime())
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

  /** Blocks up to this number are processed: informs in them that arrive again are new. */
  processed(blocks: number): void {
    if (blocks <= this.#blocks.processed) return
    this.#blocks.processed = blocks
    this.#post({ kind: 'processed', blocks })
  }

  #post(message: ToThread): void {
    this.#worker.postMessage(message)
  }

  /** Processes what has arrived, within a limit of time; goes on receiving until then. */
  stop(): Promise<void> {
    this.#stopped ??= this.#stop()
    return this.#stopped
  }

  async #stop(): Promise<void> {
    // First: what it still passes on is processed with the traps.
    await this.syslog?.stop()
    const isListening = await this.listening.then(
      () => true,
      () => false,
    )
    if (isListening) await this.#finish()
    await this.#worker.terminate()
  }

  async #finish(): Promise<void> {
    this.kernelDrops()
    this.messageDrops()
    this.#stopping = true
    // After a failed start there is no consumer, and nothing to wait for.
    this.#begun.resolve()
    const deadline = setTimeout(() => {
      this.#aborted = true
    }, stopLimit)
    this.#post({ kind: 'close' })
    await this.#closed.promise
    await this.#working
    clearTimeout(deadline)
    await this.#consumer?.close()
  }
}

/** Copies the bytes, because they may be part of a buffer pool, which would be sent as a whole. */
const answerOf = ({ bytes, to: { sourceIp, port } }: Reply): Answer => ({
  bytes: new Uint8Array(bytes),
  port,
  address: sourceIp,
})

/** At all of these ports together. */
function kernelDropsAt(ports: readonly number[]): number | undefined {
  const counts = [...new Set(ports)].map(kernelDrops).filter((count) => count !== undefined)
  return counts.length === 0 ? undefined : counts.reduce((sum, count) => sum + count, 0)
}

/**
 * Datagrams that the kernel dropped because the socket's buffer was full; undefined if the system does not report it.
 */
export function kernelDrops(port: number): number | undefined {
  const counts = ['/proc/net/udp', '/proc/net/udp6'].map((file) => countIn(file, port))
  const known = counts.filter((count) => count !== undefined)
  return known.length === 0 ? undefined : known.reduce((sum, count) => sum + count, 0)
}

function countIn(file: string, port: number): number | undefined {
  let table: string
  try {
    table = readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
  const hexPort = port.toString(16).toUpperCase().padStart(4, '0')
  let drops: number | undefined
  for (const line of table.split('\n').slice(1)) {
    const columns = line.trim().split(/\s+/)
    if (columns[1]?.endsWith(`:${hexPort}`)) drops = (drops ?? 0) + Number(columns.at(-1))
  }
  return drops
}
