// Files of records over HTTP: bounded in every form, few at once, and without delaying others.

import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { ifIndex, linkDown, device as senderAt, v2c } from '../intake/sending.ts'
import { eventually } from '../push/station.ts'
import { sendRequest, startService, type TestService } from '../support.ts'
import { idOf, refused } from './reading.ts'

const narrow = await startService({ 'body-limit': '65536' }, { limits: { importBytes: 2 ** 40 } })
const service = await startService()
const types = { xml: 'application/xml', json: 'application/json', csv: 'text/csv' }

const send = (form: keyof typeof types, body: string, to: TestService = service) =>
  to.ask('POST', '/plat/data/zone', { body, headers: { 'Content-Type': types[form] } })

test('a file that is compressed, or in another charset, is refused and not read as something else', async () => {
  const load = (headers: Record<string, string>) =>
    service.ask('POST', '/plat/data/zone?dryRun=true', { body: 'name\nEncoded\n', headers })
  const csv = 'text/csv'
  for (const headers of [
    { 'Content-Type': csv, 'Content-Encoding': 'gzip' },
    { 'Content-Type': `${csv}; charset=utf-16` },
    { 'Content-Type': `${csv};header=present; charset="ISO-8859-1"` },
  ]) {
    refused(await load(headers), 415)
  }
  for (const headers of [
    { 'Content-Type': csv, 'Content-Encoding': 'identity' },
    { 'Content-Type': `${csv}; charset=utf-8` },
    { 'Content-Type': 'Text/CSV; header=present; charset="UTF-8"' },
  ]) {
    assert.equal((await load(headers)).status, 200, JSON.stringify(headers))
  }
})

test('an id from a caller never uses up the ids of its kind', async () => {
  const apart = await startService()
  const load = (rows: string) =>
    apart.ask('POST', '/plat/data/device', { body: rows, headers: { 'Content-Type': 'text/csv' } })
  const refusal = await load('id,ip,label\n1073741824,10.1.2.3,high')
  assert.equal(refusal.status, 400, refusal.text)
  assert.match(refusal.text, /1073741824 cannot be the id of a device: expected 1 to 1073741823/)
  assert.equal((await load('id,ip,label\n1073741823,10.1.2.3,last')).status, 200)
  const device = { ip: '10.1.2.4', label: 'next' }
  assert.equal(idOf(await apart.sendJson('POST', '/plat/res/device', device)), '1073741824')
  const sender = await senderAt(apart.trapPort)
  await sender.send(v2c(linkDown, [ifIndex(1)]))
  await eventually(async () => (await apart.get('/fault/alarm?total=true')).headers.total === '1', 'alarm')

  const wanted = { name: 'T', reportTypeName: 'R', reportTypeId: 2 ** 31 - 1 }
  assert.equal((await apart.sendJson('POST', '/report/reportTemplate', wanted)).status, 409)
  assert.equal((await apart.sendJson('POST', '/report/reportType', { name: 'S' })).status, 201)
})

test('a record in a file is bounded like a body, in every form, and nothing of such a file is kept', async () => {
  const large = 'x'.repeat(200_000)
  for (const [form, file] of [
    ['xml', `<list><zone><name>First</name></zone>\n<zone><name>${large}</name></zone></list>`],
    ['json', `[{"name":"First"},\n{"name":"${large}"}]`],
    ['csv', `name\nFirst\n${large}`],
  ] as const) {
    const answer = await send(form, file, narrow)
    assert.equal(answer.status, 413, answer.text)
    assert.match(answer.text, /line [23]: the row is larger than 65536 characters/)
  }
  for (const [form, file] of [
    ['xml', `<list><zone>${'<x/>'.repeat(20_000)}</zone></list>`],
    ['json', `[{"name":[${'"",'.repeat(21_000)}""]}]`],
    ['csv', `name${',a'.repeat(21_000)}\n`],
  ] as const) {
    const answer = await send(form, file)
    assert.equal(answer.status, 400, answer.text)
    assert.match(answer.text, /20000/)
  }
  for (const { get } of [service, narrow])
    assert.equal((await get('/ram/zone?total=true')).headers.total, '1')
})

test('an error anywhere in a file is found before anything is written', async () => {
  const rows = Array.from({ length: 5000 }, (_, n) => `Zone ${n},x`)
  const answer = await send('csv', `name,description\n${rows.join('\n')}\n,nameless\n`)
  assert.equal(answer.status, 400)
  assert.match(answer.text, /line 5002: name: /)
  const conflict = await send('csv', `name\n${rows.map((row) => row.split(',')[0]).join('\n')}\nzone 7\n`)
  assert.equal(conflict.status, 409)
  assert.match(conflict.text, /line 5002: name: name zone 7 is taken by zone \d+/)
  assert.equal((await service.get('/ram/zone?total=true')).headers.total, '1')
})

/** Begins to send a file and says no more. */
function beginSending(to: TestService, length: number, more = '', header = '') {
  const socket = connect(Number(new URL(to.url).port), '127.0.0.1')
  after(() => socket.destroy())
  const received = { text: '' }
  socket.setEncoding('utf8').on('error', () => undefined)
  socket.on('data', (text) => {
    received.text += text
  })
  socket.write(
    `POST /plat/data/zone HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/csv\r\nContent-Length: ${length}\r\n${header}\r\n${more}`,
  )
  return { socket, received }
}

test('eight imports run at once; one more is answered 503', async () => {
  const busy = await startService()
  const begun = Array.from({ length: 8 }, () => beginSending(busy, 100, 'name\n'))
  await eventually(async () => {
    const answer = await send('csv', 'name\n', busy)
    return answer.status === 503 && answer.headers['retry-after'] !== undefined
  }, 'one more is refused')
  begun[0]?.socket.destroy()
  await eventually(async () => (await send('csv', 'name\nA\n', busy)).status === 200, 'there is room again')
  for (const { socket } of begun) socket.destroy()
})

test('a file for which the disk has no room is refused before it is sent', async () => {
  const { received } = beginSending(narrow, 2 ** 39)
  await eventually(async () => received.text !== '', 'an answer')
  assert.match(received.text, /^HTTP\/1\.1 503 /)
  assert.match(received.text, /an import of this size needs \d+ MB in .*, where \d+ MB are free/)
})

test('a file that is announced too large is refused before it is sent, and its sender is not asked for it', async () => {
  const limited = await startService({}, { limits: { importBytes: 1024 } })
  const far = beginSending(limited, 2 ** 39, 'name\n')
  await eventually(async () => far.received.text !== '', 'an answer')
  assert.match(far.received.text, /^HTTP\/1\.1 413 /)
  const asking = beginSending(limited, 1025, '', 'Expect: 100-continue\r\n')
  await eventually(async () => asking.received.text !== '', 'an answer')
  assert.match(asking.received.text, /^HTTP\/1\.1 413 /)
  const near = await send('csv', `name\n${'A\n'.repeat(600)}`, limited)
  assert.equal(
    near.status,
    413,
    'what is a little too large is read, so that its sender gets to read the answer',
  )
})

/** The longest that this thread has worked without a turn for others, in milliseconds of its own processor time. */
async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  let longest = 0
  let done = false
  const watch = (async () => {
    while (!done) {
      const before = process.threadCpuUsage()
      await turn()
      const { user, system } = process.threadCpuUsage(before)
      longest = Math.max(longest, (user + system) / 1000)
    }
  })()
  await work()
  done = true
  await watch
  return longest
}

/** What else the process does, such as compiling, may fall into a turn: the best of some tries counts. */
async function requireShortTurns(work: (round: number) => Promise<unknown>): Promise<void> {
  const turns: number[] = []
  for (let round = 0; round < 4; round += 1) {
    turns.push(await longestTurn(() => work(round)))
    if (Math.min(...turns) < 50) return
  }
  assert.fail(`turns of ${turns.map(Math.round)} ms`)
}

test('an import, an export and a large document do not block other requests', async (t) => {
  if (service.database.kind !== 'sqlite') return t.skip('only SQLite works in the thread of the service')
  const size = 4000
  for (const [form, file] of [
    ['csv', (name: string) => `name\n${Array.from({ length: size }, (_, n) => `${name} ${n}`).join('\n')}`],
    [
      'json',
      (name: string) => JSON.stringify(Array.from({ length: size }, (_, n) => ({ name: `${name} ${n}` }))),
    ],
    [
      'xml',
      (name: string) =>
        `<list>${Array.from({ length: size }, (_, n) => `<zone><name>${name} ${n}</name></zone>`).join('')}</list>`,
    ],
  ] as const) {
    const files = Array.from({ length: 4 }, (_, round) => file(`${form} ${round}`))
    await requireShortTurns(async (round) => {
      assert.equal((await send(form, files[round] ?? '')).status, 200)
    })
  }
  for (const path of ['/plat/data/zone?format=csv', '/plat/data/zone?format=xml', '/ram/zone?size=1000']) {
    await requireShortTurns(() => sendRequest(service.url, 'GET', path, {}))
  }
  const wide = Array.from({ length: 20_000 }, (_, n) => `trapDevice[${n}]/devID`.padEnd(50)).join(',')
  const headers = { 'Content-Type': types.csv }
  await requireShortTurns(() => service.ask('POST', '/plat/data/trapRule', { body: wide, headers }))
  const body = `<zone><name>${' '.repeat(1_000_000)}x</name></zone>`
  await requireShortTurns(() => service.send('POST', '/ram/zone', body))
})

const importBindings = (to: TestService, rows: readonly string[], query = '') =>
  to.ask('POST', `/plat/data/macAccessBind${query}`, {
    body: ['terminalMac,bindType,ifInfo[1]/deviceId,ifInfo[1]/ifIndex', ...rows].join('\n'),
    headers: { 'Content-Type': 'text/csv' },
  })
const bindingTo = (deviceId: number, n: number) =>
  `02:00:00:00:${(n >> 8).toString(16).padStart(2, '0')}:${(n & 255).toString(16).padStart(2, '0')},2,${deviceId},1`

test('a file is remarked on as single records are, with their lines', async () => {
  const apart = await startService()
  const plain = await importBindings(apart, ['04:00:00:00:00:01,1,,', bindingTo(77, 1), bindingTo(78, 2)])
  assert.equal(plain.status, 200, plain.text)
  assert.deepEqual(JSON.parse(plain.text), { imported: '3', replaced: '0' })
  assert.equal(
    plain.headers['belfry-warning'],
    'line 3: device 77 does not exist, line 4: device 78 does not exist',
  )
  const rule =
    '<list><trapRule><trapGroup>-1</trapGroup><trapDevice><displayName>all</displayName><devID>0</devID></trapDevice></trapRule></list>'
  const rules = await apart.ask('POST', '/plat/data/trapRule', {
    body: rule,
    headers: { 'Content-Type': types.xml },
  })
  assert.match(String(rules.headers['belfry-warning']), /^line 1: .*never/)
})

test('a file has twenty remarks at most, in the last line where progress is reported; a dry run has none', async () => {
  const apart = await startService()
  const rows = (from: number, count: number) =>
    Array.from({ length: count }, (_, index) => bindingTo(1000 + index, from + index))
  const tried = await importBindings(apart, rows(0, 30), '?dryRun=true')
  assert.equal(tried.headers['belfry-warning'], undefined)
  const { text, headers } = await importBindings(apart, rows(0, 30), '?progress=true')
  assert.equal(headers['belfry-warning'], undefined)
  const { imported, remark } = JSON.parse(text.trim().split('\n').at(-1) ?? '')
  assert.equal(imported, 30)
  assert.equal(remark.length, 20)
  assert.deepEqual([remark[0], remark[19]], ['line 2: device 1000 does not exist', 'and 11 more remarks'])
  const many = await importBindings(apart, rows(30, 201))
  assert.equal(many.status, 200, many.text)
  assert.equal(many.headers['belfry-warning'], undefined)
})
