// Trap rules in a real browser.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startService } from '../support.ts'
import { violations } from './accessible.ts'
import { openPage, seen, withoutBrowser } from './browser.ts'

test(
  'a rule that says more than the editor holds is shown whole, and not changed',
  withoutBrowser(),
  async () => {
    const service = await startService()
    const only = (value: string) => [{ position: '1', value }]
    const { headers, text } = await service.sendJson('POST', '/fault/trapRule', {
      trapRuleName: 'two of a kind',
      trapOId: '1.3.6.1.6.3.1.1.5.3',
      trapGroup: '-1',
      trapDevice: [
        { devID: '5', displayName: 'core-5', trapFilterEventParasInfo: only('seven') },
        { devID: '6', displayName: 'core-6', trapFilterEventParasInfo: only('eight') },
      ],
      trapInterfaces: [{ ifDesc: 'Gi1/1', deviceId: '6' }],
    })
    assert(headers.location, text)
    const id = new URL(headers.location).pathname.split('/').at(-1)
    const { page, faults } = await openPage(`${service.url}/console/rule/${id}`, { bypassCSP: true })
    await seen(page, /Saving it here would lose that/)
    await seen(page, new RegExp(`PUT /fault/trapRule/${id}`))
    for (const part of ['seven', 'eight', 'Gi1/1']) await seen(page, part)
    await seen(page, 'It would have filtered nothing that is kept.')
    assert.equal(await page.getByRole('button', { name: 'Save the rule' }).count(), 0)
    assert.equal(await page.getByRole('button', { name: 'Delete the rule' }).count(), 1)
    assert.deepEqual(await violations(page), [])
    assert.deepEqual(faults, [])
  },
)
