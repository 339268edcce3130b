// Records with thousands of members: others have their turn between two of them.

import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { startService } from '../support.ts'
import { idOf } from './reading.ts'

const service = await startService()

const count = 12
const size = 1500
const numbers = Array.from({ length: size }, (_, index) => index + 1)
for (let n = 1; n <= count; n += 1) {
  const trapDevice = numbers.map((id) => ({ displayName: `device ${id}`, devID: id }))
  const rule = { trapRuleName: `rule ${n}`, trapOId: `1.3.6.1.4.1.9.77.${n}`, trapDevice }
  assert.equal((await service.sendJson('POST', '/fault/trapRule', rule)).status, 201)
  const interfaces = numbers.map((ifIndex) => ({ ifIndex, ifDesc: `Gi0/${ifIndex}` }))
  const device = { ip: `10.0.0.${n}`, label: `device ${n}`, interfaces }
  assert.equal((await service.sendJson('POST', '/plat/res/device', device)).status, 201)
}

/** The lengths of the chunks in which an answer is sent. */
function chunksOf(path: string, accept: string): Promise<number[]> {
  const { hostname, port } = new URL(service.url)
  return new Promise((resolve, reject) => {
    const received: Buffer[] = []
    const socket = connect(Number(port), hostname)
    socket.on('data', (bytes) => received.push(bytes)).on('error', reject)
    socket.on('end', () => resolve(lengthsIn(Buffer.concat(received).toString('latin1'))))
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nAccept: ${accept}\r\nConnection: close\r\n\r\n`)
  })
}

function lengthsIn(answer: string): number[] {
  assert.match(answer, /^HTTP\/1\.1 200 [\s\S]*\r\nTransfer-Encoding: chunked\r\n/)
  const lengths: number[] = []
  for (let at = answer.indexOf('\r\n\r\n') + 4; at < answer.length; ) {
    const end = answer.indexOf('\r\n', at)
    const length = Number.parseInt(answer.slice(at, end), 16)
    lengths.push(length)
    at = end + 2 + length + 2
  }
  return lengths
}

for (const path of [
  '/fault/trapRule?size=1000',
  '/plat/res/device?size=1000',
  '/fault/trapRule?trapRuleName=*rule*&size=100',
]) {
  for (const accept of ['application/xml', 'application/json']) {
    test(`${path} as ${accept} is sent record by record`, async () => {
      // The length of all records that are sent at once, of which there are few where each is larger than a chunk.
      const lengths = await chunksOf(path, accept)
      const whole = lengths.reduce((sum, length) => sum + length)
      assert.ok(Math.max(...lengths) < (whole / count) * 1.1 + 2 ** 15, String(lengths))
    })
  }
}

for (const [name, mark] of [
  ['trapRule', '1.3.6.1.4.1.9.77.'],
  ['device', '10.0.0.'],
] as const) {
  for (const format of ['xml', 'json', 'csv']) {
    test(`a file of ${name} as ${format} is sent record by record, and all of them`, async () => {
      const path = `/plat/data/${name}?format=${format}`
      const lengths = await chunksOf(path, '*/*')
      const whole = lengths.reduce((sum, length) => sum + length)
      // The header of a CSV is one line by itself.
      assert.ok(Math.max(...lengths) < (whole / count) * 1.1 + 2 ** 15 + (format === 'csv' ? whole / 2 : 0))
      const { text } = await service.get(path)
      assert.equal(text.split(mark).length - 1, count)
    })
  }
}

test('a view with such devices shows all of them', async () => {
  const view = await service.sendJson('POST', '/plat/res/view/custom', { name: 'all', allDevices: true })
  const { text } = await service.get(`/plat/res/view/custom/${idOf(view)}`)
  assert.equal(text.split('<label>').length - 1, count)
})
