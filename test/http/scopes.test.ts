// IP segments (`assignedIpScope`): bounds, children, percent, and what goes with a deleted one.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startService } from '../support.ts'
import { everything, idOf, pathOf, refused, value, values } from './reading.ts'

const service = await startService()
const collection = '/res/access/assignedIpScope'

const range = (startIp: string, endIp: string, name = 'S', more = '') =>
  `<assignedIpScope><startIp>${startIp}</startIp><endIp>${endIp}</endIp><name>${name}</name>${more}</assignedIpScope>`
const post = (xml: string, parent = '') =>
  service.send('POST', parent === '' ? collection : `${collection}/${parent}`, xml)
const assign = (id: string, ip: string) =>
  service.send('POST', `${collection}/ip?ipScopeId=${id}`, `<assignedIpInfo><ip>${ip}</ip></assignedIpInfo>`)

test('POST answers 200 with Location and an empty body', async () => {
  const answer = await post(range('10.0.0.0', '10.0.0.9'))
  assert.equal(answer.status, 200)
  assert.equal(answer.text, '')
  assert.equal(answer.headers.location, `${service.url}${collection}/${idOf(answer)}`)
})

test('a scope has id, ip (start-end), startIp, endIp, name, description, parentId, percent and zoneId', async () => {
  const answer = await post(range('10.1.0.0', '10.1.0.9', 'Office', '<description>2nd floor</description>'))
  const { text } = await service.get(pathOf(answer))
  const fields =
    '<ip>10.1.0.0-10.1.0.9</ip><startIp>10.1.0.0</startIp><endIp>10.1.0.9</endIp><name>Office</name>' +
    '<description>2nd floor</description><parentId>-1</parentId><percent>0</percent><zoneId>1</zoneId>'
  assert.ok(
    text.endsWith(`<assignedIpScope><id>${idOf(answer)}</id>${fields}</assignedIpScope>`),
    `${text}: top level has parentId -1`,
  )
})

test('startIp, endIp and name are required; bounds must be addresses of one family in order', async () => {
  const part = (inside: string) => post(`<assignedIpScope>${inside}</assignedIpScope>`)
  refused(await part('<endIp>10.2.0.1</endIp><name>S</name>'), 400, 'startIp')
  refused(await part('<startIp>10.2.0.1</startIp><name>S</name>'), 400, 'endIp')
  refused(await part('<startIp>10.2.0.1</startIp><endIp>10.2.0.1</endIp>'), 400, 'name')
  refused(await post(range('10.2.0.x', '10.2.0.9')), 400, 'startIp')
  refused(await post(range('10.2.0.9', '10.2.0.1')), 400, 'endIp')
  refused(await post(range('10.2.0.1', '2001:db8::1')), 400, 'endIp')
  assert.equal((await post(range('10.2.0.1', '10.2.0.1'))).status, 200, 'a range of one')
})

test('operatorGroupId, which programs of the family send, is accepted and ignored', async () => {
  const answer = await post(range('10.2.1.1', '10.2.1.9', 'S', '<operatorGroupId>1</operatorGroupId>'))
  assert.equal(answer.status, 200)
})

test('overlap with a sibling is refused with 409; touching is not overlap', async () => {
  await post(range('10.3.0.10', '10.3.0.20'))
  for (const [start, end] of [
    ['10.3.0.10', '10.3.0.20'],
    ['10.3.0.0', '10.3.0.10'],
    ['10.3.0.20', '10.3.0.30'],
    ['10.3.0.12', '10.3.0.14'],
    ['10.3.0.0', '10.3.0.255'],
  ] as const) {
    refused(await post(range(start, end)), 409, 'startIp')
  }
  assert.equal((await post(range('10.3.0.21', '10.3.0.30'))).status, 200)
  assert.equal((await post(range('10.3.0.0', '10.3.0.9'))).status, 200)
})

test('POST …/{id} makes a child; a child outside its parent, or over a sibling, is refused with 409', async () => {
  const parent = idOf(await post(range('10.4.0.10', '10.4.0.20')))
  const child = await post(range('10.4.0.10', '10.4.0.15', 'Child'), parent)
  assert.equal(child.status, 200)
  assert.equal(child.headers.location, `${service.url}${collection}/${idOf(child)}`)
  assert.equal(value((await service.get(pathOf(child))).text, 'parentId'), parent)
  refused(await post(range('10.4.0.9', '10.4.0.12'), parent), 409, 'startIp')
  refused(await post(range('10.4.0.16', '10.4.0.21'), parent), 409, 'startIp')
  refused(await post(range('10.4.0.15', '10.4.0.20'), parent), 409, 'startIp')
  assert.equal((await post(range('10.4.0.16', '10.4.0.20'), parent)).status, 200)
  refused(await post(range('10.4.0.16', '10.4.0.20'), '999999'), 404)
  refused(await post(range('10.4.0.16', '10.4.0.20'), 'x'), 400, 'id')
})

test('children are nested under assignedIpScope in the list and in the detail', async () => {
  const name = 'Nest'
  const top = idOf(await post(range('10.5.0.0', '10.5.0.255', name)))
  const inner = idOf(await post(range('10.5.0.0', '10.5.0.99', 'Inner'), top))
  await post(range('10.5.0.100', '10.5.0.199', 'Second'), top)
  await post(range('10.5.0.10', '10.5.0.19', 'Innermost'), inner)
  for (const path of [`${collection}/${top}`, `${collection}?name=${name}`]) {
    const answer = await service.get(path, { Accept: 'application/json' })
    const body = answer.json()
    const root = (path.endsWith(top) ? body : (body.assignedIpScope as unknown[])[0]) as Tree
    assert.deepEqual(names(root), ['Nest', ['Inner', ['Innermost']], ['Second']])
  }
  const inDetail = await service.get(`${collection}/${inner}`)
  assert.deepEqual(values(inDetail.text, 'name'), ['Inner', 'Innermost'])
})

interface Tree {
  readonly name: string
  readonly assignedIpScope: Tree[]
}
type Names = [string, ...Names[]]
const names = (tree: Tree): Names => [tree.name, ...tree.assignedIpScope.map(names)]

test('the list shows and counts top-level scopes; those inside others are inside them', async () => {
  const list = await service.get(`${collection}?size=1000`, { Accept: 'application/json' })
  const rows = list.json().assignedIpScope as { parentId: string }[]
  assert.equal(list.headers.total, String(rows.length))
  assert.ok(rows.every(({ parentId }) => parentId === '-1'))
})

test('the list is ordered by id, ip or name, filtered by name', async () => {
  for (const [name, ip] of [
    ['Order b', '10.6.0.12'],
    ['order A', '10.6.0.100'],
    ['Order c', '10.6.0.2'],
  ] as const) {
    await post(range(ip, ip, name))
  }
  const found = async (query: string) =>
    values((await service.get(`${collection}?name=order*&${query}`)).text, 'name').join()
  assert.equal(await found(''), 'Order b,order A,Order c')
  assert.equal(await found('orderBy=id&desc=true'), 'Order c,order A,Order b')
  assert.equal(await found('orderBy=ip'), 'Order c,Order b,order A')
  assert.equal(await found('orderBy=name'), 'order A,Order b,Order c')
  refused(await service.get(`${collection}?orderBy=startIp`), 400, 'orderBy')
})

test('percent counts all addresses taken inside the range, also those of child segments', async () => {
  const top = idOf(await post(range('10.7.0.0', '10.7.0.9', 'Percent')))
  const inner = idOf(await post(range('10.7.0.0', '10.7.0.3', 'Inner'), top))
  for (const last of [0, 1]) await assign(inner, `10.7.0.${last}`)
  await assign(top, '10.7.0.9')
  const { text } = await service.get(`${collection}/${top}`)
  assert.deepEqual(values(text, 'percent'), ['30', '50'])
  const six = idOf(await post(range('2001:db8::', '2001:db8::ffff:ffff:ffff:ffff', 'Six')))
  await assign(six, '2001:db8::1')
  assert.equal(value((await service.get(`${collection}/${six}`)).text, 'percent'), '0')
})

test('new bounds that would leave an address or a child outside are refused with 409 and change nothing', async () => {
  const top = idOf(await post(range('10.8.0.0', '10.8.0.99', 'Bounds')))
  await post(range('10.8.0.50', '10.8.0.59', 'Inner'), top)
  await assign(top, '10.8.0.10')
  const before = await everything(service)
  const put = (start: string, end: string) => service.send('PUT', `${collection}/${top}`, range(start, end))
  refused(await put('10.8.0.11', '10.8.0.99'), 409)
  refused(await put('10.8.0.0', '10.8.0.58'), 409)
  refused(await put('10.3.0.5', '10.8.0.99'), 409, 'startIp')
  assert.equal(await everything(service), before)
  assert.equal((await put('10.8.0.10', '10.8.0.59')).status, 204)
  assert.equal(value((await service.get(`${collection}/${top}`)).text, 'ip'), '10.8.0.10-10.8.0.59')
})

test('a child keeps inside its parent when it is modified, and parentId in a body is ignored', async () => {
  const top = idOf(await post(range('10.9.0.0', '10.9.0.99')))
  const child = pathOf(await post(range('10.9.0.0', '10.9.0.9'), top))
  refused(await service.send('PUT', child, range('10.9.0.0', '10.9.0.100')), 409, 'startIp')
  const moved = range('10.9.0.5', '10.9.0.99', 'Moved', '<parentId>-1</parentId><percent>77</percent>')
  assert.equal((await service.send('PUT', child, moved)).status, 204)
  const { text } = await service.get(child)
  assert.deepEqual([value(text, 'parentId'), value(text, 'percent')], [top, '0'])
})

test('deleting a scope deletes what is in it: children, their children, all addresses', async () => {
  const top = idOf(await post(range('10.10.0.0', '10.10.0.99')))
  const inner = idOf(await post(range('10.10.0.0', '10.10.0.9'), top))
  const innermost = idOf(await post(range('10.10.0.0', '10.10.0.4'), inner))
  const addresses: string[] = []
  for (const [id, ip] of [
    [top, '10.10.0.50'],
    [inner, '10.10.0.9'],
    [innermost, '10.10.0.1'],
  ] as const) {
    addresses.push(pathOf(await assign(id, ip)))
  }
  assert.equal((await service.ask('DELETE', `${collection}/${top}`)).status, 204)
  for (const id of [top, inner, innermost]) {
    refused(await service.get(`${collection}/${id}`), 404)
    assert.equal((await service.get(`${collection}/ip?ipScopeId=${id}`)).headers.total, '0')
  }
  for (const path of addresses) refused(await service.get(path), 404)
  refused(await service.ask('DELETE', `${collection}/${top}`), 410)
  assert.equal((await post(range('10.10.0.0', '10.10.0.99'))).status, 200, 'the range is free again')
})
