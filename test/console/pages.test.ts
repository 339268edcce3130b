import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pageAt, pages } from '../../console/core/pages.ts'
import { icons } from '../../console/parts/icons.ts'

test('a page of one thing is there for an id that a thing can have', () => {
  assert.equal(pageAt('device', '7')?.title, 'Device')
  assert.equal(pageAt('window', 'new')?.title, 'Maintenance window')
  assert.equal(pageAt('zones', '')?.title, 'Zones')
  for (const id of ['', 'abc', 'new', '-1', '7/8', '1'.repeat(20)])
    assert.equal(pageAt('device', id), undefined)
  assert.equal(pageAt('nowhere', ''), undefined)
  assert.equal(pageAt('constructor', ''), undefined)
})

test('every page in the menu has an icon', () => {
  const without = Object.entries(pages).filter(([name, { group }]) => group !== undefined && !(name in icons))
  assert.deepEqual(
    without.map(([name]) => name),
    [],
  )
})
