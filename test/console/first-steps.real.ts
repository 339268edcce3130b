// The first steps of the guide (docs/notifications.md), in the console alone: a trap becomes a mail, then a chat message.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { passwordOf, startGuarded } from '../http/credentials.ts'
import { device, ifIndex, linkDown, until, v2c } from '../intake/sending.ts'
import { receiver } from '../notify/chat-receivers.ts'
import { MailServer } from '../notify/mail-server.ts'
import { type Opened, openPage, withoutBrowser } from './browser.ts'

const address = 'ann@example.net'

/** As somebody would who follows the guide: by what the page calls things. */
class Reader {
  readonly #page: Page

  constructor({ page }: Opened) {
    this.#page = page
  }

  async open(title: string): Promise<void> {
    const link = this.#page.getByRole('link', { name: title, exact: true })
    if (!(await link.isVisible())) await this.press('Notifications')
    await link.click()
  }

  press(name: string): Promise<void> {
    return this.#page.getByRole('button', { name }).first().click()
  }

  get dialog() {
    return this.#page.getByRole('dialog')
  }

  async fill(values: Readonly<Record<string, string>>): Promise<void> {
    for (const [label, value] of Object.entries(values))
      await this.dialog.getByRole('textbox', { name: label }).fill(value)
  }

  async choose(label: string, chosen: string): Promise<void> {
    await this.dialog.getByRole('combobox', { name: label }).selectOption({ label: chosen })
  }

  async tell(name: RegExp): Promise<void> {
    await this.dialog.getByRole('combobox', { name: 'Who is told' }).click()
    await this.#page.locator('[role=listbox]').getByRole('option', { name }).click()
  }

  async finish(button: string): Promise<void> {
    await this.dialog.getByRole('button', { name: button, exact: true }).click()
    await this.dialog.waitFor({ state: 'detached' })
  }

  async test(gateway: string, values: Readonly<Record<string, string>>): Promise<void> {
    await this.press(`Test ${gateway}`)
    await this.fill(values)
    await this.dialog.getByRole('button', { name: 'Send a test message' }).click()
    await this.dialog.getByText('The other side accepted the message.').waitFor()
    await this.finish('Cancel')
  }
}

test('somebody with the guide and the console gets a mail and a chat message', withoutBrowser(), async () => {
  const service = await startGuarded({ 'notify-loopback': 'yes' })
  const [mail, chat] = [await MailServer.start(), await receiver()]
  const opened = await openPage(`${service.url}/console`)
  await opened.page.getByLabel('Name').fill('administrator')
  await opened.page.getByLabel('Password').fill(passwordOf('administrator'))
  await opened.page.getByRole('button', { name: 'Sign in' }).click()
  const reader = new Reader(opened)

  await reader.open('Gateways')
  await reader.press('New gateway')
  await reader.choose('Encryption', 'none')
  await reader.fill({
    Name: 'Mail',
    Server: '127.0.0.1',
    Port: String(mail.port),
    Sender: 'alarms@example.net',
  })
  await reader.finish('Save')
  await reader.test('Mail', { Address: address })
  await reader.open('My notifications')
  await reader.press('Enter myself')
  await reader.finish('Save')
  await reader.press('New channel')
  await reader.fill({ Address: address })
  await reader.finish('Save')
  await reader.press(`Confirm ${address}`)
  await reader.dialog.getByRole('button', { name: 'Send a code' }).click()
  const code = () => /(\d{8}) is your code/.exec(mail.mails.at(-1) ?? '')?.[1]
  await until('the code has come', () => code() !== undefined)
  await reader.fill({ Code: code() ?? '' })
  await reader.finish('Confirm')
  await reader.open('Routes')
  await reader.press('New route')
  await reader.fill({ Name: 'Everything' })
  for (const level of ['Critical', 'Major', 'Minor'])
    await reader.dialog.getByText(level, { exact: true }).click()
  await reader.tell(/administrator/)
  await reader.finish('Save')
  const sender = await device(service.trapPort)
  await sender.send(v2c(linkDown, [ifIndex(7)]))
  await until('the mail has come', () => /^Subject: \[Major\]/m.test(mail.mails.at(-1) ?? ''))

  await reader.open('Gateways')
  await reader.press('New gateway')
  await reader.choose('Kind', 'Webhook: mattermost')
  await reader.fill({ Name: 'Chat', 'Address (URL)': `${chat.url}/hooks/1` })
  await reader.finish('Save')
  await reader.test('Chat', {})
  await reader.open('People')
  await reader.press('New channel')
  await reader.choose('Gateway', 'Chat')
  await reader.finish('Save')
  await reader.press('Confirm #')
  await reader.finish('Confirm')
  await reader.open('Routes')
  await reader.press('Change Everything')
  await reader.tell(/^Chat/)
  await reader.finish('Save')
  await sender.send(v2c(linkDown, [ifIndex(8)]))
  await until('the chat message has come', () => /index 8/.test(chat.received.at(-1)?.body ?? ''))
  await reader.open('Notification log')
  await opened.page.locator('tr', { hasText: 'Chat' }).getByText('delivered').waitFor()
  assert.deepEqual(opened.faults, [])
})
