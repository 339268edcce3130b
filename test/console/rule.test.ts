// The editor of trap rules can hold any rule, and changes nothing by itself.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bodyOf, draftOf, type Rule } from '../../console/rules/rule.ts'
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

/** A rule in one canonical form: empty fields are left out, and so is "by event" where there is an OID. */
const asksFor = ({
  trapOId = '',
  trapGroup = '',
  trapDevice,
  trapInterfaces,
}: Omit<Rule, 'id' | 'hits' | 'lastHit'>) => ({
  trapOId,
  trapGroup: trapGroup || (trapOId ? '-1' : ''),
  trapDevice: trapDevice.map(({ devID, trapFilterEventParasInfo }) => [
    devID,
    trapFilterEventParasInfo.map(filled),
  ]),
  trapInterfaces: trapInterfaces.map(filled),
})

const filled = (record: object) =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== ''))

const everywhere = {
  ...plain,
  trapDevice: [{ devID: '0', displayName: 'all', trapFilterEventParasInfo: [condition] }],
}

const others: Readonly<Record<string, Rule>> = {
  'nothing special': plain,
  'the same for any device': everywhere,
  'no group, for there is an OID': { ...plain, trapGroup: '' },
  'a group': { ...plain, trapGroup: '0', trapOId: '' },
  'one device twice': { ...plain, trapDevice: [asked, { ...asked, trapFilterEventParasInfo: [] }] },
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

for (const [what, rule] of Object.entries(others))
  test(`a rule with ${what}, saved untouched, stays what it was`, () =>
    assert.deepEqual(asksFor(bodyOf(draftOf(rule))), asksFor(rule)))

test('only where devices differ each has its own conditions', () => {
  assert.equal(draftOf(plain).isApart, false)
  assert.equal(draftOf({ ...plain, trapDevice: [asked, second] }).isApart, true)
  assert.equal(draftOf({ ...plain, trapDevice: [asked, { ...second, ...asked, devID: '6' }] }).isApart, false)
})

test('rules as the service sends them stay what they were', async () => {
  const service = await startService()
  for (const [what, { id, hits, lastHit, ...body }] of Object.entries(others)) {
    const { headers, text } = await service.sendJson('POST', '/fault/trapRule', body)
    assert(headers.location, text)
    const path = new URL(headers.location).pathname
    const read = async () =>
      JSON.parse((await service.ask('GET', path, { headers: { Accept: 'application/json' } })).text) as Rule
    const before = await read()
    const saved = await service.sendJson('PUT', path, bodyOf(draftOf(before)))
    assert.equal(saved.status, 204, saved.text)
    assert.deepEqual(asksFor(await read()), asksFor(before), what)
  }
})
