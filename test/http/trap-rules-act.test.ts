import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { serviceEvents } from '../../src/events/service-events.ts'
import { encodeNotification } from '../../src/snmp/send.ts'
import { startService, texts } from '../support.ts'

const service = await startService({ 'time-zone': 'UTC' })
const socket = createSocket('udp4')
after(() => socket.close())

const linkDown = '1.3.6.1.6.3.1.1.5.3'
const linkUp = '1.3.6.1.6.3.1.1.5.4'

/** Devices and MIBs disagree on the 0 before the last number. */
const spelledDifferently =
  '<trapEvent><eventOid>1.3.6.1.4.1.424242.7.3</eventOid><name>odd</name><alarmLevel>3</alarmLevel><alarmCategory>15</alarmCategory></trapEvent>'

/** Sends a trap about an interface; resolves with the newest kept trap once it is processed. */
async function send(oid: string, ifIndex: number): Promise<string> {
  const total = async () => Number((await service.get('/fault/trap?total=true')).headers.total)
  const before = await total()
  const variables = [
    { oid: `1.3.6.1.2.1.2.2.1.1.${ifIndex}`, type: 'Integer32', value: String(ifIndex) },
  ] as const
  const message = { version: '2c', community: 'public', requestId: 1, oid, uptime: 1, variables } as const
  socket.send(encodeNotification(message as never), service.trapPort, '127.0.0.1')
  while ((await total()) === before) await sleep(5)
  return (await service.get('/fault/trap?desc=true&size=1')).text
}

const ruleBody = (inner: string) =>
  `<trapRule>${inner}<trapDevice><displayName>any</displayName><devID>0</devID></trapDevice></trapRule>`

test('the rule that PUT modifies filters from the next trap on, and its hits are shown', async () => {
  assert.deepEqual(texts(await send(linkDown, 1), 'bin'), ['raised'])
  const put = await service.send(
    'PUT',
    '/fault/trapRule/1',
    ruleBody('<exectimeType>0</exectimeType><trapGroup>0</trapGroup>'),
  )
  assert.equal(put.status, 204)
  assert.equal(put.headers['belfry-warning'], undefined)
  const filtered = await send(linkDown, 2)
  assert.deepEqual(texts(filtered, 'bin'), ['filtered'])
  assert.deepEqual(texts(filtered, 'reason'), ['trap rule 1'])
  const rule = (await service.get('/fault/trapRule/1')).text
  assert.deepEqual(texts(rule, 'hits'), ['1'])
  assert.notDeepEqual(texts(rule, 'lastHit'), ['0'])
  const [id] = texts(filtered, 'id')
  const explained = (await service.get(`/fault/trap/${id}`)).text
  assert.deepEqual(texts(explained, 'rules'), ['Filtered by trap rule 1 (Maintenance window)'])
})

test('the recovery of an alarm that was raised always passes', async () => {
  assert.deepEqual(texts(await send(linkUp, 1), 'bin'), ['recovered'])
  assert.deepEqual(texts(await send(linkUp, 2), 'bin'), ['filtered'], 'nothing was raised for this one')
})

test('a dry run shows what a rule would have filtered, each trap at its own time', async () => {
  const always = await service.send(
    'POST',
    '/fault/trapRule/dryRun',
    ruleBody(`<trapOId>${linkDown}</trapOId>`),
  )
  assert.equal(always.status, 200)
  assert.deepEqual(texts(always.text, 'filtered'), ['2'])
  assert.match(always.text, /<alarm><alarmLevel>2<\/alarmLevel><count>1<\/count><\/alarm>/)
  assert.equal(texts(always.text, 'receivedTime').length, 2)
  const past = ruleBody(
    '<exectimeType>2</exectimeType><startDay>2020-01-01</startDay><endDay>2020-01-02</endDay>',
  )
  assert.deepEqual(texts((await service.send('POST', '/fault/trapRule/dryRun', past)).text, 'filtered'), [
    '0',
  ])
  const unchanged = await service.get('/fault/trapRule?total=true')
  assert.equal(unchanged.headers.total, '1', 'nothing was saved')
})

test('a near miss is explained with the condition that failed', async () => {
  await service.send(
    'PUT',
    '/fault/trapRule/1',
    ruleBody(
      '<exectimeType>2</exectimeType><startDay>2020-01-01</startDay><endDay>2020-01-02</endDay><trapGroup>0</trapGroup>',
    ),
  )
  const passed = await send(linkDown, 3)
  const [id] = texts(passed, 'id')
  const explained = (await service.get(`/fault/trap/${id}`)).text
  assert.deepEqual(texts(explained, 'rules'), [
    'Passed; trap rule 1 (Maintenance window) would filter it but for its validity',
  ])
})

test('saving a rule warns about what its author may not want', async () => {
  const remarks = async (
    inner: string,
    devices = '<trapDevice><displayName>x</displayName><devID>0</devID></trapDevice>',
  ) => {
    const created = await service.send('POST', '/fault/trapRule', `<trapRule>${inner}${devices}</trapRule>`)
    assert.equal(created.status, 201)
    const location = new URL(created.headers.location ?? '').pathname
    const said = created.headers['belfry-warning'] ?? ''
    return { said: String(said), remove: () => service.ask('DELETE', location) }
  }
  const never = await remarks('<trapGroup>-1</trapGroup>')
  assert.match(never.said, /never applies: trapGroup -1/)
  const past = await remarks('<exectimeType>2</exectimeType><endDay>2020-01-01</endDay>')
  assert.match(past.said, /never applies: its validity/)
  const absent = await remarks('', '<trapDevice><displayName>x</displayName><devID>4711</devID></trapDevice>')
  assert.match(absent.said, /device 4711 does not exist/)
  const recoveries = await remarks(`<trapOId>${linkUp}</trapOId>`)
  assert.match(recoveries.said, /recoveries alone/)
  const wide = await remarks('<trapOId>1.3.6.1.6.3</trapOId><exectimeType>0</exectimeType>')
  assert.equal(wide.said, '')
  const shadowed = await remarks(`<trapOId>${linkDown}</trapOId>`)
  assert.match(shadowed.said, /shadowed by trap rule \d+/)
  for (const one of [never, past, absent, recoveries, wide, shadowed]) await one.remove()
  const nights = '<exectimeType>1</exectimeType><startTime>22:00</startTime><endTime>6:00</endTime>'
  const wideNights = await remarks(`<trapOId>1.3.6.1.6</trapOId>${nights}`)
  const late = await remarks(`<trapOId>${linkDown}</trapOId><startTime>23</startTime><endTime>5</endTime>`)
  assert.match(late.said, /shadowed by trap rule \d+/, 'in force only when the wider one is')
  const early = await remarks(`<trapOId>${linkDown}</trapOId><startTime>21</startTime><endTime>5</endTime>`)
  assert.doesNotMatch(early.said, /shadowed/)
  for (const one of [wideNights, late, early]) await one.remove()
  const links = await remarks('<trapGroup>0</trapGroup>')
  const ofLinks = await remarks(`<trapGroup>0</trapGroup><trapOId>${linkDown}</trapOId>`)
  assert.match(ofLinks.said, /shadowed by trap rule \d+/, 'of the same group')
  const ofAll = await remarks(`<trapOId>${linkDown}</trapOId>`)
  assert.doesNotMatch(ofAll.said, /shadowed/, 'of any group')
  for (const one of [links, ofLinks, ofAll]) await one.remove()
})

const anyDevice = '<trapDevice><displayName>x</displayName><devID>0</devID></trapDevice>'

/** What is remarked when a rule is created; it is deleted again. */
async function remarksOn(inner: string): Promise<string[]> {
  const created = await service.send('POST', '/fault/trapRule', `<trapRule>${inner}</trapRule>`)
  assert.equal(created.status, 201, created.text)
  const said = created.headers['belfry-warning'] as string | undefined
  await service.ask('DELETE', new URL(created.headers.location ?? '').pathname)
  return said?.split(', the rule').map((one, index) => (index === 0 ? one : `the rule${one}`)) ?? []
}

test('saving a rule that can never match causes a warning with the reason', async () => {
  const device = (id: number, inner = '') =>
    `<trapDevice><displayName>x</displayName><devID>${id}</devID>${inner}</trapDevice>`
  const parameter = (inner: string) => `<trapFilterEventParasInfo>${inner}</trapFilterEventParasInfo>`
  const cases: [string, RegExp][] = [
    [
      `<trapGroup>0</trapGroup><trapOId>1.3.6.1.4.1.9</trapOId>${anyDevice}`,
      /trapOId 1\.3\.6\.1\.4\.1\.9 is neither/,
    ],
    [`<trapGroup>0</trapGroup><trapOId>${linkDown}.7</trapOId>${anyDevice}`, /is neither/],
    [
      `<trapGroup>1</trapGroup><trapOId>${serviceEvents.trapsLost.eventOid}</trapOId>${device(1)}`,
      /alarms of the service itself, and those of trapOId \S+ are about device 0/,
    ],
    [
      `<trapGroup>1</trapGroup><trapOId>1.3.6.1.4.1.9</trapOId>${anyDevice}`,
      /alarms of the service itself, and trapOId 1\.3\.6\.1\.4\.1\.9 is none of them/,
    ],
    [
      `<trapGroup>1</trapGroup>${anyDevice}<trapInterfaces><ifDesc>ge*</ifDesc></trapInterfaces>`,
      /which are about no interface/,
    ],
    [
      `<trapGroup>1</trapGroup>${device(0, parameter(`<faultOid>${linkUp}</faultOid>`))}`,
      /no trap has the parameters/,
    ],
    [
      `<trapGroup>1</trapGroup>${device(0, parameter('<position>1</position><value>2</value>'))}`,
      /no trap has the parameters/,
    ],
    [
      `<trapGroup>0</trapGroup>${device(1)}<trapInterfaces><ifDesc>ge*</ifDesc><deviceId>2</deviceId></trapInterfaces>`,
      /interfaces are of other devices/,
    ],
    [
      `<trapOId>${linkDown}</trapOId>${device(0, parameter('<position>0</position><value>2</value>'))}`,
      /no trap has the parameters.*position is 0, and positions count from 1/,
    ],
    [
      `<trapOId>${linkDown}</trapOId>${device(0, parameter(`<faultOid>${linkUp}</faultOid>`))}`,
      /no trap has the parameters/,
    ],
    [
      `<trapOId>${linkDown}</trapOId>${anyDevice}<startDay>2020-01-01</startDay><endDay>20200102</endDay>`,
      /validity/,
    ],
  ]
  for (const [inner, expected] of cases) {
    const said = await remarksOn(inner)
    assert.match(said.join(' | '), expected)
    assert.match(said.join(' | '), /the rule never applies/)
  }
  for (const fine of [
    `<trapGroup>0</trapGroup><trapOId>1.3.6.1.6.3</trapOId>${anyDevice}`,
    `<trapGroup>1</trapGroup>${anyDevice}`,
    `<trapGroup>1</trapGroup><trapOId>1.3.6.1.4.1.32473</trapOId>${anyDevice}`,
    `<trapGroup>0</trapGroup>${anyDevice}<trapInterfaces><ifDesc>x</ifDesc></trapInterfaces>`,
    `<trapOId>${linkDown}</trapOId>${device(0, parameter('<position>1</position>'))}`,
  ]) {
    assert.deepEqual(await remarksOn(fine), [], fine)
  }
})

test('a rule of group 1 for a device filters alarms of the service about devices, and warns that it filters no others', async () => {
  const [id] = texts((await service.get('/plat/res/device?ip=127.0.0.1')).text, 'id')
  const ofDevice = `<trapDevice><displayName>x</displayName><devID>${id}</devID></trapDevice>`
  const said = (await remarksOn(`<trapGroup>1</trapGroup>${ofDevice}`)).join()
  assert.match(said, /only those of flapping, of terminals, of asking and of syslog are about a device/)
  assert.doesNotMatch(said, /never applies/)
  const flapping = `<trapGroup>1</trapGroup><trapOId>${serviceEvents.alarmFlapping.eventOid}</trapOId>${ofDevice}`
  assert.deepEqual(await remarksOn(flapping), [])
})

test('a position is any number, and one below 1 matches nothing', async () => {
  for (const position of ['0', '-1', '-2147483648']) {
    const rule = ruleBody('').replace(
      '</devID>',
      `</devID><trapFilterEventParasInfo><position>${position}</position><name>ifIndex</name></trapFilterEventParasInfo>`,
    )
    const created = await service.send('POST', '/fault/trapRule', rule)
    assert.equal(created.status, 201, created.text)
    const path = new URL(created.headers.location ?? '').pathname
    assert.deepEqual(texts((await service.get(path)).text, 'position'), [position])
    const tried = await service.send('POST', '/fault/trapRule/dryRun', rule)
    assert.deepEqual(texts(tried.text, 'filtered'), ['0'])
    await service.ask('DELETE', path)
  }
})

test('saving a rule that filters everything causes a warning', async () => {
  for (const inner of [
    anyDevice,
    `<trapOId>1.3.6.1</trapOId>${anyDevice}`,
    `<trapGroup>-1</trapGroup><trapOId>1.3</trapOId>${anyDevice}`,
  ]) {
    assert.match((await remarksOn(inner)).join(), /filters every trap of every device(: it names no event)?$/)
  }
  assert.match((await remarksOn(`${anyDevice}<endDay>2090-01-01</endDay>`)).join(), /while it is in force/)
})

test('a rule that names devices and no event causes a warning, also when its group was taken away', async () => {
  const seven = '<trapDevice><displayName>Core</displayName><devID>7</devID></trapDevice>'
  const nine = seven.replaceAll('7', '9')
  const port = '<trapInterfaces><ifDesc>Gi1</ifDesc></trapInterfaces>'
  assert.match((await remarksOn(seven)).join(), /filters every trap of device 7: it names no event/)
  assert.match((await remarksOn(seven + nine)).join(), /filters every trap of device 7, 9: it names no event/)
  assert.match(
    (await remarksOn(seven + port)).join(),
    /of the given interfaces of device 7: it names no event/,
  )
  assert.doesNotMatch(
    (await remarksOn(`<trapOId>${linkDown}</trapOId>${seven}`)).join(),
    /filters every trap/,
  )
  const created = await service.send(
    'POST',
    '/fault/trapRule',
    `<trapRule><trapGroup>0</trapGroup>${seven}</trapRule>`,
  )
  const path = new URL(created.headers.location ?? '').pathname
  const changed = await service.send('PUT', path, `<trapRule><trapGroup/>${seven}</trapRule>`)
  assert.match(String(changed.headers['belfry-warning']), /filters every trap of device 7: it names no event/)
  await service.ask('DELETE', path)
})

test('a type that contradicts its limits causes a warning, and the limits apply', async () => {
  const zero = await remarksOn(
    `<trapGroup>0</trapGroup><exectimeType>0</exectimeType><startTime>8:00</startTime>${anyDevice}`,
  )
  assert.match(zero.join(), /exectimeType is 0, but limits of the validity are given: they hold/)
  const loose = await remarksOn(
    `<trapGroup>0</trapGroup><exectimeType>2</exectimeType><startDay>2026-01-01</startDay><endTime>8</endTime>${anyDevice}`,
  )
  assert.match(loose.join(), /endTime has no endDay: it limits every day/)
  for (const type of ['0', '1', '2', '9']) {
    const rule = ruleBody(
      `<trapOId>${linkDown}</trapOId><exectimeType>${type}</exectimeType><endDay>2020-01-01</endDay>`,
    )
    const tried = await service.send('POST', '/fault/trapRule/dryRun', rule)
    assert.deepEqual(texts(tried.text, 'filtered'), ['0'], `type ${type}`)
  }
})

test('warnings are limited to what headers can carry', async () => {
  const many = Array.from(
    { length: 2000 },
    (_, index) => `<trapDevice><displayName>x</displayName><devID>${90_000 + index}</devID></trapDevice>`,
  )
  const created = await service.send(
    'POST',
    '/fault/trapRule',
    `<trapRule><trapGroup>0</trapGroup>${many.join('')}</trapRule>`,
  )
  assert.equal(created.status, 201)
  const said = String(created.headers['belfry-warning'])
  assert.match(said, /device 90000 does not exist.*and 1981 more remarks$/)
  await service.ask('DELETE', new URL(created.headers.location ?? '').pathname)
})

test('a dry run finds traps of an event that its definition spells differently', async () => {
  const created = await service.send('POST', '/fault/trapEvent', spelledDifferently)
  assert.equal(created.status, 201)
  await send('1.3.6.1.4.1.424242.7.0.3', 1)
  const rule = ruleBody('<trapOId>1.3.6.1.4.1.424242.7.3</trapOId>')
  const found = await service.send('POST', '/fault/trapRule/dryRun', rule)
  assert.deepEqual(texts(found.text, 'filtered'), ['1'])
})

test('a dry run by interface finds traps by the name that the device directory has for an ifIndex', async () => {
  const [id] = texts((await service.get('/plat/res/device?ip=127.0.0.1')).text, 'id')
  const named =
    '<ip>127.0.0.1</ip><label>Here</label><interfaces><ifIndex>1</ifIndex><ifDesc>Uplink</ifDesc></interfaces>'
  const put = await service.send('PUT', `/plat/res/device/${id}`, `<device>${named}</device>`)
  assert.equal(put.status, 204, put.text)
  const inner = `<trapGroup>0</trapGroup><trapInterfaces><ifDesc>up*</ifDesc></trapInterfaces>`
  const found = await service.send('POST', '/fault/trapRule/dryRun', ruleBody(inner))
  const all = await service.send('POST', '/fault/trapRule/dryRun', ruleBody('<trapGroup>0</trapGroup>'))
  assert.equal(
    texts(found.text, 'filtered')[0],
    '1',
    'the linkDown of interface 1; its recovery does not count',
  )
  assert.notEqual(texts(all.text, 'filtered')[0], '1')
})
