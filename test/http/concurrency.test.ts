// Many callers at once: exactly one success per thing.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startService } from '../support.ts'
import { idOf, load, refused, value, values } from './reading.ts'

const service = await startService()
const hundred = Array.from({ length: 100 }, (_, index) => index)
const scopes = '/res/access/assignedIpScope'

test('100 parallel POSTs of one MAC give exactly one 201 and 99 409', async () => {
  const answers = await Promise.all(
    hundred.map((index) => {
      const mac = index % 2 === 0 ? 'aa:bb:cc:dd:ee:ff' : 'AA:BB:CC:DD:EE:FF'
      const xml = `<macAccessBind><terminalMac>${mac}</terminalMac><bindType>1</bindType></macAccessBind>`
      return service.send('POST', '/res/access/macAccessBind', xml)
    }),
  )
  assert.equal(answers.filter(({ status }) => status === 201).length, 1)
  for (const answer of answers) if (answer.status !== 201) refused(answer, 409, 'terminalMac')
  assert.equal((await service.get('/res/access/macAccessBind')).headers.total, '1')
})

test('100 parallel POSTs of one zone name give exactly one 201 and 99 409', async () => {
  const answers = await Promise.all(
    hundred.map(() => service.send('POST', '/ram/zone', '<zone><name>Contested</name></zone>')),
  )
  assert.equal(answers.filter(({ status }) => status === 201).length, 1)
  assert.equal(answers.filter(({ status }) => status === 409).length, 99)
  assert.equal((await service.get('/ram/zone?name=contested')).headers.total, '1')
})

const assign = (id: string) => service.ask('POST', `${scopes}/ip?ipScopeId=${id}`)
const scope = async (start: string, end: string) =>
  idOf(
    await service.send(
      'POST',
      scopes,
      `<assignedIpScope><startIp>${start}</startIp><endIp>${end}</endIp><name>S</name></assignedIpScope>`,
    ),
  )

test('100 parallel requests for the next free address give 100 distinct addresses', async () => {
  const id = await scope('10.0.0.0', '10.0.0.255')
  const answers = await Promise.all(hundred.map(() => assign(id)))
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
  assert.equal(new Set(answers.map(({ headers }) => headers.location)).size, 100)
  const list = await service.get(`${scopes}/ip?ipScopeId=${id}&size=1000`)
  assert.equal(list.headers.total, '100')
  assert.deepEqual(
    values(list.text, 'ip'),
    hundred.map((index) => `10.0.0.${index}`),
    'the lowest hundred, without a hole',
  )
})

test('with only 50 addresses free, exactly 50 of 100 parallel requests succeed and 50 answer 409', async () => {
  const id = await scope('10.1.0.0', '10.1.0.99')
  const taken = Array.from({ length: 50 }, (_, index) => `10.1.0.${index * 2},${id}`)
  await load(service, 'assignedIpInfo', ['ip,parentId', ...taken])
  const answers = await Promise.all(hundred.map(() => assign(id)))
  assert.equal(answers.filter(({ status }) => status === 200).length, 50)
  for (const answer of answers) if (answer.status !== 200) refused(answer, 409)
  const { headers, text } = await service.get(`${scopes}/ip?ipScopeId=${id}&size=1000`)
  assert.equal(headers.total, '100')
  assert.equal(new Set(values(text, 'ip')).size, 100)
})

test('100 parallel requests for the same given address give exactly one success', async () => {
  const id = await scope('10.2.0.0', '10.2.0.255')
  const body = '<assignedIpInfo><ip>10.2.0.7</ip></assignedIpInfo>'
  const answers = await Promise.all(
    hundred.map(() => service.send('POST', `${scopes}/ip?ipScopeId=${id}`, body)),
  )
  assert.equal(answers.filter(({ status }) => status === 200).length, 1)
  assert.equal(answers.filter(({ status }) => status === 409).length, 99)
})

test('overlapping segments sent in parallel: only ones that do not overlap are created', async () => {
  const answers = await Promise.all(
    hundred.map((index) => {
      const xml = `<assignedIpScope><startIp>10.3.0.${index}</startIp><endIp>10.3.0.${index + 1}</endIp><name>S</name></assignedIpScope>`
      return service.send('POST', scopes, xml)
    }),
  )
  const created = answers.flatMap(({ status }, index) => (status === 200 ? [index] : []))
  assert.ok(created.length >= 1)
  created.forEach((start, index) => {
    assert.ok(index === 0 || start - (created[index - 1] ?? 0) >= 2, `${created}`)
  })
  assert.equal(answers.filter(({ status }) => status === 409).length, 100 - created.length)
})

test('100 parallel deletions of one record give exactly one 204 and 99 410', async () => {
  const created = await service.send('POST', '/ram/zone', '<zone><name>Going</name></zone>')
  const answers = await Promise.all(hundred.map(() => service.ask('DELETE', `/ram/zone/${idOf(created)}`)))
  assert.equal(answers.filter(({ status }) => status === 204).length, 1)
  for (const answer of answers) if (answer.status !== 204) refused(answer, 410)
})

test('parallel modifications leave one of them whole, never a mixture', async () => {
  const id = idOf(await service.send('POST', '/ram/zone', '<zone><name>Mixed</name></zone>'))
  await Promise.all(
    hundred.map((index) =>
      service.sendJson('PUT', `/ram/zone/${id}`, { name: `Mixed ${index}`, description: `Mixed ${index}` }),
    ),
  )
  const { text } = await service.get(`/ram/zone/${id}`)
  assert.equal(value(text, 'name'), value(text, 'description'))
})
