// What holds for every list: Total, empty bodies, pages that never overlap, long pages.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startService } from '../support.ts'
import { load, values } from './reading.ts'

const service = await startService()

await load(service, 'assignedIpScope', ['id,startIp,endIp,name,parentId', '1,10.0.0.0,10.0.255.255,S,-1'])
const rows = Array.from({ length: 97 }, (_, index) => `10.0.0.${index},owner ${index % 4},1`)
await load(service, 'assignedIpInfo', ['ip,name,parentId', ...rows])
const ips = '/res/access/assignedIpScope/ip?ipScopeId=1'

const lists = [
  '/res/access/macAccessBind',
  '/res/access/assignedIpScope',
  ips,
  '/fault/trapRule',
  '/report/reportTemplate',
  '/ram/zone',
  '/plat/res/device',
]
const withQuery = (path: string, query: string) => `${path}${path.includes('?') ? '&' : '?'}${query}`

test('Total is sent on every list answer, whatever page is asked for', async () => {
  for (const path of lists) {
    const all = (await service.get(path)).headers.total
    assert.match(String(all), /^\d+$/, path)
    for (const query of ['size=0', 'start=100000', 'size=1', 'total=true']) {
      assert.equal((await service.get(withQuery(path, query))).headers.total, all, `${path} ${query}`)
    }
    assert.equal((await service.get(path, { Accept: 'application/json' })).headers.total, all)
    assert.equal((await service.ask('HEAD', path)).headers.total, all)
  }
})

test('with total=true the body is empty, on every list', async () => {
  for (const path of lists) {
    const answer = await service.get(withQuery(path, 'total=true'))
    assert.equal(answer.status, 200)
    assert.equal(answer.text, '')
    assert.equal(answer.headers['content-length'], '0')
  }
})

test('size=0 gives an empty list, on every list', async () => {
  for (const path of lists) {
    const answer = await service.get(withQuery(path, 'size=0'))
    assert.match(answer.text, /\?><list><\/list>$/)
  }
})

test('a start behind the last record gives an empty list', async () => {
  for (const path of lists) {
    assert.match((await service.get(withQuery(path, 'start=2147483647'))).text, /<list><\/list>$/)
  }
})

test('ties in an order are broken by id, so pages never overlap and together hold every record once', async () => {
  for (const desc of ['false', 'true']) {
    for (const size of [7, 25, 96]) {
      const seen: string[] = []
      const owners: string[] = []
      for (let start = 0; start < 97; start += size) {
        const query = `orderBy=name&desc=${desc}&start=${start}&size=${size}`
        const { text } = await service.get(withQuery(ips, query))
        seen.push(...values(text, 'id'))
        owners.push(...values(text, 'name'))
      }
      assert.equal(seen.length, 97)
      assert.equal(new Set(seen).size, 97)
      const inOrder = owners.toSorted()
      assert.deepEqual(owners, desc === 'true' ? inOrder.reverse() : inOrder)
      for (let index = 1; index < 97; index += 1) {
        if (owners[index] !== owners[index - 1]) continue
        const [one, next] = [Number(seen[index - 1]), Number(seen[index])]
        assert.ok(desc === 'true' ? one > next : one < next, 'ids run the way of the order')
      }
    }
  }
})

test('reversed, a whole list is the same list from its end', async () => {
  const ids = async (query: string) =>
    values((await service.get(withQuery(ips, `size=100&${query}`))).text, 'id')
  for (const order of ['ip', 'name']) {
    assert.deepEqual(
      (await ids(`orderBy=${order}&desc=true`)).reverse(),
      await ids(`orderBy=${order}`),
      order,
    )
  }
})

test('Total follows what is created and deleted', async () => {
  const total = async (path: string) => Number((await service.get(path)).headers.total)
  const filtered = '/ram/zone?name=Counted*'
  const [all, some] = [await total('/ram/zone'), await total(filtered)]
  const created = await service.send('POST', '/ram/zone', '<zone><name>Counted 1</name></zone>')
  assert.deepEqual([await total('/ram/zone'), await total(filtered)], [all + 1, some + 1])
  await service.ask('DELETE', new URL(created.headers.location ?? '').pathname)
  assert.deepEqual([await total('/ram/zone'), await total(filtered)], [all, some])
})

test('the same list asked for again shows what was written in between, in every form and under every root', async () => {
  const names = async (path: string, accept: string) => {
    const { text } = await service.get(path, { Accept: accept })
    return [...text.matchAll(/Again \w+/g)].map(([name]) => name)
  }
  const lists = ['/ram/zone?name=Again*', '/imcrs/ram/zone?name=Again*', '/ram/zone?name=Again*&desc=true']
  const seen = async () => {
    const all = []
    for (const path of lists)
      for (const accept of ['application/xml', 'application/json']) all.push(await names(path, accept))
    return all
  }
  const everywhere = (...expected: string[]) => new Array(lists.length * 2).fill(expected)
  assert.deepEqual(await seen(), everywhere())
  const created = await service.send('POST', '/ram/zone', '<zone><name>Again one</name></zone>')
  assert.deepEqual(await seen(), everywhere('Again one'))
  const path = new URL(created.headers.location ?? '').pathname
  await service.send('PUT', path, '<zone><name>Again two</name></zone>')
  assert.deepEqual(await seen(), everywhere('Again two'))
  assert.deepEqual(await seen(), everywhere('Again two'))
  await load(service, 'zone', ['name', 'Again three'])
  assert.deepEqual(
    (await seen()).map((found) => found.toSorted()),
    everywhere('Again three', 'Again two'),
  )
  await service.ask('DELETE', path)
  assert.deepEqual(await seen(), everywhere('Again three'))
})

test('a list that is asked for while it is written to never stays behind what was written', async () => {
  for (let round = 0; round < 30; round += 1) {
    const zone = `<zone><name>Racing ${round}</name></zone>`
    const [created] = await Promise.all([
      service.send('POST', '/ram/zone', zone),
      service.get('/ram/zone?name=Racing*&size=100'),
      service.get('/ram/zone?name=Racing*&size=100'),
    ])
    assert.equal(created.status, 201)
    const after = await service.get('/ram/zone?name=Racing*&size=100')
    assert.equal(after.headers.total, String(round + 1))
    assert.match(after.text, new RegExp(`Racing ${round}<`))
  }
})

test('a page longer than what is read at once is complete, in XML and in JSON', async () => {
  const more = Array.from({ length: 1400 }, (_, index) => `10.0.${1 + (index >> 8)}.${index & 255},x,1`)
  await load(service, 'assignedIpInfo', ['ip,name,parentId', ...more])
  const path = withQuery(ips, 'size=100000')
  const xml = await service.get(path)
  assert.equal(xml.headers.total, '1497')
  const ids = values(xml.text, 'id')
  assert.equal(new Set(ids).size, 1497)
  const json = await service.get(path, { Accept: 'application/json' })
  const found = json.json().assignedIpInfo as { id: string }[]
  assert.deepEqual(
    found.map(({ id }) => id),
    ids,
  )
  const deep = await service.get(withQuery(ips, 'start=1200&size=3'))
  assert.deepEqual(values(deep.text, 'id'), ids.slice(1200, 1203))
})

test("a row's name in a list is the path's last segment, except assignedIpInfo under …/ip", async () => {
  for (const path of lists) {
    const body = (await service.get(path, { Accept: 'application/json' })).json()
    const last = path.split('?')[0]?.split('/').at(-1)
    assert.deepEqual(Object.keys(body), [last === 'ip' ? 'assignedIpInfo' : last])
  }
})
