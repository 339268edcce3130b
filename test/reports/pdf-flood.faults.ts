// Callers who ask for PDFs by the hundred and leave, of a service with little memory: it lives, answers others, and stops
// at once.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { ReportDocument } from '../../src/reports/report-document.ts'
import { startProcess } from '../acceptance/process.ts'
import { bearer, startGuarded, tokenOf } from '../http/credentials.ts'
import { until } from '../intake/sending.ts'
import { temporaryFolder } from '../support.ts'

const callers = ['viewer', 'operator', 'administrator'] as const
const attempts = 445

/** 5,000 rows, with cells as long as they can be or as they usually are. */
const documentOf = (letters: number): ReportDocument => ({
  ...{ title: 'Many rows', report: 'select/alarm', timeZone: 'UTC' },
  ...{ beginTime: 1, endTime: 2, madeTime: 3, scope: [], remarks: [], figures: [] },
  sections: [
    {
      title: 'Rows',
      columns: ['name', 'address', 'text'].map((name) => ({ name, label: name, kind: 'text' })),
      rows: Array.from({ length: 5000 }, (_, index) => [
        `device-${index}.example.net`,
        `10.0.${index >> 8}.${index & 255}`,
        `packet ${index * 7919} `.repeat(letters).slice(0, letters),
      ]),
    },
  ],
})

/** A data folder with two such results, and tokens of its operators. */
async function prepared() {
  const data = temporaryFolder()
  const service = await startGuarded({ data })
  const paths: string[] = []
  for (const letters of [60, 760]) {
    const made = await service.as('administrator', 'POST', '/report/reportTemplate/1/run?format=json')
    const { pathname } = new URL(String(made.headers['content-location']))
    const content = JSON.stringify(documentOf(letters))
    await service.database.transaction((tx) =>
      tx.run('update report_document set content = ? where result_id = ?', [
        content,
        BigInt(pathname.split('/').at(-1) ?? ''),
      ]),
    )
    paths.push(`${pathname}?format=pdf`)
  }
  const tokens = await Promise.all(callers.map((name) => tokenOf(service, name)))
  await service.stop()
  return { data, paths, tokens }
}

test('445 requests for PDFs at once, whose callers hang up, and the same by three callers who read slowly, in 512 MB', async () => {
  const { data, paths, tokens } = await prepared()
  const service = await startProcess(data, {}, { environment: { NODE_OPTIONS: '--max-old-space-size=512' } })
  const { hostname, port } = new URL(service.url)
  const sockets = new Set<Socket>()
  /** From several addresses: of one, no more than some hundred connections are taken. */
  const send = (path: string, token: string, from = `127.0.0.${2 + (sockets.size % 4)}`) => {
    const socket = connect({ port: Number(port), host: hostname, localAddress: from })
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.write(`GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${token}\r\n\r\n`)
    return socket
  }
  const leave = () => {
    for (const socket of sockets) socket.destroy()
    sockets.clear()
  }
  const health = async () => (await service.get('/health', bearer(tokens[2] ?? ''))).status

  for (const path of paths) {
    // One caller, who hangs up at once; then three, who read the first bytes and no more.
    for (let count = 0; count < attempts; count += 1) send(path, tokens[0] ?? '')
    await pause(200)
    leave()
    assert.equal(await health(), 200)
    for (let count = 0; count < attempts; count += 1) send(path, tokens[count % tokens.length] ?? '')
    await until('some are refused', () => [...sockets].some(({ bytesRead }) => bytesRead > 0))
    assert.equal(await health(), 200)
    leave()
    assert.equal(service.child.exitCode, null)
  }
  // Those who left make room: a PDF is made for somebody who waits.
  const [path = ''] = paths
  await until('a PDF comes', async () => (await service.get(path, bearer(tokens[1] ?? ''))).status === 200)

  // A stop while PDFs are under way waits for none of them.
  const asked = Array.from({ length: 9 }, (_, count) =>
    send(paths[1] ?? '', tokens[count % tokens.length] ?? ''),
  )
  await until('some are refused', () => asked.some(({ bytesRead }) => bytesRead > 0))
  const began = performance.now()
  service.child.kill('SIGTERM')
  const [code] = await once(service.child, 'exit')
  assert.equal(code, 0)
  console.log(`stopped in ${Math.round(performance.now() - began)} ms`)
  assert.ok(
    asked.every(({ bytesRead }) => bytesRead < 2000),
    'none was finished',
  )
  leave()
})
