// The thread that receives syslog messages. It sieves them, and passes those that raise or end alarms to the thread that
// receives traps: from there on they share its queues, blocks and limits.

import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import type { Address, Listener } from '../config/forms.ts'
import type { MessageDefinition, NamedAddresses } from '../resources/alarms/message-definition.ts'
import type { DeviceThresholds } from '../resources/alarms/message-threshold.ts'
import type { DeviceNames } from '../resources/inventory/device-names.ts'
import type { ShapeName } from '../syslog/message-shapes.ts'
import { DefinitionScopes, preparedDefinitions } from '../syslog/own-definitions.ts'
import { readShippedDefinitions } from '../syslog/syslog-definitions.ts'
import { type Datagram, pack } from './datagram-block.ts'
import type { Report } from './intake.ts'
import type { SenderCount } from './message-counts.ts'
import type { CountedShapes, PackedMessages } from './message-memory.ts'
import type { RingQuery } from './message-ring.ts'
import { MessageSieve, type SieveSettings } from './message-sieve.ts'
import { type StreamLimits, StreamListener, type StreamTls } from './stream-listener.ts'
import { type ListenFailure, type UdpSettings, UdpSocket } from './udp-socket.ts'

/** Each way in which messages come may be absent; of each there is one listener for each address space. */
export interface SyslogSettings extends SieveSettings {
  readonly udp: readonly UdpSettings[]
  readonly tcp: readonly Listener[]
  readonly tls: { readonly listeners: readonly Listener[]; readonly files: StreamTls } | undefined
  readonly streamLimits: StreamLimits
}

/** What goes to the thread that receives traps. */
export interface SievedMessages {
  readonly block: ArrayBuffer
  /** About once a second. */
  readonly report: Report | undefined
}

/** What that thread answers: the sources that are to wait. */
export interface PushBack {
  readonly full: readonly string[]
}

/** The ports at which it listens, in the order of the settings. */
export type SyslogPorts = Readonly<Record<SyslogWay, readonly number[]>>
export type SyslogWay = 'udp' | 'tcp' | 'tls'

export interface StreamFigures {
  /** Connections that are open. */
  readonly connections: number
  /** Messages that were longer than the limit, since the start. */
  readonly cut: number
}

export type FromSyslogThread =
  | { readonly kind: 'ready'; readonly ports: SyslogPorts; readonly bufferSize: number | undefined }
  | (ListenFailure & { readonly place: string })
  | ({ readonly kind: 'figures' } & StreamFigures)
  | { readonly kind: 'answer'; readonly id: number; readonly answer: SyslogAnswer }
  /** Everything that arrived before the close has been passed on. */
  | { readonly kind: 'closed' }

export type ToSyslogThread =
  | { readonly kind: 'close' }
  | { readonly kind: 'renew'; readonly files: StreamTls }
  | { readonly kind: 'mute'; readonly shapes: readonly ShapeName[] }
  | { readonly kind: 'names'; readonly names: DeviceNames }
  | { readonly kind: 'thresholds'; readonly thresholds: DeviceThresholds }
  | { readonly kind: 'scopes'; readonly addresses: NamedAddresses }
  | { readonly kind: 'definitions'; readonly definitions: readonly MessageDefinition[] }
  | ({ readonly kind: 'ask'; readonly id: number } & SyslogQuestion)

/** What the thread can be asked for. */
export type SyslogQuestion =
  | { readonly about: 'messages'; readonly query: Omit<RingQuery, 'bytes'> }
  | { readonly about: 'shapes' }
  /** Who was heard since it was last asked. */
  | { readonly about: 'counts' }

type SyslogAnswer = PackedMessages | CountedShapes | readonly SenderCount[]

/** The datagrams that are passed on together. */
const blockLimit = 500
const tickEvery = 1000

const { settings, sieved } = workerData as { settings: SyslogSettings; sieved: MessagePort }
const post = (message: FromSyslogThread, moved: readonly ArrayBuffer[] = []) =>
  parentPort?.postMessage(message, moved)

const sieve = new MessageSieve(settings, readShippedDefinitions().definitions, performance.now())
const scopes = new DefinitionScopes()
const streams = new StreamListener(settings.streamLimits, sieve, receive)
const sockets = settings.udp.map((one) => ({
  ...one,
  socket: new UdpSocket(one, (datagram) => receive({ ...datagram, isMessage: true })),
}))
let waiting: Datagram[] = []

function receive(message: Datagram): void {
  if (!sieve.admits(message, performance.now())) return
  waiting.push(message)
  if (waiting.length === 1) setImmediate(() => passOn())
  else if (waiting.length >= blockLimit) passOn()
}

function passOn(report?: Report): void {
  if (waiting.length === 0 && !report) return
  const block = pack(waiting)
  waiting = []
  sieved.postMessage({ block, report } satisfies SievedMessages, [block])
}

sieved.on('message', ({ full }: PushBack) => streams.pushBack(full))

const ticking = setInterval(() => {
  streams.tick(performance.now())
  passOn(sieve.tick(performance.now()))
  post({ kind: 'figures', connections: streams.size, cut: streams.cut })
}, tickEvery)

parentPort?.on('message', (message: ToSyslogThread) => {
  if (message.kind === 'renew') streams.renew(message.files)
  else if (message.kind === 'mute') sieve.memory.mute(message.shapes)
  else if (message.kind === 'names') sieve.relays.setNames(message.names)
  else if (message.kind === 'thresholds') sieve.thresholds.set(message.thresholds)
  else if (message.kind === 'scopes') scopes.set(message.addresses)
  else if (message.kind === 'definitions')
    sieve.matcher.prefer(preparedDefinitions(message.definitions, scopes))
  else if (message.kind === 'ask') tell(message.id, message)
  else streams.drain(() => void drainSockets().then(close))
})

const drainSockets = () =>
  Promise.all(sockets.map(({ socket }) => new Promise<void>((resolve) => socket.drain(resolve))))

function tell(id: number, question: SyslogQuestion): void {
  if (question.about === 'shapes') post({ kind: 'answer', id, answer: sieve.memory.shapes() })
  else if (question.about === 'counts') post({ kind: 'answer', id, answer: sieve.counts.take() })
  else {
    const answer = sieve.memory.messages(question.query)
    post({ kind: 'answer', id, answer }, [answer.block])
  }
}

function close(): void {
  clearInterval(ticking)
  passOn(sieve.tick(performance.now()))
  // The other thread sees this after the last message.
  sieved.close()
  post({ kind: 'closed' })
  parentPort?.close()
}

listen(settings)

function listen({ udp, tcp, tls }: SyslogSettings): void {
  const ports: Record<SyslogWay, number[]> = { udp: [], tcp: [], tls: [] }
  const bufferSizes: number[] = []
  let awaited = udp.length + tcp.length + (tls?.listeners.length ?? 0)
  const ready = (way: SyslogWay, index: number) => (port: number) => {
    ports[way][index] = port
    awaited -= 1
    const bufferSize = bufferSizes.length === 0 ? undefined : Math.min(...bufferSizes)
    if (awaited === 0) post({ kind: 'ready', ports, bufferSize })
  }
  const failed =
    (way: string, { host, port }: Address) =>
    (failure: ListenFailure) =>
      post({ ...failure, place: `over ${way} on ${host.includes(':') ? `[${host}]` : host}:${port}` })
  for (const [index, one] of sockets.entries())
    one.socket.listen(
      (bound) => {
        bufferSizes.push(bound.bufferSize)
        ready('udp', index)(bound.port)
      },
      failed('UDP', one),
    )
  for (const [index, one] of tcp.entries())
    streams.listen(one, undefined, ready('tcp', index), failed('TCP', one))
  for (const [index, one] of (tls?.listeners ?? []).entries())
    streams.listen(one, tls?.files, ready('tls', index), failed('TLS', one))
}
