// What the nodes say of themselves: one that is silent, a clock that is wrong, storms over all of them, datagrams put
// aside.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { raiseServiceAlarm } from '../../src/alarms/service/service-alarms.ts'
import { endQuarantineAlarms } from '../../src/cluster/watches/processing-watch.ts'
import { listeningTo } from '../http/listening.ts'
import { device, ifIndex, ledger, linkDown, sum, until, v2c } from '../intake/sending.ts'
import type { TestService } from '../support.ts'
import { startNodes } from './several.ts'

const { services } = await startNodes(2, { 'storm-source': '20' }, { stormSeconds: 2, refusalSeconds: 1 })
const [a, b] = services as [TestService, TestService]

/** Those of one event, with their state: 0 open, 1 over. */
async function alarms(event: string): Promise<{ resource: string; state: number; repeats: number }[]> {
  const rows = await a.database.all(
    'select resource, rec_status, repeats from alarm where event_name = ? and is_receover_fault = 0 order by id',
    [event],
  )
  return rows.map((row) => ({
    resource: String(row.resource),
    state: Number(row.rec_status),
    repeats: Number(row.repeats),
  }))
}
const states = async (event: string) =>
  (await alarms(event)).map(({ resource, state }) => `${resource} ${state}`)

const change = (sql: string) => a.database.writeConcurrently((tx) => tx.run(sql))

test('a node that is gone raises an alarm, which ends with its next sign of life', async () => {
  await change(
    "insert into node (name, start, address, version, last_sign, clock_offset, stopped, gone) select 'x', 1, '', '1', last_sign - 60000, 0, 0, 0 from node where name = 'a'",
  )
  await until('it is reported', async () => (await states('nodeGone')).includes('node=x 0'))
  await change("update node set last_sign = (select max(last_sign) from node), gone = 0 where name = 'x'")
  await until('it is over', async () => (await states('nodeGone')).includes('node=x 1'))
})

test('a clock that is more than two seconds off raises an alarm, which ends when it is right again', async () => {
  const show = (offset: number) =>
    change(
      `update node set last_sign = (select max(last_sign) from node), clock_offset = ${offset} where name = 'x'`,
    )
  await until('it is reported', async () => {
    await show(-2500)
    return (await states('nodeClock')).includes('node=x 0')
  })
  await until('it is over', async () => {
    await show(1900)
    return (await states('nodeClock')).includes('node=x 1')
  })
  await change("delete from node where name = 'x'")
})

test('what is counted in a storm at any node is counted together, by one alarm that ends when both are quiet', async () => {
  const [left, right] = [await device(a.trapPort), await device(b.trapPort)]
  const some = (first: number) =>
    Array.from({ length: 400 }, (_, index) => v2c(linkDown, [ifIndex(first + index)]))
  await left.send(...some(1))
  await right.send(...some(1001))
  await until('all are in the ledger', async () => sum(await ledger(a)) === 800)
  const held = (await ledger(a))['collapsed storm'] ?? 0
  assert.ok(held > 0)
  await until('it is over', async () => (await states('trapStorm')).includes('source=127.0.0.1 1'))
  const storms = await alarms('trapStorm')
  assert.deepEqual(
    storms.map(({ resource }) => resource),
    ['source=127.0.0.1'],
  )
  assert.equal(storms[0]?.repeats, held)
})

test('a device that is refused at any node has one alarm, which ends when any of them accepts it', async () => {
  const [left, right] = [await device(a.trapPort), await device(b.trapPort)]
  await left.send(v2c(linkDown, [ifIndex(2001)]))
  await until('it is known', async () => (await a.database.all('select id from device')).length === 1)
  const wrong = () => v2c(linkDown, [], { community: 'guess' })
  const [one] = await a.database.all('select id from device')
  const about = async () =>
    (await alarms('trapsRefused')).filter(({ resource }) => resource === `device=${one?.id}`)
  // What was noted and not reported yet is lost where the leader changes: the device goes on sending.
  await until('it is reported', async () => {
    await right.send(wrong())
    return (await about()).length > 0
  })
  const [{ repeats: reported } = { repeats: 0 }] = await about()
  await until('it is counted', async () => {
    await left.send(wrong())
    return (await about()).some(({ repeats }) => repeats > reported)
  })
  await until('it is over', async () => {
    await left.send(v2c(linkDown, [ifIndex(2002)]))
    return (await about()).every(({ state }) => state === 1)
  })
  assert.equal((await about()).length, 1)
})

test('the alarm about datagrams that were quarantined ends an hour after the last of them', async () => {
  const { asLeader } = a.engine
  const put = Date.now()
  await change(
    `insert into intake_aside (node, start, sequence, place, put_at, source_ip, bytes, reason) values ('b', 1, 1, 0, ${put}, '10.0.0.1', '', 'a test')`,
  )
  await raiseServiceAlarm(asLeader, 'datagramsAside', 'node=b', 'a test')
  await endQuarantineAlarms(a.database, asLeader, put + 3_500_000)
  assert.deepEqual(await states('datagramsAside'), ['node=b 0'])
  await endQuarantineAlarms(a.database, asLeader, put + 3_700_000)
  assert.deepEqual(await states('datagramsAside'), ['node=b 1'])
  const rows = await a.database.all('select node from intake_aside')
  assert.equal(rows.length, 1, 'the datagram stays')
})

test('a test alarm for a client of another node is not sent, and the answer names the node', async () => {
  const reader = await listeningTo(b).listen('uuid=elsewhere')
  const asked = (at: TestService) => at.ask('POST', '/events/registrations/elsewhere/test')
  const refused = await asked(a)
  assert.equal(refused.status, 409)
  assert.match(refused.text, /connected to node b: ask that one/)
  assert.equal((await asked(b)).status, 204)
  await reader.take(1)
  reader.close()
})
