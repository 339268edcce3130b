// The yardsticks as a process of their own: a loop over clients of bare node:http, and rows of SQLite on their way to a
// socket without anything between.

import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { DatabaseSync } from 'node:sqlite'
import { answer, memory, processorTime, sharedNow } from './children.ts'

const clients = new Set<ServerResponse>()
const server = createServer((_, response) => {
  response.writeHead(202, { 'Content-Type': 'application/xml' })
  response.flushHeaders()
  clients.add(response)
  response.on('close', () => clients.delete(response))
})

async function listen(on: Server): Promise<number> {
  on.listen(0, '127.0.0.1')
  await once(on, 'listening')
  return (on.address() as AddressInfo).port
}

interface Sending {
  readonly count: number
  readonly bytes: number
  readonly mark: string
  /** Whether each client gets all documents in one write. */
  readonly joined: boolean
}

function send({ count, bytes, mark, joined }: Sending): number {
  const documents = Array.from({ length: count }, (_, index) =>
    Buffer.from(`${index === count - 1 ? mark : ''}`.padStart(bytes - 2, '.').concat('\n\n')),
  )
  const at = sharedNow()
  for (const document of joined ? [Buffer.concat(documents)] : documents) {
    for (const client of clients) client.write(document)
  }
  return at
}

/** Every datagram goes to every client at once, read by nobody and kept nowhere; returns where datagrams are taken. */
async function relay({ bytes }: { bytes: number }): Promise<number> {
  const socket = createSocket({ type: 'udp4', recvBufferSize: 4 * 2 ** 20 }, (datagram) => {
    const document = Buffer.concat([datagram, Buffer.alloc(Math.max(0, bytes - datagram.length), '.')])
    for (const client of clients) client.write(document)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return socket.address().port
}

const chunk = 1000

async function replay(file: string, socket: Socket): Promise<void> {
  const db = new DatabaseSync(file, { readOnly: true })
  const rows = db.prepare('select * from alarm_log where number > ? order by number limit ?')
  for (let last = 0; ; ) {
    const found = rows.all(last, chunk)
    if (found.length === 0) break
    last = Number(found.at(-1)?.number)
    const piece = found.map(({ alarm }) => `${alarm}\n\n`).join('')
    if (!socket.write(piece)) await once(socket, 'drain')
  }
  db.close()
}

answer({
  start: () => listen(server),
  send,
  relay,
  memory,
  processorTime,
  serveRows: ({ file }: { file: string }) =>
    listen(
      createTcpServer((socket) => {
        socket.on('error', () => socket.destroy())
        socket.once('data', () => replay(file, socket))
      }),
    ),
})
