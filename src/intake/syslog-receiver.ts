// The thread that receives syslog messages, as the rest of the service uses it.

import { type MessagePort, Worker } from 'node:worker_threads'
import type { Logger } from 'pino'
import { Fault } from '../fault.ts'
import type { MessageDefinition, NamedAddresses } from '../resources/alarms/message-definition.ts'
import type { DeviceThresholds } from '../resources/alarms/message-threshold.ts'
import type { DeviceNames } from '../resources/inventory/device-names.ts'
import type { ShapeName } from '../syslog/message-shapes.ts'
import type { SenderCount } from './message-counts.ts'
import type { CountedShapes, PackedMessages } from './message-memory.ts'
import type { RingQuery } from './message-ring.ts'
import type { StreamTls } from './stream-listener.ts'
import type {
  FromSyslogThread,
  StreamFigures,
  SyslogPorts,
  SyslogQuestion,
  SyslogSettings,
  ToSyslogThread,
} from './syslog-thread.ts'

export class SyslogReceiver {
  /** Rejects if messages cannot be received. */
  readonly listening: Promise<void>
  /** Whether messages of relays name the devices that they are about. */
  readonly hasRelays: boolean
  readonly #worker: Worker
  readonly #log: Logger
  readonly #closed = Promise.withResolvers<void>()
  #buffer: { readonly requested: number; readonly granted: number } | undefined
  #ports: SyslogPorts = { udp: [], tcp: [], tls: [] }
  #figures: StreamFigures = { connections: 0, cut: 0 }
  /** Why the thread ended. */
  #failure: Error | undefined
  readonly #questions = new Map<number, PromiseWithResolvers<unknown>>()
  #nextQuestion = 0
  #isClosed = false

  /** Messages that raise or end alarms go to `sieved`. */
  constructor(log: Logger, settings: SyslogSettings, sieved: MessagePort) {
    this.#log = log
    this.hasRelays = settings.relays.length > 0
    const source = import.meta.url.endsWith('.ts') ? './syslog-thread.ts' : './syslog-thread.js'
    this.#worker = new Worker(new URL(source, import.meta.url), {
      workerData: { settings, sieved },
      transferList: [sieved],
    })
    this.listening = this.#listen(settings)
    void this.#closed.promise.then(() => {
      this.#isClosed = true
      this.#refuseQuestions()
    })
    // Callers that wait for it get the error; until one does, it must not be an unhandled rejection.
    this.listening.catch(() => undefined)
  }

  get ports(): SyslogPorts {
    return this.#ports
  }

  /** Of connections, up to a second ago. */
  get figures(): StreamFigures {
    return this.#figures
  }

  announce(): void {
    const buffer = this.#buffer
    this.#log.info({ ...shownPorts(this.#ports), bufferSize: buffer?.granted }, 'receiving syslog messages')
    if (buffer && buffer.granted < buffer.requested)
      this.#log.warn(
        buffer,
        'the receive buffer for messages is smaller than requested: raise net.core.rmem_max',
      )
  }

  requireReceiving(): void {
    if (this.#failure)
      throw new Fault('unavailable', `syslog messages are not received: ${this.#failure.message}`)
  }

  /** Certificates that connections over TLS use from now on. */
  renewCertificate(files: StreamTls): void {
    this.#post({ kind: 'renew', files })
  }

  /** Unknown messages of these shapes are not grouped from now on. */
  mute(shapes: readonly ShapeName[]): void {
    this.#post({ kind: 'mute', shapes })
  }

  /** Which devices the hosts are that relays name, from now on. */
  setNames(names: DeviceNames): void {
    this.#post({ kind: 'names', names })
  }

  /** Less severe messages are counted only, from now on. */
  setThresholds(thresholds: DeviceThresholds): void {
    this.#post({ kind: 'thresholds', thresholds })
  }

  /** Which devices definitions are for, from now on. */
  setScopes(addresses: NamedAddresses): void {
    this.#post({ kind: 'scopes', addresses })
  }

  /** Definitions that come before the shipped ones, from now on. */
  setDefinitions(definitions: readonly MessageDefinition[]): void {
    this.#post({ kind: 'definitions', definitions })
  }

  /** Some of the last messages. */
  messages(query: Omit<RingQuery, 'bytes'>): Promise<PackedMessages> {
    return this.#ask({ about: 'messages', query }) as Promise<PackedMessages>
  }

  /** Of messages that no definition knows. */
  shapes(): Promise<CountedShapes> {
    return this.#ask({ about: 'shapes' }) as Promise<CountedShapes>
  }

  /** Who was heard since the last time. */
  heard(): Promise<readonly SenderCount[]> {
    return this.#ask({ about: 'counts' }) as Promise<readonly SenderCount[]>
  }

  #ask(question: SyslogQuestion): Promise<unknown> {
    this.requireReceiving()
    const id = this.#nextQuestion
    this.#nextQuestion += 1
    const asked = Promise.withResolvers<unknown>()
    this.#questions.set(id, asked)
    if (this.#isClosed) this.#refuseQuestions()
    else this.#post({ kind: 'ask', id, ...question })
    return asked.promise.finally(() => this.#questions.delete(id))
  }

  #refuseQuestions(): void {
    const reason = 'syslog messages are no longer received: the service is stopping'
    for (const { reject } of this.#questions.values()) reject(new Fault('unavailable', reason))
  }

  #post(message: ToSyslogThread): void {
    this.#worker.postMessage(message)
  }

  #listen({ udp }: SyslogSettings): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#worker.on('error', (error) => {
        this.#log.error({ err: error }, 'the thread that receives syslog messages failed')
        this.#failure = error as Error
        this.#closed.resolve()
        reject(error)
      })
      this.#worker.on('message', (message: FromSyslogThread) => {
        if (message.kind === 'closed') this.#closed.resolve()
        else if (message.kind === 'figures') this.#figures = message
        else if (message.kind === 'answer') this.#questions.get(message.id)?.resolve(message.answer)
        else if (message.kind === 'failed') {
          const why = { EADDRINUSE: 'the port is in use', EACCES: 'the port needs more rights' }[
            message.code ?? ''
          ]
          const reason = why ?? message.message
          reject(new Fault('unavailable', `cannot receive syslog messages ${message.place}: ${reason}`))
        } else {
          this.#ports = message.ports
          const [first] = udp
          if (first && message.bufferSize !== undefined)
            this.#buffer = { requested: first.bufferSize, granted: message.bufferSize }
          resolve()
        }
      })
    })
  }

  /** Passes on what has arrived. */
  async stop(): Promise<void> {
    const isListening = await this.listening.then(
      () => true,
      () => false,
    )
    if (isListening) {
      this.#post({ kind: 'close' })
      await this.#closed.promise
    }
    await this.#worker.terminate()
  }
}

/** A port of each way in which messages come, or several where there are spaces. */
const shownPorts = (ports: SyslogPorts) =>
  Object.fromEntries(
    Object.entries(ports).flatMap(([way, [port, ...others]]) =>
      port === undefined ? [] : [[way, others.length > 0 ? [port, ...others] : port]],
    ),
  )
