import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pageAt, pages } from '../../console/core/pages.ts'
import { icons } from '../../console/parts/icons.ts'
import { pages as opened } from './every-page.ts'

test('a page of one thing is there for an id that a thing can have', () => {
  assert.equal(pageAt('device', '7')?.title, 'Device')
  assert.equal(pageAt('window', 'new')?.title, 'Maintenance window')
  assert.equal(pageAt('zones', '')?.title, 'Zones')
  for (const id of ['', 'abc', 'new', '-1', '7/8', '1'.repeat(20)])
    assert.equal(pageAt('device', id), undefined)
  assert.equal(pageAt('nowhere', ''), undefined)
  assert.equal(pageAt('constructor', ''), undefined)
})

/** They need data that the sample network lacks. */
const openedElsewhere = ['person', 'discovery', 'terminal']

test('every page is among those that are opened in a browser, in test/console/every-page.ts', () => {
  const names = new Set([...openedElsewhere, ...opened.map((path) => path.split(/[/?]/, 1)[0])])
  const missing = Object.keys(pages).filter((name) => !names.has(name))
  assert.deepEqual(missing, [])
})

test('every page in the menu has an icon', () => {
  const without = Object.entries(pages).filter(([name, { group }]) => group !== undefined && !(name in icons))
  assert.deepEqual(
    without.map(([name]) => name),
    [],
  )
})
