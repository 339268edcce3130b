// Hostile HTTP of every kind at once, from many addresses: others are served meanwhile, memory stays bounded, and in
// the
// end the service holds none of these connections any more.

import assert from 'node:assert/strict'
import { request } from 'node:http'
import { request as tlsRequest } from 'node:https'
import { connect, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { connect as connectTls } from 'node:tls'
import { Authority } from '../http/certificates.ts'
import { record } from '../outcome.ts'
import { eventually } from '../push/station.ts'
import { temporaryFolder } from '../support.ts'
import { withoutTool } from '../tools.ts'
import { type ServiceProcess, startProcess } from './process.ts'

const linux = process.platform !== 'linux' && 'only Linux has all of 127.0.0.0/8 at once'
const patience = 30_000
const bounds = { 'request-timeout': '2', 'stall-seconds': '2' }

type Attack = (socket: Socket) => void

/** Sends a piece again and again, until the service closes the connection. */
function drip(socket: Socket, piece: string): void {
  const timer = setInterval(() => (socket.writable ? socket.write(piece) : clearInterval(timer)), 100)
  socket.once('close', () => clearInterval(timer))
}

const head = 'GET /ram/zone/1 HTTP/1.1\r\nHost: localhost\r\n'
const much = 'GET /plat/data/zone HTTP/1.1\r\nHost: localhost\r\n\r\n'
const post = 'POST /ram/zone HTTP/1.1\r\nHost: localhost\r\n'

const attacks: Readonly<Record<string, Attack>> = {
  'says nothing': () => undefined,
  'drips headers': (socket) => {
    socket.write(`${head}X-Slow: `)
    drip(socket, 'a')
  },
  'drips whole headers': (socket) => {
    socket.write(head)
    drip(socket, 'X-More: more\r\n')
  },
  'drips a body': (socket) => {
    socket.write(`${post}Content-Length: 100000\r\n\r\n<zone>`)
    drip(socket, ' ')
  },
  'drips chunks': (socket) => {
    socket.write(`${post}Transfer-Encoding: chunked\r\n\r\n`)
    drip(socket, '1\r\n \r\n')
  },
  'sends a giant header': (socket) => {
    socket.write(`${head}X-Giant: `)
    drip(socket, 'x'.repeat(100_000))
  },
  'sends a giant body': (socket) => {
    socket.write(`${post}Content-Length: 99999999\r\n\r\n`)
    drip(socket, ' '.repeat(1_000_000))
  },
  'sends bad chunks': (socket) => socket.write(`${post}Transfer-Encoding: chunked\r\n\r\nzz\r\nx\r\n`),
  smuggles: (socket) =>
    socket.write(
      `${post}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nDELETE /ram/zone/1 HTTP/1.1\r\n`,
    ),
  'speaks no HTTP': (socket) =>
    socket.write(Buffer.from(Array.from({ length: 2000 }, (_, n) => (n * 73) % 256))),
  'pipelines without end and reads nothing': (socket) => {
    socket.pause()
    drip(socket, `${head}\r\n`.repeat(50))
  },
  'asks for much and reads nothing': (socket) => {
    socket.pause()
    socket.write(much.repeat(60))
  },
  'goes away in mid-request': (socket) => {
    socket.write(`${post}Content-Length: 10\r\n\r\n<zo`)
    socket.once('connect', () => setTimeout(() => socket.destroy(), 50))
  },
}

/** What can be done to TLS before there is any HTTP. */
const handshakes: Readonly<Record<string, Attack>> = {
  'says nothing': () => undefined,
  'shakes half a hand': (socket) => socket.write(Buffer.from('16030102000100', 'hex')),
  'drips a handshake': (socket) => {
    socket.write(Buffer.from('1603014000', 'hex'))
    drip(socket, '\0')
  },
  'speaks no TLS': (socket) => socket.write(Buffer.alloc(5000, 0x17)),
  'speaks plain HTTP': (socket) => socket.write(`${head}\r\n`),
}

/** All kinds, each from an address of its own. */
function attackAll(
  kinds: Readonly<Record<string, Attack>>,
  each: number,
  open: (from: string) => Socket,
): Socket[] {
  return Object.values(kinds).flatMap((attack, kind) =>
    Array.from({ length: each }, () => {
      const socket = open(`127.0.0.${10 + kind}`)
      // That they are disconnected is expected.
      socket.on('error', () => undefined)
      after(() => socket.destroy())
      if (!socket.isPaused()) socket.resume()
      attack(socket)
      return socket
    }),
  )
}

interface Ordinary {
  /** An ordinary request; fails where no answer comes in time. */
  ask(method: string, path: string, body?: string, type?: string): Promise<{ status: number; text: string }>
}

const ordinary = (url: string, ca?: string): Ordinary => ({
  ask(method, path, body, type = 'application/xml') {
    const { hostname, port } = new URL(url)
    const headers = { 'Content-Type': type }
    const options = {
      headers,
      hostname,
      port,
      method,
      path,
      agent: false as const,
      signal: AbortSignal.timeout(patience),
    }
    return new Promise((resolve, reject) => {
      const asked = (ca ? tlsRequest : request)({ ...options, ...(ca && { ca }) }, (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (piece) => {
          text += piece
        })
        response.on('error', reject).on('end', () => resolve({ status: response.statusCode ?? 0, text }))
      })
      asked.on('error', reject).end(body)
    })
  },
})

/** Serves an ordinary caller during the attack, until no connection of the attackers is left. */
async function outlast(service: ServiceProcess, { ask }: Ordinary, attack: () => Socket[]): Promise<void> {
  // A megabyte, for those who will not read it.
  const rows = Array.from({ length: 1000 }, (_, n) => `Large ${n},${'x'.repeat(1000)}`)
  const imported = await ask(
    'POST',
    '/plat/data/zone',
    ['name,description', ...rows, ''].join('\n'),
    'text/csv',
  )
  assert.equal(imported.status, 200, imported.text)
  const before = service.memory()
  const sockets = attack()
  let [most, made] = [0, 0]
  const connections = async () => {
    const { text } = await ask('GET', '/metrics')
    return Number(/^belfry_http_connections (\d+)$/m.exec(text)?.[1])
  }
  const serve = async () => {
    made += 1
    const created = await ask('POST', '/ram/zone', `<zone><name>Zone ${made}</name></zone>`)
    const { status } = await ask('GET', '/health')
    record({ wrongHealth: status === 200 ? 0 : 1 })
    assert.equal(created.status, 201, created.text)
    assert.equal((await ask('GET', '/ram/zone/1')).status, 200)
    most = Math.max(most, service.memory() - before)
  }
  await eventually(async () => {
    await serve()
    // The one left is the caller's own.
    return made > 20 && (await connections()) <= 1
  }, 'all hostile connections are closed')
  record({ rounds: 1 })
  assert.ok(most < 400 * 1024 * 1024, `memory grew by ${most >> 20} MiB`)
  assert.equal((await ask('GET', `/ram/zone?total=true`)).status, 200)
  assert.match((await ask('GET', '/ram/zone/1')).text, /<name>Default</, 'nothing was smuggled in')
  for (const socket of sockets) socket.destroy()
}

test('hostile HTTP of every kind, some hundred connections at once', { skip: linux }, async () => {
  const service = await startProcess(temporaryFolder(), bounds)
  const port = Number(new URL(service.url).port)
  const open = (localAddress: string) => connect({ port, host: '127.0.0.1', localAddress })
  await outlast(service, ordinary(service.url), () => attackAll(attacks, 25, open))
  await service.kill()
})

const needed = withoutTool('openssl', 'openssl')

test('the same through TLS, and handshakes that are never completed', {
  skip: linux || needed.skip,
}, async () => {
  const authority = new Authority()
  const { certificate, key } = authority.issue()
  const service = await startProcess(temporaryFolder(), {
    ...bounds,
    'tls-certificate': certificate,
    'tls-key': key,
  })
  const port = Number(new URL(service.url).port)
  const plain = (localAddress: string) => connect({ port, host: '127.0.0.1', localAddress })
  const encrypted = (localAddress: string) =>
    connectTls({
      socket: plain(localAddress).on('error', () => undefined),
      ca: authority.rootText,
      servername: 'localhost',
    })
  await outlast(service, ordinary(service.url, authority.rootText), () => [
    ...attackAll(handshakes, 20, plain),
    ...attackAll(attacks, 10, encrypted),
  ])
  await service.kill()
})
