// Contacts who are disabled, such as those whose operator was removed, are told of nothing; whoever relies on them learns it.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createIn, modify } from '../../src/resources/collection.ts'
import { contacts, teams } from '../../src/resources/notify/contact.ts'
import { startGuarded } from '../http/credentials.ts'
import { pathOf } from '../http/reading.ts'
import { stores } from '../support.ts'
import { Town } from './town.ts'

const service = await startGuarded()

const enable = (town: Town, id: bigint, enabled: boolean) => modify(town.database, contacts, id, { enabled })

const openReports = (town: Town) =>
  town.database.all(
    "select resource, alarm_desc from alarm where event_name = 'contactDisabled' and rec_status = 0",
  )

for (const store of stores)
  describe(`Disabled contacts on ${store.name}`, () => {
    test('a disabled contact is told of nothing more, also of the end of what it was told before', async () => {
      const town = await Town.open(store)
      const [ann, bob] = [await town.contact([0, 600]), await town.contact()]
      await town.route({
        name: 'all',
        filter: 'deviceIp=10.0.0.1,10.0.0.2',
        step: [
          [0, ann.target],
          [3600, bob.target],
        ],
      })
      await town.down(1)
      await town.turn()
      assert.deepEqual(town.told, [`${ann.channels[0]} raised`])
      await enable(town, ann.id, false)
      await town.later(11)
      const [report, ...more] = await openReports(town)
      assert.equal(report?.resource, `contact=${ann.id}`)
      assert.match(
        String(report?.alarm_desc),
        /contact 1 \(contact 1\) is disabled, .*route 1 \(all\) leads there/,
      )
      assert.deepEqual(more, [])
      town.sent.length = 0
      await town.down(2)
      await town.later(600)
      assert.deepEqual(
        town.told,
        [`${bob.channels[0]} escalated`],
        'the second channel is silent, the next step is not',
      )
      await town.up(1)
      await town.turn()
      assert.deepEqual(town.told, [`${bob.channels[0]} escalated`])
      const reasons = (await town.ledger()).map(({ reason }) => reason)
      assert.ok(reasons.includes('step 1: contact 1 is disabled'), String(reasons))
      assert.ok(reasons.some((reason) => reason?.endsWith('or its contact is disabled')))
      await enable(town, ann.id, true)
      await town.later(11)
      assert.deepEqual(await openReports(town), [])
    })

    test('teams, schedules and channels lead there, too; a disabled operator is silent as long as that lasts', async () => {
      const town = await Town.open(store)
      const ann = await town.contact([0], { operatorId: 2 })
      const teamId = await town.database.transaction((tx) =>
        createIn(tx, teams, { name: 'team', contactId: [ann.id] }),
      )
      town.onCall.set(7n, [ann.id])
      await town.database.transaction((tx) =>
        tx.run('insert into schedule_contact (schedule_id, contact_id) values (7, ?)', [ann.id]),
      )
      for (const target of [`team:${teamId}`, 'schedule:7', `channel:${ann.channels[0]}`])
        await town.route({ name: target, goOn: true, filter: 'deviceIp=10.0.0.1', step: [[0, target]] })
      const signsIn = (enabled: number) =>
        town.database.transaction((tx) =>
          tx.run(
            "insert into operator (id, name, name_key, role, enabled) values (2, 'ann', 'ann', 'operator', ?) on conflict (id) do update set enabled = excluded.enabled",
            [enabled],
          ),
        )
      await signsIn(0)
      await town.down(1)
      await town.later(11)
      assert.deepEqual(town.told, [])
      assert.deepEqual(
        (await town.ledger()).slice(0, 3).map(({ reason }) => reason),
        [
          `step 1: team ${teamId} has only members who are disabled`,
          'step 1: schedule 7 leads to contact 1, who is an operator who is disabled',
          'step 1: channel 100 does not exist, is not confirmed, or is of a contact who is disabled',
        ],
      )
      const [report] = await openReports(town)
      assert.match(String(report?.alarm_desc), /routes 1 \(team:1\), 2 \(schedule:7\) lead there/)
      await signsIn(1)
      await town.up(1)
      await town.down(1, 2)
      await town.later(11)
      assert.deepEqual(town.told, [`${ann.channels[0]} raised`], 'once, whatever the number of routes')
      assert.deepEqual(await openReports(town), [])
    })
  })

test('whoever removes an operator is told which routes lead to nobody now', async () => {
  const json = { headers: { Accept: 'application/json' } }
  const asAdmin = (method: string, path: string, body: unknown) =>
    service.asJson('administrator', method, path, body)
  const made = await asAdmin('POST', '/plat/operator', {
    ...{ name: 'leaver', password: 'a long pass phrase', role: 'operator' },
  })
  assert.equal(made.status, 201, made.text)
  const operatorId = pathOf(made).split('/').at(-1)
  const person = pathOf(await asAdmin('POST', '/notify/contact', { name: 'Leaver', operatorId }))
  const id = person.split('/').at(-1)
  const target = `contact:${id}`
  await asAdmin('POST', '/notify/route', { name: 'nights', step: [{ target }] })
  const removed = await service.as('administrator', 'DELETE', pathOf(made), json)
  assert.equal(removed.status, 204)
  assert.match(
    String(removed.headers['belfry-warning']),
    new RegExp(
      `^contact ${id} \\(Leaver\\) is disabled, and told of nothing: route 1 \\(nights\\) leads there$`,
    ),
  )
  const { enabled, operatorId: left } = (await service.as('viewer', 'GET', person, json)).json()
  assert.deepEqual([enabled, left], ['false', undefined])
  const saved = await asAdmin('PUT', '/notify/route/1', { name: 'nights', step: [{ target }] })
  assert.equal(saved.headers['belfry-warning'], `contact ${id} is disabled`)
})
