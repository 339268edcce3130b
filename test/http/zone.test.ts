// Network zones, as docs/interface/inventory.md describes them: fields, answers, filters, orders and sizes. What they hold:
// zones-hold.test.ts.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startService, texts } from '../support.ts'
import { load, pathOf, refused, values } from './reading.ts'

const service = await startService()

test('a new store has the default zone', async () => {
  const list = await service.get('/ram/zone')
  assert.equal(list.headers.total, '1')
  assert.deepEqual(texts(list.text, 'name'), ['Default'])
})

test('a zone is created, read, modified and deleted', async () => {
  const created = await service.send('POST', '/ram/zone', '<zone><name>Campus North</name></zone>')
  assert.equal(created.status, 201)
  assert.equal(created.text, '')
  const path = pathOf(created)
  assert.match(path, /^\/ram\/zone\/\d+$/)
  assert.deepEqual(texts((await service.get(path)).text, 'name'), ['Campus North'])

  const modified = await service.send(
    'PUT',
    path,
    '<zone><name>Campus North</name><description>B1–B9</description></zone>',
  )
  assert.equal(modified.status, 204)
  assert.equal(modified.text, '')
  assert.deepEqual(texts((await service.get(path)).text, 'description'), ['B1–B9'])

  assert.equal((await service.ask('DELETE', path)).status, 204)
  refused(await service.get(path), 404)
  refused(await service.send('PUT', path, '<zone><name>Campus</name></zone>'), 404)
  refused(await service.ask('DELETE', path), 410)
})

test('a zone has zoneId, name and description, in that order; an absent description is an empty element', async () => {
  const created = await service.send('POST', '/ram/zone', '<zone><name>Ordered</name></zone>')
  const { text } = await service.get(pathOf(created))
  assert.match(text, /<zone><zoneId>\d+<\/zoneId><name>Ordered<\/name><description\/><\/zone>$/)
  await service.ask('DELETE', pathOf(created))
})

test('a zone name that is taken, in whatever letter case, is refused with 409', async () => {
  refused(await service.send('POST', '/ram/zone', '<zone><name>DEFAULT</name></zone>'), 409, 'name')
  const other = pathOf(await service.send('POST', '/ram/zone', '<zone><name>Other</name></zone>'))
  refused(await service.send('PUT', other, '<zone><name>Default</name></zone>'), 409, 'name')
  const same = await service.send('PUT', other, '<zone><name>OTHER</name></zone>')
  assert.equal(same.status, 204, 'a zone does not stand in its own way')
  await service.ask('DELETE', other)
})

test('a zone needs a name', async () => {
  refused(await service.send('POST', '/ram/zone', '<zone/>'), 400, 'name')
  refused(await service.send('POST', '/ram/zone', '<zone><name/></zone>'), 400, 'name')
})

test('of 1,500 zones', async (suite) => {
  const rows = Array.from({ length: 1500 }, (_, index) => `Zone ${String(1500 - index).padStart(4, '0')}`)
  await load(service, 'zone', ['name', ...rows])
  const names = async (query: string) => {
    const answer = await service.get(`/ram/zone?name=Zone*&${query}`)
    assert.equal(answer.status, 200, answer.text)
    assert.equal(answer.headers.total, '1500')
    return values(answer.text, 'name')
  }

  await suite.test('ten are listed where no size is given: the default is 10', async () => {
    assert.equal((await names('')).length, 10)
  })

  await suite.test('a negative size becomes 0: an empty list with its Total', async () => {
    for (const size of ['-1', '-2147483648', '-99999999999999999999']) {
      const answer = await service.get(`/ram/zone?size=${size}`)
      assert.match(answer.text, /<list><\/list>$/)
      assert.equal(answer.headers.total, '1501')
    }
  })

  await suite.test('size=0 gives an empty list with its Total', async () => {
    assert.deepEqual(await names('size=0'), [])
  })

  await suite.test('a size above 1000, however large, becomes 1000', async () => {
    for (const size of ['1001', '2147483647', '2147483648', '99999999999999999999999999']) {
      assert.equal((await names(`size=${size}`)).length, 1000, size)
    }
    assert.equal((await names('size=1000')).length, 1000)
    assert.equal((await names('size=999')).length, 999)
  })

  await suite.test('a size that is no whole number is refused', async () => {
    for (const size of ['ten', '1.5', '1e3', '0x10', '--1']) {
      refused(await service.get(`/ram/zone?size=${size}`), 400, 'size')
    }
  })

  await suite.test('start is 0 by default, and a negative one uses the default', async () => {
    const first = await names('')
    for (const start of ['0', '-1', '-2147483648']) assert.deepEqual(await names(`start=${start}`), first)
    assert.equal((await names('start=1'))[0], first[1])
  })

  await suite.test(
    'the order is by id by default and with orderBy=id, by name with orderBy=name',
    async () => {
      assert.deepEqual((await names('size=2')).join(), 'Zone 1500,Zone 1499')
      assert.deepEqual((await names('size=2&orderBy=id')).join(), 'Zone 1500,Zone 1499')
      assert.deepEqual((await names('size=2&orderBy=name')).join(), 'Zone 0001,Zone 0002')
      refused(await service.get('/ram/zone?orderBy=zoneId'), 400, 'orderBy')
      refused(await service.get('/ram/zone?orderBy=description'), 400, 'orderBy')
    },
  )

  await suite.test(
    'desc reverses a named order and has no effect without one, as on the IP list',
    async () => {
      assert.deepEqual((await names('size=2&orderBy=name&desc=true')).join(), 'Zone 1500,Zone 1499')
      assert.deepEqual((await names('size=2&orderBy=id&desc=true')).join(), 'Zone 0001,Zone 0002')
      assert.deepEqual((await names('size=2&desc=true')).join(), 'Zone 1500,Zone 1499')
    },
  )

  await suite.test(
    'total=true ignores start and size: an empty body, and Total has all matches',
    async () => {
      for (const query of ['', '&start=5&size=3', '&start=99999999999&size=many']) {
        const answer = await service.get(`/ram/zone?total=true&name=Zone*${query}`)
        assert.equal(answer.status, 200)
        assert.equal(answer.text, '')
        assert.equal(answer.headers.total, '1500')
      }
      assert.equal((await names('total=false')).length, 10)
    },
  )

  await suite.test('name supports wildcards', async () => {
    const found = await service.get('/ram/zone?name=zone%20000?')
    assert.equal(found.headers.total, '9')
    const exact = await service.get('/ram/zone?name=Zone%200700')
    assert.deepEqual(values(exact.text, 'name'), ['Zone 0700'])
  })
})
