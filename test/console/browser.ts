// A real browser for the tests of the console: Debian's Chromium, without a window.

import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { after } from 'node:test'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { launchChromium, program } from './chromium.ts'

/** As for every program that tests need: skipped where it is missing, except on a build machine. */
export const withoutBrowser = (): { skip: string | false } => ({
  skip:
    !existsSync(program) &&
    process.env.CI !== 'true' &&
    `${program} is missing: install the Debian package chromium`,
})

let browser: Promise<Browser> | undefined
// Of the whole file, not of the test that opens the first page.
after(async () => (await browser)?.close())

/** Milliseconds, for a machine that is very busy; they are spent only where something is wrong. */
const patience = 90_000

export interface Opened {
  readonly page: Page
  /** What went wrong inside the page: nothing may, unless a test expects it. */
  readonly faults: string[]
}

/** A page in a context of its own, as of a person who has just come. */
export async function openPage(url: string, options: BrowserContextOptions = {}): Promise<Opened> {
  browser ??= launchChromium()
  const context = await (await browser).newContext({ viewport: { width: 1280, height: 800 }, ...options })
  after(() => context.close())
  context.setDefaultTimeout(patience)
  const page = await context.newPage()
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(error.stack ?? error.message))
  page.on('console', (message) => {
    // A refused request is no fault of the page: what it makes of it is tested.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      faults.push(message.text())
  })
  await page.goto(url)
  return { page, faults }
}

/** From now on no stream of alarms is answered: it would notice by itself what a test wants the page to be told otherwise. */
export const withoutStream = (page: Page): Promise<unknown> =>
  page.route('**/events?*', () => new Promise(() => undefined))

/** Waits for a condition inside the page; says what is there where it does not come. */
export async function seen(page: Page, text: string | RegExp, timeout = patience): Promise<void> {
  try {
    await page.getByText(text).first().waitFor({ timeout })
  } catch {
    assert.fail(`${text} is not to be seen on ${page.url()}: ${await page.locator('body').textContent()}`)
  }
}
