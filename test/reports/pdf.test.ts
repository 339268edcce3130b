// PDFs under many callers: few wait, nobody's work goes on without them, and memory does not grow with the rows.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import type { ReportDocument } from '../../src/reports/report-document.ts'
import { bearer, startGuarded, tokenOf } from '../http/credentials.ts'
import { until } from '../intake/sending.ts'

const cellsOf = (index: number) => [
  `device-${index}.example.net`,
  `10.0.${index >> 8}.${index & 255}`,
  `Interface ${index} went down, ${index * 7919} packets are lost`,
]

/** Words that do not repeat, as many as there are cells. */
const documentOf = (rows: number, words = 1): ReportDocument => ({
  title: 'Many rows',
  report: 'select/alarm',
  beginTime: 1,
  endTime: 2,
  madeTime: 3,
  timeZone: 'UTC',
  scope: [],
  remarks: [],
  figures: [],
  sections: [
    {
      title: 'Rows',
      columns: ['name', 'address', 'text'].map((name) => ({ name, label: name, kind: 'text' })),
      rows: Array.from({ length: rows }, (_, index) =>
        cellsOf(index).map((cell) => Array.from({ length: words }, (_, n) => `${cell}${n}`).join(' ')),
      ),
    },
  ],
})

/** In a thread like that of the service, but not behind all other work of the machine. */
const layOutInThread = `
  const { workerData, parentPort } = require('node:worker_threads')
  import(workerData.layout).then(async ({ layOut }) => {
    const pieces = []
    for await (const piece of layOut(workerData.document)) pieces.push(piece)
    parentPort.postMessage(Buffer.concat(pieces))
  })`

test('5,000 rows are laid out page by page: in memory that holds a few pages, and not all of them', async () => {
  const layout = new URL('../../src/reports/forms/pdf-layout.ts', import.meta.url).href
  const worker = new Worker(layOutInThread, {
    eval: true,
    workerData: { layout, document: documentOf(5000) },
    resourceLimits: { maxOldGenerationSizeMb: 48, maxYoungGenerationSizeMb: 16 },
  })
  const [bytes] = await once(worker, 'message')
  const pages =
    Buffer.from(bytes)
      .toString('latin1')
      .match(/\/Type \/Page\b/g)?.length ?? 0
  assert.ok(pages > 100, `${pages} pages`)
})

/** A service with a result that takes long to be laid out, and one that does not; requests that can be given up. */
async function withResults() {
  const service = await startGuarded()
  const resultOf = async (document: ReportDocument) => {
    const made = await service.as('administrator', 'POST', '/report/reportTemplate/1/run?format=json')
    const { pathname } = new URL(String(made.headers['content-location']))
    await service.database.transaction((tx) =>
      tx.run('update report_document set content = ? where result_id = ?', [
        JSON.stringify(document),
        BigInt(pathname.split('/').at(-1) ?? ''),
      ]),
    )
    return pathname
  }
  const headers = {
    viewer: bearer(await tokenOf(service, 'viewer')),
    operator: bearer(await tokenOf(service, 'operator')),
  }
  const ask = (name: keyof typeof headers, path: string) => {
    const sent = request(new URL(path, service.url), { headers: headers[name], agent: false })
    const answer = new Promise<IncomingMessage>((resolve, reject) => {
      sent.on('error', reject)
      sent.on('response', (response) => {
        response.resume()
        response.on('end', () => resolve(response))
      })
    })
    answer.catch(() => undefined)
    sent.end()
    return { answer, leave: () => sent.destroy() }
  }
  return { service, ask, long: await resultOf(documentOf(5000, 8)), short: await resultOf(documentOf(1)) }
}

test('a caller waits for few PDFs, the rest is answered 429; those of callers who left make room', async () => {
  const { service, ask, long, short } = await withResults()
  const pdf = `${long}?format=pdf`
  const asked = Array.from({ length: 12 }, () => ask('viewer', pdf))
  const refusals: IncomingMessage[] = []
  for (const { answer } of asked) answer.then((response) => refusals.push(response)).catch(() => undefined)
  await until('nine are refused', () => refusals.length === 9)
  for (const { statusCode, headers } of refusals) {
    assert.equal(statusCode, 429)
    assert.match(String(headers['retry-after']), /^\d+$/)
    assert.equal(headers['error-code'], 'too-many-requests')
  }
  // A report that could not be sent is not made either.
  const before = await service.database.all('select count(*) as n from report_result')
  const run = await service.as('viewer', 'POST', '/report/reportTemplate/1/run?format=pdf')
  assert.equal(run.status, 429)
  assert.deepEqual(await service.database.all('select count(*) as n from report_result'), before)
  // Other forms, and other callers, are none of its business.
  assert.equal((await ask('viewer', `${short}?format=csv`).answer).statusCode, 200)
  const others = ask('operator', `${short}?format=pdf`)
  for (const { leave } of asked) leave()
  assert.equal((await others.answer).statusCode, 200)
  assert.equal((await ask('viewer', `${short}?format=pdf`).answer).statusCode, 200)
  await service.stop()
})

test('at a stop PDFs are dropped, and their callers are told so', async () => {
  const { service, ask, long } = await withResults()
  const asked = Array.from({ length: 4 }, () => ask('viewer', `${long}?format=pdf`).answer)
  // Whichever of them comes last.
  const refused = await Promise.race(asked)
  assert.equal(refused.statusCode, 429)
  await service.stop()
  for (const answer of await Promise.all(asked)) {
    if (answer === refused) continue
    const { statusCode, headers } = answer
    assert.equal(statusCode, 503)
    assert.match(String(headers['retry-after']), /^\d+$/)
  }
})

test('few documents are sent to one caller at a time: each is in memory until its reader has it', async () => {
  const { service, ask, long } = await withResults()
  const { hostname, port } = new URL(service.url)
  const token = await tokenOf(service, 'viewer')
  const sockets = Array.from({ length: 8 }, () => connect(Number(port), hostname))
  for (const socket of sockets) {
    socket.write(
      `GET ${long}?format=html HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${token}\r\n\r\n`,
    )
    await once(socket, 'readable')
  }
  // They have the first bytes, and take no more.
  assert.equal((await ask('viewer', `${long}?format=json`).answer).statusCode, 429)
  assert.equal((await ask('operator', `${long}?format=json`).answer).statusCode, 200)
  for (const socket of sockets) socket.destroy()
  await until(
    'their places are free',
    async () => (await ask('viewer', `${long}?format=json`).answer).statusCode === 200,
  )
  await service.stop()
})
