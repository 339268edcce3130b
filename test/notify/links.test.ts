// Links in messages: whom they serve and for how long, that each acts once, and that opening one changes nothing.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { KeyFile } from '../../src/keys/key-file.ts'
import { Keys } from '../../src/keys/key-ring.ts'
import { ActionLinks } from '../../src/notify/links/action-links.ts'
import { NextSteps } from '../../src/notify/routes/next-step.ts'
import { RouteCache } from '../../src/notify/routes/route-index.ts'
import { create, erase } from '../../src/resources/collection.ts'
import { contacts } from '../../src/resources/notify/contact.ts'
import { startGuarded } from '../http/credentials.ts'
import { idOf, refused } from '../http/reading.ts'

const clock = { now: Date.parse('2026-05-05T12:00:00Z') }
const publicUrl = 'http://127.0.0.1:8080/belfry'
const service = await startGuarded({ 'public-url': publicUrl }, { clock: () => clock.now })
const keys = await Keys.open(new KeyFile(service.config), service.database, { isAlone: true })
const { database, engine } = service
const steps = new NextSteps(new RouteCache(database, 'UTC'))
const linksBy = (url: string) => new ActionLinks({ database, engine, keys, steps }, url)
const links = linksBy(publicUrl)
const json = { 'Content-Type': 'application/json', Accept: 'application/json' }
const day = 24 * 3600 * 1000

const ofOperator = (name: string, operatorId: bigint | null) =>
  create(service.database, contacts, { name, operatorId })
const anna = await ofOperator('Anna', 3n)
const viewer = await ofOperator('Viewer', 2n)
const porter = await ofOperator('Porter', null)

let raised = 0
async function raise(): Promise<bigint> {
  raised += 1
  const draft = { OID: `1.3.6.1.4.1.32473.7.${raised}`, alarmLevel: 2, alarmDesc: 'The door is open' }
  return BigInt(idOf(await service.asJson('administrator', 'POST', '/fault/alarm', draft)))
}

const post = (path: string, body: object) =>
  service.ask('POST', path, { headers: json, body: JSON.stringify(body) })
const show = (link: string) => post('/notify/action/show', { link })
const use = (link: string, action: string) => post('/notify/action', { link, action })

/** The link of a contact to an alarm; any action of it. */
async function linkTo(contactId: bigint, alarmId: bigint): Promise<string> {
  const [first] = await links.linksFor(contactId, alarmId)
  return new URL(first?.url ?? assert.fail('no link')).hash.replace(/^#\w+:/, '')
}

const stateOf = async (id: bigint) => {
  const [row] = await service.database.all(
    'select ack_status, ack_user_name, owner, shelved_until from alarm where id = ?',
    [id],
  )
  return row ?? assert.fail('no alarm')
}

test('an operator is offered everything, another contact to acknowledge, a viewer nothing', async () => {
  const alarm = await raise()
  const offered = async (contact: bigint) => (await links.linksFor(contact, alarm)).map(({ label }) => label)
  assert.deepEqual(await offered(anna), ['Acknowledge', 'Assign to me', 'Shelve for an hour'])
  assert.deepEqual(await offered(porter), ['Acknowledge'])
  assert.deepEqual(await offered(viewer), [])
  assert.deepEqual(await offered(999n), [])
  const [{ url = '' } = {}] = await links.linksFor(anna, alarm)
  assert.ok(url.startsWith(`${publicUrl}/console/act#acknowledge:`), url)
})

test('opening a link shows the alarm and changes nothing, however often', async () => {
  const alarm = await raise()
  const link = await linkTo(anna, alarm)
  const before = await stateOf(alarm)
  for (let times = 0; times < 3; times += 1) {
    const answer = await show(link)
    assert.equal(answer.status, 200, answer.text)
    const { contactName, action, id, ackStatus } = answer.json()
    assert.deepEqual(
      [contactName, action, id, ackStatus],
      ['operator', ['acknowledge', 'assign', 'shelve'], String(alarm), '0'],
    )
  }
  assert.equal((await service.get('/console/act')).status, 200)
  assert.deepEqual(await stateOf(alarm), before)
  refused(await service.get('/notify/action'), 405)
})

test('each action is done once, in the name of the operator, and is in the audit log', async () => {
  const alarm = await raise()
  const link = await linkTo(anna, alarm)
  const answer = await use(link, 'acknowledge')
  assert.equal(answer.status, 200, answer.text)
  assert.deepEqual(answer.json().action, ['assign', 'shelve'])
  refused(await use(link, 'acknowledge'), 409)
  assert.equal((await use(link, 'assign')).status, 200)
  assert.equal((await use(link, 'shelve')).status, 200)
  const { ack_status, ack_user_name, owner, shelved_until } = await stateOf(alarm)
  assert.deepEqual([ack_status, ack_user_name, owner], [1n, 'operator', 'operator'])
  assert.equal(Number(shelved_until), clock.now + 3_600_000)
  const log = await service.as(
    'administrator',
    'GET',
    `/plat/audit?resource=alarm&resourceId=${alarm}&name=operator&size=50`,
    { headers: json },
  )
  const entries = (log.json() as { audit: Record<string, string>[] }).audit.map(
    ({ name, role, address, action, detail = '' }) => [name, role, address, action, detail].join(' ').trim(),
  )
  const by = 'operator operator 127.0.0.1'
  assert.deepEqual(entries, [
    ...[`${by} useLink acknowledge`, `${by} acknowledge`, `${by} useLink assign`, `${by} assign`],
    ...[`${by} useLink shelve`, `${by} shelve`],
  ])
})

test('pressing a button twice at once acts once', async () => {
  const alarm = await raise()
  const link = await linkTo(anna, alarm)
  const answers = await Promise.all([1, 2, 3, 4].map(() => use(link, 'shelve')))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409, 409])
})

test('a contact that is no operator acknowledges under its own name, and does nothing else', async () => {
  const alarm = await raise()
  const link = await linkTo(porter, alarm)
  refused(await use(link, 'assign'), 403)
  refused(await use(link, 'shelve'), 403)
  refused(await use(link, 'recover'), 400, 'action')
  refused(await use(link, 'escalate'), 409)
  assert.equal((await use(link, 'acknowledge')).status, 200)
  assert.equal((await stateOf(alarm)).ack_user_name, 'Porter')
})

test('what another acknowledged before is no error, and the link is used all the same', async () => {
  const alarm = await raise()
  const [one, other] = [await linkTo(anna, alarm), await linkTo(porter, alarm)]
  assert.equal((await use(one, 'acknowledge')).status, 200)
  assert.equal((await use(other, 'acknowledge')).status, 200)
  assert.equal((await stateOf(alarm)).ack_user_name, 'operator')
  refused(await use(other, 'acknowledge'), 409)
})

test('a link that was changed, or made up, is refused', async () => {
  const alarm = await raise()
  const link = await linkTo(anna, alarm)
  const flipped = link.slice(0, -3) + (link.endsWith('AAA') ? 'BBB' : 'AAA')
  const foreign = await keys.sealOutside('sign-in', `${'a'.repeat(22)} 1 1 1 9999999999999 0`)
  for (const wrong of [flipped, foreign, link.slice(1), `${link}A`, 'x', '.', 'x'.repeat(999)]) {
    refused(await show(wrong), 403)
    refused(await use(wrong, 'acknowledge'), 403)
  }
  refused(await show('x'.repeat(1001)), 400, 'link')
  refused(await post('/notify/action/show', {}), 400, 'link')
  assert.equal((await stateOf(alarm)).ack_status, 0n)
})

test('a link ends after three days, with its contact, and with the rights of its operator', async () => {
  const alarm = await raise()
  const link = await linkTo(anna, alarm)
  const gone = await ofOperator('Gone', null)
  const orphan = await linkTo(gone, alarm)
  await erase(service.database, contacts, gone)
  refused(await show(orphan), 403)
  const disable = (enabled: boolean) =>
    service.asJson('administrator', 'PUT', '/plat/operator/3', {
      ...{ name: 'operator', role: 'operator', enabled },
    })
  assert.equal((await disable(false)).status, 204)
  refused(await use(link, 'acknowledge'), 403)
  assert.equal((await disable(true)).status, 204)
  assert.equal((await show(link)).status, 200)
  clock.now += 3 * day
  refused(await use(link, 'acknowledge'), 403)
})

test('a link ends when its contact is no longer the operator that got it', async () => {
  const alarm = await raise()
  const leaving = { name: 'leaving', role: 'operator', password: 'a password of some length' }
  const created = await service.asJson('administrator', 'POST', '/plat/operator', leaving)
  const contact = await ofOperator('Leaving', BigInt(idOf(created)))
  const link = await linkTo(contact, alarm)
  assert.equal((await show(link)).status, 200)
  assert.equal((await service.as('administrator', 'DELETE', `/plat/operator/${idOf(created)}`)).status, 204)
  refused(await show(link), 403)
  refused(await use(link, 'acknowledge'), 403)
  assert.equal((await stateOf(alarm)).ack_status, 0n)
  // The contact is still there, and gets neither messages nor links, unless an administrator wants that.
  assert.deepEqual(await links.linksFor(contact, alarm), [])
  const enabled = await service.asJson('administrator', 'PUT', `/notify/contact/${contact}`, {
    ...{ name: 'Leaving', enabled: true },
  })
  assert.equal(enabled.status, 204)
  assert.equal((await show(await linkTo(contact, alarm))).status, 200)
})

test('what was used is forgotten when it could not be used any more', async () => {
  const uses = async () => (await service.database.all('select link from action_use')).length
  assert.ok((await uses()) > 1)
  clock.now += day
  assert.equal((await use(await linkTo(anna, await raise()), 'acknowledge')).status, 200)
  assert.equal(await uses(), 1)
})

test('a link to an alarm that is over or gone offers nothing', async () => {
  const alarm = await raise()
  const link = await linkTo(anna, alarm)
  await service.as('administrator', 'PUT', `/fault/alarm/recover/${alarm}`)
  assert.deepEqual((await show(link)).json().action, [])
  await service.as('administrator', 'DELETE', `/fault/alarm/${alarm}`)
  refused(await show(link), 404)
  refused(await use(link, 'acknowledge'), 404)
})

test('there are no links without a public address, nor where others could read them', async () => {
  const alarm = await raise()
  const count = async (url: string) => (await linksBy(url).linksFor(anna, alarm)).length
  assert.equal(await count(''), 0)
  assert.equal(await count('http://belfry.example'), 0)
  assert.equal(await count('http://localhost.example'), 0)
  assert.equal(await count('http://127.0.0.1.example'), 0)
  assert.equal(await count('https://belfry.example/'), 3)
  assert.equal(await count('http://localhost:8080'), 3)
})
