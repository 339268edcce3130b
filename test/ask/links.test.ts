// Links that follow from neighbours: both ends make one, their direction follows from the top, and causes follow them.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { joinEnds } from '../../src/ask/links/join-ends.ts'
import { levelsOf } from '../../src/ask/links/uplinks.ts'
import { freePort } from '../free-port.ts'
import { idOf } from '../http/reading.ts'
import { until } from '../intake/sending.ts'
import { startService } from '../support.ts'
import { Switch, type SwitchFacts } from './know-world.ts'
import { addDevice, addProfile } from './reach-world.ts'

const said = (deviceId: bigint, ifIndex: bigint, otherId: bigint, otherIfIndex: bigint) => ({
  ...{ deviceId, ifIndex, otherId, otherIfIndex },
})
const texts = (...statements: ReturnType<typeof said>[]) =>
  joinEnds(statements).map(
    ({ deviceId, ifIndex, otherId, otherIfIndex, state }) =>
      `${deviceId}:${ifIndex} ${otherId}:${otherIfIndex} ${state}`,
  )

test('what both ends say of a cable is one link; what only one says, or both say differently, is told apart', () => {
  assert.deepEqual(texts(said(1n, 7n, 2n, 9n), said(2n, 9n, 1n, 7n)), ['1:7 2:9 both'])
  assert.deepEqual(
    texts(said(1n, 7n, 2n, 0n), said(2n, 9n, 1n, 0n)),
    ['1:7 2:9 both'],
    'each knows its own port',
  )
  assert.deepEqual(texts(said(1n, 7n, 2n, 9n), said(1n, 7n, 2n, 9n)), ['1:7 2:9 one'], 'by two protocols')
  const aggregated = [
    said(1n, 7n, 2n, 9n),
    said(1n, 8n, 2n, 10n),
    said(2n, 10n, 1n, 8n),
    said(2n, 9n, 1n, 7n),
  ]
  assert.deepEqual(texts(...aggregated), ['1:7 2:9 both', '1:8 2:10 both'])
  assert.deepEqual(texts(said(1n, 7n, 2n, 9n), said(2n, 9n, 3n, 4n)), ['1:7 2:9 differs', '2:9 3:4 one'])
})

test('uplinks lead to the top, typed-in parents are kept, and no circle comes of both', () => {
  const ring = [said(1n, 1n, 2n, 1n), said(2n, 2n, 3n, 1n), said(3n, 2n, 4n, 1n), said(4n, 2n, 1n, 2n)]
  const levels = (typed: [bigint, bigint[]][] = []) =>
    [...levelsOf([1n], ring, new Map(typed))].map(([id, level]) => `${id}: ${level}`).toSorted()
  assert.deepEqual(levels(), ['1: 0', '2: 1', '3: 2', '4: 1'])
  assert.deepEqual(levels([[2n, [3n]]]), ['1: 0', '2: 3', '3: 2', '4: 1'])
  assert.deepEqual(
    levels([
      [4n, [3n]],
      [2n, [3n]],
    ]),
    ['1: 0'],
    'what hangs below nothing has no level',
  )
  assert.deepEqual(levels([[4n, [1n, 3n]]]), ['1: 0', '2: 1', '3: 2', '4: 3'], 'below all of its parents')
})

type Row = Record<string, string>

test('devices that name each other are linked, causes follow the link, and it is kept when its port goes down', async () => {
  const port = await freePort()
  const tops = '127.0.52.1'
  const service = await startService({ 'ask-seconds': '1', 'learn-seconds': '1', 'link-tops': tops })
  const facts = (name: string, neighbours: SwitchFacts['neighbours'] = []): SwitchFacts => ({
    ...{ name, serial: `SN ${name}`, neighbours },
    ports: [
      { index: 1, name: 'Gi0/1' },
      { index: 2, name: 'Gi0/2' },
    ],
  })
  const [host, other] = ['127.0.52.1', '127.0.52.2']
  const toLeaf = [{ port: 2, name: 'leaf', remotePort: 'Gi0/1', address: other }]
  const toCore = [{ port: 1, name: 'core', remotePort: 'Gi0/2', address: host }]
  await using core = await Switch.start(host, port, facts('core', toLeaf))
  await using leaf = await Switch.start(other, port, facts('leaf', toCore))
  await addProfile(service, port, '127.0.52.0/24')
  await addDevice(service, core)
  await addDevice(service, leaf)
  const linksOf = async (id: string) => {
    const answer = await service.get(`/plat/link?deviceId=${id}`, { Accept: 'application/json' })
    const rows = (answer.json() as { link: Row[] }).link
    return rows.map(
      (row) => `${row.ifIndex} ${row.otherName}:${row.otherIfIndex} ${row.state} ${row.direction}`,
    )
  }
  const untilLinked = (expected: string) =>
    until(expected, async () => (await linksOf(leaf.id)).join() === expected)
  await untilLinked('1 at 127.0.52.1:2 both up')
  assert.deepEqual(await linksOf(core.id), ['2 at 127.0.52.2:1 both down'])
  const raise = async (deviceId: string, OID: string, more: object) =>
    idOf(await service.sendJson('POST', '/fault/alarm', { OID, alarmLevel: 2, deviceId, ...more }))
  const down = { alarmCategory: 3, ifIndex: '2', resource: 'ifIndex=2' }
  const cause = await raise(core.id, '1.3.6.1.6.3.1.1.5.3', down)
  const consequence = await raise(leaf.id, '1.3.6.1.4.1.32473.61.1', { alarmCategory: 2 })
  const [row] = await service.database.all('select parent_id from alarm where id = ?', [BigInt(consequence)])
  assert.equal(String(row?.parent_id), cause)
  core.become(facts('core'))
  leaf.become(facts('leaf'))
  await untilLinked('1 at 127.0.52.1:2 gone up')
  const uplinks = () => service.database.all('select device_id, origin from device_parent order by position')
  assert.equal((await uplinks()).length, 1, 'a cause is still found')
  const typed = { ip: leaf.host, label: 'leaf', parent: [{ deviceId: core.id, ifIndex: '2' }] }
  const put = await service.sendJson('PUT', `/plat/res/device/${leaf.id}`, typed)
  assert.equal(put.status, 204, put.text)
  assert.deepEqual(
    (await uplinks()).map((one) => Number(one.origin)),
    [0],
    'typed-in parents win',
  )
  assert.equal((await service.ask('DELETE', `/plat/res/device/${core.id}`)).status, 204)
  assert.deepEqual(await service.database.all('select id from link'), [])
})
