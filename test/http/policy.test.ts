// Every answer carries a policy for browsers: nothing in it is run, and nobody shows it in a frame.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { EventReader } from '../push/reader.ts'
import { startService } from '../support.ts'

const service = await startService()
const strict = "default-src 'none'; frame-ancestors 'none'"

test('answers of every kind carry a policy that forbids frames', async () => {
  const report = await service.ask('POST', '/report/reportTemplate/1/run?format=json')
  const result = new URL(String(report.headers['content-location'])).pathname
  const ofPages = ['/console', `${result}?format=html`]
  for (const [method, path] of [
    ['GET', '/'],
    ['GET', '/imcrs'],
    ['GET', '/ram/zone?size=0'],
    ['GET', '/ram/zone?total=true'],
    ['HEAD', '/ram/zone'],
    ['OPTIONS', '/ram/zone'],
    ['DELETE', '/ram/zone'],
    ['GET', '/ram/zone/999'],
    ['GET', '/nothing'],
    ['GET', '/ram/zone/%ff'],
    ['GET', '/health'],
    ['GET', '/metrics'],
    ['GET', '/openapi.json'],
    ['GET', '/plat/data/zone?format=csv'],
    ['GET', '/console/session'],
    ['GET', '/console'],
    ['GET', '/console/files/nothing.js'],
    ['GET', `${result}?format=csv`],
    ['GET', `${result}?format=json`],
    ['GET', `${result}?format=html`],
    ['POST', '/ram/zone'],
  ] as const) {
    const { headers, status } = await service.ask(method, path)
    const policy = String(headers['content-security-policy'])
    if (ofPages.includes(path)) assert.match(policy, /default-src 'none'.*frame-ancestors '(none|self)'/)
    else assert.equal(policy, strict, `${method} ${path}: ${status}`)
  }
})

test('what is no request, and a stream, carry it as well', async () => {
  const { hostname, port } = new URL(service.url)
  for (const sent of ['nonsense\r\n\r\n', `GET / HTTP/1.1\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`]) {
    const socket = connect(Number(port), hostname)
    socket.write(sent)
    let received = ''
    socket.on('data', (chunk) => {
      received += chunk
    })
    await once(socket, 'close')
    assert.ok(received.includes(`\r\nContent-Security-Policy: ${strict}\r\n`), received)
  }
  const reader = await EventReader.open(service.url, 'type=11')
  assert.equal(reader.headers['content-security-policy'], strict)
  reader.close()
})

test('the lock of the data folder is for its owner alone', { skip: process.platform === 'win32' }, () => {
  assert.equal(statSync(join(service.config.data, 'lock')).mode & 0o777, 0o600)
})
