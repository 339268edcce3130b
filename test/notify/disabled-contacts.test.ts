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
          'step 1: channel 100 does not exist, is not confirmed, is on a disabled gateway, or is of a contact who is disabled',
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

test('a filter that names what does not exist is accepted with a warning', async () => {
  const filter = 'alarmLevel=1,9&zoneId=1,998&customView=997&alarmCategory=15,996'
  const body = { name: 'typing errors', enabled: false, filter, step: [{ target: 'channel:1' }] }
  const made = await service.asJson('administrator', 'POST', '/notify/route', body)
  assert.equal(made.status, 201, made.text)
  assert.deepEqual(String(made.headers['belfry-warning']).split(', filter: ').slice(1), [
    'no alarm has alarmLevel 9: expected 1 to 5',
    'custom view 997 does not exist',
    'zone 998 does not exist',
    'alarm category 996 does not exist',
  ])
  await service.as('administrator', 'DELETE', pathOf(made))
})

test('whoever deletes or changes what a route relies on is told which routes lead to nobody now', async () => {
  const ask = async (method: string, path: string, body?: unknown) => {
    const answer =
      body === undefined
        ? await service.as('administrator', method, path, { headers: { Accept: 'application/json' } })
        : await service.asJson('administrator', method, path, body)
    assert.ok(answer.status < 300, answer.text)
    return { path: answer.headers.location ? pathOf(answer) : '', warning: answer.headers['belfry-warning'] }
  }
  const idOf = ({ path }: { readonly path: string }) => path.split('/').at(-1)
  const gatewayBody = { name: 'room server', kind: 'webhook', url: 'http://192.0.2.7/' }
  const gateway = await ask('POST', '/notify/gateway', gatewayBody)
  const room = await ask('POST', '/notify/channel', { gatewayId: idOf(gateway), address: 'noc' })
  await ask('PUT', `${room.path}/confirm`, {})
  const person = await ask('POST', '/notify/contact', { name: 'Dora' })
  const own = await ask('POST', '/notify/channel', { gatewayId: idOf(gateway), contactId: idOf(person) })
  await service.database.transaction((tx) =>
    tx.run('update channel set confirmed = 1 where id = ?', [BigInt(idOf(own) ?? 0)]),
  )
  const team = await ask('POST', '/notify/team', { name: 'crew', contactId: [idOf(person)] })
  const layer = { name: 'all', rotation: 'byHand', contact: [idOf(person)] }
  const scheduleBody = { name: 'always', timeZone: 'UTC', layer: [layer] }
  const schedule = await ask('POST', '/notify/schedule', scheduleBody)
  const targets = [
    ...[`contact:${idOf(person)}`, `team:${idOf(team)}`],
    ...[`schedule:${idOf(schedule)}`, `channel:${idOf(room)}`],
  ]
  const made = await ask('POST', '/notify/route', { name: 'days', step: [{ target: targets.join(',') }] })
  assert.equal(made.warning, undefined, 'all of them lead to somebody')
  const leads = `: route ${idOf(made)} (days) leads there`

  const cutOff = await ask('PUT', gateway.path, { ...gatewayBody, enabled: false })
  const disabled = 'has confirmed channels on disabled gateways only'
  assert.equal(
    cutOff.warning,
    [
      `contact ${idOf(person)} ${disabled}${leads}`,
      `team ${idOf(team)} ${disabled}${leads}`,
      `schedule ${idOf(schedule)} ${disabled}${leads}`,
      `channel ${idOf(room)} does not exist, is not confirmed, is on a disabled gateway, or is of a contact who is disabled${leads}`,
    ].join(', '),
  )
  assert.equal((await ask('PUT', gateway.path, { ...gatewayBody, enabled: true })).warning, undefined)
  assert.match(
    String((await ask('DELETE', room.path)).warning),
    /^channel \d+ does not exist, .*leads there$/,
  )
  const emptied = await ask('PUT', team.path, { name: 'crew', contactId: [] })
  assert.equal(emptied.warning, `team ${idOf(team)} has no members${leads}`)
  assert.equal((await ask('DELETE', team.path)).warning, `team ${idOf(team)} does not exist${leads}`)
  const late = { ...layer, rotation: 'daily', handOver: '08:00', startDay: '2199-01-01' }
  const ended = await ask('PUT', schedule.path, { ...scheduleBody, layer: [late] })
  assert.match(String(ended.warning), new RegExp(`schedule ${idOf(schedule)} has nobody on call: route`))
  const gone = await ask('DELETE', schedule.path)
  assert.equal(gone.warning, `schedule ${idOf(schedule)} does not exist${leads}`)
  const left = await ask('DELETE', person.path)
  assert.equal(left.warning, `contact ${idOf(person)} does not exist${leads}`)
  await ask('DELETE', made.path)
})
