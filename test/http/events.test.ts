import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { suite, test } from 'node:test'
import { pushedAlarm } from '../../src/resources/alarm.ts'
import { EventReader, field, numberOf } from '../push/reader.ts'
import { eventually } from '../push/station.ts'
import { startService, type TestService, texts } from '../support.ts'

const service = await startService({ 'time-zone': 'UTC', 'heartbeat-seconds': '1' })
const linkDown = '1.3.6.1.6.3.1.1.5.3'
const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'

let counted = 0

/** Raises an alarm that nothing else is like; answers its id. */
async function raise(fields: Record<string, string> = {}, at: TestService = service): Promise<string> {
  counted += 1
  const alarm = { OID: linkDown, alarmLevel: '2', resource: `n=${counted}`, ...fields }
  const answer = await at.sendJson('POST', '/fault/alarm', alarm)
  assert.equal(answer.status, 201, answer.text)
  return String(answer.headers.location).split('/').at(-1) ?? ''
}

const listen = (query = '', headers: Record<string, string> = {}, at: TestService = service) =>
  EventReader.open(at.url, `type=11&${query}`, headers)

const ids = (reader: EventReader) => reader.documents.map((document) => field(document, 'id'))

const registered = async (uuid: string, at: TestService = service) => {
  const { text } = await at.get('/events/registrations', { Accept: 'application/json' })
  const rows: Record<string, string>[] = JSON.parse(text).registration
  return rows.find((row) => row.uuid === uuid)
}

const gone = (uuid: string, at: TestService = service) =>
  eventually(async () => (await registered(uuid, at))?.connected === 'false', `${uuid} has gone`)

suite('registering', () => {
  test('the head of the answer comes at once, before there is any alarm', async () => {
    const { port, host } = new URL(service.url)
    const socket = connect(Number(port), '127.0.0.1')
    socket.write(`GET /events?type=11&deviceIp=192.0.2.99 HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
    const [head] = await once(socket, 'data')
    assert.match(String(head), /^HTTP\/1\.1 202 Accepted\r\n/)
    assert.match(String(head), /\r\nContent-Type: application\/xml\r\n/)
    assert.match(String(head), /\r\nTransfer-Encoding: chunked\r\n/)
    assert(String(head).endsWith('\r\n\r\n'), 'and nothing else')
    socket.destroy()
  })

  test('the family root answers too', async () => {
    const reader = await EventReader.open(service.url, 'type=11', {}, '/imcrs/events')
    assert.equal(reader.status, 202)
    reader.close()
  })

  test('type must be 11', async () => {
    for (const query of ['', '?type=', '?type=10', '?type=11&type=11', '?type=eleven', '?type=11.0']) {
      const answer = await service.get(`/events${query}`)
      assert.equal(answer.status, 400, query)
      assert.deepEqual(texts(answer.text, 'field'), ['type'])
    }
  })

  test('HEAD has nothing to tell, other methods nothing to do', async () => {
    for (const method of ['HEAD', 'POST', 'PUT', 'DELETE']) {
      const answer = await service.ask(method, '/events?type=11')
      assert.equal(answer.status, 405, method)
      assert.equal(answer.headers.allow, 'GET, OPTIONS')
    }
  })

  test('the form is chosen by Accept, with its qualities', async () => {
    const cases = {
      'application/xml': 'application/xml',
      'text/xml': 'application/xml',
      '*/*': 'application/xml',
      'application/json': 'application/json',
      'text/event-stream': 'text/event-stream',
      'text/event-stream, */*;q=0.1': 'text/event-stream',
      'Text/Event-Stream;charset=utf-8': 'text/event-stream',
      'application/json, text/event-stream;q=0.5': 'application/json',
      'application/xml;q=0.9, text/event-stream;q=0': 'application/xml',
    }
    for (const [accept, type] of Object.entries(cases)) {
      const reader = await listen('', { Accept: accept })
      assert.equal(reader.headers['content-type'], type, accept)
      assert.equal(reader.status, type === 'text/event-stream' ? 200 : 202)
      reader.close()
    }
    for (const accept of ['text/plain', 'text/event-stream;q=0', 'text/event-streams']) {
      const answer = await service.get('/events?type=11', { Accept: accept })
      assert.equal(answer.status, 406, accept)
    }
  })

  test('bad values are refused and named', async () => {
    const bad = {
      alarmLevel: 'high',
      customView: 'x',
      deviceIp: 'router',
      ipSegment: '10.0.0.9-10.0.0.1',
      eventOid: '1..3',
      sendRecovered: 'maybe',
      cursor: '2',
      snapshot: 'maybe',
      since: 'yesterday',
      uuid: 'a b',
    }
    for (const [name, value] of Object.entries(bad)) {
      const answer = await service.get(`/events?type=11&${name}=${encodeURIComponent(value)}`)
      assert.equal(answer.status, 400, name)
      assert.deepEqual(texts(answer.text, 'field'), [name])
    }
    const { status } = await service.get('/events?type=11', { 'Last-Event-ID': 'x' })
    assert.equal(status, 400)
    assert.equal((await service.get(`/events?type=11&uuid=${'x'.repeat(129)}`)).status, 400)
  })
})

suite('the stream', () => {
  test('all fields of the contract, in order, with what was done last', async () => {
    const reader = await listen('sendRecovered=true&cursor=true&deviceIp=192.0.2.1')
    const id = await raise({ deviceIp: '192.0.2.1', alarmDesc: 'a <b>\r\nc' })
    await service.ask('PUT', `/fault/alarm/recover/${id}`)
    const [fault = '', recovery = ''] = await reader.take(2)
    const names = (document: string) => [...document.matchAll(/<(\w+)[ />]/g)].map((match) => match[1])
    const fields = Object.keys(pushedAlarm.fields)
    const without = fields.filter((name) => name !== 'recoverFaultIdList')
    assert.deepEqual(names(fault), ['alarm', ...without, 'nAction', 'cursor'])
    assert.deepEqual(names(recovery), ['alarm', ...fields, 'nAction', 'lstRecovered', 'faultOid', 'cursor'])
    assert.equal(fields.length, 29)
    assert(fault.includes('<alarmDesc>a &lt;b&gt;&#13;&#10;c</alarmDesc>'))
    reader.close()
  })

  test('recoveries: one document that names what it cleared, for those who were told of the fault', async () => {
    const where = 'deviceIp=192.0.2.2'
    const [all, level, other, asked] = await Promise.all(
      ['', 'alarmLevel=1', 'alarmLevel=3', 'alarmLevel=1&sendRecovered=true'].map((query) =>
        listen(`${where}&${query}`),
      ),
    )
    assert(all && level && other && asked)
    const id = await raise({ deviceIp: '192.0.2.2', alarmLevel: '1' })
    await service.ask('PUT', `/fault/alarm/recover/${id}`)
    await raise({ deviceIp: '192.0.2.2', alarmLevel: '3' })
    for (const reader of [all, level, asked]) {
      const [, recovery = ''] = await reader.take(2)
      assert.equal(field(recovery, 'nAction'), 'Recover')
      assert.equal(field(recovery, 'recStatus'), '1')
      assert.equal(field(recovery, 'isReceoverFault'), '1')
      assert.equal(field(recovery, 'alarmLevel'), '5')
      assert.equal(field(recovery, 'recoverFaultIdList'), id)
      const cleared = `<lstRecovered><faultOid>${linkDown}</faultOid></lstRecovered>`
      assert.equal(recovery.includes(cleared), reader === asked)
      assert.equal(recovery.includes('lstRecovered'), reader === asked)
    }
    await other.take(1)
    assert.equal(field(other.documents[0] ?? '', 'alarmLevel'), '3')
    for (const reader of [all, level, other, asked]) reader.close()
  })

  test('acknowledgements, deletions and repeats are not pushed; a rise of the level is', async () => {
    const reader = await listen('deviceIp=192.0.2.3')
    const same = { deviceIp: '192.0.2.3', resource: 'same' }
    const id = await raise({ ...same, alarmLevel: '4' })
    await service.ask('PUT', `/fault/alarm/acknowledge/${id}`)
    const again = await service.sendJson('POST', '/fault/alarm', { OID: linkDown, alarmLevel: '4', ...same })
    assert.equal(again.status, 200)
    await service.sendJson('POST', '/fault/alarm', { OID: linkDown, alarmLevel: '2', ...same })
    await service.ask('PUT', `/fault/alarm/recover/${id}`)
    await service.ask('DELETE', `/fault/alarm/${id}`)
    const last = await raise({ deviceIp: '192.0.2.3' })
    const documents = await reader.take(4)
    const told = documents.map((document) => [field(document, 'nAction'), field(document, 'alarmLevel')])
    assert.deepEqual(told, [
      ['Push', '4'],
      ['Push', '2'],
      ['Recover', '5'],
      ['Push', '2'],
    ])
    assert.deepEqual([ids(reader)[0], ids(reader)[1], ids(reader)[3]], [id, id, last])
    reader.close()
  })

  test('a view that does not exist yet is remarked, and matches once it does', async () => {
    const { status, headers } = await service.sendJson('POST', '/plat/res/view/custom', { name: 'First' })
    assert.equal(status, 201)
    const next = Number(String(headers.location).split('/').at(-1)) + 1
    const reader = await listen(`customView=${next}`)
    assert.equal(reader.status, 202)
    assert.match(String(reader.headers['belfry-warning']), new RegExp(`customView ${next} does not exist`))
    const device = await service.sendJson('POST', '/plat/res/device', { ip: '192.0.2.4', label: 'four' })
    const deviceId = String(device.headers.location).split('/').at(-1) ?? ''
    await raise({ deviceId })
    await service.sendJson('POST', '/plat/res/view/custom', { name: 'Second', member: [deviceId] })
    const id = await raise({ deviceId })
    await reader.take(1)
    assert.deepEqual(ids(reader), [id])
    reader.close()
    const known = await listen('customView=1')
    assert.equal(known.headers['belfry-warning'], undefined)
    known.close()
  })

  test('JSON: one object per document, all scalars text, the same framing', async () => {
    const reader = await listen('deviceIp=192.0.2.5&cursor=true', { Accept: 'application/json' })
    const id = await raise({ deviceIp: '192.0.2.5', alarmDesc: 'one\n\ntwo "three" <four> &' })
    const [document = ''] = await reader.take(1)
    const alarm = JSON.parse(document)
    assert.equal(alarm.id, id)
    assert.equal(alarm.alarmDesc, 'one\n\ntwo "three" <four> &')
    assert.equal(alarm.nAction, 'Push')
    assert.match(alarm.cursor, /^\d+:\d+$/)
    assert(reader.text.endsWith(`${document}\n\n`))
    reader.close()
  })

  test('a heartbeat is an empty line, and one with sharps in the form of the family', async () => {
    const family = await startService({ 'heartbeat-seconds': '1', 'heartbeat-form': 'family' })
    const [plain, json, other] = await Promise.all([
      listen('deviceIp=192.0.2.98'),
      listen('deviceIp=192.0.2.98', { Accept: 'application/json' }),
      listen('', {}, family),
    ])
    await Promise.all([plain.beats(2), json.beats(2), other.beats(2)])
    assert.match(plain.text, /^\n+$/)
    assert.match(json.text, /^\n+$/)
    assert.match(other.text, /^(#HEART_BEAT\n)+$/)
    for (const reader of [plain, json, other]) reader.close()
  })

  test('a narrow filter is told how far it has come, and resumes there', async () => {
    const narrow = 'cursor=true&deviceIp=192.0.2.97'
    const reader = await listen(narrow)
    await raise()
    const [bookmark = ''] = await reader.take(1)
    assert.match(bookmark, /^<\?xml [^>]*\?><bookmark><cursor>\d+:\d+<\/cursor><\/bookmark>$/)
    reader.close()
    const id = await raise({ deviceIp: '192.0.2.97' })
    const again = await listen(`${narrow}&since=${field(bookmark, 'cursor')}`)
    await again.until(() => ids(again).includes(id), 'the alarm')
    again.close()
  })
})

suite('server-sent events', () => {
  test('positions, comments as signs of life, bookmarks that are no events', async () => {
    const reader = await listen('deviceIp=192.0.2.6', { Accept: 'text/event-stream' })
    assert.equal(reader.status, 200)
    assert.equal(reader.headers['content-type'], 'text/event-stream')
    const id = await raise({ deviceIp: '192.0.2.6' })
    const [event = ''] = await reader.take(1)
    assert.match(event, /^id: \d+:\d+\ndata: \{"id":"/)
    assert.equal(JSON.parse(event.split('data: ')[1] ?? '').id, id)
    await reader.take(2)
    assert.match(reader.documents[1] ?? '', /^:\nid: \d+:\d+$/)
    reader.close()
  })

  test('a gap is an event of its own name', async () => {
    const reader = await listen('', { Accept: 'text/event-stream', 'Last-Event-ID': '77:5' })
    const [gap = ''] = await reader.take(1)
    assert.match(gap, /^event: gap\nid: \d+:\d+\ndata: \{"from":"77:5","to":"\d+:\d+","reason":"/)
    reader.close()
  })

  test('an EventSource reads them, and resumes by itself after a break', async () => {
    const program = `
      const source = new EventSource(process.argv[1])
      source.onmessage = ({ data, lastEventId }) => console.log('alarm', JSON.parse(data).id, lastEventId)
      source.addEventListener('gap', ({ data }) => console.log('gap', JSON.parse(data).reason))
      source.onopen = () => console.log('open')
      // Waiting to come back does not keep a process alive.
      setInterval(() => undefined, 1000)`
    const url = `${service.url}/events?type=11&deviceIp=192.0.2.7&uuid=browser`
    const child = spawn(
      process.execPath,
      ['--experimental-eventsource', '--no-warnings', '-e', program, url],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    )
    let said = ''
    child.stdout.on('data', (piece) => {
      said += piece
    })
    try {
      await eventually(() => said.includes('open'), 'an open source', 20_000)
      const first = await raise({ deviceIp: '192.0.2.7' })
      await eventually(() => said.includes(`alarm ${first} `), 'the first alarm')
      // The service ends the stream, the source comes back with the last position.
      assert.equal((await service.ask('DELETE', '/events/registrations/browser')).status, 204)
      const second = await raise({ deviceIp: '192.0.2.7' })
      await eventually(() => said.includes(`alarm ${second} `), 'the second alarm', 20_000)
      assert.deepEqual(
        said.match(/alarm \d+/g),
        [`alarm ${first}`, `alarm ${second}`],
        'its position is exact',
      )
    } finally {
      child.kill('SIGKILL')
    }
  })
})

const hasCurl = spawnSync('curl', ['--version']).status === 0
const noCurl = hasCurl || process.env.CI === 'true' ? false : 'curl is not installed'

test('plain curl -N, byte for byte', { skip: noCurl }, async () => {
  assert(hasCurl, 'curl is needed here')
  const child = spawn('curl', ['-sN', `${service.url}/events?type=11&deviceIp=192.0.2.8&uuid=curl`])
  let text = ''
  child.stdout.on('data', (piece) => {
    text += piece
  })
  try {
    await eventually(async () => (await registered('curl'))?.connected === 'true', 'curl is registered')
    await eventually(() => text.startsWith('\n'), 'a sign of life')
    const first = await raise({
      deviceIp: '192.0.2.8',
      deviceName: 'Zoë',
      alarmDesc: '\nline\r\n\r\n\nline <&>\n',
    })
    await eventually(() => text.includes('</alarm>\n\n'), 'the first document')
    const second = await raise({ deviceIp: '192.0.2.8', paras: 'a=1;*b=2' })
    await eventually(() => text.includes(`<id>${second}</id>`), 'the second document')
    const records = await Promise.all(
      [first, second].map((id) => service.get(`/fault/alarm/${id}`, { Accept: 'application/json' })),
    )
    const expected = records
      .map((record) => record.json())
      .map(({ faultTime, faultTimeDesc }) => [faultTime, faultTimeDesc])
    const document = (id: string, name: string, desc: string, paras: string, [time, local]: unknown[]) =>
      `${declaration}<alarm><id>${id}</id><OID>${linkDown}</OID><originalType>3</originalType>` +
      '<originalTypeDesc>Belfry</originalTypeDesc><deviceId>0</deviceId><deviceIp>192.0.2.8</deviceIp>' +
      `<deviceName>${name}</deviceName><alarmLevel>2</alarmLevel><alarmLevelDesc>Major</alarmLevelDesc>` +
      '<alarmCategory>15</alarmCategory><alarmCategoryDesc>Other</alarmCategoryDesc>' +
      `<faultTime>${time}</faultTime><faultTimeDesc>${local}</faultTimeDesc><recTime>0</recTime><recTimeDesc/>` +
      '<recStatus>0</recStatus><recStatusDesc>Unrecovered</recStatusDesc><recUserName/><ackTime>0</ackTime>' +
      '<ackTimeDesc/><ackStatus>0</ackStatus><ackStatusDesc>Unacknowledged</ackStatusDesc><ackUserName/>' +
      `${desc}${paras}<parentId>0</parentId><somState>0</somState>` +
      '<isReceoverFault>0</isReceoverFault><nAction>Push</nAction></alarm>\n\n'
    const lines = '<alarmDesc>line&#13;&#10;&#13;&#10;&#10;line &lt;&amp;&gt;</alarmDesc>'
    // Between documents there may be signs of life.
    const quiet = text.replace(/^\n+/, '').replace(/\n{3,}/g, '\n\n')
    assert.equal(
      quiet,
      document(first, 'Zoë', lines, '<paras/>', expected[0] ?? []) +
        document(second, '192.0.2.8', '<alarmDesc/>', '<paras>a=1;*b=2</paras>', expected[1] ?? []),
    )
  } finally {
    child.kill()
  }
})

suite('resuming', () => {
  const where = 'deviceIp=192.0.2.10&cursor=true'
  const cursors = (reader: EventReader) => reader.documents.map((document) => field(document, 'cursor'))

  test('a position weighs more than a snapshot, a snapshot more than the saved cursor, that more than now', async () => {
    const first = await listen(`${where}&uuid=weight`)
    const [a, b, c] = [
      await raise({ deviceIp: '192.0.2.10' }),
      await raise({ deviceIp: '192.0.2.10' }),
      await raise({ deviceIp: '192.0.2.10' }),
    ]
    await first.until(() => ids(first).includes(c ?? ''), 'all three')
    const at = (id: string) => cursors(first)[ids(first).indexOf(id)] ?? ''
    await service.ask('PUT', `/fault/alarm/recover/${b}`)
    first.reset()
    await gone('weight')
    const alarmsOf = (reader: EventReader) => ids(reader).filter((id) => [a, b, c].includes(id))
    const cases: [string, Record<string, string>, string[]][] = [
      [`uuid=weight&since=${at(a ?? '')}&snapshot=true`, { 'Last-Event-ID': at(b ?? '') }, [c]],
      [`uuid=weight&since=${at(a ?? '')}&snapshot=true`, {}, [b, c]],
      [`uuid=weight&snapshot=true`, {}, [a, c]],
      [`uuid=nobody`, {}, []],
      ['', {}, []],
    ]
    for (const [query, headers, expected] of cases) {
      const reader = await listen(`${where}&${query}`, headers)
      const last = await raise({ deviceIp: '192.0.2.10' })
      await reader.until(() => ids(reader).includes(last), 'what is new')
      assert.deepEqual(alarmsOf(reader), expected, query)
      reader.reset()
      await service.ask('PUT', `/fault/alarm/recover/${last}`)
    }
  })

  test('a position given with a uuid is where the next connection by uuid goes on', async () => {
    const first = await listen(`${where}&uuid=rewind`)
    const id = await raise({ deviceIp: '192.0.2.10' })
    await first.until(() => ids(first).includes(id), 'an alarm')
    const start = cursors(first)[ids(first).indexOf(id)] ?? ''
    const next = await raise({ deviceIp: '192.0.2.10' })
    await first.until(() => ids(first).includes(next), 'an alarm')
    const again = await listen(`${where}&uuid=rewind&since=${start}`)
    await again.until(() => ids(again).includes(next), 'what comes behind the position')
    assert(!ids(again).includes(id))
    again.reset()
    await gone('rewind')
    const third = await listen(`${where}&uuid=rewind`)
    await third.until(() => ids(third).includes(next), 'the same again')
    assert(!ids(third).includes(id))
    third.close()
  })

  test('a snapshot: all open alarms, a position on the last alone, then live without a hole', async () => {
    const place = { deviceIp: '192.0.2.11' }
    const open: string[] = []
    for (let one = 0; one < 12; one += 1) open.push(await raise(place))
    await service.ask('PUT', `/fault/alarm/recover/${open.shift()}`)
    const raising = (async () => {
      for (let one = 0; one < 30; one += 1) open.push(await raise(place))
    })()
    const reader = await listen('deviceIp=192.0.2.11&snapshot=true&cursor=true')
    await raising
    await reader.until(() => open.every((id) => ids(reader).includes(id)), 'all')
    const alarms = reader.documents.filter((document) => document.includes('<alarm>'))
    const marked = alarms.findIndex((document) => field(document, 'cursor') !== '')
    assert(marked >= 10, 'the last of the snapshot')
    assert(alarms.slice(marked).every((document) => field(document, 'cursor') !== ''))
    const numbers = alarms.slice(marked).map((document) => numberOf(field(document, 'cursor')))
    assert.deepEqual(
      numbers,
      [...numbers].sort((x, y) => x - y),
    )
    assert.equal(new Set(numbers).size, numbers.length)
    reader.close()
  })

  test('an empty snapshot is nothing, and live goes on', async () => {
    const reader = await listen('deviceIp=192.0.2.12&snapshot=true')
    const id = await raise({ deviceIp: '192.0.2.12' })
    await reader.take(1)
    assert.deepEqual(ids(reader), [id])
    reader.close()
  })

  test('a position of another history is told as a gap, to whoever brings it', async () => {
    for (const query of ['since=77:5', 'since=77:5&uuid=lost']) {
      const reader = await listen(`cursor=true&${query}`)
      const [gap = ''] = await reader.take(1)
      assert.match(
        gap,
        /^<\?xml [^>]*\?><gap><from>77:5<\/from><to>\d+:\d+<\/to><reason>[^<]+<\/reason><\/gap>$/,
      )
      reader.close()
    }
    const json = await listen('since=77:5', { Accept: 'application/json' })
    const [gap = ''] = await json.take(1)
    assert.equal(JSON.parse(gap).gap.from, '77:5')
    json.close()
  })

  test('a clean end after an idle second resumes exactly', async () => {
    const query = 'deviceIp=192.0.2.13&uuid=clean'
    const reader = await listen(query)
    const before = await raise({ deviceIp: '192.0.2.13' })
    await reader.take(1)
    const beats = reader.heartbeats.length
    // Signs of life come after a second of silence.
    await reader.beats(beats + 2)
    reader.close()
    await gone('clean')
    const id = await raise({ deviceIp: '192.0.2.13' })
    const again = await listen(query)
    await again.take(1)
    assert.deepEqual(ids(again), [id], `${before} is not repeated`)
    again.close()
  })

  test('two connections with one uuid: the older ends, the newer goes on with the overlap alone', async () => {
    const query = 'deviceIp=192.0.2.14&uuid=twice'
    const older = await listen(query)
    const before = await raise({ deviceIp: '192.0.2.14' })
    await older.take(1)
    const newer = await listen(`${query}&alarmLevel=2`)
    await older.end()
    assert(older.text.endsWith('\n'), 'at the end of a document')
    const after = await raise({ deviceIp: '192.0.2.14' })
    await newer.take(2)
    assert.deepEqual(ids(newer), [before, after], 'each once')
    assert.equal(
      (await registered('twice'))?.filter,
      'alarmLevel=2&deviceIp=192.0.2.14',
      'the filter is replaced',
    )
    newer.close()
  })
})

suite('registrations', () => {
  test('the list tells filter, connection, position, lag and times', async () => {
    const reader = await listen('uuid=listed&alarmLevel=1,2&deviceIp=192.0.2.20')
    await raise({ deviceIp: '192.0.2.20' })
    await reader.take(1)
    const here = await registered('listed')
    assert.equal(new URLSearchParams(here?.filter).get('alarmLevel'), '1,2')
    assert.equal(here?.connected, 'true')
    assert.match(here?.position ?? '', /^\d+:\d+$/)
    assert.equal(here?.lag, '0')
    assert(Math.abs(Number(here?.lastWrite) - Date.now() / 1000) < 60)
    reader.reset()
    await gone('listed')
    await raise()
    await raise()
    await eventually(async () => (await registered('listed'))?.lag === '2', 'two behind')
    await eventually(async () => Number((await registered('listed'))?.lagSeconds) >= 1, 'by a second')
    const answer = await service.get('/events/registrations', { Accept: 'application/json' })
    assert.equal(Number(answer.headers.total), JSON.parse(answer.text).registration.length)
  })

  test('clients without a uuid are listed while they are here', async () => {
    const reader = await listen('deviceIp=192.0.2.21')
    const { text } = await service.get('/events/registrations', { Accept: 'application/json' })
    assert(
      JSON.parse(text).registration.some(
        (row: Record<string, string>) => row.uuid === '' && row.filter === 'deviceIp=192.0.2.21',
      ),
    )
    reader.close()
    await eventually(
      async () =>
        !(await service.get('/events/registrations', { Accept: 'application/json' })).text.includes(
          '192.0.2.21',
        ),
      'it is gone',
    )
  })

  test('deleting one ends its stream and forgets its cursor', async () => {
    for (const uuid of ['deleted', 'with/slash', 'a%2Fb']) {
      const query = `deviceIp=192.0.2.22&uuid=${encodeURIComponent(uuid)}`
      const reader = await listen(query)
      const path = `/events/registrations/${encodeURIComponent(uuid)}`
      assert.equal((await service.ask('DELETE', path)).status, 204, uuid)
      await reader.end()
      assert.equal((await service.ask('DELETE', path)).status, 410)
      assert.equal(await registered(uuid), undefined)
      await raise({ deviceIp: '192.0.2.22' })
      const again = await listen(query)
      const id = await raise({ deviceIp: '192.0.2.22' })
      await again.take(1)
      assert.deepEqual(ids(again), [id], 'it starts at now')
      again.close()
    }
  })
})
