// The hardened edge, with real sockets: what is slow, broken, too large or too many is refused, and others are served.

import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import { after, suite, test } from 'node:test'
import { pino } from 'pino'
import { Origins } from '../../src/http/wire/caller-origin.ts'
import { startService, type TestService, testConfig } from '../support.ts'
import { startGuarded } from './credentials.ts'
import { value } from './reading.ts'

const errors: string[] = []
const log = pino({ level: 'error' }, { write: (line: string) => errors.push(line) })
const service = await startService({ 'request-timeout': '1' }, { log })

class Line {
  readonly socket: Socket
  received = ''
  readonly closed: Promise<void>

  constructor(to: TestService) {
    this.socket = connect(Number(new URL(to.url).port), '127.0.0.1')
    after(() => this.socket.destroy())
    this.socket.setEncoding('utf8').on('data', (text) => {
      this.received += text
    })
    // A reset is one way to be closed.
    this.socket.on('error', () => undefined)
    this.closed = new Promise((resolve) => this.socket.once('close', () => resolve()))
  }

  send(text: string): this {
    this.socket.write(text)
    return this
  }

  /** Waits until what was received matches. */
  async until(pattern: RegExp): Promise<string> {
    while (!pattern.test(this.received)) {
      await new Promise<void>((resolve, reject) => {
        this.socket.once('data', () => resolve())
        this.socket.once('close', () =>
          pattern.test(this.received) ? resolve() : reject(new Error(`closed after ${this.received}`)),
        )
      })
    }
    return this.received
  }
}

/** Sends bytes on a connection of their own; returns all that comes back until the service closes it. */
async function exchange(text: string, to = service): Promise<string> {
  const line = new Line(to).send(text)
  await line.closed
  return line.received
}

const statuses = (received: string) => [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((match) => match[1])
const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${more}\r\n`
const last = (path: string) => get(path, 'Connection: close\r\n')

function refusedWith(received: string, status: number, code: string): void {
  assert.match(received, new RegExp(`^HTTP/1\\.1 ${status} `), received)
  assert.match(received, new RegExp(`\\r\\nError-Code: ${code}\\r\\n`), received)
  assert.equal(value(received, 'code'), code)
  assert.match(received, /\r\nConnection: close\r\n/i)
}

// The service looks for slow callers once a second: they are slow together.
suite('slow callers', { concurrency: true }, () => {
  test('headers that do not arrive in time are answered with 408 and the connection is closed', async () => {
    refusedWith(await exchange('GET /ram/zone HTTP/1.1\r\nHost: localhost\r\nX-Slow: '), 408, 'invalid')
  })

  test('headers that come a byte at a time are cut off all the same', async () => {
    const line = new Line(service).send('GET /ram/zone HTTP/1.1\r\nHost: localhost\r\nX-Slow: ')
    const drip = setInterval(() => line.socket.writable && line.send('a'), 50)
    await line.closed
    clearInterval(drip)
    assert.match(line.received, /^HTTP\/1\.1 408 /)
  })

  test('a body that does not arrive in time is answered with 408, closed, and leaves nothing behind', async () => {
    const head =
      'POST /ram/zone HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/xml\r\nContent-Length: 100\r\n\r\n'
    const line = new Line(service).send(`${head}<zone><name>Slow</name></zone>`)
    const drip = setInterval(() => line.socket.writable && line.send(' '), 100)
    await line.closed
    clearInterval(drip)
    refusedWith(line.received, 408, 'invalid')
    assert.equal((await service.get('/ram/zone?name=Slow')).headers.total, '0')
  })

  test('while slow callers hold connections, others are served', async () => {
    const slow = Array.from({ length: 50 }, () => new Line(service).send('GET /ram/zone HTT'))
    assert.equal((await service.get('/ram/zone')).status, 200)
    await Promise.all(slow.map(({ closed }) => closed))
    assert.equal((await service.get('/health')).status, 200)
  })
})

test('headers larger than 16 KiB are refused with 431', async () => {
  refusedWith(await exchange(get('/ram/zone', `X-Large: ${'x'.repeat(20_000)}\r\n`)), 431, 'too-large')
  refusedWith(await exchange(get(`/ram/zone?name=${'x'.repeat(20_000)}`)), 431, 'too-large')
})

test('more than 100 headers are refused with 400', async () => {
  const headers = (count: number) =>
    Array.from({ length: count }, (_, index) => `X-${index}: ${index}\r\n`).join('')
  const many = await exchange(get('/ram/zone', `Connection: close\r\n${headers(99)}`))
  assert.match(many, /^HTTP\/1\.1 400 /)
  assert.match(many, /more than 100 headers/)
  assert.match(await exchange(get('/ram/zone', `Connection: close\r\n${headers(98)}`)), /^HTTP\/1\.1 200 /)
})

test('a second Host header is refused with 400, whatever it says', async () => {
  for (const host of ['x', 'y']) {
    const received = await exchange(get('/ram/zone', `host: ${host}\r\nConnection: close\r\n`))
    refusedWith(received, 400, 'invalid')
    assert.match(received, /Host header/)
  }
})

test('a missing Host header is refused with 400', async () => {
  refusedWith(await exchange('GET /ram/zone HTTP/1.1\r\nConnection: close\r\n\r\n'), 400, 'invalid')
})

test('a Host that is in no address is refused with 400, wherever it is sent, and is no error of the service', async () => {
  const hosts = ['a:b:c', '1.2.3.4.5', '999.1.1.1', '[', ':', ':99999', 'a:99999', '[zz]', 'a/b', '']
  const guarded = await startGuarded({}, { log }, [])
  for (const host of hosts) {
    for (const [method, path] of [
      ['GET', '/console'],
      ['GET', '/'],
      ['GET', '/health'],
      ['GET', '/events'],
      ['GET', '/ram/zone'],
      ['POST', '/ram/zone'],
      ['POST', '/console/session'],
      ['GET', '/nothing'],
    ]) {
      for (const more of ['', 'Origin: http://x\r\n', 'Accept: text/html\r\n']) {
        const request = `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n${more}\r\n`
        for (const to of [service, guarded]) {
          const received = await exchange(request, to)
          refusedWith(received, 400, 'invalid')
          assert.match(received, /Host header/)
        }
      }
    }
  }
})

test('an HTTP/1.0 request needs no Host', async () => {
  assert.match(await exchange('GET /ram/zone/1 HTTP/1.0\r\n\r\n'), /^HTTP\/1\.1 200 .*<name>Default</s)
  const origins = new Origins(testConfig())
  for (const [socket, base] of [
    [{ localAddress: '127.0.0.1', localPort: 8080 }, 'http://127.0.0.1:8080'],
    [{ localAddress: '::1', localPort: 8080 }, 'http://[::1]:8080'],
    [{ localAddress: 'fe80::1%eth0', localPort: 8080 }, 'http://[fe80::1]:8080'],
    [{}, 'http://localhost'],
  ] as const) {
    assert.equal(origins.baseFor({ headers: {}, socket } as IncomingMessage, ''), base)
  }
})

test('requests whose length can be read in two ways are refused with 400, and nothing of them is carried out', async () => {
  const smuggled = 'DELETE /ram/zone/1 HTTP/1.1\r\nHost: localhost\r\n\r\n'
  const post = (headers: string, body: string) =>
    `POST /ram/zone HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n${body}`
  for (const request of [
    post('Content-Length: 5\r\nTransfer-Encoding: chunked\r\n', `0\r\n\r\n${smuggled}`),
    post('Transfer-Encoding: chunked\r\nContent-Length: 5\r\n', `0\r\n\r\n${smuggled}`),
    post('Content-Length: 0\r\nContent-Length: 44\r\n', smuggled),
    post('Content-Length: +5\r\n', `01234${smuggled}`),
    post('Content-Length: 5, 5\r\n', `01234${smuggled}`),
    post('Transfer-Encoding: chunked, identity\r\n', `0\r\n\r\n${smuggled}`),
    post('Transfer-Encoding: xchunked\r\n', `0\r\n\r\n${smuggled}`),
    post('Transfer-Encoding : chunked\r\n', `0\r\n\r\n${smuggled}`),
    post(' Content-Length: 5\r\n', `01234${smuggled}`),
    post('Transfer-Encoding:\r\n chunked\r\n', `0\r\n\r\n${smuggled}`),
    post('X-Fold: a\r\n\tContent-Length: 41\r\n', smuggled),
    post('X-Bare: a\nContent-Length: 41\r\n', smuggled),
    post('X-Bare: a\rContent-Length: 41\r\n', smuggled),
    post('X-Nul: a\0b\r\n', smuggled),
    post('Transfer-Encoding: \x0bchunked\r\n', `0\r\n\r\n${smuggled}`),
    post('Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n', `0\r\n\r\n${smuggled}`),
    post('Transfer-Encoding: chunked\r\n', `0\n\n${smuggled}`),
    post('Transfer-Encoding: chunked\r\n', `0;a\nb\r\n\r\n${smuggled}`),
    post('Transfer-Encoding: chunked\r\n', `0x0\r\n\r\n${smuggled}`),
    post('Transfer-Encoding: chunked\r\n', `0\r\nContent-Length: 41\r\n\r\n${smuggled}`),
    post('Content-Length: 0x29\r\n', smuggled),
    post('Content-Length: 4 1\r\n', smuggled),
    post('Content-Length: -1\r\n', smuggled),
    post('Content-Length:\r\n', smuggled),
    post('Content-Length: 99999999999999999999\r\n', smuggled),
    `POST /ram/zone HTTP/1.1\nHost: x\nContent-Length: 0\n\n${smuggled}`,
    `POST /ram/zone HTTP/1.0\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n${smuggled}`,
    `GET /ram/zone/1\r\nHost: localhost\r\n\r\n${smuggled}`,
  ]) {
    const received = await exchange(request)
    assert.deepEqual(statuses(received), ['400'], `${request} ${received}`)
  }
  assert.equal((await service.get('/ram/zone/1')).status, 200)
})

test('bad chunks are refused and nothing of the body is kept', async () => {
  const head = 'POST /ram/zone HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n'
  for (const chunks of [
    'zz\r\n<zone/>\r\n0\r\n\r\n',
    '-5\r\n01234\r\n',
    '5\r\n0123456789\r\n',
    'fffffffffffffffff\r\n',
  ]) {
    const received = await exchange(head + chunks)
    assert.deepEqual(statuses(received), ['400'], received)
  }
  assert.equal((await service.get('/ram/zone')).headers.total, '1')
})

test('a body in good chunks is read', async () => {
  const head =
    'POST /ram/zone HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n'
  const chunks = ['<zone><name>Chun', 'ked</name></zone>'].map(
    (part) => `${part.length.toString(16)}\r\n${part}\r\n`,
  )
  assert.match(await exchange(`${head}${chunks.join('')}0\r\n\r\n`), /^HTTP\/1\.1 201 /)
})

test('something that is not HTTP is refused with 400', async () => {
  for (const text of [
    'hello\r\n\r\n',
    '\x16\x03\x01\x02\x00',
    'GET\r\n\r\n',
    'GET / HTTP/9.9\r\n\r\n',
    'FOO / HTTP/1.1\r\n\r\n',
  ]) {
    refusedWith(await exchange(text), 400, 'invalid')
  }
})

test('pipelined requests are answered in their order', async () => {
  const received = await exchange(get('/ram/zone/1') + get('/nowhere') + get('/ram/zone/x') + last('/health'))
  assert.deepEqual(statuses(received), ['200', '404', '400', '200'])
})

test('a broken request behind a good one does not lose the answer to the good one', async () => {
  const received = await exchange(`${get('/ram/zone/1')}broken\r\n\r\n`)
  assert.deepEqual(statuses(received), ['200'])
  const post = 'POST /ram/zone HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nbroken\r\n'
  assert.deepEqual(statuses(await exchange(get('/ram/zone/1') + post)), ['200'])
})

test('a connection is used again, and closed by the service when asked to', async () => {
  const line = new Line(service).send(get('/ram/zone/1'))
  await line.until(/<\/zone>/)
  line.send(last('/ram/zone/1'))
  await line.closed
  assert.deepEqual(statuses(line.received), ['200', '200'])
})

test('Expect: 100-continue is answered before the body; a body announced too large is refused without it', async () => {
  const head = (length: number) =>
    `POST /ram/zone HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nExpect: 100-continue\r\nContent-Length: ${length}\r\n\r\n`
  const body = '<zone><name>Continued</name></zone>'
  const line = new Line(service).send(head(body.length))
  await line.until(/^HTTP\/1\.1 100 /)
  line.send(body)
  await line.closed
  assert.deepEqual(statuses(line.received), ['100', '201'])
  refusedWith(await exchange(head(5_000_000)), 413, 'too-large')
})

test('a caller that goes away in the middle of a request or an answer harms nobody', async () => {
  for (const text of [
    'POST /ram/zone HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\n\r\n<zone>',
    last('/ram/zone'),
  ]) {
    const line = new Line(service).send(text)
    await new Promise((resolve) => line.socket.once('connect', resolve))
    line.socket.resetAndDestroy()
    await line.closed
  }
  assert.equal((await service.get('/ram/zone/1')).status, 200)
})

test('an address holds at most as many connections as the setting says: one more is answered with 429', async () => {
  const narrow = await startService({ 'connections-per-address': '5' })
  const lines = Array.from({ length: 5 }, () => new Line(narrow).send(get('/health')))
  for (const line of lines) await line.until(/ready/)
  for (let count = 0; count < 20; count += 1) {
    refusedWith(await exchange(get('/health'), narrow), 429, 'too-many-requests')
  }
  assert.equal((await lines[4]?.send(get('/ram/zone/1')).until(/<\/zone>/))?.includes('Default'), true)
  lines[0]?.socket.destroy()
  // The service learns of the closed connection a moment later.
  let status = 0
  while (status !== 200) status = (await narrow.get('/health')).status
})

test('a service that is stopping finishes what is under way and answers 503 with Retry-After to what comes then', async () => {
  const stopping = await startService({}, { log })
  const body = '<zone><name>Last</name></zone>'
  const line = new Line(stopping).send(
    `POST /ram/zone HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: ${body.length}\r\n\r\n`,
  )
  await line.until(/^HTTP\/1\.1 100 /)
  const stopped = stopping.stop()
  line.send(body + last('/ram/zone') + last('/health'))
  await line.closed
  await stopped
  assert.deepEqual(statuses(line.received), ['100', '201', '503'])
  assert.match(line.received, /\r\nRetry-After: \d+\r\n/)
  assert.match(line.received, /<code>unavailable<\/code>/)
})

test('until the service has stopped, a new caller gets 503 instead of a refused connection', async () => {
  const stopping = await startService({}, { log })
  const slow = new Line(stopping).send(
    'POST /ram/zone HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 35\r\n\r\n',
  )
  await slow.until(/^HTTP\/1\.1 100 /)
  const stopped = stopping.stop()
  const received = await exchange(get('/health'), stopping)
  refusedWith(received, 503, 'unavailable')
  slow.send('<zone><name>Last of all</name></zone>'.slice(0, 35))
  await stopped
})

test('a connection on which nothing was asked does not hold up the stop', async () => {
  const [stopping, waiting] = [await startService(), await startService()]
  const silent = new Line(stopping)
  const half = new Line(stopping).send('GET /ram/zone HTT')
  const idle = new Line(stopping).send(get('/health'))
  await idle.until(/ready/)
  // Another one waits five seconds for a request that does not end: as long as for a header.
  const unfinished = new Line(waiting).send(
    'POST /ram/zone HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 35\r\n\r\n',
  )
  await unfinished.until(/^HTTP\/1\.1 100 /)
  const ended: string[] = []
  const patient = waiting.stop().then(() => ended.push('with a request'))
  await stopping.stop()
  await Promise.all([silent.closed, half.closed, idle.closed])
  ended.push('without one')
  await Promise.all([patient, unfinished.closed])
  assert.deepEqual(ended, ['without one', 'with a request'])
})

test('none of this is a failure of the service: nothing was logged as an error', () => {
  assert.deepEqual(errors, [])
})
