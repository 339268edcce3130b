// A real browser for the tests of the console: Debian's Chromium, without a window.

import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { after } from 'node:test'
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { patience } from '../patience.ts'
import { launchChromium, program } from './chromium.ts'

/** Tests that need the browser are skipped where it is missing, except on a build machine. */
export const withoutBrowser = (): { skip: string | false } => ({
  skip:
    !existsSync(program) &&
    process.env.CI !== 'true' &&
    `${program} is missing: install the Debian package chromium`,
})

let browser: Promise<Browser> | undefined
// It belongs to the whole file, not to the test that opens the first page.
after(async () => (await browser)?.close())

export interface Opened {
  readonly page: Page
  /** Errors inside the page. There must be none, unless a test expects them. */
  readonly faults: string[]
}

/** A page in a browser context of its own, as a new user has it. */
export async function openPage(url: string, options: BrowserContextOptions = {}): Promise<Opened> {
  browser ??= launchChromium()
  const context = await (await browser).newContext({ viewport: { width: 1280, height: 800 }, ...options })
  after(() => context.close())
  context.setDefaultTimeout(patience)
  const page = await context.newPage()
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(error.stack ?? error.message))
  page.on('console', (message) => {
    // A refused request is no error of the page; how the page reacts to it is tested.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      faults.push(message.text())
  })
  await page.goto(url)
  return { page, faults }
}

/** Chooses what a field offers by its name, or another one for which something else is typed. */
export async function choose(field: Locator, name: string | RegExp, typed = String(name)): Promise<void> {
  await field.fill(typed)
  await field.page().locator('[role=listbox]').getByRole('option', { name, exact: true }).click()
}

/** Filters the alarms by a term, such as the zone, and one of its values that the field offers. */
export async function filterAlarms(page: Page, term: string, typed: string, offered: string | RegExp) {
  const field = page.locator('#alarm-search')
  await field.fill(`${term}:`)
  await page.getByRole('combobox', { name: term, exact: true }).waitFor()
  await field.fill(typed)
  await page.getByRole('option', { name: offered }).click()
}

/** Chooses something from the menu behind the three dots. */
export async function chooseMore(where: Page | Locator, about: string | RegExp, item: string | RegExp) {
  await where.getByRole('button', { name: about }).click()
  await where.getByRole('menuitem', { name: item }).click()
}

/** From now on no event stream is answered: it would report what a test wants the page to learn in another way. */
export const withoutStream = (page: Page): Promise<unknown> =>
  page.route('**/events?*', () => new Promise(() => undefined))

/** Waits for a condition inside the page; where it is not met in time, the error shows the content of the page. */
export async function seen(page: Page, text: string | RegExp, timeout = patience): Promise<void> {
  try {
    await page.getByText(text).filter({ visible: true }).first().waitFor({ timeout })
  } catch {
    assert.fail(`${text} is not to be seen on ${page.url()}: ${await page.locator('body').textContent()}`)
  }
}
