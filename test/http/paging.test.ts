// Paging values at their ends, on each list of docs/interface: defaults, negatives of any size, large
// numbers.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operations } from '../../src/http/operations.ts'
import { ifIndex, linkDown, device as sender, until, v2c } from '../intake/sending.ts'
import { startService } from '../support.ts'
import { idOf, load, refused, value } from './reading.ts'

const service = await startService()
const scope = idOf(
  await service.sendJson('POST', '/res/access/assignedIpScope', {
    startIp: '10.0.0.0',
    endIp: '10.0.255.255',
    name: 'S',
  }),
)
const numbers = Array.from({ length: 30 }, (_, index) => index)
await load(service, 'assignedIpInfo', [
  'ip,name,parentId',
  ...numbers.map((n) => `10.0.1.${n},n${n},${scope}`),
])
await load(service, 'reportTemplate', ['name,reportTypeName,customeDef', ...numbers.map((n) => `t${n},R,1`)])
await load(service, 'zone', ['name', ...numbers.map((n) => `z${n}`)])

const huge = '-99999999999999999999999999999999'
const lists = [
  { row: 'assignedIpInfo', path: `/res/access/assignedIpScope/ip?ipScopeId=${scope}`, negative: 10 },
  { row: 'reportTemplate', path: '/report/reportTemplate?templateName=*', negative: 10 },
  { row: 'zone', path: '/ram/zone?name=*', negative: 0 },
]
const asked = async (path: string) => {
  const { status, text, headers } = await service.get(path)
  assert.equal(status, 200, text)
  return { text, headers }
}
const count = (text: string, row: string) => text.split(`<${row}>`).length - 1

for (const { row, path, negative } of lists) {
  test(`${row}: ten rows from the first by default, and Total in every answer`, async () => {
    const { text, headers } = await asked(path)
    assert.equal(count(text, row), 10)
    assert.equal(headers['content-type'], 'application/xml')
    assert.ok(Number(headers.total) >= 30)
    assert.equal((await asked(`${path}&start=0&size=10`)).text, text)
  })

  test(`${row}: a negative start means 0, a negative size ${negative}, however large`, async () => {
    const { text } = await asked(path)
    for (const start of ['-1', '-2147483649', huge])
      assert.equal((await asked(`${path}&start=${start}`)).text, text)
    for (const size of ['-1', '-2147483649', huge]) {
      assert.equal(count((await asked(`${path}&size=${size}`)).text, row), negative, size)
    }
  })

  test(`${row}: with total=true the body is empty, whatever start and size say`, async () => {
    const { headers } = await asked(path)
    const total = await asked(`${path}&total=true&start=5&size=1`)
    assert.deepEqual([total.text, total.headers.total], ['', headers.total])
    assert.equal((await asked(`${path}&total=FALSE`)).text, (await asked(path)).text)
    refused(await service.get(`${path}&total=yes`), 400, 'total')
  })

  test(`${row}: what is no whole number is refused, naming it`, async () => {
    for (const value of ['x', '1.5', '--1', '- 1']) {
      refused(await service.get(`${path}&start=${encodeURIComponent(value)}`), 400, 'start')
      refused(await service.get(`${path}&size=${encodeURIComponent(value)}`), 400, 'size')
    }
    refused(await service.get(`${path}&start=4294967296`), 400, 'start')
  })
}

test('zones: a size above 1000 is 1000, however large; elsewhere one beyond 32 bits is refused', async () => {
  for (const size of ['1001', '2147483648', '9'.repeat(40)]) {
    assert.ok(count((await asked(`/ram/zone?size=${size}`)).text, 'zone') >= 30)
  }
  refused(await service.get(`/res/access/assignedIpScope/ip?ipScopeId=${scope}&size=2147483648`), 400, 'size')
})

test('every list has its pages: Total alone, no rows, all from the second, negatives of any size', async () => {
  const paged = operations.filter(({ method, gives }) => method === 'GET' && gives[200]?.kind === 'page')
  assert.ok(paged.length >= 32)
  const ports = [1, 2, 3].map((ifIndex) => ({ ifIndex, ifDesc: `Gi0/${ifIndex}` }))
  const device = idOf(
    await service.sendJson('POST', '/plat/res/device', { ip: '10.9.9.9', label: 'x', interfaces: ports }),
  )
  const required = `?ipScopeId=1&alarmId=1&deviceId=${device}&value=10.9.9.9&mac=00:53:00:00:00:01`
  await (await sender(service.trapPort)).send(v2c(linkDown, [ifIndex(7)]))
  await until(
    'the trap is kept',
    async () => (await service.get('/fault/trap?total=true')).headers.total === '1',
  )
  const trap = value((await service.get('/fault/trap')).text, 'id')
  const members = { '/plat/res/device/': device, '/fault/trap/': trap }
  for (const { path, gives } of paged) {
    const name = gives[200] && 'shape' in gives[200] ? gives[200].shape.name : ''
    const [, member = scope] = Object.entries(members).find(([place]) => path.startsWith(place)) ?? []
    const at = path.replace(/\{\w+\}/, member) + required
    for (const [root, none] of [
      ['', { [name]: [] }],
      // Of segments alone the key is there without rows, too.
      ['/imcrs', name === 'assignedIpScope' ? { [name]: [] } : {}],
    ] as const) {
      const rows = async (query: string) => {
        const { status, text, headers, json } = await service.get(`${root}${at}&${query}`, {
          Accept: 'application/json',
        })
        assert.equal(status, 200, `${path} ${query}: ${text}`)
        return { total: headers.total, text, json: text === '' ? undefined : json() }
      }
      const compare = async (whole: Awaited<ReturnType<typeof rows>>) => {
        assert.equal((await rows('total=true&size=x&start=x')).text, '', path)
        assert.equal((await rows('total=true')).total, whole.total, path)
        const empty = await rows('size=0')
        assert.deepEqual([empty.json, empty.total], [none, whole.total], path)
        assert.deepEqual((await rows(`start=${huge}&size=1000`)).json, whole.json, path)
        await rows(`size=${huge}`)
        const [, ...later] = (whole.json?.[name] ?? []) as unknown[]
        const second = await rows('start=1&size=1000')
        assert.deepEqual(second.json, later.length === 0 ? none : { [name]: later }, path)
      }
      // A list may change meanwhile: signs of life of nodes, alarms of the service. It is compared while it stays as it is.
      for (let whole = await rows('size=1000'); ; ) {
        const failure = await compare(whole).then(
          () => undefined,
          (error: unknown) => error,
        )
        if (failure === undefined) break
        const now = await rows('size=1000')
        if (now.text === whole.text) throw failure
        whole = now
      }
    }
  }
})
