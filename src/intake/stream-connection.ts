// A connection over which syslog messages come: cuts what it reads into messages, a piece at a time, so that a fast sender
// does not delay others. What it has not read waits in the buffers of the stream and the kernel, and there the sender waits.

import type { Socket } from 'node:net'
import { FrameReader } from '../syslog/frame-reader.ts'

/** What becomes of its messages. */
export interface MessageSink {
  /** Reads and matches it. */
  take(bytes: Buffer, from: { readonly sourceIp: string; readonly port: number }): void
  /** Counts it only. */
  drop(sourceIp: string): void
  /** It was longer than the limit; its beginning is taken. */
  cut(): void
}

/** Octets of a connection that are read in its turn. */
const pieceSize = 4096
/** Milliseconds for which a connection is read without delay after its sender has waited as long as it may. */
const readOnTime = 10_000

export class StreamConnection {
  readonly sourceIp: string
  readonly #socket: Socket
  readonly #port: number
  readonly #sink: MessageSink
  readonly #frames = new FrameReader()
  /** The octets that wait, and since when; undefined if none do. */
  #waiting: { at: number; octets: number } | undefined
  #readOnUntil = Number.NEGATIVE_INFINITY
  /** When the message that has not ended began. */
  #unfinishedSince: number | undefined
  #isClosed = false

  /** `onReadable` is called when there is something to read, or when the sender has closed the connection. */
  constructor(socket: Socket, sourceIp: string, sink: MessageSink, onReadable: () => void) {
    this.#socket = socket
    this.sourceIp = sourceIp
    this.#port = socket.remotePort ?? 0
    this.#sink = sink
    socket.on('readable', () => {
      this.#waiting ??= { at: performance.now(), octets: socket.readableLength }
      onReadable()
    })
    socket.on('timeout', () => socket.destroy())
    socket.on('close', () => {
      this.#isClosed = true
      onReadable()
    })
  }

  /** Octets of the message that has not ended. */
  get unfinished(): number {
    return this.#frames.unfinished
  }

  get isOver(): boolean {
    return this.#isClosed && this.#socket.readableLength === 0
  }

  /** Whether its sender has waited for so many milliseconds, so that it is read whatever becomes of the messages. */
  readsOn(now: number, pushBackTime: number): boolean {
    if (this.#waiting && now - this.#waiting.at > pushBackTime) this.#readOnUntil = now + readOnTime
    return now < this.#readOnUntil
  }

  /** Takes a piece; if it is to read on, drops the rest. Returns whether there is more. */
  serve(now: number, readsOn: boolean): boolean {
    this.#read(now, (bytes) => this.#sink.take(bytes, { sourceIp: this.sourceIp, port: this.#port }))
    while (readsOn && this.#socket.readableLength > 0) this.#read(now, () => this.#sink.drop(this.sourceIp))
    if (this.#socket.readableLength > 0) return true
    this.#waiting = undefined
    // Only this makes a stream that has ended report it.
    this.#socket.read(0)
    if (this.#isClosed) this.finish()
    return false
  }

  #read(now: number, take: (bytes: Buffer) => void): void {
    const length = Math.min(pieceSize, this.#socket.readableLength)
    const piece: Buffer | null = length > 0 ? this.#socket.read(length) : null
    if (!piece) return
    for (const { bytes, isCut } of this.#frames.read(piece)) {
      this.#unfinishedSince = undefined
      if (isCut) this.#sink.cut()
      take(bytes)
    }
    if (this.unfinished === 0) this.#unfinishedSince = undefined
    else this.#unfinishedSince ??= now
    if (!this.#waiting) return
    this.#waiting.octets -= piece.length
    // What waited at that time has been read; the rest came later.
    if (this.#waiting.octets <= 0) this.#waiting = { at: now, octets: this.#socket.readableLength }
  }

  /** Whether a message began so many milliseconds ago and has not ended. */
  isSlow(now: number, messageTime: number): boolean {
    return this.#unfinishedSince !== undefined && now - this.#unfinishedSince > messageTime
  }

  /** Takes what there is of a message: its end is late, or will not come. */
  finish(): void {
    this.#unfinishedSince = undefined
    const frame = this.#frames.end()
    if (frame) this.#sink.take(frame.bytes, { sourceIp: this.sourceIp, port: this.#port })
  }

  /** Ends the connection; messages that were received and not processed are counted. */
  close(now: number): void {
    while (this.#socket.readableLength > 0) this.#read(now, () => this.#sink.drop(this.sourceIp))
    this.finish()
    this.#socket.destroy()
  }
}
