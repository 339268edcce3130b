// One walk over all operations, on SQLite and on PostgreSQL: the transcripts are identical.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Answer, bothStores, startService, type TestService } from '../support.ts'
import { load } from './reading.ts'

type Step = readonly [method: string, path: string, body?: string | object]

const scopes = '/res/access/assignedIpScope'
const binding = '/res/access/macAccessBind'
const port = { deviceId: '9223372036854775807', ifIndex: -5 }
const rule = { trapRuleName: 'Größe', trapDevice: [{ displayName: 'Core', devID: 7 }] }
const segment = (startIp: string, endIp: string, name = 'S') => ({ startIp, endIp, name })

const walk: Step[] = [
  ['GET', '/'],
  ['OPTIONS', '/ram/zone/1'],
  ['GET', '/health'],
  // What a new store holds.
  ['GET', '/ram/zone'],
  ['GET', '/fault/trapRule/1'],
  ['GET', '/report/reportTemplate?reportDefinedType=-1&size=100'],
  // Zones.
  ['POST', '/ram/zone', '<zone><name>Ελλάς</name><description>x &amp; y</description></zone>'],
  ['POST', '/ram/zone', { name: 'ΕΛΛΆΣ' }],
  ['POST', '/ram/zone', { name: "Robert'); drop table zone; --" }],
  ['POST', '/imcrs/ram/zone/', { name: 'a_b%c\\d*e?f', description: '😀' }],
  ['POST', '/ram/zone', { name: 'éclair' }],
  ['POST', '/ram/zone', { name: 'Zebra' }],
  ['POST', '/ram/zone', { name: 'zone' }],
  ['GET', '/ram/zone?orderBy=name'],
  ['GET', '/ram/zone?orderBy=name&desc=true&size=3&start=1'],
  ['GET', '/ram/zone?name=%CE%B5*'],
  ['GET', '/ram/zone?name=a_b%25c%5Cd%5C*e%5C?f'],
  ['GET', '/ram/zone?name=?_b%25*'],
  ['GET', '/ram/zone?name=*%F0%9F%98%80*'],
  ['GET', '/ram/zone?name=z*&total=true'],
  ['GET', '/ram/zone?name=%00'],
  ['GET', '/ram/zone?size=-1'],
  ['GET', '/ram/zone?start=2147483647'],
  ['PUT', '/ram/zone/2', '<zone><zoneId>2</zoneId><name>Renamed</name><description/></zone>'],
  ['PUT', '/ram/zone/2', { name: 'zebra' }],
  ['PUT', '/ram/zone/99', { name: 'x' }],
  ['GET', '/ram/zone/2'],
  ['HEAD', '/ram/zone/2'],
  ['DELETE', '/ram/zone/2'],
  ['DELETE', '/ram/zone/2'],
  ['GET', '/ram/zone/2'],
  ['GET', '/ram/zone/9223372036854775807'],
  ['GET', '/ram/zone/9223372036854775808'],
  // Bindings.
  ['POST', binding, { terminalMac: 'AA:00:00:00:00:01', bindType: 2, ifInfo: [port], terminalName: 'P' }],
  ['POST', binding, { terminalMac: 'aa:00:00:00:00:01', bindType: 1 }],
  ['POST', binding, { terminalMac: 'aa:00:00:00:00:02', bindType: 1, maintainer: 'Ömer' }],
  ['POST', binding, { terminalMac: 'aa:00:00:00:00:03', bindType: 3 }],
  ['GET', `${binding}?deviceId=9223372036854775807&ifIndex=-5`],
  ['GET', `${binding}?maintainer=%C3%B6*`],
  ['GET', `${binding}?bindType=1`],
  ['GET', `${binding}?orderBy=terminalName&desc=true`],
  ['PUT', `${binding}/1`, { terminalMac: 'aa:00:00:00:00:01', bindType: 1 }],
  ['GET', `${binding}/1`],
  ['DELETE', `${binding}/1`],
  ['GET', `${binding}?total=true`],
  // Segments and addresses.
  ['POST', scopes, segment('10.0.0.0', '10.0.0.9', 'Outer')],
  ['POST', `${scopes}/1`, segment('10.0.0.0', '10.0.0.3', 'Inner')],
  ['POST', `${scopes}/1`, segment('10.0.0.3', '10.0.0.4')],
  ['POST', scopes, segment('10.0.0.9', '10.0.0.12')],
  ['POST', scopes, segment('2001:db8::', '2001:db8::ffff:ffff:ffff:ffff', 'Six')],
  ['POST', `${scopes}/ip?ipScopeId=1`],
  ['POST', `${scopes}/ip?ipScopeId=1`, { ip: '10.0.0.6', name: 'Wang' }],
  ['POST', `${scopes}/ip?ipScopeId=1`, { name: 'wang', description: 'next' }],
  ['POST', `${scopes}/ip?ipScopeId=1`, { name: 'Abel' }],
  ['POST', `${scopes}/ip?ipScopeId=2`, { ip: '10.0.0.6' }],
  ['POST', `${scopes}/ip?ipScopeId=2`, { ip: '10.0.0.3' }],
  ['POST', `${scopes}/ip?ipScopeId=3`, { name: 'Six' }],
  ['POST', `${scopes}/ip?ipScopeId=9`, {}],
  ['GET', `${scopes}/ip?ipScopeId=1`],
  ['GET', `${scopes}/ip?ipScopeId=1&orderBy=name`],
  ['GET', `${scopes}/ip?ipScopeId=1&orderBy=name&desc=true&size=2`],
  ['GET', `${scopes}/ip?ipScopeId=1&name=WANG&ip=10.0.*`],
  ['GET', `${scopes}/ip?ipScopeId=9`],
  ['GET', scopes],
  ['GET', `${scopes}?orderBy=ip&desc=true`],
  ['PUT', `${scopes}/1`, segment('10.0.0.1', '10.0.0.9', 'Outer')],
  ['PUT', `${scopes}/1`, segment('10.0.0.0', '10.0.0.20', 'Outer')],
  ['PUT', `${scopes}/ip/1`, { ip: '10.0.0.20' }],
  ['POST', `${scopes}/ip?ipScopeId=1`],
  ['DELETE', `${scopes}/ip/2`],
  ['GET', `${scopes}/1`],
  ['DELETE', `${scopes}/1`],
  ['GET', `${scopes}/2`],
  ['GET', `${scopes}/ip?ipScopeId=2`],
  // Trap rules.
  ['POST', '/fault/trapRule', rule],
  [
    'PUT',
    '/fault/trapRule/2',
    { ...rule, id: 2, trapOId: '.1.3.6.1', selectedWeekDay: '1,2', trapGroup: -1 },
  ],
  ['PUT', '/fault/trapRule/2', { ...rule, id: 3 }],
  ['PUT', '/fault/trapRule/2', { trapRuleName: 'No device' }],
  ['GET', '/fault/trapRule?trapRuleName=GR%C3%96*&trapOId=1.3.*'],
  ['GET', '/fault/trapRule/2'],
  ['DELETE', '/fault/trapRule/2'],
  // Report templates.
  ['POST', '/report/reportTemplate', { name: 'T', reportType: 'R', reportTypeID: '-9223372036854775808' }],
  ['GET', '/report/reportTemplate?templateName=t'],
  ['GET', '/report/reportTemplate?reportType=ALARM*&reportDefinedType=0'],
  ['GET', '/report/reportTemplate?total=true&reportDefinedType=-1'],
  ['DELETE', '/report/reportTemplate/8'],
  // Devices.
  [
    'POST',
    '/plat/res/device',
    { ip: '::ffff:10.0.0.1', label: 'Mapped', otherAddress: [{ ip: '2001:DB8::1' }] },
  ],
  ['POST', '/plat/res/device', { ip: '2001:db8:0::1', label: 'Same' }],
  ['POST', '/plat/res/device', { ip: '10.0.0.2', label: 'Two', interfaces: [{ ifIndex: 1, ifDesc: 'Gi1' }] }],
  ['GET', '/plat/res/device?orderBy=ip'],
  // What is wrong in general.
  ['GET', '/nowhere'],
  ['PATCH', '/ram/zone'],
  ['POST', '/ram/zone', '<zone><name>'],
  ['POST', '/ram/zone', { name: 'nul\u0000' }],
  ['POST', '/ram/zone', { name: '😀'.repeat(1000) }],
  ['GET', `/ram/zone?name=${encodeURIComponent('😀'.repeat(999))}?`],
]

const shownHeaders = ['content-type', 'total', 'allow', 'error-code', 'error-message', 'retry-after']

function transcribe([method, path, body]: Step, answer: Answer): string {
  const { status, headers, text } = answer
  const location = headers.location && new URL(headers.location).pathname
  const lines = shownHeaders.flatMap((name) => (headers[name] ? [`${name}: ${headers[name]}`] : []))
  return [`${method} ${path} ${JSON.stringify(body)}`, status, location, ...lines, text].join('\n')
}

async function transcriptOf(service: TestService): Promise<string[]> {
  const transcript: string[] = []
  for (const step of walk) {
    const [method, path, body] = step
    const answer =
      body === undefined
        ? await service.ask(method, path)
        : typeof body === 'string'
          ? await service.send(method, path, body)
          : await service.sendJson(method, path, body)
    assert.ok(answer.status < 500, transcribe(step, answer))
    transcript.push(transcribe(step, answer))
  }
  return transcript
}

/** Pages longer than what is read at once, by keys with ties, forwards and backwards. */
async function longPages(service: TestService): Promise<string[]> {
  const signs = ['a', 'B', 'é', 'É', 'ж', '中', '😀', '_', '%', '\\', '']
  await load(service, 'assignedIpScope', ['id,startIp,endIp,name,parentId', '500,10.9.0.0,10.9.255.255,L,-1'])
  const rows = Array.from(
    { length: 520 },
    (_, index) => `10.9.${index >> 8}.${index & 255},${signs[index % signs.length]},500`,
  )
  await load(service, 'assignedIpInfo', ['ip,name,parentId', ...rows])
  const pages: string[] = []
  for (const query of ['', '&orderBy=name', '&orderBy=name&desc=true', '&name=*&orderBy=ip&desc=true']) {
    pages.push((await service.get(`${scopes}/ip?ipScopeId=500&size=2000${query}`)).text)
  }
  for (const resource of ['assignedIpInfo', 'macAccessBind', 'trapRule']) {
    pages.push((await service.get(`/plat/data/${resource}?format=csv`)).text)
  }
  return pages
}

test('every operation answers the same on SQLite and on PostgreSQL', async () => {
  const transcripts: string[][] = []
  const clock = () => Date.UTC(2026, 0, 1)
  for (const engine of bothStores) {
    // SQLite is what the service opens by itself.
    const open = engine.name === 'SQLite' ? {} : { open: () => engine.open(clock) }
    const service = await startService({}, { clock, ...open })
    assert.equal(service.database.kind, engine.name === 'SQLite' ? 'sqlite' : 'postgres')
    transcripts.push([...(await transcriptOf(service)), ...(await longPages(service))])
    await service.stop()
  }
  const [first = [], second = []] = transcripts
  assert.equal(first.length, second.length)
  for (const [index, entry] of first.entries()) assert.equal(second[index], entry)
})
