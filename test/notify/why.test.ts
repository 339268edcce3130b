// Why nobody was told: one sentence for each kind of case, and what each route says.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { explain } from '../../src/notify/routes/explain.ts'
import { RouteCache } from '../../src/notify/routes/route-index.ts'
import { stores } from '../support.ts'
import { refused, Town } from './town.ts'

async function why(town: Town, id: bigint) {
  const { all } = await new RouteCache(town.database, 'UTC').read(town.database)
  const { summary, verdicts } = await explain(town.database, all, await town.world.alarm(id))
  return { summary, verdicts: verdicts.map(({ route, reason }) => `${route.name}: ${reason}`) }
}

for (const store of stores)
  describe(`Why nobody was told on ${store.name}`, () => {
    test('a route that is disabled says so', async () => {
      const town = await Town.open(store)
      const ann = await town.contact()
      await town.route({ name: 'nights', enabled: false, step: [[0, ann.target]] })
      const alarm = await town.down(1)
      await town.turn()
      assert.deepEqual(await why(town, alarm), {
        summary: 'Nobody was told: there is no route that is enabled.',
        verdicts: ['nights: it is disabled'],
      })
      await town.route({ name: 'critical', filter: 'alarmLevel=1', step: [[0, ann.target]] })
      assert.deepEqual(await why(town, alarm), {
        summary: 'Nobody was told: no route takes it.',
        verdicts: [
          'nights: it is disabled',
          'critical: the change is older than the route, or than its being enabled',
        ],
      })
    })

    test('whoever learned that there is a limit was not told of the alarm', async () => {
      const town = await Town.open(store)
      const ann = await town.contact()
      await town.route({ name: 'few', hourlyLimit: 1, step: [[0, ann.target]] })
      await town.down(1)
      const second = await town.down(2)
      await town.turn()
      assert.deepEqual(town.told, ['100 raised', '100 summary'])
      const { summary } = await why(town, second)
      assert.equal(summary, 'Nobody was told. limited: more than the hourly limit of route 1.')
    })

    test('while a message waits, the sentence says for what', async () => {
      const town = await Town.open(store)
      const [ann, night] = [
        await town.contact(),
        await town.contact([0], { quietFrom: '00:00', quietTo: '23:59', quietLevel: 1 }),
      ]
      await town.route({ name: 'late', filter: 'deviceIp=10.0.0.1', delay: 300, step: [[0, ann.target]] })
      await town.route({ name: 'fails', filter: 'deviceIp=10.0.0.2', step: [[0, ann.target]] })
      await town.route({ name: 'quiet', filter: 'deviceIp=10.0.0.3', step: [[0, night.target]] })
      town.answer = () => refused
      const ids = [await town.down(1), await town.down(2), await town.down(3)]
      await town.turn()
      const summaries = await Promise.all(ids.map(async (id) => (await why(town, id)).summary))
      assert.match(summaries[0] ?? '', /^Nobody was told yet: the first message is due in 300 seconds/)
      assert.equal(summaries[1], 'Nobody was told yet: it waits (connection refused).')
      assert.equal(summaries[2], 'Nobody was told yet: it waits (quiet hours).')
    })
  })
