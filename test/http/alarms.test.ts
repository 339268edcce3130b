// Alarms over HTTP: the document, one alarm, what operators and programs do with it.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startService } from '../support.ts'
import { idOf, pathOf, refused, value, values } from './reading.ts'

// A moment before the clocks go back in Berlin, and one after.
const summer = Date.UTC(2026, 9, 25, 0, 30)
const time = { now: summer }
const service = await startService({ 'time-zone': 'Europe/Berlin' }, { clock: () => time.now })
const alarms = '/fault/alarm'
const raise = (inside: string) => service.send('POST', alarms, `<alarm>${inside}</alarm>`)
const minimal = (OID: string) => `<OID>${OID}</OID><alarmLevel>2</alarmLevel>`
const put = (path: string) => service.ask('PUT', path)

const documented =
  'id OID originalType originalTypeDesc deviceId deviceIp deviceName alarmLevel alarmLevelDesc alarmCategory alarmCategoryDesc faultTime faultTimeDesc recTime recTimeDesc recStatus recStatusDesc recUserName ackTime ackTimeDesc ackStatus ackStatusDesc ackUserName alarmDesc paras parentId somState isReceoverFault'

/** The names of the elements inside the root, in order. */
const namesIn = (xml: string) => [...xml.matchAll(/<(\w+)(?:\/>|>[^<]*<\/\1>)/g)].map(([, name]) => name)

test('an alarm has the fields of "Fields of an alarm" in docs/interface/alarms.md, in that order, unset text as empty elements', async () => {
  const path = pathOf(await raise(minimal('1.3.6.1.4.1.32473.9.1')))
  const { text } = await service.get(path)
  assert.match(text, /^<\?xml [^>]*\?><alarmDetail><id>\d+<\/id>/)
  assert.deepEqual(namesIn(text).slice(0, documented.split(' ').length), documented.split(' '))
  for (const name of ['recTimeDesc', 'recUserName', 'ackTimeDesc', 'ackUserName', 'paras', 'remark']) {
    assert.ok(text.includes(`<${name}/>`) || text.includes(`<${name}></${name}>`), name)
  }
  const shown = (name: string) => value(text, name)
  assert.deepEqual(
    ['originalType', 'originalTypeDesc', 'alarmLevelDesc', 'alarmCategory', 'alarmCategoryDesc'].map(shown),
    ['3', 'Belfry', 'Major', '15', 'Other'],
  )
  assert.deepEqual(['recStatusDesc', 'ackStatusDesc', 'recTime', 'ackTime'].map(shown), [
    'Unrecovered',
    'Unacknowledged',
    '0',
    '0',
  ])
  assert.deepEqual(['deviceId', 'deviceIp', 'deviceName', 'parentId', 'somState'].map(shown), [
    '0',
    '127.0.0.1',
    'Belfry',
    '0',
    '0',
  ])
  const list = await service.get(`${alarms}?deviceId=0`)
  assert.deepEqual(namesIn(list.text).slice(0, 28), documented.split(' '), 'and so in the list')
  const json = (await service.get(path, { Accept: 'application/json' })).json()
  assert.deepEqual([json.recTime, json.recUserName, json.alarmLevel], ['0', '', '2'])
})

test('times are Unix seconds, and their descriptions local time in the zone of the setting', async () => {
  const path = pathOf(await raise(minimal('1.3.6.1.4.1.32473.9.2')))
  time.now = Date.UTC(2026, 9, 25, 1, 30)
  await put(`${alarms}/acknowledge/${path.split('/').at(-1)}`)
  time.now = Date.UTC(2026, 11, 24, 18, 0, 5)
  await put(`${alarms}/recover/${path.split('/').at(-1)}`)
  const { text } = await service.get(path)
  assert.equal(value(text, 'faultTime'), String(summer / 1000))
  assert.equal(value(text, 'faultTimeDesc'), '2026-10-25 02:30:00')
  assert.equal(value(text, 'ackTimeDesc'), '2026-10-25 02:30:00', 'the hour that comes twice')
  assert.equal(value(text, 'recTime'), String(time.now / 1000))
  assert.equal(value(text, 'recTimeDesc'), '2026-12-24 19:00:05')
})

test('a program raises an alarm with 201 and Location; the same again is 200 with the same Location', async () => {
  const body = `${minimal('.1.3.6.1.4.1.32473.9.3')}<deviceIp>10.0.0.9</deviceIp><resource>disk</resource><alarmDesc>Disk &lt;1> fails</alarmDesc><paras>a=b</paras><alarmCategory>4</alarmCategory>`
  const first = await raise(body)
  assert.equal(first.status, 201)
  assert.equal(first.headers.location, `${service.url}${alarms}/${idOf(first)}`)
  const again = await raise(body)
  assert.deepEqual([again.status, again.headers.location], [200, first.headers.location])
  const { text } = await service.get(pathOf(first))
  assert.deepEqual(
    ['OID', 'deviceIp', 'resource', 'alarmDesc', 'paras', 'alarmCategoryDesc', 'repeats'].map((name) =>
      value(text, name),
    ),
    ['1.3.6.1.4.1.32473.9.3', '10.0.0.9', 'disk', 'Disk <1> fails', 'a=b', 'Device status', '2'],
  )
})

test('hosts that are no devices are distinguished by their addresses, when they raise and when they recover', async () => {
  const OID = '1.3.6.1.4.1.32473.9.20'
  const from = (host: string) => raise(`${minimal(OID)}${host}<resource>disk</resource>`)
  const hosts = [
    '<deviceIp>10.99.0.1</deviceIp>',
    '<deviceIp>10.99.0.2</deviceIp>',
    '<deviceIp>2001:DB8::1</deviceIp>',
    '',
  ]
  const raised = []
  for (const host of hosts) raised.push(await from(host))
  assert.deepEqual(
    raised.map(({ status }) => status),
    [201, 201, 201, 201],
  )
  const ids = raised.map(idOf)
  assert.equal(new Set(ids).size, hosts.length)
  const again = await from('<deviceId>0</deviceId><deviceIp>2001:db8:0::1</deviceIp>')
  assert.deepEqual([again.status, idOf(again)], [200, ids[2]], 'whatever the spelling')
  const own = await from('<deviceIp>127.0.0.1</deviceIp>')
  assert.deepEqual([own.status, idOf(own)], [200, ids[3]], 'no host at all is the service itself')
  assert.equal((await put(`${alarms}/recover/${ids[0]}`)).status, 204)
  const open = await service.get(`${alarms}?faultOid=${OID}&recStatus=0`)
  assert.deepEqual(values(open.text, 'id'), ids.slice(1), 'only the one that was recovered')
  const anew = await from(hosts[0] ?? '')
  assert.equal(anew.status, 201)
  assert.equal((await service.ask('DELETE', `${alarms}/${ids[1]}`)).status, 204)
  const left = await service.get(`${alarms}?faultOid=${OID}&recStatus=0`)
  assert.deepEqual(values(left.text, 'deviceIp'), ['2001:db8::1', '127.0.0.1', '10.99.0.1'])
})

test('a raise without OID or level, or with a wrong value, is refused with the field', async () => {
  refused(await raise('<alarmLevel>2</alarmLevel>'), 400, 'OID')
  refused(await raise('<OID>1.2.3</OID>'), 400, 'alarmLevel')
  refused(await raise(`<OID>1.2.3</OID><alarmLevel>6</alarmLevel>`), 400, 'alarmLevel')
  refused(await raise(`<OID>linkDown</OID><alarmLevel>2</alarmLevel>`), 400, 'OID')
  refused(await raise(`${minimal('1.2.3')}<deviceIp>10.0.0.300</deviceIp>`), 400, 'deviceIp')
  refused(await raise(`${minimal('1.2.3')}<alarmCategory>0</alarmCategory>`), 400, 'alarmCategory')
  refused(await raise(`${minimal('1.2.3')}<colour>red</colour>`), 400, 'colour')
  refused(await service.send('POST', alarms, '<list/>'), 400)
})

test('what the service assigns cannot be given', async () => {
  const given =
    '<id>77</id><faultTime>1</faultTime><recStatus>1</recStatus><somState>1</somState><ackUserName>me</ackUserName>'
  const { text } = await service.get(pathOf(await raise(minimal('1.3.6.1.4.1.32473.9.4') + given)))
  assert.deepEqual([value(text, 'recStatus'), value(text, 'somState')], ['0', '0'])
  assert.equal(value(text, 'faultTime'), String(time.now / 1000))
  assert.equal(value(text, 'ackUserName') ?? '', '')
})

test('a program says whether it forwards syslog or speaks for itself; it is no trap', async () => {
  const sent = minimal('1.3.6.1.4.1.32473.9.600')
  const origin = async (more: string) => {
    const path = pathOf(await raise(`${sent}<resource>r${more.length}</resource>${more}`))
    const { text } = await service.get(path)
    const recovered = await put(path.replace(alarms, `${alarms}/recover`))
    assert.equal(recovered.status, 204)
    const ends = await service.get(
      `${alarms}?faultOid=1.3.6.1.4.1.32473.9.600&isReceoverFault=1&orderBy=id&desc=true`,
    )
    return [value(text, 'originalType'), value(text, 'originalTypeDesc'), value(ends.text, 'originalType')]
  }
  assert.deepEqual(await origin(''), ['3', 'Belfry', '3'])
  assert.deepEqual(await origin('<originalType>3</originalType>'), ['3', 'Belfry', '3'])
  assert.deepEqual(await origin('<originalType> 2 </originalType>'), ['2', 'Syslog', '2'])
  for (const wrong of ['1', '4', '', 'syslog']) {
    const answer = await raise(`${sent}<originalType>${wrong}</originalType>`)
    if (wrong === '') assert.ok(answer.status < 300, 'a blank element is not given')
    else refused(answer, 400, 'originalType')
  }
})

test('acknowledge is 204, and again', async () => {
  const id = idOf(await raise(minimal('1.3.6.1.4.1.32473.9.5')))
  assert.equal((await put(`${alarms}/acknowledge/${id}`)).status, 204)
  const at = time.now
  time.now += 60_000
  assert.equal((await put(`${alarms}/acknowledge/${id}`)).status, 204)
  const { text } = await service.get(`${alarms}/${id}`)
  assert.deepEqual(
    ['ackStatus', 'ackStatusDesc', 'ackTime', 'recStatus'].map((name) => value(text, name)),
    ['1', 'Acknowledged', String(at / 1000), '0'],
  )
  assert.notEqual(value(text, 'ackUserName'), undefined)
})

test('recover is 204, and makes one recovery alarm that names what it cleared', async () => {
  const OID = '1.3.6.1.4.1.32473.9.6'
  const id = idOf(await raise(minimal(OID)))
  for (const _twice of [1, 2]) assert.equal((await put(`${alarms}/recover/${id}`)).status, 204)
  const { text, headers } = await service.get(`${alarms}?faultOid=${OID}`)
  assert.equal(headers.total, '2')
  assert.deepEqual(values(text, 'recStatusDesc'), ['Recovered', 'Recovered'])
  assert.deepEqual(values(text, 'isReceoverFault'), ['0', '1'])
  assert.deepEqual(values(text, 'alarmLevelDesc'), ['Major', 'Info'])
  assert.deepEqual(values(text, 'recoverFaultIdList'), [id])
  const [, recovery] = values(text, 'id')
  const json = (await service.get(`${alarms}/${recovery}`, { Accept: 'application/json' })).json()
  assert.deepEqual(json.recoverFaultIdList, [id])
})

test('of an alarm only the remark can be set; the answer to a GET may be sent back as it is', async () => {
  const path = pathOf(await raise(minimal('1.3.6.1.4.1.32473.9.7')))
  const remark = '<alarm><remark>cable ordered</remark><alarmLevel>1</alarmLevel></alarm>'
  assert.equal((await service.send('PUT', path, remark)).status, 204)
  const { text } = await service.get(path)
  assert.deepEqual([value(text, 'remark'), value(text, 'alarmLevel')], ['cable ordered', '2'])
  const changed = text.replace('cable ordered', 'cable laid')
  assert.equal((await service.send('PUT', path, changed)).status, 204, 'root alarmDetail')
  const after = (await service.get(path)).text
  assert.equal(value(after, 'remark'), 'cable laid')
  const json = (await service.get(path, { Accept: 'application/json' })).json()
  assert.equal((await service.sendJson('PUT', path, { ...json, remark: 'x' })).status, 204)
  assert.equal((await service.send('PUT', path, '<alarm><remark/></alarm>')).status, 204)
  assert.equal(value((await service.get(path)).text, 'remark') ?? '', '')
  refused(
    await service.send('PUT', path, `<alarm><remark>${'x'.repeat(1001)}</remark></alarm>`),
    400,
    'remark',
  )
  refused(await service.send('PUT', path, '<zone/>'), 400)
})

test('deleting an open alarm recovers it first', async () => {
  const OID = '1.3.6.1.4.1.32473.9.8'
  const path = pathOf(await raise(minimal(OID)))
  assert.equal((await service.ask('DELETE', path)).status, 204)
  refused(await service.get(path), 404)
  const { text } = await service.get(`${alarms}?faultOid=${OID}`)
  assert.deepEqual(values(text, 'recoverFaultIdList'), [path.split('/').at(-1)])
  refused(await service.ask('DELETE', path), 410)
})

test('an alarm that does not exist is 404, or 410 when it is to be deleted; a bad number is 400', async () => {
  refused(await service.get(`${alarms}/999999`), 404)
  refused(await put(`${alarms}/acknowledge/999999`), 404)
  refused(await put(`${alarms}/recover/999999`), 404)
  refused(await service.send('PUT', `${alarms}/999999`, '<alarm><remark>x</remark></alarm>'), 404)
  refused(await service.send('PUT', `${alarms}/999999`, '<alarm/>'), 404)
  refused(await service.ask('DELETE', `${alarms}/999999`), 410)
  refused(await service.get(`${alarms}/one`), 400)
  refused(await put(`${alarms}/acknowledge/one`), 400)
  refused(await service.ask('POST', `${alarms}/acknowledge/1`), 405)
})

const rack = (resource: string, level = 2) => ({ OID: '1.3.6.1.4.1.32473.9.77', alarmLevel: level, resource })
const raiseList = (list: readonly object[]) => service.sendJson('POST', alarms, { alarm: list })
const open77 = async () =>
  Number((await service.get(`${alarms}?faultOid=1.3.6.1.4.1.32473.9.77&total=true`)).headers.total)

test('a list of alarms is raised in one request, and answered with their ids in order', async () => {
  const answer = await raiseList([rack('a'), rack('b'), rack('a', 1)])
  assert.equal(answer.status, 201, answer.text)
  assert.equal(answer.headers.location, undefined)
  const { alarm } = answer.json() as { alarm: { id: string; isNew: string }[] }
  assert.deepEqual(
    alarm.map(({ isNew }) => isNew),
    ['true', 'true', 'false'],
  )
  assert.equal(alarm[0]?.id, alarm[2]?.id)
  const first = (await service.get(`${alarms}/${alarm[0]?.id}`)).text
  assert.deepEqual(
    [value(first, 'alarmLevel'), value(first, 'repeats'), value(first, 'resource')],
    ['1', '2', 'a'],
  )
  const again = await raiseList([rack('b')])
  assert.equal(again.status, 200)
  assert.deepEqual(again.json(), { alarm: [{ id: alarm[1]?.id, isNew: 'false' }] })
  const xml = await service.send(
    'POST',
    alarms,
    `<list>${['c', 'd'].map((name) => `<alarm>${minimal('1.3.6.1.4.1.32473.9.77')}<resource>${name}</resource></alarm>`).join('')}</list>`,
  )
  assert.equal(xml.status, 201)
  assert.equal(values(xml.text, 'id').length, 2)
  const audited = await service.get('/plat/audit?resource=alarm&desc=true&size=2', {
    Accept: 'application/json',
  })
  assert.deepEqual(
    (audited.json() as { audit: { action: string }[] }).audit.map(({ action }) => action),
    ['raise', 'raise'],
  )
})

test('a list is raised as a whole or not at all, within its limit', async () => {
  const before = await open77()
  const refusedWith = async (list: readonly object[], said: RegExp) => {
    const answer = await raiseList(list)
    assert.equal(answer.status, 400)
    assert.match(answer.text, said)
  }
  await refusedWith([rack('x'), { OID: '1.3.6.1.4.1.32473.9.77' }], /alarm 2 of the list: .*alarmLevel/)
  await refusedWith([rack('x'), { ...rack('y'), alarmLevel: 9 }], /alarm 2 of the list: .*alarmLevel/)
  await refusedWith(
    Array.from({ length: 201 }, (_, index) => rack(`many ${index}`)),
    /the list has 201 alarms: expected 1 to 200/,
  )
  await refusedWith([], /alarm 1 of the list/)
  const none = await service.send('POST', alarms, '<list/>')
  assert.match(none.text, /the list has 0 alarms: expected 1 to 200/)
  const mixed = await service.send('POST', alarms, `<list><zone/><alarm>${minimal('1.3.6.1')}</alarm></list>`)
  assert.match(mixed.text, /unknown element &quot;zone&quot;|unknown element "zone"/)
  assert.equal(await open77(), before)
  const most = await raiseList(Array.from({ length: 200 }, (_, index) => rack(`many ${index}`)))
  assert.equal(most.status, 201)
  assert.equal(await open77(), before + 200)
})
