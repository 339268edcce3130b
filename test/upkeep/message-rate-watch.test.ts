// Alarms about devices that fall silent or flood by syslog: one for each of twenty, one for all others, and their ends.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noteReceived } from '../../src/upkeep/watches/message-rate-store.ts'
import { MessageRateWatch } from '../../src/upkeep/watches/message-rate-watch.ts'
import { coldStart, onEveryStore, type World } from '../alarms/world.ts'

const interval = 300
const hour = 3600

function tools(world: World) {
  const { engine, database, time } = world
  const opened = () =>
    new MessageRateWatch({ database, leaderDatabase: database, alarms: engine, everySeconds: interval })
  let watch = opened()
  return {
    restart: () => {
      watch = opened()
    },
    check: () => watch.check(time.now),
    /** Some devices speak in each interval; without any, the service listens all the same. */
    async pass(seconds: number, speakers: Readonly<Record<string, number>>, isListening = true) {
      for (let left = seconds; left > 0; left -= interval) {
        time.now += interval * 1000
        const said = { firstAt: time.now - 1000, lastAt: time.now - 1000 }
        const heard = Object.entries(speakers).map(([deviceIp, count]) => ({ deviceIp, count, ...said }))
        if (isListening) await noteReceived(database, heard, 0)
        await watch.check(time.now)
      }
    },
    async open() {
      const rows = await database.all(
        "select event_name, device_ip, resource, alarm_desc from alarm where event_name in ('messagesSilent', 'messagesFlooding') and rec_status = 0 order by id",
      )
      return rows.map((row) => `${row.event_name} ${row.device_ip} ${row.resource} ${row.alarm_desc}`)
    },
    /** As if it had spoken every hour of a week until now. */
    async known(addresses: readonly string[]) {
      await world.handle(...addresses.map((address) => world.trap(coldStart, address)))
      const day = Math.floor(time.now / 86_400_000)
      const state = {
        ...{ at: time.now, since: time.now - 8 * 86_400_000, last: time.now },
        days: Array.from({ length: 8 }, (_, at) => [day - 8 + at, 1440, 60_000]),
        ...{ busy: 0, isSilent: false, isFlooding: false },
      }
      for (const address of addresses)
        await database.transaction(async (tx) => {
          await tx.run(
            'insert into message_talk (device_id, state) select device_id, ? from device_address where ip = ?',
            [JSON.stringify(state), address],
          )
        })
    },
  }
}

await onEveryStore((world) => {
  const { pass, open, known, restart, check } = tools(world)

  test('a device that falls silent raises an alarm about itself, which ends when it speaks', async () => {
    await known(['10.9.0.1', '10.9.0.2'])
    await pass(2 * hour, { '10.9.0.1': 5 })
    assert.deepEqual(await open(), [
      'messagesSilent 10.9.0.2  10.9.0.2 has sent no syslog message for 65 min; in the last two weeks it was never silent for longer than 1 min',
    ])
    restart()
    await pass(900, { '10.9.0.1': 5 })
    assert.equal((await open()).length, 1, 'a restart proves nothing')
    await pass(300, { '10.9.0.1': 5, '10.9.0.2': 1, '10.9.7.7': 3 })
    assert.deepEqual(await open(), [])
  })

  test('a flood raises an alarm, which ends with it', async () => {
    await pass(900, { '10.9.0.1': 20_000, '10.9.0.2': 1 })
    const [flood, ...others] = await open()
    assert.match(
      flood ?? '',
      /^messagesFlooding 10\.9\.0\.1 {2}.*: 20,000 in the last 5 min, usually 1,440 a day$/,
    )
    assert.deepEqual(others, [])
    await pass(600, { '10.9.0.1': 20, '10.9.0.2': 1 })
    assert.deepEqual(await open(), [])
  })

  test('when many fall silent at once, twenty have an alarm and one stands for all', async () => {
    const many = Array.from({ length: 30 }, (_, at) => `10.9.1.${at + 1}`)
    await known(many)
    const spoken = { '10.9.0.1': 5, '10.9.0.2': 5 }
    await pass(2 * hour, spoken)
    const all = await open()
    assert.equal(all.length, 21)
    assert.match(all.find((text) => text.includes('many devices')) ?? '', /30 devices have fallen silent/)
    await pass(300, { ...spoken, ...Object.fromEntries(many.slice(0, 28).map((one) => [one, 1])) })
    assert.equal((await open()).length, 2)
  })

  test('no device is silent while nobody listens, or after it was deleted', async () => {
    await pass(2 * hour, {}, false)
    assert.deepEqual(await open(), [])
    const [row] = await world.database.all("select device_id from device_address where ip = '10.9.0.1'")
    await world.database.transaction(async (tx) => {
      await tx.run('delete from device where id = ?', [row?.device_id as bigint])
    })
    await check()
    const left = await world.database.all('select state from message_talk where device_id = ?', [
      row?.device_id as bigint,
    ])
    assert.deepEqual(left, [])
  })
})
