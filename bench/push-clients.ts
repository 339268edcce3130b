// Many clients of event streams in one process: sockets that do as little as they can with what they read, the same for
// every server.

import { connect, type Socket } from 'node:net'
import { answer, sharedNow } from './children.ts'

export interface Opening {
  readonly group: string
  readonly port: number
  /** With `{n}` in it, each client has its own number there. */
  readonly path: string
  readonly count: number
  /** Every so many-th client notes how long each document was under way; absent: none does. */
  readonly sampleEvery?: number
}

export interface Received {
  /** When the last client had everything. */
  readonly at: number
  /** Received by the client that received least. */
  readonly bytes: number
}

/** A document's last bytes and the framing behind it fit in here. */
const tailBytes = 2048
/** All sockets read into it: what is read is looked at at once or never. */
const shared = Buffer.alloc(256 * 1024)
const sentAt = /sent=(\d+\.\d+)~/g

class Client {
  readonly socket: Socket
  readonly opened: Promise<void>
  readonly #delays: number[] | undefined
  #tail = Buffer.alloc(0)
  #expected = ''
  #done: (() => void) | undefined
  bytes = 0
  doneAt = 0

  constructor({ port, path }: Opening, delays: number[] | undefined) {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.opened = promise
    this.#delays = delays
    const onread = {
      buffer: shared,
      callback: (length: number) => {
        resolve()
        this.#take(shared.subarray(0, length))
        return true
      },
    }
    this.socket = connect({ port, host: '127.0.0.1', noDelay: true, onread })
    this.socket.on('error', reject)
    this.socket.on('connect', () =>
      this.socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nAccept: application/xml\r\n\r\n`),
    )
  }

  expect(mark: string): Promise<void> {
    this.#expected = mark
    this.bytes = 0
    return new Promise((resolve) => {
      this.#done = resolve
    })
  }

  #take(piece: Buffer): void {
    this.bytes += piece.length
    if (this.#delays) note(this.#delays, piece)
    if (!this.#done) return
    const end =
      piece.length >= tailBytes
        ? piece.subarray(-tailBytes)
        : Buffer.concat([this.#tail, piece]).subarray(-tailBytes)
    if (end.includes(this.#expected)) {
      this.doneAt = sharedNow()
      this.#done()
      this.#done = undefined
      this.#tail = Buffer.alloc(0)
    } else this.#tail = Buffer.from(end)
  }
}

function note(delays: number[], piece: Buffer): void {
  const now = sharedNow()
  for (const [, sent] of piece.toString('latin1').matchAll(sentAt)) delays.push(now - Number(sent))
}

const groups = new Map<string, Client[]>()
const expected = new Map<string, Promise<Received>>()
const delays: number[] = []

const of = (group: string) => groups.get(group) ?? []

answer({
  async open(opening: Opening): Promise<void> {
    const { count, group, sampleEvery = 0 } = opening
    const clients = [...of(group)]
    groups.set(group, clients)
    // A few at a time: the queue of connections that wait to be accepted is short.
    for (let done = 0; done < count; done += 50) {
      const few = Array.from({ length: Math.min(50, count - done) }, (_, index) => {
        const sampled = sampleEvery > 0 && (done + index) % sampleEvery === 0
        const path = opening.path.replace('{n}', String(done + index))
        return new Client({ ...opening, path }, sampled ? delays : undefined)
      })
      clients.push(...few)
      await Promise.all(few.map(({ opened }) => opened))
    }
  },
  /** Answers at once; `received` marks the end. */
  expect({ group, mark }: { group: string; mark: string }): void {
    const clients = of(group)
    const all = Promise.all(clients.map((client) => client.expect(mark)))
    const result = all.then(() => ({
      at: Math.max(...clients.map(({ doneAt }) => doneAt)),
      bytes: Math.min(...clients.map(({ bytes }) => bytes)),
    }))
    expected.set(group, result)
  },
  received: ({ group }: { group: string }) => expected.get(group),
  /** One client that reads a stream from its begin to a mark; returns the milliseconds and the bytes. */
  async read({ port, path, mark }: { port: number; path: string; mark: string }) {
    const began = sharedNow()
    const client = new Client({ group: '', port, path, count: 1 }, undefined)
    await Promise.all([client.opened, client.expect(mark)])
    client.socket.destroy()
    return { milliseconds: client.doneAt - began, bytes: client.bytes }
  },
  delays(): number[] {
    return delays.splice(0).sort((a, b) => a - b)
  },
  close({ group }: { group: string }): void {
    for (const { socket } of of(group)) socket.destroy()
    groups.delete(group)
  },
})
