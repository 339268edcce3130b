// Event definitions from a file of another program: what it would do is shown first; and to a file.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { startService } from '../support.ts'
import { violations } from './accessible.ts'
import { openPage, seen, withoutBrowser } from './browser.ts'

const own = '1.3.6.1.4.1.32473.87'
const fileOf = (name: string, text: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })

test(
  'a file is tried, its remarks are shown, and it is imported; the list is exported',
  withoutBrowser(),
  async () => {
    const service = await startService()
    const { page, faults } = await openPage(`${service.url}/console/events`)
    const files = page.getByLabel('Files')
    await files.setInputFiles(fileOf('odd.conf', 'FROMAT x'))
    await seen(page, /odd\.conf: line 1: expected EVENT, FORMAT/)
    const conf = [
      `EVENT wetCellar .${own}.0.1 "x" Major\nFORMAT Cellar $1 is wet`,
      `EVENT wetRoof .${own}.* "x" Major\nFORMAT Roof`,
      'EVENT linkDown .1.3.6.1.6.3.1.1.5.3 "x" Critical\nFORMAT Link fell',
    ]
    await files.setInputFiles(fileOf('snmptt.conf', conf.join('\n')))
    await seen(page, 'Of the same events, 1 definition is there and stays.')
    await seen(page, 'snmptt.conf:3')
    await seen(page, /is not one OID in numbers/)
    assert.deepEqual(await violations(page), [])
    const { text } = await service.get(`/fault/trapEvent?name=wetCellar`)
    assert(!text.includes('wetCellar'), 'nothing is saved yet')
    await page.getByRole('button', { name: 'Import 1 definition' }).click()
    await seen(page, '1 definition imported.')
    await page.goto(`${service.url}/console/events?name=wetCellar`)
    await seen(page, 'Cellar {value1} is wet')
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export what is listed' }).click()
    const { trapEvent } = JSON.parse(readFileSync(await (await download).path(), 'utf8'))
    assert.deepEqual(trapEvent, [
      {
        ...{ eventOid: `${own}.0.1`, name: 'wetCellar', alarmLevel: '2', alarmCategory: '15' },
        ...{ alarmDesc: 'Cellar {value1} is wet', recovers: [], state: [] },
        parameter: [{ oid: '#1', name: 'value1' }],
      },
    ])
    assert.deepEqual(faults, [])
  },
)
