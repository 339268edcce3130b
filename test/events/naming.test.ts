// What people read of a variable whose value is an OID.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EventDefinition } from '../../src/events/event-catalog.ts'
import { nameOf } from '../../src/events/naming.ts'
import { Library } from '../../src/mibs/module-library.ts'
import { libraryOf, smi, tower } from '../mibs/modules.ts'

const watched = '1.3.6.1.2.1.16.3.1.1.3'
const plain = { alarmCategory: 15, handling: null, recovers: [], outOfReach: null, state: [], source: '' }

const definition = (isKey = false) =>
  new EventDefinition({
    ...{ ...plain, eventOid: '1.3.6.1.2.1.16.0.1', name: 'risingAlarm', alarmLevel: 3 },
    alarmDesc: '{alarmVariable} has risen',
    parameter: [{ oid: watched, name: 'alarmVariable', isKey, fromIndex: null, labels: null, pattern: null }],
  })
const variable = (value: string, type = 'ObjectIdentifier') => ({ oid: `${watched}.1`, type, value })
const nothingLoaded = new Library([])
const loaded = libraryOf(smi, tower)

function described(value: string, library = nothingLoaded, type?: string) {
  const rising = definition()
  return rising.describe(rising.read([variable(value, type)], library), {})
}

test('the object that a threshold watches is told by its name, also where no module is loaded', () => {
  assert.equal(described('1.3.6.1.2.1.2.2.1.10.3'), 'ifInOctets.3 has risen')
  assert.equal(described('1.3.6.1.2.1.31.1.1.1.6.10101'), 'ifHCInOctets.10101 has risen')
  assert.equal(described('1.3.6.1.4.1.32473.700.1.1.10.1.3.12', loaded), 'bellHealth.12 has risen')
  assert.equal(described('1.3.6.1.4.1.32473.700.1.1.1.0', loaded), 'towerTemperature has risen')
})

test('what nobody knows, and what is no OID, stays as it came', () => {
  for (const oid of ['1.3.6.1.4.1.32473.700.1.1.1.0', '1.3.6.1.2.1.2.2.1.10', '1.3.6.1.2.1.2.2.1.99.3'])
    assert.equal(described(oid), `${oid} has risen`)
  assert.equal(
    described('1.3.6.1.2.1.2.2.1.10.3', nothingLoaded, 'OctetString'),
    '1.3.6.1.2.1.2.2.1.10.3 has risen',
  )
})

test('a rule may name the OID or the object, and what identifies an alarm depends on no module', () => {
  const [value] = definition().read([variable('1.3.6.1.2.1.2.2.1.10.3')], nothingLoaded)
  assert.deepEqual([value?.value, value?.raw], ['ifInOctets.3', '1.3.6.1.2.1.2.2.1.10.3'])
  const [key] = definition(true).read([variable('1.3.6.1.2.1.2.2.1.10.3')], nothingLoaded)
  assert.equal(key?.value, '1.3.6.1.2.1.2.2.1.10.3')
  const of = nameOf(
    loaded,
    { oid: '1.3.6.1.4.1.32473.700.1.1.1.0', type: 'ObjectIdentifier', value: '1.3' },
    0,
  )
  assert.deepEqual([of.name, of.value, of.raw], ['towerTemperature', '1.3', undefined])
})
