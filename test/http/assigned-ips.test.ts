// Querying assigned IP addresses, as docs/interface/addresses.md describes them.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startService } from '../support.ts'
import { idOf, load, refused, values } from './reading.ts'

const service = await startService()
const scopes = '/res/access/assignedIpScope'
const path = `${scopes}/ip`

const scope = async (name: string, startIp: string, endIp: string, inside = '') => {
  const xml = `<assignedIpScope><startIp>${startIp}</startIp><endIp>${endIp}</endIp><name>${name}</name></assignedIpScope>`
  return idOf(await service.send('POST', scopes + inside, xml))
}
const office = await scope('Office', '10.0.0.0', '10.0.0.255')
const child = await scope('Printers', '10.0.0.200', '10.0.0.220', `/${office}`)
const six = await scope('Lab', '2001:db8::', '2001:db8::ff')
await load(service, 'assignedIpInfo', [
  'ip,name,description,parentId',
  `10.0.0.12,Wang,desk,${office}`,
  `10.0.0.2,wang,Desk 2,${office}`,
  `10.0.0.100,Abel,,${office}`,
  `10.0.0.205,Printer,,${child}`,
  `2001:db8::a,Six,,${six}`,
  `2001:db8::9,Five,,${six}`,
])

async function list(query: string, id = office) {
  const answer = await service.get(`${path}?ipScopeId=${id}&${query}`)
  assert.equal(answer.status, 200, answer.text)
  return answer
}
const found = async (query: string, id = office) => values((await list(query, id)).text, 'ip').join(' ')

test('the answer is 200, a list of assignedIpInfo with id, ip, name, description and parentId in that order', async () => {
  const { text, headers } = await list('ip=10.0.0.2')
  assert.equal(headers['content-type'], 'application/xml')
  const row = `<ip>10.0.0.2</ip><name>wang</name><description>Desk 2</description><parentId>${office}</parentId>`
  assert.match(text, new RegExp(`<list><assignedIpInfo><id>\\d+</id>${row}</assignedIpInfo></list>$`))
})

test('ipScopeId missing or empty is refused', async () => {
  refused(await service.get(path), 400, 'ipScopeId')
  refused(await service.get(`${path}?ipScopeId=`), 400, 'ipScopeId')
  refused(await service.get(`${path}?total=true`), 400, 'ipScopeId')
})

test('ipScopeId is a long', async () => {
  for (const id of ['one', '1.5', '9223372036854775808']) {
    refused(await service.get(`${path}?ipScopeId=${id}`), 400, 'ipScopeId')
  }
})

test('an unknown ipScopeId gives an empty list with Total 0', async () => {
  for (const id of ['999999', '9223372036854775807', '-1', '0']) {
    const answer = await list('', id)
    assert.match(answer.text, /<list><\/list>$/)
    assert.equal(answer.headers.total, '0')
  }
})

test("the list is the scope's own addresses; those of a child segment are in the child's list", async () => {
  assert.equal(await found(''), '10.0.0.2 10.0.0.12 10.0.0.100')
  assert.equal(await found('', child), '10.0.0.205')
})

test('ip is the default order and orders by address, not by text', async () => {
  assert.equal(await found('orderBy=ip'), '10.0.0.2 10.0.0.12 10.0.0.100')
  assert.equal(await found('', six), '2001:db8::9 2001:db8::a')
})

test('orderBy=name orders by owner, letter case ignored and ties broken by id', async () => {
  assert.equal(await found('orderBy=name'), '10.0.0.100 10.0.0.12 10.0.0.2')
})

test('orderBy outside ip and name is refused', async () => {
  for (const order of ['id', 'description', 'IP', 'ip;drop table zone', 'constructor']) {
    refused(await service.get(`${path}?ipScopeId=1&orderBy=${encodeURIComponent(order)}`), 400, 'orderBy')
  }
})

test('desc reverses the order that orderBy names, and has no effect without orderBy', async () => {
  assert.equal(await found('orderBy=ip&desc=true'), '10.0.0.100 10.0.0.12 10.0.0.2')
  assert.equal(await found('orderBy=name&desc=TRUE'), '10.0.0.2 10.0.0.12 10.0.0.100')
  assert.equal(await found('desc=true'), '10.0.0.2 10.0.0.12 10.0.0.100')
  assert.equal(await found('orderBy=ip&desc=false'), '10.0.0.2 10.0.0.12 10.0.0.100')
})

test('total=true gives an empty body and the number of matching records in Total', async () => {
  for (const [query, total] of [
    ['total=true', '3'],
    ['total=True&name=wang', '2'],
    ['total=true&start=2&size=1', '3'],
    ['total=true&name=nobody', '0'],
  ] as const) {
    const answer = await list(query)
    assert.equal(answer.text, '')
    assert.equal(answer.headers.total, total)
  }
  assert.match((await list('total=false')).text, /<assignedIpInfo>/)
})

test('start is the position of the first record; 0 by default, and a negative one uses the default', async () => {
  assert.equal(await found('start=1'), '10.0.0.12 10.0.0.100')
  assert.equal(await found('start=0'), '10.0.0.2 10.0.0.12 10.0.0.100')
  assert.equal(await found('start=-1'), '10.0.0.2 10.0.0.12 10.0.0.100')
  assert.equal(await found('start=-2147483648&size=1'), '10.0.0.2')
  assert.equal(await found('start=3'), '')
})

test('ip, name and description filter, each with wildcards, and all that are given must hold', async () => {
  assert.equal(await found('ip=10.0.0.1*'), '10.0.0.12 10.0.0.100')
  assert.equal(await found('ip=10.0.0.2'), '10.0.0.2')
  assert.equal(await found('name=WANG'), '10.0.0.2 10.0.0.12')
  assert.equal(await found('description=desk'), '10.0.0.12')
  assert.equal(await found('description=desk*'), '10.0.0.2 10.0.0.12')
  assert.equal(await found('name=wang&description=*2'), '10.0.0.2')
  assert.equal(await found('ip=2001:0DB8:0:0::A', six), '2001:db8::a', 'any spelling of an address')
})

test('the default size is 10, a negative one uses the default, and there is no maximum below 32 bits', async () => {
  const many = await scope('Many', '10.1.0.0', '10.1.255.255')
  const rows = Array.from(
    { length: 1300 },
    (_, index) => `10.1.${index >> 8}.${index & 255},owner ${index % 3},${many}`,
  )
  await load(service, 'assignedIpInfo', ['ip,name,parentId', ...rows])
  const count = async (query: string) => values((await list(query, many)).text, 'ip').length
  assert.equal(await count(''), 10)
  assert.equal(await count('size=-1'), 10)
  assert.equal(await count('size=-2147483648'), 10)
  assert.equal(await count('size=0'), 0)
  assert.equal(await count('size=10000'), 1300)
  assert.equal(await count('size=2147483647'), 1300)

  const ordered = await list('size=10000&orderBy=name&desc=true', many)
  const seen = values(ordered.text, 'id')
  assert.equal(new Set(seen).size, 1300, 'long pages are read in pieces that neither overlap nor leave out')
  const owners = values(ordered.text, 'name')
  assert.deepEqual(owners, owners.toSorted().reverse())
})

test('size and start beyond 32 bits are refused', async () => {
  for (const name of ['size', 'start']) {
    for (const number of ['2147483648', '99999999999999999999', 'x', '1.0']) {
      refused(await service.get(`${path}?ipScopeId=${office}&${name}=${number}`), 400, name)
    }
  }
})

test('IPv6 comes after IPv4 where a list holds both', async () => {
  // A segment is of one family, so only the list of devices mixes them; the order is the same one.
  for (const ip of ['2001:db8::1', '10.0.0.12', '::1', '10.0.0.2']) {
    await service.send('POST', '/plat/res/device', `<device><ip>${ip}</ip><label>${ip}</label></device>`)
  }
  const { text } = await service.get('/plat/res/device?orderBy=ip')
  assert.deepEqual(values(text, 'ip'), ['10.0.0.2', '10.0.0.12', '::1', '2001:db8::1'])
})
