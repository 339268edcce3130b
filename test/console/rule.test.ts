// The editor of trap rules never changes what it does not show.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bodyOf, draftOf, isBeyondEditor, type Rule } from '../../console/rules/rule.ts'
import { startService } from '../support.ts'

const plain: Rule = {
  id: '7',
  trapRuleName: 'noise',
  trapOId: '1.3.6.1.6.3.1.1.5.3',
  trapGroup: '-1',
  exectimeType: '1',
  startDay: '',
  endDay: '',
  startTime: '20:00',
  endTime: '6:00',
  selectedWeekDay: '1,2',
  trapDevice: [
    { devID: '5', displayName: 'core-5', trapFilterEventParasInfo: [] },
    { devID: '6', displayName: 'core-6', trapFilterEventParasInfo: [] },
  ],
  trapInterfaces: [{ ifDesc: 'Gi1/*', deviceId: '' }],
  hits: '3',
  lastHit: '1000',
}

const condition = { faultOid: '', position: '2', name: '', value: '7' }
const [first, second] = plain.trapDevice as [Rule['trapDevice'][number], Rule['trapDevice'][number]]
const asked = { ...first, trapFilterEventParasInfo: [condition] }

test('what the editor holds whole is edited, and saved untouched it stays what it was', () => {
  assert.equal(isBeyondEditor(plain), false)
  assert.deepEqual(bodyOf(draftOf(plain)).trapDevice, plain.trapDevice)
  const everywhere = {
    ...plain,
    trapDevice: [{ devID: '0', displayName: 'all', trapFilterEventParasInfo: [condition] }],
  }
  assert.equal(isBeyondEditor(everywhere), false)
  assert.equal(isBeyondEditor({ ...plain, trapGroup: '' }), false)
  assert.equal(isBeyondEditor({ ...plain, trapGroup: '0', trapOId: '' }), false)
})

const beyond: Readonly<Record<string, Rule>> = {
  'different parameters per device': { ...plain, trapDevice: [asked, second] },
  'any device beside one': { ...plain, trapDevice: [first, { ...second, devID: '0' }] },
  'a device per interface': { ...plain, trapInterfaces: [{ ifDesc: 'Gi1/1', deviceId: '5' }] },
  'all interfaces of one device': { ...plain, trapInterfaces: [{ ifDesc: '', deviceId: '5' }] },
  'neither group nor event': { ...plain, trapGroup: '', trapOId: '' },
  'a variable by name and position': {
    ...plain,
    trapDevice: [{ ...first, trapFilterEventParasInfo: [{ ...condition, name: 'ifIndex' }] }],
  },
}

for (const [what, rule] of Object.entries(beyond))
  test(`a rule with ${what} is beyond the editor`, () => assert.equal(isBeyondEditor(rule), true))

test('rules as the service sends them are recognised', async () => {
  const service = await startService()
  const saved = async (rule: Rule) => {
    const { id, hits, lastHit, ...body } = rule
    const { headers, text } = await service.sendJson('POST', '/fault/trapRule', body)
    assert(headers.location, text)
    const answer = await service.ask('GET', new URL(headers.location).pathname, {
      headers: { Accept: 'application/json' },
    })
    return JSON.parse(answer.text) as Rule
  }
  assert.equal(isBeyondEditor(await saved(plain)), false)
  for (const [what, rule] of Object.entries(beyond))
    assert.equal(isBeyondEditor(await saved(rule)), true, what)
})
