// The receiving thread: empties the socket whatever the rest of the service is doing, and hands datagrams over in
// blocks. One block is in transit at a time, or two if they are full; the rest waits here, in a queue per source, up to
// a limit.

import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { spaceOf } from '../schema/space.ts'
import { pack, unpack } from './datagram-block.ts'
import { Intake, type Report } from './intake.ts'
import type { StormSettings } from './storm-guard.ts'
import type { PushBack, SievedMessages } from './syslog-thread.ts'
import { type ListenFailure, type UdpSettings, UdpSocket } from './udp-socket.ts'

export interface ThreadSettings {
  /** One for each address space. */
  readonly sockets: readonly UdpSettings[]
  readonly storm: StormSettings
  /** Whether a pending inform is kept once, however often it arrives. */
  readonly keepsInformsOnce: boolean
}

/** What the thread is started with. */
export interface ThreadData {
  readonly settings: ThreadSettings
  /** Where sieved syslog messages come from. */
  readonly messages: MessagePort | undefined
}

export type FromThread =
  /** The ports of all sockets, in their order, and the smallest of their buffers. */
  | { readonly kind: 'ready'; readonly ports: readonly number[]; readonly bufferSize: number }
  | (ListenFailure & { readonly place: string })
  /** Everything that arrived before the close has been handed over. */
  | { readonly kind: 'closed' }
  /** `report` counts datagrams that are in no block; it is processed before this block. */
  | { readonly kind: 'block'; readonly block: ArrayBuffer; readonly report: Report | undefined }

export interface Answer {
  readonly bytes: Uint8Array
  readonly port: number
  readonly address: string
}

export type ToThread =
  /** A block was accepted: the answers to its informs, and room for the next block. */
  | { readonly kind: 'taken'; readonly answers: readonly Answer[] }
  | { readonly kind: 'send'; readonly answers: readonly Answer[] }
  /** Blocks up to this number are processed, counted from the first. */
  | { readonly kind: 'processed'; readonly blocks: number }
  | { readonly kind: 'close' }

const blockLimit = 500
/**
 * How many blocks may be in transit. Whatever is in transit comes before everything that arrives later, so the next
 * block is filled as late as possible. After a full block the next one follows at once, so that the main thread need
 * not wait.
 */
const transitLimit = { normal: 1, afterFull: 2 }
/** Milliseconds after a request to close during which it goes on receiving while its datagrams are processed. */
const processLimit = 1200
const tickEvery = 1000

const { settings, messages } = workerData as ThreadData
const { storm, keepsInformsOnce } = settings
const post = (message: FromThread, transfer: ArrayBuffer[] = []) => parentPort?.postMessage(message, transfer)

const intake = new Intake(storm, performance.now(), keepsInformsOnce ? {} : { informs: 0 })
let inTransit = 0
let scheduled = false
let limit = transitLimit.normal
/** Set about once a second: a line in the ledger for every block would be too much. */
let reportDue = false

const sockets = settings.sockets.map((one) => {
  const socket = new UdpSocket(one, (datagram) => {
    intake.add(datagram, performance.now())
    scheduleHandOver()
  })
  return { ...one, socket }
})

function scheduleHandOver(): void {
  if (scheduled || inTransit >= limit || intake.isEmpty) return
  // After the socket has been emptied, so that datagrams that arrived together share a block.
  scheduled = true
  setImmediate(() => handOver())
}

let hasMessages = messages !== undefined
messages?.on('message', ({ block, report }: SievedMessages) => {
  const now = performance.now()
  for (const message of unpack(block)) intake.add(message, now)
  if (report) intake.addReport(report)
  reportFull()
  scheduleHandOver()
})
// The other thread closes it after its last message.
messages?.on('close', () => {
  hasMessages = false
  if (closing) closeWhenProcessed()
})

let reportedFull = ''

/** Senders that can wait do so while their queues are long. */
function reportFull(): void {
  const full = intake.fullSources()
  if (full.join() === reportedFull) return
  reportedFull = full.join()
  messages?.postMessage({ full } satisfies PushBack)
}

const ticking = setInterval(() => {
  intake.tick(performance.now())
  reportDue = true
  handOver()
}, tickEvery)

function handOver(isLast = false): void {
  scheduled = false
  while (inTransit < limit || isLast) {
    const report = reportDue ? intake.report() : undefined
    reportDue = false
    if (intake.isEmpty && !report) return
    const datagrams = intake.take(blockLimit, performance.now())
    limit = datagrams.length < blockLimit ? transitLimit.normal : transitLimit.afterFull
    const block = pack(datagrams)
    inTransit += 1
    post({ kind: 'block', block, report }, [block])
    if (messages) reportFull()
  }
}

/** Set once it has been asked to close. */
let closing: NodeJS.Timeout | undefined
let isDraining = false

parentPort?.on('message', (message: ToThread) => {
  if (message.kind === 'close') {
    closing = setTimeout(beginDrain, processLimit)
    closeWhenProcessed()
    return
  }
  if (message.kind === 'processed') return intake.processed(message.blocks)
  for (const answer of message.answers) send(answer)
  if (message.kind === 'send') return
  inTransit -= 1
  handOver()
  if (closing) closeWhenProcessed()
})

/** From the address that was asked: a sender accepts no answer of another. */
function send({ bytes, port, address }: Answer): void {
  const asked = sockets.find(({ space }) => space === spaceOf(address))
  asked?.socket.send(bytes, port, address)
}

/**
 * Datagrams that arrive between the close and the next start are lost, so it receives as long as there is work to do.
 */
function closeWhenProcessed(): void {
  if (inTransit === 0 && intake.isEmpty && !hasMessages) beginDrain()
}

function beginDrain(): void {
  if (isDraining) return
  isDraining = true
  clearTimeout(closing)
  const drained = sockets.map(({ socket }) => new Promise<void>((resolve) => socket.drain(resolve)))
  void Promise.all(drained).then(() => {
    clearInterval(ticking)
    reportDue = true
    handOver(true)
    post({ kind: 'closed' })
    messages?.close()
    parentPort?.close()
  })
}

const bound: { port: number; bufferSize: number }[] = []

for (const [index, { socket, host, port }] of sockets.entries()) {
  socket.listen(
    (opened) => {
      bound[index] = opened
      // Without holes.
      if (Object.keys(bound).length < sockets.length) return
      const bufferSize = Math.min(...bound.map((one) => one.bufferSize))
      post({ kind: 'ready', ports: bound.map((one) => one.port), bufferSize })
    },
    (failure) => post({ ...failure, place: `${host}:${port}` }),
  )
}
