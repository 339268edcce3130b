import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { suite, test } from 'node:test'
import { pushedAlarm } from '../../src/resources/alarms/alarm.ts'
import { EventReader, field } from '../push/reader.ts'
import { eventually } from '../push/station.ts'
import { startService, texts } from '../support.ts'
import { ids, linkDown, listeningTo } from './listening.ts'

const service = await startService({ 'time-zone': 'UTC', 'heartbeat-seconds': '1' })
const { raise, listen, registered } = listeningTo(service)
const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'

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

  test('documents are chunks of the answer, also behind another one on the same connection; HTTP/1.0 knows no chunks', async () => {
    const { port, host } = new URL(service.url)
    const head = `Host: ${host}\r\n\r\n`
    const ask = (uuid: string, version: string) =>
      `GET /events?type=11&deviceIp=192.0.2.77&uuid=${uuid} HTTP/${version}\r\n${head}`
    const heard = [`GET /health HTTP/1.1\r\n${head}${ask('second', '1.1')}`, ask('old-fashioned', '1.0')].map(
      (request) => {
        const socket = connect(Number(port), '127.0.0.1').setEncoding('latin1')
        const one = { socket, text: '' }
        socket.on('data', (text) => {
          one.text += text
        })
        socket.write(request)
        return one
      },
    )
    for (const uuid of ['second', 'old-fashioned'])
      await eventually(async () => (await registered(uuid))?.connected === 'true', uuid)
    await raise({ deviceIp: '192.0.2.77', alarmDesc: 'grün' })
    await eventually(() => heard.every(({ text }) => text.includes('</alarm>\n\n')), 'the alarm')
    for (const { socket } of heard) socket.destroy()
    const [chunked = '', plain = ''] = heard.map(({ text }) => text.slice(text.indexOf(' 202 Accepted')))
    const [, length = '', document = ''] =
      /\r\n([0-9a-f]+)\r\n(<\?xml[^\r]*<\/alarm>\n\n)/.exec(chunked) ?? []
    assert.equal(document.length, Number.parseInt(length, 16), chunked)
    assert.match(plain, /\r\n\r\n\n*<\?xml[^\r]*<\/alarm>\n\n/)
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

  test('HEAD and other methods are refused', async () => {
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
      uuid: 'a\u0007b',
    }
    for (const [name, value] of Object.entries(bad)) {
      const answer = await service.get(`/events?type=11&${name}=${encodeURIComponent(value)}`)
      assert.equal(answer.status, 400, name)
      assert.deepEqual(texts(answer.text, 'field'), [name])
    }
    const { status } = await service.get('/events?type=11', { 'Last-Event-ID': 'x' })
    assert.equal(status, 400)
    const long = await service.get(`/events?type=11&uuid=${'x'.repeat(257)}`)
    assert.equal(long.status, 400)
    assert.match(long.text, /1 to 256 characters/)
  })

  test('a uuid is any text, in the list of registrations and when it is deleted too', async () => {
    for (const uuid of ['a b', 'Büro 7/日本', '100 % <&>"', '🔔'.repeat(256), '..', '%2F', ' x ', '\u3000']) {
      const reader = await listen(`uuid=${encodeURIComponent(uuid)}`)
      assert.equal(reader.status, 202, uuid)
      assert.equal((await registered(uuid))?.connected, 'true', uuid)
      const { status } = await service.ask('DELETE', `/events/registrations/${encodeURIComponent(uuid)}`)
      assert.equal(status, 204, uuid)
      await reader.end()
    }
  })

  test('unknown parameters are ignored, with a warning', async () => {
    const remarks = async (query: string): Promise<string[]> => {
      const reader = await listen(query)
      assert.equal(reader.status, 202)
      reader.close()
      return reader.rawHeaders('belfry-warning')
    }
    assert.deepEqual(await remarks('alarmLevel=1&customView=1&sendRecovered=true&cursor=true'), [])
    const [misspelt = '', ...others] = await remarks('alarmlevel=1')
    assert.deepEqual(others, [])
    assert.match(misspelt, /"alarmlevel" is not known and was ignored: is alarmLevel meant\?/)
    const two = await remarks('deviceIP=10.0.0.1&operatorName=anna&customView=4711')
    assert.equal(two.length, 3)
    assert.match(two[0] ?? '', /is deviceIp meant/)
    assert.match(two[1] ?? '', /"operatorName" is not known .* known are type, uuid, alarmLevel/)
    assert.match(two[2] ?? '', /^customView 4711 does not exist; nothing matches until it does$/)
    const many = await remarks(Array.from({ length: 500 }, (_, index) => `p${index}=1`).join('&'))
    assert.equal(many.length, 6)
    assert.match(many[5] ?? '', /^495 more/)
    const strange = await remarks(encodeURIComponent('ä\r\nX: y'))
    assert.match(strange[0] ?? '', /^parameter "%C3%A4 X: y" is not known/)
  })

  test('a filter with too many values is refused, and the limit named', async () => {
    const segments = Array.from({ length: 600 }, (_, part) => `10.0.${part >> 8}.${part & 255}-10.9.9.9`)
    const oids = Array.from({ length: 401 }, (_, part) => `1.3.${part}`)
    const query = `/events?type=11&ipSegment=${segments}&eventOid=${oids}`
    const answer = await service.get(query)
    assert.equal(answer.status, 400)
    assert.deepEqual(texts(answer.text, 'field'), ['eventOid'])
    assert.match(answer.text, /more than 1000 values/)
  })

  test('as many addresses fit into a request as the documents say', async () => {
    const addresses = (count: number) =>
      Array.from({ length: count }, (_, part) => `192.168.${100 + (part >> 8)}.${100 + (part % 156)}`)
    const headers = {
      Authorization: `Digest ${'x'.repeat(400)}`,
      'User-Agent': 'python-requests/2.28.1',
      'Accept-Encoding': 'gzip, deflate, br',
    }
    const repeated = addresses(600).map((one) => `deviceIp=${one}`)
    for (const query of [`deviceIp=${addresses(950)}`, repeated.join('&')]) {
      // Refused for its type, which is looked at once the headers have been read.
      assert.equal((await service.get(`/events?type=12&${query}`, headers)).status, 400)
    }
    const more = `deviceIp=${addresses(1100)}`
    assert.equal((await service.get(`/events?type=12&${more}`, headers)).status, 431)
  })

  test('any integer is a level', async () => {
    for (const level of ['0', '-7', '6', '2147483647', '-2147483648']) {
      const reader = await listen(`alarmLevel=${level}`)
      assert.equal(reader.status, 202, level)
      reader.close()
    }
  })
})

suite('the stream', () => {
  test('GET /events sends the fields of docs/interface/event-stream.md ("What is sent"), in order, with what was done last', async () => {
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

  test('recoveries: one document that names what it cleared, for those who were sent the fault', async () => {
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
    const reported = documents.map((document) => [field(document, 'nAction'), field(document, 'alarmLevel')])
    assert.deepEqual(reported, [
      ['Push', '4'],
      ['Push', '2'],
      ['Recover', '5'],
      ['Push', '2'],
    ])
    assert.deepEqual([ids(reader)[0], ids(reader)[1], ids(reader)[3]], [id, id, last])
    reader.close()
  })

  test('a view that does not exist yet causes a warning, and matches once it exists', async () => {
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

  test('a heartbeat is an empty line, or #HEART_BEAT in the form of the family', async () => {
    const family = await startService({ 'heartbeat-seconds': '1', 'heartbeat-form': 'family' })
    const [plain, json, other] = await Promise.all([
      listen('deviceIp=192.0.2.98'),
      listen('deviceIp=192.0.2.98', { Accept: 'application/json' }),
      listeningTo(family).listen(),
    ])
    await Promise.all([plain.beats(2), json.beats(2), other.beats(2)])
    assert.match(plain.text, /^\n+$/)
    assert.match(json.text, /^\n+$/)
    assert.match(other.text, /^(#HEART_BEAT\n\n)+$/)
    for (const reader of [plain, json, other]) reader.close()
  })

  test('a client with a narrow filter learns how far it has come, and resumes there', async () => {
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
      await eventually(() => said.includes('open'), 'an open source')
      const first = await raise({ deviceIp: '192.0.2.7' })
      await eventually(() => said.includes(`alarm ${first} `), 'the first alarm')
      // The service ends the stream, the source comes back with the last position.
      assert.equal((await service.ask('DELETE', '/events/registrations/browser')).status, 204)
      const second = await raise({ deviceIp: '192.0.2.7' })
      await eventually(() => said.includes(`alarm ${second} `), 'the second alarm')
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
