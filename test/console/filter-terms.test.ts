// What the filter field of the alarms makes of what is typed.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { begunIn, lastWord, like, queryText, valuesOf } from '../../console/alarms/filter-terms.ts'
import { rowOf } from '../../console/alarms/row.ts'
import { countOf, filterOf } from '../../console/alarms/view.ts'
import { alarmOf } from './samples.ts'

const row = (id: string, fields: object) => rowOf(alarmOf({ id, ...fields }), undefined, 0)

test('a term begins with its name and a colon, by the label or as the address names it', () => {
  assert.deepEqual(begunIn('level:'), { name: 'level', text: '', before: '' })
  assert.deepEqual(begunIn('smoke Device:ham'), { name: 'device', text: 'ham', before: 'smoke' })
  assert.deepEqual(begunIn('since:'), { name: 'within', text: '', before: '' })
  assert.deepEqual(begunIn('within:'), { name: 'within', text: '', before: '' })
})

test('other colons are part of the words', () => {
  for (const text of ['fe80::1', '02:00:5e', 'http://x', 'level: smoke', 'sublevel:', ':', ''])
    assert.equal(begunIn(text), undefined, text)
})

test('the word that is being typed is the one behind the last space', () => {
  assert.deepEqual(lastWord('smoke in ham'), { word: 'ham', before: 'smoke in ' })
  assert.deepEqual(lastWord('smoke '), { word: '', before: 'smoke ' })
})

test('devices and events are those of open alarms, the most frequent first', () => {
  const rows = [
    row('1', { deviceId: '7', deviceName: 'crane' }),
    row('2', { deviceId: '8', deviceName: 'quay' }),
    row('3', { deviceId: '8', deviceName: 'quay' }),
    row('4', { deviceId: '0', deviceName: 'buoy' }),
  ]
  const devices = valuesOf('device', rows)
  assert.deepEqual(
    devices.map(({ value, label }) => [value, label]),
    [
      ['8', 'quay'],
      ['7', 'crane'],
      ['buoy', 'buoy'],
    ],
  )
  assert.deepEqual(
    like(devices, 'QU').map(({ label }) => label),
    ['quay'],
  )
})

test('equal filters are equal texts, whatever else is in the address', () => {
  const one = new URLSearchParams('q=smoke&level=1,2&wall=true')
  const other = new URLSearchParams('level=1,2&q=smoke&zone=')
  assert.equal(queryText(one), 'level=1%2C2&q=smoke')
  assert.equal(queryText(one), queryText(other))
})

test('a filter counts open alarms that are not held back, unless it asks for these', () => {
  const rows = [
    row('1', { alarmLevel: '1' }),
    row('2', { alarmLevel: '2' }),
    { ...row('3', { alarmLevel: '1' }), endedAt: 5 },
    { ...row('4', { alarmLevel: '1' }), heldBy: 'maintenance 1' },
  ]
  const count = (query: string, members?: ReadonlySet<string>) =>
    countOf(rows, filterOf(new URLSearchParams(query), members), 3600)
  assert.equal(count('level=1'), 1)
  assert.equal(count(''), 2)
  assert.equal(count('state=held'), 1)
  assert.equal(count('', new Set()), 0)
})
