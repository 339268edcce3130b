// Errors: one shape everywhere, the same in headers, and the table of cases.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { startService } from '../support.ts'
import { refusalOf, refused, value } from './reading.ts'

const lines: string[] = []
const log = pino({ level: 'error' }, { write: (line: string) => lines.push(line) })
const service = await startService({}, { log })
const json = { Accept: 'application/json' }
const binding = '/res/access/macAccessBind'
const bad =
  '<macAccessBind><terminalMac>00:00:00:00:00:01</terminalMac><bindType>2</bindType><ifInfo><deviceId>seven</deviceId><ifIndex>1</ifIndex></ifInfo></macAccessBind>'

test('the body is an error document with code, message and field, in XML and in JSON', async () => {
  const answer = await service.send('POST', binding, bad)
  assert.match(
    answer.text,
    /^<\?xml [^>]*\?><error><code>invalid<\/code><message>[^<]+<\/message><field>ifInfo\[1\]\/deviceId<\/field><\/error>$/,
  )
  const inJson = await service.ask('POST', binding, {
    body: bad,
    headers: { 'Content-Type': 'application/xml', ...json },
  })
  assert.deepEqual(inJson.json(), {
    code: 'invalid',
    message: value(answer.text, 'message'),
    field: 'ifInfo[1]/deviceId',
  })
})

test('where no field is at fault none is named', async () => {
  const answer = await service.get('/ram/zone/999')
  assert.doesNotMatch(answer.text, /<field/)
  assert.deepEqual(Object.keys((await service.get('/ram/zone/999', json)).json()), ['code', 'message'])
})

test('headers Error-Code and Error-Message say the same', async () => {
  const { headers, text } = await service.get('/ram/zone/999')
  assert.equal(headers['error-code'], 'not-found')
  assert.equal(headers['error-message'], 'zone 999 does not exist')
  assert.equal(headers['error-message'], value(text, 'message'))
})

test('Error-Message is percent-encoded where a header cannot carry the text', async () => {
  for (const given of ['Büro', '😀', '100%', 'a\r\nSet-Cookie: x=1', '\u007f', 'Ж']) {
    const answer = await service.get(`/ram/zone?size=${encodeURIComponent(given)}`)
    assert.equal(answer.status, 400)
    assert.equal(answer.headers['set-cookie'], undefined)
    const header = String(answer.headers['error-message'])
    assert.match(header, /^[\x20-\x7e]*$/)
    assert.equal(decodeURIComponent(header), value(answer.text, 'message'))
  }
})

test('messages say what was wrong, what was received, shortened, and what is accepted', async () => {
  const { message } = refused(await service.get(`/ram/zone?start=${'9'.repeat(5000)}`), 400, 'start')
  assert.match(
    message,
    /^start: "9{60}…" \(5000 characters\) is not accepted: expected a whole number from -2147483648 to 2147483647$/,
  )
  const emoji = refused(await service.get(`/ram/zone?start=${encodeURIComponent('x😀'.repeat(100))}`), 400)
  assert.ok(emoji.message.length < 300)
})

test('field names the parameter, or the path of the element', async () => {
  refused(await service.get('/ram/zone?orderBy=x'), 400, 'orderBy')
  refused(await service.get('/ram/zone/x'), 400, 'id')
  refused(await service.send('POST', binding, bad), 400, 'ifInfo[1]/deviceId')
  const deep =
    '<trapRule><trapDevice><displayName>a</displayName><devID>1</devID></trapDevice><trapDevice><displayName>b</displayName><devID>1</devID><trapFilterEventParasInfo/><trapFilterEventParasInfo><position>first</position></trapFilterEventParasInfo></trapDevice></trapRule>'
  const field = 'trapDevice[2]/trapFilterEventParasInfo[2]/position'
  refused(await service.send('POST', '/fault/trapRule', deep), 400, field)
})

test('these operations return the codes of the table', async () => {
  const zone = '<zone><name>Default</name></zone>'
  refused(await service.get('/ram/zone?size=x'), 400)
  refused(await service.get('/ram/zone/x'), 400)
  refused(await service.send('POST', '/ram/zone', '<zone>'), 400)
  refused(await service.send('POST', '/ram/zone', '<zone/>'), 400)
  refused(await service.get('/ram/zone/999'), 404)
  refused(await service.send('PUT', '/ram/zone/999', zone), 404)
  refused(await service.ask('PATCH', '/ram/zone'), 405)
  refused(await service.get('/ram/zone', { Accept: 'image/png' }), 406)
  refused(await service.send('POST', '/ram/zone', zone), 409)
  refused(await service.ask('DELETE', '/ram/zone/999'), 410)
  refused(await service.send('POST', '/ram/zone', `<zone><name>${'x'.repeat(1 << 20)}</name></zone>`), 413)
  const typed = { body: zone, headers: { 'Content-Type': 'text/plain' } }
  refused(await service.ask('POST', '/ram/zone', typed), 415)
})

test('a body over the limit, 1 MiB by default, is refused with 413; one at the limit is read', async () => {
  const body = (bytes: number) => {
    const [open, close] = ['<zone><name>x</name><!--', '--></zone>']
    return open + ' '.repeat(bytes - open.length - close.length) + close
  }
  assert.equal((await service.send('POST', '/ram/zone', body(1 << 20))).status, 201)
  const { message } = refused(await service.send('PUT', '/ram/zone/1', body((1 << 20) + 1)), 413)
  assert.match(message, /1048576/)
  const chunked = { body: body(3 << 20), headers: { 'Content-Type': 'application/json' } }
  refused(await service.ask('POST', '/ram/zone', chunked), 413)
})

test('a setting changes the limit', async () => {
  const small = await startService({ 'body-limit': '1024' })
  refused(await small.send('POST', '/ram/zone', `<zone><name>${'x'.repeat(1024)}</name></zone>`), 413)
  assert.equal((await small.send('POST', '/ram/zone', '<zone><name>x</name></zone>')).status, 201)
})

test('a bug answers 500 with a reference; the details are only in the log', async () => {
  const broken = await startService({}, { log })
  // The table is dropped under the running service: an error that neither a caller causes nor the service expects.
  await broken.database.transaction((tx) => tx.run('drop table zone'))
  for (const answer of [
    await broken.get('/ram/zone'),
    await broken.get('/ram/zone/1', json),
    await broken.send('POST', '/ram/zone', '<zone><name>secret-name</name></zone>'),
  ]) {
    const { message } = refused(answer, 500)
    assert.doesNotMatch(answer.text, /no such table|sqlite|\.ts/i)
    const reference = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(message)?.[0] ?? 'none'
    const line = lines.find((logged) => logged.includes(reference))
    assert.match(String(line), /no such table|does not exist/)
  }
  assert.equal((await broken.get('/fault/trapRule')).status, 200, 'the rest goes on')
})

test('a store that cannot take more answers 503 with Retry-After, and nothing was saved', async (t) => {
  const full = await startService()
  if (full.database.kind !== 'sqlite') return t.skip('how SQLite is made full')
  const pages = (limit: number) =>
    full.database.transaction((tx) => tx.all(`pragma max_page_count = ${limit}`))
  await pages(1)
  const zone = (name: string) => full.sendJson('POST', '/ram/zone', { name, description: 'x'.repeat(1000) })
  let answer = await zone('Zone 0')
  for (let index = 1; answer.status === 201 && index < 100; index += 1) answer = await zone(`Zone ${index}`)
  refused(answer, 503)
  assert.match(String(answer.headers['retry-after']), /^\d+$/)
  assert.match(refusalOf(answer).message, /full/)
  const total = (await full.get('/ram/zone')).headers.total
  await pages(1_000_000)
  assert.equal((await zone('Room again')).status, 201)
  assert.equal((await full.get('/ram/zone')).headers.total, String(Number(total) + 1))
})
