// The receiving thread: empties the socket whatever the rest of the service is doing, and hands datagrams over in
// blocks. One block is under way at a time, or two where they are full; the rest waits here, a queue per source, within a
// limit.

import { createSocket } from 'node:dgram'
import { isIPv4, isIPv6 } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'
import { pack, steadyTime } from './datagram-block.ts'
import { Intake, type Report } from './intake.ts'
import type { StormSettings } from './storm-guard.ts'

export interface ThreadSettings {
  readonly host: string
  readonly port: number
  readonly bufferSize: number
  readonly storm: StormSettings
  /** Whether an inform that waits is kept once, however often it comes. */
  readonly keepsOnce: boolean
}

export type FromThread =
  | { readonly kind: 'ready'; readonly address: string; readonly port: number; readonly bufferSize: number }
  | { readonly kind: 'failed'; readonly message: string; readonly code: string | undefined }
  /** All that had arrived before the close has been handed over. */
  | { readonly kind: 'closed' }
  /** `report`: what became of datagrams that are in no block. It is processed before the block behind it. */
  | { readonly kind: 'block'; readonly block: ArrayBuffer; readonly report: Report | undefined }

export interface Answer {
  readonly bytes: Uint8Array
  readonly port: number
  readonly address: string
}

export type ToThread =
  /** A block is kept: the answers to what was in it, and room for the next. */
  | { readonly kind: 'taken'; readonly answers: readonly Answer[] }
  | { readonly kind: 'send'; readonly answers: readonly Answer[] }
  /** So many blocks are processed, counted from the first. */
  | { readonly kind: 'processed'; readonly blocks: number }
  | { readonly kind: 'close' }

const blockLimit = 500
/**
 * A block that is under way is ahead of all that comes later: the next one is chosen as late as possible. After a full
 * one it follows at once: the main thread need not wait for it, and no source has been held back in favour of others.
 */
const onTheirWay = { usually: 1, behindFull: 2 }
/** How long, when it is asked to close, it goes on receiving while what it has is being processed. */
const processLimit = 1200
const drainLimit = 250
const tickEvery = 1000

const { host, port, bufferSize, storm, keepsOnce } = workerData as ThreadSettings
const post = (message: FromThread, transfer: ArrayBuffer[] = []) => parentPort?.postMessage(message, transfer)

const intake = new Intake(storm, performance.now(), keepsOnce ? {} : { informs: 0 })
let arrived = 0
let underWay = 0
let scheduled = false
let most = onTheirWay.usually
/** Reported about once a second: a line in the ledger for every block would be too much. */
let reportDue = false

const socket = createSocket({ type: isIPv6(host) ? 'udp6' : 'udp4', ipv6Only: false })

/** A socket of IPv6 that also serves IPv4 shows those addresses in their IPv6 form only. */
const reachable = (address: string) => (isIPv6(host) && isIPv4(address) ? `::ffff:${address}` : address)

socket.on('message', (bytes, { address, port: from }) => {
  arrived += 1
  const sourceIp = address.startsWith('::ffff:') ? address.slice('::ffff:'.length) : address
  intake.add({ sourceIp, port: from, receivedAt: steadyTime(), bytes }, performance.now())
  if (!scheduled && underWay < most && !intake.isEmpty) {
    // Once the socket has been emptied: what arrived together travels together.
    scheduled = true
    setImmediate(() => handOver())
  }
})

const ticking = setInterval(() => {
  intake.tick(performance.now())
  reportDue = true
  handOver()
}, tickEvery)

function handOver(isLast = false): void {
  scheduled = false
  while (underWay < most || isLast) {
    const report = reportDue ? intake.report() : undefined
    reportDue = false
    if (intake.isEmpty && !report) return
    const datagrams = intake.take(blockLimit, performance.now())
    most = datagrams.length < blockLimit ? onTheirWay.usually : onTheirWay.behindFull
    const block = pack(datagrams)
    underWay += 1
    post({ kind: 'block', block, report }, [block])
  }
}

/** Expires once it has been asked to close. */
let closing: NodeJS.Timeout | undefined
let isDraining = false

parentPort?.on('message', (message: ToThread) => {
  if (message.kind === 'close') {
    closing = setTimeout(beginDrain, processLimit)
    closeWhenProcessed()
    return
  }
  if (message.kind === 'processed') return intake.processed(message.blocks)
  for (const { bytes, port, address } of message.answers) {
    // Nobody waits for the outcome: a sender asks again for an answer that does not arrive.
    socket.send(bytes, port, reachable(address), () => undefined)
  }
  if (message.kind === 'send') return
  underWay -= 1
  handOver()
  if (closing) closeWhenProcessed()
})

/** Whatever comes between the close and the next start is lost: as long as there is work to do, it is received. */
function closeWhenProcessed(): void {
  if (underWay === 0 && intake.isEmpty) beginDrain()
}

function beginDrain(): void {
  if (isDraining) return
  isDraining = true
  clearTimeout(closing)
  setImmediate(() => drain(performance.now() + drainLimit))
}

/** What the kernel has received is read before the end: as long as every round brings more, within a limit. */
function drain(end: number): void {
  const before = arrived
  setImmediate(() => {
    if (arrived > before && performance.now() < end) return drain(end)
    socket.close()
    clearInterval(ticking)
    reportDue = true
    handOver(true)
    post({ kind: 'closed' })
    parentPort?.close()
  })
}

socket.on('error', (error: NodeJS.ErrnoException) => {
  post({ kind: 'failed', message: error.message, code: error.code })
})

socket.bind(port, host, () => {
  // Some kernels refuse more than their limit, others reduce it: what counts is the value that is read back.
  try {
    socket.setRecvBufferSize(bufferSize)
  } catch {
    // The size that was granted is reported below.
  }
  const bound = socket.address()
  post({ kind: 'ready', address: bound.address, port: bound.port, bufferSize: socket.getRecvBufferSize() })
})
