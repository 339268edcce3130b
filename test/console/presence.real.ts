// What outlasts a session asks for the present password, in the forms of the console, in a real browser.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { guard, passwordOf } from '../http/credentials.ts'
import { startService } from '../support.ts'
import { violations } from './accessible.ts'
import { chooseMore, openPage, seen, withoutBrowser } from './browser.ts'

const present = (page: Page) => page.locator('dialog').getByLabel('Your present password')
const press = (page: Page, name: string) =>
  page.locator('dialog').getByRole('button', { name, exact: true }).click()

test(
  'tokens, operators, other sessions and the own password are changed with the present password',
  withoutBrowser(),
  async () => {
    const password = passwordOf('admin')
    const service = guard(await startService({}, { adminPassword: password }))
    const { page, faults } = await openPage(`${service.url}/console/tokens`, { bypassCSP: true })
    const signIn = async (by: string) => {
      await page.getByLabel('Name').fill('admin')
      await page.getByLabel('Password').fill(by)
      await page.getByRole('button', { name: 'Sign in' }).click()
    }
    await signIn(password)
    await page.getByRole('button', { name: 'New token' }).first().click()
    await press(page, 'New token')
    await seen(page, /your present password is needed/)
    assert.deepEqual(await violations(page), [])
    await present(page).fill('not the present one')
    await press(page, 'New token')
    await seen(page, 'this is not your present password')
    await present(page).fill(password)
    await press(page, 'New token')
    await seen(page, 'The token is made')

    await page.goto(`${service.url}/console/operators`)
    await page.getByRole('button', { name: 'New operator' }).first().click()
    const dialog = page.locator('dialog')
    await dialog.getByLabel('Name', { exact: true }).fill('olga')
    await dialog.getByLabel(/^Password/).fill('password1234')
    assert.equal(await dialog.getByLabel(/May use Digest/).isChecked(), false)
    await present(page).fill(password)
    await press(page, 'Save')
    await seen(page, /one of the most common/)
    await dialog.getByLabel(/^Password/).fill(passwordOf('olga'))
    await press(page, 'Save')
    await page.getByRole('row', { name: /olga/ }).waitFor()

    await chooseMore(page, 'More about olga', 'Delete olga')
    await present(page).fill('not the present one')
    await press(page, 'Delete')
    await seen(page, 'this is not your present password')
    await present(page).fill(password)
    await press(page, 'Delete')
    await page.getByRole('row', { name: /olga/ }).waitFor({ state: 'detached' })

    await page.goto(`${service.url}/console/settings`)
    await page.getByRole('button', { name: 'Download a backup' }).click()
    await present(page).fill(password)
    const saved = page.waitForEvent('download')
    await press(page, 'Download a backup')
    assert.match((await saved).suggestedFilename(), /^belfry-.*\.db$/)

    const other = await openPage(`${service.url}/console/sessions`)
    await other.page.getByLabel('Name').fill('admin')
    await other.page.getByLabel('Password').fill(password)
    await other.page.getByRole('button', { name: 'Sign in' }).click()
    await other.page.getByRole('row', { name: /this browser/ }).waitFor()
    await page.goto(`${service.url}/console/sessions`)
    const stranger = page.getByRole('row', { name: /admin/ }).filter({ hasNotText: 'this browser' })
    await chooseMore(stranger, 'More about admin', 'End the session of admin')
    await present(page).fill(password)
    await press(page, 'Delete')
    await stranger.waitFor({ state: 'detached' })

    await page.getByRole('button', { name: 'Change your password' }).click()
    await dialog.getByLabel('Password', { exact: true }).fill('another horse staple')
    await present(page).fill(password)
    await press(page, 'Save')
    await seen(page, 'You were signed out')
    await signIn('another horse staple')
    await page.getByRole('row', { name: /this browser/ }).waitFor()
    assert.deepEqual(faults, [])
  },
)
