// The page of the demo's phones in a real browser.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { DemoPhone } from '../../src/cli/demo/demo-phone.ts'
import { sendRequest } from '../support.ts'
import { violations } from './accessible.ts'
import { openPage, withoutBrowser } from './browser.ts'

test(
  'a message is on the phone of whom it is to, as text, and a further one replaces it',
  withoutBrowser(),
  async () => {
    const phone = await DemoPhone.open()
    after(() => phone.close())
    const send = (message: object) =>
      sendRequest(phone.url, 'POST', '/', {
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(message),
      })
    const { page, faults } = await openPage(phone.url, { bypassCSP: true })
    await page.getByText('No messages yet').waitFor()
    const actions = [
      { label: 'Acknowledge', url: 'http://127.0.0.1:1/act' },
      { label: 'Trick', url: 'javascript:alert(1)' },
    ]
    await send({
      topic: 'you',
      sequence_id: '7',
      title: '<img src=x onerror=alert(1)>',
      priority: 5,
      actions,
    })
    await send({ topic: 'alex', sequence_id: '8', title: 'Room A is too warm', message: 'since 10:00' })
    const yours = page.getByRole('list', { name: 'Messages to you' })
    await yours.getByText('<img src=x onerror=alert(1)>').waitFor()
    await yours.getByRole('link', { name: 'Acknowledge' }).waitFor()
    assert.equal(await page.getByText('Trick').count(), 0)
    await page.getByRole('list', { name: 'Messages to alex' }).getByText('since 10:00').waitFor()
    await send({ topic: 'you', sequence_id: '7', title: 'It is over' })
    await yours.getByText('It is over').waitFor()
    await yours.getByText(/message 2 about it/).waitFor()
    assert.equal(await yours.locator('li').count(), 1)
    assert.deepEqual(await violations(page), [])
    await page.emulateMedia({ colorScheme: 'dark' })
    assert.deepEqual(await violations(page), [])
    assert.deepEqual(faults, [])
  },
)
