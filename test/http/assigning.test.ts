// Assigning addresses in a segment (`…/assignedIpScope/ip`): given ones, the next free one, release.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startService } from '../support.ts'
import { idOf, load, pathOf, refused, value, values } from './reading.ts'

const service = await startService()
const scopes = '/res/access/assignedIpScope'
const collection = `${scopes}/ip`

async function scope(startIp: string, endIp: string, parent = ''): Promise<string> {
  const xml = `<assignedIpScope><startIp>${startIp}</startIp><endIp>${endIp}</endIp><name>S</name></assignedIpScope>`
  return idOf(await service.send('POST', parent === '' ? scopes : `${scopes}/${parent}`, xml))
}
const assign = (id: string, inside = '') =>
  service.send('POST', `${collection}?ipScopeId=${id}`, `<assignedIpInfo>${inside}</assignedIpInfo>`)
const assigned = async (id: string) => value((await service.get(pathOf(await assign(id)))).text, 'ip')

test('POST ?ipScopeId= assigns an address to that scope and answers 200 with Location and an empty body', async () => {
  const id = await scope('10.1.0.0', '10.1.0.255')
  const answer = await assign(
    id,
    '<ip>10.1.0.9</ip><name>Wang</name><description>desk</description><parentId>77</parentId>',
  )
  assert.equal(answer.status, 200)
  assert.equal(answer.text, '')
  assert.equal(answer.headers.location, `${service.url}${collection}/${idOf(answer)}`)
  const { text } = await service.get(pathOf(answer))
  const row = `<id>${idOf(answer)}</id><ip>10.1.0.9</ip><name>Wang</name><description>desk</description><parentId>${id}</parentId>`
  assert.ok(text.endsWith(`<assignedIpInfo>${row}</assignedIpInfo>`), text)
})

test('ipScopeId is required, a number, and must name a scope', async () => {
  const body = '<assignedIpInfo/>'
  refused(await service.send('POST', collection, body), 400, 'ipScopeId')
  refused(await service.send('POST', `${collection}?ipScopeId=x`, body), 400, 'ipScopeId')
  refused(await service.send('POST', `${collection}?ipScopeId=1&ipScopeId=2`, body), 400, 'ipScopeId')
  refused(await service.send('POST', `${collection}?ipScopeId=999999`, body), 404, 'ipScopeId')
})

test('an address that is no address is refused with 400', async () => {
  const id = await scope('10.2.0.0', '10.2.0.255')
  for (const ip of [
    '10.2.0',
    '10.2.0.256',
    '010.2.0.1',
    '0xa020001',
    '10.2.0.1/24',
    'localhost',
    'fe80::1%eth0',
  ]) {
    refused(await assign(id, `<ip>${ip}</ip>`), 400, 'ip')
  }
})

test('an address outside the scope is refused with 409', async () => {
  const id = await scope('10.3.0.10', '10.3.0.20')
  for (const ip of ['10.3.0.9', '10.3.0.21', '2001:db8::1'])
    refused(await assign(id, `<ip>${ip}</ip>`), 409, 'ip')
  for (const ip of ['10.3.0.10', '10.3.0.20']) assert.equal((await assign(id, `<ip>${ip}</ip>`)).status, 200)
})

test('an address is unique over all scopes, in whatever spelling: a second time it is refused with 409', async () => {
  const outer = await scope('2001:db8:1::', '2001:db8:1::ffff')
  const inner = await scope('2001:db8:1::', '2001:db8:1::ff', outer)
  assert.equal((await assign(inner, '<ip>2001:db8:1::a</ip>')).status, 200)
  refused(await assign(inner, '<ip>2001:DB8:1:0:0::a</ip>'), 409, 'ip')
  refused(await assign(outer, '<ip>2001:db8:1::a</ip>'), 409, 'ip')
})

test('without ip the next free address is assigned, from the start of the scope, passing over taken ones', async () => {
  const id = await scope('10.4.0.1', '10.4.0.6')
  await assign(id, '<ip>10.4.0.2</ip>')
  await assign(id, '<ip>10.4.0.4</ip>')
  assert.deepEqual(
    [await assigned(id), await assigned(id), await assigned(id)],
    ['10.4.0.1', '10.4.0.3', '10.4.0.5'],
  )
})

test('a request without any body asks for the next free address too', async () => {
  const id = await scope('10.4.1.1', '10.4.1.6')
  const answer = await service.ask('POST', `${collection}?ipScopeId=${id}`)
  assert.equal(answer.status, 200)
  assert.equal(value((await service.get(pathOf(answer))).text, 'ip'), '10.4.1.1')
})

test('the next free address lies outside child ranges', async () => {
  const id = await scope('10.5.0.1', '10.5.0.8')
  await scope('10.5.0.1', '10.5.0.2', id)
  await scope('10.5.0.4', '10.5.0.5', id)
  await scope('10.5.0.6', '10.5.0.6', id)
  assert.deepEqual(
    [await assigned(id), await assigned(id), await assigned(id)],
    ['10.5.0.3', '10.5.0.7', '10.5.0.8'],
  )
  refused(await assign(id), 409)
})

test('a scope with no free address refuses with 409', async () => {
  const id = await scope('10.6.0.1', '10.6.0.2')
  await assign(id)
  await assign(id)
  refused(await assign(id), 409)
})

test('a released address is assigned again, whichever way it was released', async () => {
  const id = await scope('10.7.0.1', '10.7.0.4')
  const paths: string[] = []
  for (let count = 0; count < 4; count += 1) paths.push(pathOf(await assign(id)))
  refused(await assign(id), 409)

  await service.ask('DELETE', paths[1] ?? '')
  assert.equal(await assigned(id), '10.7.0.2', 'by deleting it')
  refused(await assign(id), 409)

  await service.ask('DELETE', paths[3] ?? '')
  assert.equal(
    (await service.send('PUT', paths[0] ?? '', '<assignedIpInfo><ip>10.7.0.4</ip></assignedIpInfo>')).status,
    204,
  )
  assert.equal(await assigned(id), '10.7.0.1', 'by moving its owner to another one')
})

test('addresses that a deleted child range held are free in the parent', async () => {
  const id = await scope('10.8.0.1', '10.8.0.2')
  const child = await scope('10.8.0.1', '10.8.0.1', id)
  await assign(child)
  assert.equal(await assigned(id), '10.8.0.2')
  refused(await assign(id), 409)
  await service.ask('DELETE', `${scopes}/${child}`)
  assert.equal(await assigned(id), '10.8.0.1')
})

test('new bounds of a scope open new addresses', async () => {
  const id = await scope('10.9.0.2', '10.9.0.2')
  await assign(id)
  refused(await assign(id), 409)
  const xml =
    '<assignedIpScope><startIp>10.9.0.1</startIp><endIp>10.9.0.3</endIp><name>S</name></assignedIpScope>'
  assert.equal((await service.send('PUT', `${scopes}/${id}`, xml)).status, 204)
  assert.deepEqual([await assigned(id), await assigned(id)], ['10.9.0.1', '10.9.0.3'])
})

test('the next free address of a full IPv6 /64 of ranges and rows is found without scanning', async () => {
  const id = await scope('2001:db8:2::', '2001:db8:2:0:ffff:ffff:ffff:ffff')
  // All but the last eight addresses of the /64 lie in a child; 3 of those eight are taken.
  await scope('2001:db8:2::', '2001:db8:2:0:ffff:ffff:ffff:fff7', id)
  await load(service, 'assignedIpInfo', [
    'ip,parentId',
    ...['fff8', 'fff9', 'fffb'].map((end) => `2001:db8:2:0:ffff:ffff:ffff:${end},${id}`),
  ])
  // A scan would not end.
  assert.equal(await assigned(id), '2001:db8:2:0:ffff:ffff:ffff:fffa')
  assert.equal(await assigned(id), '2001:db8:2:0:ffff:ffff:ffff:fffc')
})

test('the last address there is can be assigned', async () => {
  const id = await scope('ffff:ffff:ffff:ffff:ffff:ffff:ffff:fffe', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff')
  assert.equal(await assigned(id), 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:fffe')
  assert.equal(await assigned(id), 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff')
  refused(await assign(id), 409)
  const four = await scope('255.255.255.255', '255.255.255.255')
  assert.equal(await assigned(four), '255.255.255.255')
  refused(await assign(four), 409)
})

test('a PUT changes owner and description, and keeps address and scope where it does not mention them', async () => {
  const id = await scope('10.10.0.1', '10.10.0.9')
  const path = pathOf(await assign(id, '<name>Old</name><description>desk</description>'))
  const answer = await service.send('PUT', path, '<assignedIpInfo><name>New</name><ip/></assignedIpInfo>')
  assert.equal(answer.status, 204)
  const { text } = await service.get(path)
  assert.deepEqual(
    ['ip', 'name', 'description', 'parentId'].map((name) => value(text, name)),
    ['10.10.0.1', 'New', 'desk', id],
  )
  refused(await service.send('PUT', path, '<assignedIpInfo><ip>10.10.1.1</ip></assignedIpInfo>'), 409, 'ip')
  await assign(id)
  refused(await service.send('PUT', path, '<assignedIpInfo><ip>10.10.0.2</ip></assignedIpInfo>'), 409, 'ip')
})

test('reading or modifying an address that is not there answers 404, deleting one 410', async () => {
  const id = await scope('10.11.0.1', '10.11.0.9')
  const path = pathOf(await assign(id))
  assert.equal((await service.ask('DELETE', path)).status, 204)
  refused(await service.get(path), 404)
  refused(await service.send('PUT', path, '<assignedIpInfo/>'), 404)
  refused(await service.ask('DELETE', path), 410)
  assert.deepEqual(values((await service.get(`${collection}?ipScopeId=${id}`)).text, 'ip'), [])
})
