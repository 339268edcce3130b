// Bad input of every kind, to every operation that writes: the stated status, and the store is unchanged.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startService } from '../support.ts'
import { everything, load, refused } from './reading.ts'

const service = await startService()
await load(service, 'assignedIpScope', ['startIp,endIp,name,parentId', '10.0.0.0,10.0.0.255,Segment,-1'])
await load(service, 'assignedIpInfo', ['ip,name,parentId', '10.0.0.1,Owner,1'])
await load(service, 'macAccessBind', ['terminalMac,bindType', '00:00:00:00:00:01,1'])
await load(service, 'device', ['ip,label', '10.0.0.1,Core'])

/** Per resource: where it is written, its root, its required fields, and its text fields. */
const targets = [
  { path: '/ram/zone', root: 'zone', needed: '<name>New</name>', texts: ['name', 'description'] },
  {
    path: '/res/access/macAccessBind',
    root: 'macAccessBind',
    needed: '<terminalMac>00:00:00:00:00:02</terminalMac><bindType>1</bindType>',
    texts: ['terminalName', 'maintainer', 'terminalMac', 'bindType'],
  },
  {
    path: '/res/access/assignedIpScope',
    root: 'assignedIpScope',
    needed: '<startIp>10.1.0.0</startIp><endIp>10.1.0.9</endIp><name>New</name>',
    texts: ['name', 'description', 'startIp', 'endIp'],
  },
  {
    path: '/res/access/assignedIpScope/ip',
    query: '?ipScopeId=1',
    root: 'assignedIpInfo',
    needed: '<ip>10.0.0.2</ip>',
    texts: ['ip', 'name', 'description'],
  },
  {
    path: '/fault/trapRule',
    root: 'trapRule',
    needed: '<trapDevice><displayName>any</displayName><devID>0</devID></trapDevice>',
    texts: ['trapRuleName', 'trapOId', 'trapGroup', 'exectimeType', 'startDay', 'endTime', 'selectedWeekDay'],
  },
  {
    path: '/report/reportTemplate',
    root: 'reportTemplate',
    needed: '<name>New</name><reportTypeName>R</reportTypeName>',
    texts: ['name', 'location', 'reportTypeName', 'reportTypeId', 'customeDef'],
  },
  {
    path: '/plat/res/device',
    root: 'device',
    needed: '<ip>10.0.0.2</ip><label>New</label>',
    texts: ['ip', 'label'],
  },
] as const

type Target = (typeof targets)[number]
const queryOf = (target: Target) => ('query' in target ? target.query : '')

/** Sends to the collection and to a record of it, and holds both to the status. */
async function refusedByBoth(
  target: Target,
  status: number,
  body: string | Buffer,
  type = 'application/xml',
) {
  for (const [method, path] of [
    ['POST', target.path + queryOf(target)],
    ['PUT', `${target.path}/1`],
  ] as const) {
    refused(await service.ask(method, path, { body, headers: { 'Content-Type': type } }), status)
  }
}
const without = (needed: string, field: string) => needed.replace(new RegExp(`<${field}>.*?</${field}>`), '')

for (const target of targets) {
  const { path, root, needed, texts } = target
  const document = (inside: string) => `<${root}>${inside}</${root}>`

  test(`${path}: bad documents are refused and the store is unchanged`, async () => {
    const before = await everything(service)
    await refusedByBoth(target, 400, document(needed).slice(0, -1))
    await refusedByBoth(target, 400, `<other>${needed}</other>`)
    await refusedByBoth(target, 400, document(`${needed}<unknown/>`))
    await refusedByBoth(target, 400, document(`${needed}text`))
    await refusedByBoth(target, 400, document('<x/>'.repeat(20_001)))
    await refusedByBoth(
      target,
      400,
      `<!DOCTYPE ${root} [<!ENTITY e SYSTEM "/etc/passwd">]>${document(needed)}`,
    )
    await refusedByBoth(target, 400, `<${root} xmlns="urn:x">${needed}</${root}>`)
    await refusedByBoth(target, 400, document(`${needed}${'<a>'.repeat(50)}${'</a>'.repeat(50)}`))
    await refusedByBoth(target, 400, Buffer.from(document(`${needed}<!--\u00ff-->`), 'latin1'))
    await refusedByBoth(target, 400, 'not a document')
    await refusedByBoth(target, 400, '{"a":', 'application/json')
    await refusedByBoth(target, 400, '[]', 'application/json')
    await refusedByBoth(target, 415, document(needed), 'application/xml; charset=utf-16')
    await refusedByBoth(target, 415, document(needed), 'text/plain')
    await refusedByBoth(target, 413, document(`${needed}<!--${'x'.repeat(1 << 20)}-->`))
    assert.equal(await everything(service), before)
  })

  test(`${path}: bad values are refused in every field and the store is unchanged`, async () => {
    const before = await everything(service)
    for (const field of texts) {
      const given = (value: string) => document(`${without(needed, field)}<${field}>${value}</${field}>`)
      await refusedByBoth(target, 400, given(field === texts[0] ? 'x'.repeat(1_000_000) : '😀'.repeat(1001)))
      await refusedByBoth(target, 400, given('<b/>'))
      await refusedByBoth(target, 400, document(`${needed}<${field}>a</${field}><${field}>b</${field}>`))
      await refusedByBoth(target, 400, JSON.stringify({ [field]: 'a\u0000b' }), 'application/json')
      await refusedByBoth(target, 400, JSON.stringify({ [field]: { inner: 'x' } }), 'application/json')
    }
    assert.equal(await everything(service), before)
  })
}

const attacks = [
  "'; drop table zone; --",
  '" or 1=1 --',
  '$(reboot)',
  '`id`',
  '; rm -rf /',
  '../../etc/passwd',
  '%s%n',
  '{{7*7}}',
]

test('SQL and shell metacharacters where a number, an address or a word is expected are refused', async () => {
  const before = await everything(service)
  for (const attack of attacks) {
    const sent = encodeURIComponent(attack)
    for (const query of ['start', 'size', 'orderBy', 'desc', 'total']) {
      refused(await service.get(`/ram/zone?${query}=${sent}`), 400, query)
    }
    refused(await service.get(`/res/access/assignedIpScope/ip?ipScopeId=${sent}`), 400, 'ipScopeId')
    refused(await service.get(`/res/access/macAccessBind?deviceId=${sent}`), 400, 'deviceId')
    const { status } = await service.get(`/ram/zone/${sent}`)
    assert.ok(status === 400 || status === 404, `${status} ${attack}`)
    assert.ok([400, 404].includes((await service.ask('DELETE', `/ram/zone/${sent}`)).status))
  }
  assert.equal(await everything(service), before)
})

test('a refused document with a good part leaves nothing behind, not even an id', async () => {
  const before = await everything(service)
  const first = await service.sendJson('POST', '/ram/zone', { name: 'Probe 1' })
  for (let count = 0; count < 5; count += 1) {
    refused(await service.sendJson('POST', '/ram/zone', { name: 'probe 1' }), 409)
  }
  const second = await service.sendJson('POST', '/ram/zone', { name: 'Probe 2' })
  const idOf = (location: string | undefined) => Number(location?.split('/').at(-1))
  assert.equal(idOf(second.headers.location), idOf(first.headers.location) + 1)
  for (const { headers } of [first, second])
    await service.ask('DELETE', new URL(headers.location ?? '').pathname)
  assert.equal(await everything(service), before)
})
