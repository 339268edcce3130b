// The page of a link in a message, in a real browser: without a session, nothing happens before the button is pressed.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { KeyFile } from '../../src/keys/key-file.ts'
import { Keys } from '../../src/keys/key-ring.ts'
import { ActionLinks } from '../../src/notify/links/action-links.ts'
import { NextSteps } from '../../src/notify/routes/next-step.ts'
import { RouteCache } from '../../src/notify/routes/route-index.ts'
import { create } from '../../src/resources/collection.ts'
import { contacts } from '../../src/resources/notify/contact.ts'
import { freePort } from '../free-port.ts'
import { startGuarded } from '../http/credentials.ts'
import { idOf } from '../http/reading.ts'
import { until } from '../intake/sending.ts'
import { type Received, startReceiver } from '../notify/receiver.ts'
import { violations } from './accessible.ts'
import { openPage, withoutBrowser } from './browser.ts'

test('a link opens the alarm, and its button acts in the name of the contact', withoutBrowser(), async () => {
  const service = await startGuarded()
  const keys = await Keys.open(new KeyFile(service.config), service.database, { isAlone: true })
  const { database, engine } = service
  const steps = new NextSteps(new RouteCache(database, 'UTC'))
  const links = new ActionLinks({ database, engine, keys, steps }, service.url)
  const contact = await create(service.database, contacts, { name: 'Anna', operatorId: 3n })
  const text = '<img src=x onerror=alert(1)> is down'
  const draft = { OID: '1.3.6.1.4.1.32473.7.1', alarmLevel: 1, alarmDesc: text }
  const alarm = BigInt(idOf(await service.asJson('administrator', 'POST', '/fault/alarm', draft)))
  const stateOf = async () => {
    const [row] = await service.database.all('select ack_status, owner from alarm where id = ?', [alarm])
    return row
  }
  const [acknowledge, assign] = await links.linksFor(contact, alarm)
  const { page, faults } = await openPage(acknowledge?.url ?? '', { bypassCSP: true })
  await page.getByRole('heading', { name: text, level: 1 }).waitFor()
  await page.getByText('recorded as done by operator').waitFor()
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    assert.deepEqual(await violations(page), [], colorScheme)
  }
  const buttons = () => page.getByRole('button').allTextContents()
  assert.deepEqual(await buttons(), ['Acknowledge', 'Assign to me', 'Shelve for an hour'])
  assert.deepEqual(await stateOf(), { ack_status: 0n, owner: '' })

  await page.getByRole('button', { name: 'Acknowledge' }).click()
  await page.getByText('The alarm is acknowledged.').waitFor()
  assert.deepEqual(await stateOf(), { ack_status: 1n, owner: '' })
  assert.deepEqual(await buttons(), ['Assign to me', 'Shelve for an hour'])

  // Another link of the message in the same tab, as some programs open it.
  await page.evaluate((url) => location.assign(url), assign?.url ?? '')
  await page.getByRole('button', { name: 'Assign to me' }).click()
  await page.getByText('The alarm is assigned to you.').waitFor()
  assert.deepEqual(await stateOf(), { ack_status: 1n, owner: 'operator' })
  assert.deepEqual(await page.context().cookies(), [])
  assert.deepEqual(faults, [])
})

test(
  'under the policy of the page a link that is refused says why, and one without a link what it is',
  withoutBrowser(),
  async () => {
    const service = await startGuarded()
    const { page, faults } = await openPage(`${service.url}/console/act#acknowledge:nonsense`)
    await page.getByText('this is no link of this service').waitFor()
    const other = await openPage(`${service.url}/console/act`)
    await other.page.getByText('The address has no such link').waitFor()
    assert.deepEqual([...faults, ...other.faults], [])
  },
)

test(
  'from the links of messages: one passes the alarm on, the next assigns it, shelves it, and acknowledges',
  withoutBrowser(),
  async () => {
    const listen = `127.0.0.1:${await freePort()}`
    const service = await startGuarded({
      ...{ listen, 'public-url': `http://${listen}`, 'notify-loopback': 'yes' },
    })
    const made = async (path: string, body: object) =>
      idOf(await service.asJson('administrator', 'POST', path, body))
    const { url, received } = await startReceiver()
    const gatewayId = await made('/notify/gateway', { name: 'Phones', kind: 'webhook', url })
    const addContact = async (address: string, operatorId: bigint | null) => {
      const id = await create(service.database, contacts, { name: address, operatorId })
      await made('/notify/channel', { contactId: String(id), gatewayId, address })
      return id
    }
    const porter = await addContact('porter', null)
    const anna = await addContact('anna', 3n)
    await service.database.transaction((tx) => tx.run('update channel set confirmed = 1'))
    const step = [{ target: `contact:${porter}` }, { after: 3600, target: `contact:${anna}` }]
    await made('/notify/route', { name: 'chain', filter: 'eventOid=1.3.6.1.4.1.32473.7.*', step })
    const alarm = await made('/fault/alarm', {
      ...{ OID: '1.3.6.1.4.1.32473.7.2', alarmLevel: 1, alarmDesc: 'The tower leans' },
    })
    const messageTo = async (address: string, change: string): Promise<Received> => {
      const find = () => received.find((one) => one.address === address && one.change === change)
      await until(`${change} comes to ${address}`, async () => find() !== undefined)
      return find() ?? assert.fail()
    }
    const urlOf = ({ links }: Received, label: string) =>
      links.find((one) => one.label === label)?.url ?? assert.fail(JSON.stringify(links))

    const first = await openPage(urlOf(await messageTo('porter', 'raised'), 'I cannot, next step'))
    const buttons = () => first.page.getByRole('button').allTextContents()
    await first.page.getByRole('heading', { name: 'The tower leans' }).waitFor()
    assert.deepEqual(new Set(await buttons()), new Set(['I cannot, next step', 'Acknowledge']))
    assert.equal(received.length, 1, 'opening the link passes nothing on')
    await first.page.getByRole('button', { name: 'I cannot, next step' }).click()
    await first.page.getByText('The next step is called now.').waitFor()
    assert.deepEqual(await buttons(), ['Acknowledge'])

    const message = await messageTo('anna', 'escalated')
    assert.match(message.text, /porter cannot take it/)
    const second = await openPage(urlOf(message, 'Shelve for an hour'))
    for (const [action, done] of [
      ['Assign to me', 'The alarm is assigned to you.'],
      ['Acknowledge', 'The alarm is acknowledged.'],
      ['Shelve for an hour', 'The alarm is shelved for an hour.'],
    ] as const) {
      await second.page.getByRole('button', { name: action }).click()
      await second.page.getByText(done).waitFor()
      assert.equal(await second.page.getByRole('button', { name: action }).count(), 0, 'once per link')
    }
    const asked = await service.as('administrator', 'GET', `/fault/alarm/${alarm}/history`, {
      headers: { Accept: 'application/json' },
    })
    const { happening } = asked.json() as { happening: { action: string; userName: string }[] }
    assert.deepEqual(
      happening.map(({ action, userName }) => `${action} ${userName}`.trim()),
      ['raise', 'escalate porter', 'assign operator', 'acknowledge operator', 'shelve operator'],
    )
    assert.deepEqual([...first.faults, ...second.faults], [])
  },
)
