// HTTPS with real certificates: what is spoken, what is refused, and how a new certificate comes into use.

import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { request as httpsRequest, type RequestOptions } from 'node:https'
import { connect as connectPlain } from 'node:net'
import { join } from 'node:path'
import { describe, suite, test } from 'node:test'
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls'
import { promisify } from 'node:util'
import { pino } from 'pino'
import { startApp } from '../../src/app.ts'
import { fail } from '../cli/running.ts'
import { eventually } from '../push/station.ts'
import { startService, temporaryFolder, testConfig } from '../support.ts'
import { withoutTool } from '../tools.ts'
import { Authority, copyPair, settingsOf } from './certificates.ts'

const needed = withoutTool('openssl', 'openssl')
const run = promisify(execFile)
const dayLength = 24 * 3600 * 1000

describe('HTTPS', { ...needed }, async () => {
  if (needed.skip) return
  const authority = new Authority()
  const pair = authority.issue()
  const lines: string[] = []
  const log = pino({ level: 'trace' }, { write: (line: string) => lines.push(line) })
  const service = await startService(settingsOf(pair), { log })
  const port = Number(new URL(service.url).port)

  /** A handshake as a client asks for it; fails where the service refuses. */
  const shake = (options: ConnectionOptions = {}, to = port): Promise<TLSSocket> =>
    new Promise((resolve, reject) => {
      const socket = connect({ port: to, host: '127.0.0.1', ca: authority.rootText, ...options }, () =>
        resolve(socket),
      )
      socket.on('error', reject)
    })

  test('the service prints an https address, and answers callers that trust its root', async () => {
    assert.match(service.url, /^https:\/\/127\.0\.0\.1:\d+$/)
    const { status, text, transport } = await get(service.url, '/ram/zone/1', { ca: authority.rootText })
    assert.equal(status, 200)
    assert.equal(transport, 'max-age=31536000', 'browsers come back by TLS alone')
    assert.match(text, /<name>Default<\/name>/)
    await assert.rejects(get(service.url, '/ram/zone/1'), { code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' })
    const note = JSON.parse(readFileSync(join(service.config.data, 'service.json'), 'utf8'))
    assert.equal(note.url, service.url)
  })

  test('links lead back by https', async () => {
    const answer = await get(
      service.url,
      '/ram/zone',
      { ca: authority.rootText, method: 'POST' },
      '<zone><name>Encrypted</name></zone>',
    )
    assert.match(String(answer.location), /^https:\/\/127\.0\.0\.1:\d+\/ram\/zone\/\d+$/)
  })

  test('curl is served, by its own check of the certificate', withoutTool('curl', 'curl'), async () => {
    const { stdout } = await run('curl', ['-sS', '--cacert', authority.root, `${service.url}/health`])
    assert.equal(stdout, 'ready\n')
    await assert.rejects(run('curl', ['-sS', `${service.url}/health`]), { code: 60 })
  })

  test('versions below 1.2 and weak ciphers are refused; 1.2 and 1.3 are spoken', async () => {
    for (const version of ['TLSv1', 'TLSv1.1'] as const) {
      await assert.rejects(shake({ minVersion: version, maxVersion: version, ciphers: 'ALL:@SECLEVEL=0' }))
    }
    for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
      const socket = await shake({ minVersion: version, maxVersion: version })
      assert.equal(socket.getProtocol(), version)
      socket.destroy()
    }
    for (const ciphers of ['AES128-GCM-SHA256', 'ECDHE-ECDSA-AES128-SHA256', 'AES256-SHA']) {
      await assert.rejects(shake({ maxVersion: 'TLSv1.2', ciphers }), `${ciphers} was taken`)
    }
  })

  test('only HTTP/1.1 is negotiated by ALPN', async () => {
    const socket = await shake({ ALPNProtocols: ['h2', 'http/1.1'] })
    assert.equal(socket.alpnProtocol, 'http/1.1')
    socket.destroy()
    await assert.rejects(shake({ ALPNProtocols: ['h2'] }))
  })

  test('plain HTTP is answered with 400 in plain, and closed', async () => {
    const received = await plainly(port, 'GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n')
    assert.match(received, /^HTTP\/1\.1 400 /)
    assert.match(received, /this port speaks HTTPS, not HTTP/)
    assert.equal(
      await plainly(port, '\x80garbage that is neither\r\n\r\n').then((text) => text.includes('HTTP/1.1 2')),
      false,
    )
    assert.equal((await get(service.url, '/health', { ca: authority.rootText })).status, 200)
  })

  test('the event stream works over TLS', async () => {
    const stream = await new Promise<{ text: () => string; end: () => void }>((resolve, reject) => {
      const { hostname, port: at } = new URL(service.url)
      const options = {
        hostname,
        port: at,
        path: '/events?type=11',
        ca: authority.rootText,
        agent: false as const,
      }
      const asked = httpsRequest(options, (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (piece) => {
          text += piece
        })
        response.on('error', () => undefined)
        resolve({ text: () => text, end: () => asked.destroy() })
      })
      asked.on('error', reject).end()
    })
    const alarm = '<alarm><OID>1.3.6.1.4.1.32473.8.1</OID><alarmLevel>1</alarmLevel></alarm>'
    await get(service.url, '/fault/alarm', { ca: authority.rootText, method: 'POST' }, alarm)
    await eventually(async () => stream.text().includes('1.3.6.1.4.1.32473.8.1'), 'the alarm')
    stream.end()
  })

  test('the connections of an address are limited, including those without a handshake', async () => {
    const narrow = await startService({ ...settingsOf(pair), 'connections-per-address': '3' })
    const at = Number(new URL(narrow.url).port)
    const held = await Promise.all(
      [1, 2, 3].map(
        () =>
          new Promise<ReturnType<typeof connectPlain>>((resolve) => {
            const socket = connectPlain(at, '127.0.0.1', () => resolve(socket))
            socket.on('error', () => undefined)
          }),
      ),
    )
    await eventually(
      async () =>
        shake({}, at).then(
          () => false,
          () => true,
        ),
      'one more is refused',
    )
    for (const socket of held) socket.destroy()
    await eventually(
      async () =>
        shake({}, at).then(
          (socket) => socket.destroy() && true,
          () => false,
        ),
      'there is room again',
    )
    // A connection without a handshake does not delay the stop.
    connectPlain(at, '127.0.0.1').on('error', () => undefined)
    await narrow.stop()
  })

  suite('what takes its time', { concurrency: true }, () => {
    test('a connection without a handshake is closed', async () => {
      const socket = connectPlain(port, '127.0.0.1')
      socket.on('error', () => undefined)
      // A ClientHello whose length is greater than what is sent.
      socket.write(Buffer.from('160301020001', 'hex'))
      await new Promise((resolve) => socket.once('close', resolve))
    })

    test('a service starts with an expired certificate: traps matter more', async () => {
      const clock = () => Date.now() + 100 * dayLength
      const late = await startService(settingsOf(authority.issue()), { clock })
      assert.equal((await get(late.url, '/health', { rejectUnauthorized: false })).status, 200)
    })

    test('a certificate that is renewed comes into use by itself, and connections stay', async () => {
      const files = authority.issue()
      const renewed = await startService({ ...settingsOf(files), 'heartbeat-seconds': '1' }, { log })
      const at = Number(new URL(renewed.url).port)
      const presented = async () => {
        const socket = await shake({}, at)
        const { fingerprint256 } = socket.getPeerCertificate()
        socket.destroy()
        return fingerprint256
      }
      const before = await presented()
      // A stream, because a connection on which nothing is asked is closed after seconds.
      const kept = await shake({}, at)
      let received = ''
      kept.setEncoding('utf8').on('data', (piece) => {
        received += piece
      })
      kept.write('GET /events?type=11 HTTP/1.1\r\nHost: localhost\r\n\r\n')
      await eventually(() => received.startsWith('HTTP/1.1 202 '), 'the stream')
      copyPair(authority.issue(), files)
      await eventually(async () => (await presented()) !== before, 'the new certificate')
      const { length } = received
      await eventually(() => received.length > length, 'a sign of life on the stream')
      kept.destroy()
    })
  })

  test('nothing of the key was logged', () => {
    const body = readFileSync(pair.key, 'utf8').split('\n')[1] ?? assert.fail('no key')
    assert.equal(
      lines.some((line) => line.includes(body.slice(0, 40))),
      false,
    )
  })

  describe('files that cannot be used', () => {
    const other = authority.issue()
    const folder = temporaryFolder()
    const put = (name: string, text: string) => {
      const file = join(folder, name)
      writeFileSync(file, text)
      return file
    }
    const refusal = async (flags: Record<string, string>) => {
      try {
        const app = await startApp(testConfig(flags))
        await app.stop()
      } catch (error) {
        return (error as Error).message
      }
      return 'it started'
    }

    test('one file without the other', async () => {
      assert.match(
        await refusal({ 'tls-certificate': pair.certificate }),
        /^tls-certificate is given without tls-key: expected both or none$/,
      )
      assert.match(await refusal({ 'tls-key': pair.key }), /^tls-key is given without tls-certificate/)
    })

    test('what is not there, no certificate, no key, a locked key, another key', async () => {
      const missing = join(folder, 'nowhere.pem')
      assert.equal(
        await refusal(settingsOf({ ...pair, certificate: missing })),
        `the TLS certificate ${missing} cannot be read: ENOENT`,
      )
      const garbage = put('garbage.pem', 'hello')
      assert.equal(
        await refusal(settingsOf({ ...pair, certificate: garbage })),
        `the TLS certificate ${garbage} is not a certificate in PEM form`,
      )
      const broken = put('broken.key', readFileSync(pair.key, 'utf8').replace(/\n(\w{10})/, '\n'))
      assert.equal(
        await refusal(settingsOf({ ...pair, key: broken })),
        `the TLS key ${broken} is not a private key in PEM form`,
      )
      const locked = join(folder, 'locked.key')
      spawnSync('openssl', ['pkey', '-in', pair.key, '-aes256', '-passout', 'pass:x', '-out', locked])
      assert.equal(
        await refusal(settingsOf({ ...pair, key: locked })),
        `the TLS key ${locked} is encrypted: expected one without a pass phrase`,
      )
      assert.match(
        await refusal(settingsOf({ ...pair, key: other.key })),
        /^the TLS key \S+ does not belong to the certificate \S+:/,
      )
    })

    test('the command reports it in one sentence', async () => {
      const flags = ['--listen', '127.0.0.1:0', '--traps', '127.0.0.1:0', '--data', temporaryFolder()]
      const sentence = await fail(2, [
        'serve',
        ...flags,
        '--tls-certificate',
        pair.certificate,
        '--tls-key',
        other.key,
      ])
      assert.match(sentence, /does not belong to the certificate/)
    })
  })
})

interface Got {
  readonly status: number
  readonly location: string | undefined
  readonly transport: string | undefined
  readonly text: string
}

function get(base: string, path: string, options: RequestOptions = {}, body?: string): Promise<Got> {
  const { hostname, port } = new URL(base)
  return new Promise((resolve, reject) => {
    const asked = httpsRequest({ hostname, port, path, agent: false, ...options }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (piece) => {
        text += piece
      })
      const { statusCode: status = 0, headers } = response
      response.on('end', () =>
        resolve({
          status,
          location: headers.location,
          transport: headers['strict-transport-security'],
          text,
        }),
      )
    })
    asked.on('error', reject).end(body)
  })
}

/** All that comes back to bytes sent without encryption, until the service closes. */
function plainly(port: number, text: string): Promise<string> {
  return new Promise((resolve) => {
    let received = ''
    const socket = connectPlain(port, '127.0.0.1', () => socket.write(text))
    socket.setEncoding('latin1').on('data', (piece) => {
      received += piece
    })
    socket.on('error', () => undefined).on('close', () => resolve(received))
  })
}
