// Acting from a message, from the trap to the next message: what each message offers, and what "I cannot" does.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create } from '../../src/resources/collection.ts'
import { contacts } from '../../src/resources/notify/contact.ts'
import { startGuarded } from '../http/credentials.ts'
import { idOf, refused } from '../http/reading.ts'
import { until } from '../intake/sending.ts'
import { type Received, startReceiver } from './receiver.ts'

const service = await startGuarded({ 'public-url': 'http://127.0.0.1:8080', 'notify-loopback': 'yes' })
const receiver = await startReceiver()
const asAdmin = async (method: string, path: string, body: object) => {
  const answer = await service.asJson('administrator', method, path, body)
  assert.ok(answer.status < 300, answer.text)
  return answer
}
const made = async (path: string, body: object) => idOf(await asAdmin('POST', path, body))
const json = { 'Content-Type': 'application/json', Accept: 'application/json' }

const gatewayId = await made('/notify/gateway', { name: 'Phones', kind: 'webhook', url: receiver.url })

/** A contact with two confirmed channels, the second an hour after the first. */
async function contact(name: string, operatorId: bigint | null): Promise<bigint> {
  const id = await create(service.database, contacts, { name, operatorId })
  for (const delay of [0, 3600]) {
    const address = `${name} ${delay}`
    const channel = await made('/notify/channel', { contactId: String(id), gatewayId, address, delay })
    await service.database.transaction((tx) =>
      tx.run('update channel set confirmed = 1 where id = ?', [BigInt(channel)]),
    )
  }
  return id
}

const anna = await contact('Anna', 3n)
const porter = await contact('Porter', null)
await made('/notify/route', {
  name: 'chain',
  filter: 'eventOid=1.3.6.1.4.1.32473.7.*',
  step: [{ target: `contact:${anna}` }, { after: 3600, target: `contact:${porter}` }],
})

let raised = 0
async function raise(): Promise<string> {
  raised += 1
  const draft = { OID: `1.3.6.1.4.1.32473.7.${raised}`, alarmLevel: 2, alarmDesc: 'The door is open' }
  return made('/fault/alarm', draft)
}

/** The message of a change to an address, about an alarm. */
async function message(alarm: string, change: string, address: string): Promise<Received> {
  const find = () =>
    receiver.received.find(
      (one) => one.change === change && one.address === address && one.text.includes(`Alarm ${alarm},`),
    )
  await until(`${change} comes to ${address}`, async () => find() !== undefined)
  return find() ?? assert.fail()
}

const labels = ({ links }: Received) => links.map(({ label }) => label)
const linkOf = ({ links }: Received) =>
  new URL(links[0]?.url ?? assert.fail('no link')).hash.replace(/^#\w+:/, '')
const use = (link: string, action: string) =>
  service.ask('POST', '/notify/action', { headers: json, body: JSON.stringify({ link, action }) })
const read = async (path: string) =>
  (await service.as('administrator', 'GET', path, { headers: json })).json() as Record<
    string,
    Record<string, string>[]
  >

test('whoever cannot take an alarm passes it on, and the next step says so', async () => {
  const alarm = await raise()
  const first = await message(alarm, 'raised', 'Anna 0')
  assert.deepEqual(labels(first), [
    'Acknowledge',
    'I cannot, next step',
    'Assign to me',
    'Shelve for an hour',
  ])
  const answer = await use(linkOf(first), 'escalate')
  assert.equal(answer.status, 200, answer.text)
  assert.ok(!answer.text.includes('escalate'))
  const second = await message(alarm, 'escalated', 'Porter 0')
  assert.match(second.text, /operator cannot take it/)
  assert.deepEqual(labels(second), ['Acknowledge'], 'there is no further step')
  refused(await use(linkOf(first), 'escalate'), 409)
  refused(await use(linkOf(second), 'escalate'), 409)

  const { notification = [] } = await read(`/notify/notification?alarmId=${alarm}&size=50&orderBy=id`)
  const rows = notification.map(({ change, outcome, detail, reason = '' }) =>
    [change, outcome, detail, reason].join('|'),
  )
  assert.deepEqual(rows.slice(0, 3), [
    'raised|delivered||',
    'raised|suppressed||operator cannot take it',
    'escalated|delivered|operator cannot take it|',
  ])
  const { happening = [] } = await read(`/fault/alarm/${alarm}/history`)
  assert.deepEqual(
    happening.map(({ action, userName }) => `${action} ${userName}`),
    ['raise ', 'escalate operator'],
  )
  const { audit = [] } = await read(`/plat/audit?resource=alarm&resourceId=${alarm}&name=operator&size=50`)
  assert.deepEqual(
    audit.map(({ action, detail = '' }) => `${action} ${detail}`.trim()),
    ['useLink escalate', 'escalate'],
  )
})

test('a message offers nothing that makes no sense any more', async () => {
  const alarm = await raise()
  const link = linkOf(await message(alarm, 'raised', 'Anna 0'))
  assert.equal((await use(link, 'acknowledge')).status, 200)
  assert.deepEqual(labels(await message(alarm, 'acknowledged', 'Anna 0')), [
    'Assign to me',
    'Shelve for an hour',
  ])
  refused(await use(link, 'escalate'), 409)
  await service.as('administrator', 'PUT', `/fault/alarm/recover/${alarm}`)
  assert.deepEqual((await message(alarm, 'recovered', 'Anna 0')).links, [])
})

test('the thread of an incident is named after the store, too', async () => {
  const [store] = await service.database.all("select value from counter where name = 'store'")
  const { incident } = await message(await raise(), 'raised', 'Anna 0')
  assert.match(incident, new RegExp(`^${BigInt(String(store?.value)).toString(36)}-\\d+$`))
})

test('whoever asks why nobody was called yet learns when the first message is due', async () => {
  const step = [{ target: `contact:${anna}` }]
  await made('/notify/route', { name: 'later', filter: 'eventOid=1.3.6.1.4.1.32473.8.1', delay: 600, step })
  const draft = { OID: '1.3.6.1.4.1.32473.8.1', alarmLevel: 2, alarmDesc: 'The rope is frayed' }
  const path = `/fault/alarm/${await made('/fault/alarm', draft)}/notification`
  const summary = async () =>
    (await service.as('administrator', 'GET', path, { headers: { Accept: 'application/json' } })).text
  await until('the route takes it', async () =>
    /Nobody was told yet: the first message is due in (600|5\d\d) seconds, after the delay/.test(
      await summary(),
    ),
  )
})

test('the button of a message about a storm acknowledges the storm, not one of its alarms alone', async () => {
  await made('/notify/route', {
    name: 'storm',
    filter: 'eventOid=1.3.6.1.4.1.32473.9.*',
    step: [{ target: `contact:${anna}` }, { after: 3600, target: `contact:${porter}` }],
  })
  for (let door = 1; door <= 13; door += 1)
    await made('/fault/alarm', {
      OID: `1.3.6.1.4.1.32473.9.${door}`,
      alarmLevel: 2,
      alarmDesc: `Door ${door}`,
    })
  const ofStorm = (change: string) =>
    receiver.received.find((one) => one.change === change && one.text.includes('3 alarms came in'))
  // A storm is collected for half a minute: its time is brought forward.
  await until('the storm is collected', async () => {
    const [row] = await service.database.all("select alarms from notify_incident where kind = 'storm'")
    return row?.alarms === 3n
  })
  await service.database.transaction((tx) =>
    tx.run("update notify_incident set due_at = ? where kind = 'storm'", [tx.now]),
  )
  await until('the storm is told', async () => ofStorm('summary') !== undefined)
  const message = ofStorm('summary') ?? assert.fail()
  assert.deepEqual(labels(message), ['Acknowledge', 'I cannot, next step'])
  const answer = await use(linkOf(message), 'acknowledge')
  assert.equal(answer.status, 200, answer.text)
  await until('it is told', async () => ofStorm('acknowledged') !== undefined)
  const [storm] = await service.database.all("select state, due_at from notify_incident where kind = 'storm'")
  assert.deepEqual([storm?.state, storm?.due_at], ['acknowledged', null])
  refused(await use(linkOf(message), 'acknowledge'), 409)
})
