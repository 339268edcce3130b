// The console in German: for browsers that ask for it, and for people who choose it.

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { startService } from '../support.ts'
import { openPage, seen, withoutBrowser } from './browser.ts'
import { loadSample, pages } from './every-page.ts'

const german = { locale: 'de-AT', timezoneId: 'Europe/Vienna' }

suite('the console in German', withoutBrowser(), async () => {
  const service = await startService()
  await loadSample(service)

  test('a browser that asks for German gets it, with its dates, and refusals in its words', async () => {
    const { page, faults } = await openPage(`${service.url}/console/history`, german)
    await page.getByRole('heading', { name: 'Verlauf' }).waitFor()
    assert.equal(await page.locator('html').getAttribute('lang'), 'de')
    assert.match(
      (await page.locator('main tbody time').first().textContent()) ?? '',
      /^\d\d\.\d\d\.\d{4} \d\d:/,
    )
    await page.goto(`${service.url}/console/zones`)
    await page.getByRole('button', { name: 'Bereich anlegen' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Lyon Plant')
    await page.getByRole('dialog').getByRole('button', { name: 'Speichern' }).click()
    await seen(page, /Das widerspricht dem, was schon da ist\. \(name Lyon Plant is taken/, 30_000)
    assert.deepEqual(faults, [])
  })

  test('somebody chooses a language, and keeps it and what was being typed', async () => {
    const { page, faults } = await openPage(`${service.url}/console/rule/new`)
    await page.getByLabel('Name', { exact: true }).fill('Flattern im Hafen')
    await page.getByRole('button', { name: 'Appearance' }).click()
    await page.getByLabel('Language').selectOption('Deutsch')
    await page.getByRole('button', { name: 'Regel speichern' }).waitFor()
    assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Flattern im Hafen')
    await page.getByRole('button', { name: 'Darstellung' }).click()
    assert.equal(await page.getByLabel('Sprache').inputValue(), 'de')
    await page.getByLabel('Sprache').selectOption('Wie der Browser')
    await page.getByRole('button', { name: 'Save the rule' }).waitFor()
    assert.equal(await page.locator('html').getAttribute('lang'), 'en')
    assert.deepEqual(faults, [])
  })

  for (const [name, viewport] of Object.entries({
    'a desk': { width: 1280, height: 800 },
    'a phone': { width: 390, height: 780 },
  }))
    test(`German words fit on ${name}`, async () => {
      const { page, faults } = await openPage(`${service.url}/console`, { ...german, viewport })
      const cut: string[] = []
      for (const path of pages) {
        await page.goto(`${service.url}/console/${path}`)
        await page.locator('main h1, main h2').first().waitFor()
        await page.waitForFunction(() => !document.querySelector('.waiting'))
        const found = await page.evaluate(() => {
          const isCut = (element: Element) => element.scrollWidth > element.clientWidth + 1
          const words = [...document.querySelectorAll('.menu li a, .menu button, main h1, main .bar button')]
          return [
            ...words
              .filter((one) => one.checkVisibility() && one.clientWidth > 1 && isCut(one))
              .map((one) => one.textContent ?? ''),
            ...[...document.querySelectorAll('body, main')].filter(isCut).map((one) => one.nodeName),
          ]
        })
        if (found.length > 0) cut.push(`${path}: ${found.join(', ')}`)
      }
      assert.deepEqual(cut, [])
      assert.deepEqual(faults, [])
    })
})
