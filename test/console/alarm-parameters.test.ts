import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readParameters } from '../../console/pages/alarm-parameters.ts'

test('parameters have a name, a value, and a mark where they are keys', () => {
  assert.deepEqual(readParameters('*ifIndex=12;ifDescr=Ethernet 1/1;ifAlias='), [
    { name: 'ifIndex', value: '12', isKey: true },
    { name: 'ifDescr', value: 'Ethernet 1/1', isKey: false },
    { name: 'ifAlias', value: '', isKey: false },
  ])
  assert.deepEqual(readParameters(''), [])
})

test('a value keeps its equals signs, and a semicolon behind which no name stands', () => {
  assert.deepEqual(readParameters('text=a=b;c;d;n=1'), [
    { name: 'text', value: 'a=b;c;d', isKey: false },
    { name: 'n', value: '1', isKey: false },
  ])
})

test('a name that every JavaScript object has is an ordinary name', () => {
  assert.equal(readParameters('constructor=1')[0]?.name, 'constructor')
})

test('variables that trap forwarders add have their names', () => {
  assert.deepEqual(readParameters('1.3.6.1.6.3.18.1.3.0=192.0.2.7')[0]?.name, 'snmpTrapAddress')
})

test('names and values without special characters are restored unchanged', () => {
  const plain = fc.stringMatching(/^[^;=*]+$/)
  const parameter = fc.record(
    { name: plain, value: fc.stringMatching(/^[^;]*$/), isKey: fc.boolean() },
    { noNullPrototype: true },
  )
  fc.assert(
    fc.property(fc.array(parameter), (parameters) => {
      const paras = parameters
        .map(({ name, value, isKey }) => `${isKey ? '*' : ''}${name}=${value}`)
        .join(';')
      assert.deepEqual(readParameters(paras), parameters)
    }),
  )
})
