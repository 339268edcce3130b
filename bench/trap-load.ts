// The sender of traps, a process of its own. Datagrams are made beforehand, so that sending costs as little as it can.

import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { answer } from './children.ts'
import { datagram } from './trap-datagram.ts'

export interface Load {
  readonly port: number
  /** Traps number `first` to `first + different - 1`, over and over until `count` are sent. */
  readonly first: number
  readonly different: number
  readonly count: number
  /** So many a second. Absent: as fast as they go. */
  readonly rate?: number
  /** The address to send from; 127.0.0.1 by default. */
  readonly from?: string
  /** Addresses to send from in turn: the devices are then these. */
  readonly sources?: readonly string[]
}

export interface Sent {
  readonly count: number
  readonly seconds: number
}

async function open(from: string, port: number): Promise<Socket> {
  const socket = createSocket('udp4')
  socket.bind(0, from)
  await once(socket, 'listening')
  socket.connect(port, '127.0.0.1')
  await once(socket, 'connect')
  return socket.on('error', () => undefined)
}

async function send({ port, first, different, count, rate, from, sources = [] }: Load): Promise<Sent> {
  const datagrams = Array.from({ length: different }, (_, index) => datagram(first + index, sources.length))
  const addresses = sources.length > 0 ? sources : [from ?? '127.0.0.1']
  const sockets = await Promise.all(addresses.map((address) => open(address, port)))
  const began = performance.now()
  for (let sent = 0; sent < count; ) {
    const passed = (performance.now() - began) / 1000
    const due = rate === undefined ? count : Math.min(count, Math.ceil(passed * rate))
    const until = Math.min(due, sent + 500)
    let last: Promise<void> | undefined
    for (; sent < until; sent += 1) {
      const bytes = datagrams[sent % different] as Buffer
      const socket = sockets[sent % sockets.length] as Socket
      // The kernel takes them in order: when it has taken the last it has taken all.
      if (sent < until - 1) socket.send(bytes)
      else last = new Promise((resolve) => socket.send(bytes, () => resolve()))
    }
    await (last ?? sleep(1))
  }
  const seconds = (performance.now() - began) / 1000
  for (const socket of sockets) socket.close()
  return { count, seconds }
}

answer({ send })
