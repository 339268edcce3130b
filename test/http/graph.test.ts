// The network as one graph, and when alarms were open in a period.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startService, stores } from '../support.ts'
import { idOf } from './reading.ts'

type Row = Record<string, string>
const json = { Accept: 'application/json' }

for (const store of stores)
  test(`devices, zones and links are one answer; each link is in it once (${store.name})`, async () => {
    const service = await startService({}, store.name === 'SQLite' ? {} : { open: () => store.open() })
    const make = async (label: string, ip: string, more: object = {}) =>
      idOf(await service.sendJson('POST', '/plat/res/device', { label, ip, ...more }))
    const core = await make('core', '192.0.2.1', { typeName: 'Core switch' })
    const spare = await make('spare', '192.0.2.2')
    const parent = [{ deviceId: core, ifIndex: '1', parentIfIndex: '7' }, { deviceId: '4711' }]
    const leaf = await make('leaf', '192.0.2.3', { parent })
    const cable = (id: number, from: string, port: number, to: string, otherPort: number, state: string) =>
      service.database.transaction((tx) =>
        tx.run(
          "insert into link (id, device_id, if_index, other_id, other_if_index, state, direction, learnt, gone) values (?, ?, ?, ?, ?, ?, 'none', 0, 0)",
          [BigInt(id), BigInt(from), port, BigInt(to), otherPort, state],
        ),
      )
    await cable(1, core, 7, leaf, 0, 'one')
    await cable(2, leaf, 0, core, 7, 'one')
    await cable(3, core, 2, spare, 3, 'both')
    await cable(4, core, 9, leaf, 9, 'both')
    const answer = (await service.get('/plat/topology', json)).json() as Record<
      'zone' | 'device' | 'link',
      Row[]
    >
    assert.deepEqual(
      answer.device.map(({ label, zoneId, typeName }) => `${label} ${zoneId} ${typeName}`),
      ['core 1 Core switch', 'spare 1 ', 'leaf 1 '],
    )
    assert.equal(answer.zone[0]?.zoneId, '1')
    const name = new Map(answer.device.map(({ id, label }) => [id, label]))
    assert.deepEqual(
      answer.link.map(
        (one) =>
          `${name.get(one.deviceId ?? '')}:${one.ifIndex} ${name.get(one.otherId ?? '')}:${one.otherIfIndex} ${one.direction} ${one.origin} ${one.state}`,
      ),
      ['leaf:1 core:7 up typed one', 'core:2 spare:3 none learnt both', 'core:9 leaf:9 none learnt both'],
      'a parent that does not exist has no link',
    )
    const beside = async (id: string) => {
      const { device, link } = (
        await service.get(`/plat/topology?deviceId=${id}`, json)
      ).json() as typeof answer
      return [device.map(({ label }) => label), link.length]
    }
    assert.deepEqual(await beside(spare), [['core', 'spare'], 1])
    assert.deepEqual(await beside(core), [['core', 'spare', 'leaf'], 3])
    assert.deepEqual(await beside('4712'), [[], 0])
  })

for (const store of stores)
  test(`alarms that were open in a period have their beginnings and ends (${store.name})`, async () => {
    const service = await startService({}, store.name === 'SQLite' ? {} : { open: () => store.open() })
    const raise = async (deviceIp: string, alarmDesc: string, faultTime: number) => {
      const OID = '1.3.6.1.4.1.32473.9.1'
      const fields = { OID, alarmLevel: 2, deviceIp, alarmDesc, resource: alarmDesc }
      const id = idOf(await service.sendJson('POST', '/fault/alarm', fields))
      await service.database.transaction((tx) =>
        tx.run('update alarm set fault_time = ? where id = ?', [faultTime * 1000, BigInt(id)]),
      )
      return id
    }
    const end = async (id: string, recTime: number) => {
      assert.equal((await service.ask('PUT', `/fault/alarm/recover/${id}`)).status, 204)
      await service.database.transaction((tx) =>
        tx.run('update alarm set rec_time = ? where id = ?', [recTime * 1000, BigInt(id)]),
      )
    }
    const at = 1_773_133_200
    await end(await raise('192.0.2.1', 'before', at - 900), at - 600)
    await end(await raise('192.0.2.1', 'into', at - 600), at + 60)
    await raise('192.0.2.2', 'through', at - 300)
    await end(await raise('192.0.2.1', 'inside', at + 100), at + 200)
    await raise('192.0.2.1', 'after', at + 4000)
    const texts = async (more = '') => {
      const answer = await service.get(`/fault/alarmSpan?from=${at}&until=${at + 3600}${more}`, json)
      return (answer.json() as { alarmSpan: Row[] }).alarmSpan.map(
        ({ alarmDesc, faultTime, recTime }) =>
          `${alarmDesc} ${Number(faultTime) - at} ${recTime === '0' ? 'open' : Number(recTime) - at}`,
      )
    }
    assert.deepEqual(await texts(), ['into -600 60', 'through -300 open', 'inside 100 200'])
    const [{ device_id: id } = {}] = await service.database.all(
      "select device_id from alarm where alarm_desc = 'through'",
    )
    if (Number(id) > 0) assert.deepEqual(await texts(`&deviceId=${id}`), ['through -300 open'])
  })

test('a period that is too long, or ends before it begins, is refused', async () => {
  const service = await startService()
  for (const query of ['from=2000&until=1000', `from=0&until=${40 * 86_400}`, 'from=yesterday']) {
    const { status, text } = await service.get(`/fault/alarmSpan?${query}`)
    assert.equal(status, 400, text)
    assert.match(text, /<field>from<\/field>/)
  }
})
