// Which device the name in a message means.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressOfName, deviceNames } from '../../src/resources/inventory/device-names.ts'

const row = (ip: string, label: string | null, sysName: string | null = null, space = 0) => ({
  ...{ ip, label, space: BigInt(space) },
  sys_name: sysName,
})

const names = await deviceNames({
  all: async () => [
    row('10.0.0.1', 'Core1', 'core1'),
    row('10.0.0.2', '10.0.0.2'),
    row('10.0.0.3', 'edge.site-a.example'),
    row('10.0.0.4', 'edge.site-b.example'),
    row('10.0.0.5', 'lab.site-a.example', ''),
    row('10.0.0.1', 'core1', null, 2),
    row('10.0.0.6', 'x@2'),
    row('10.0.0.7', 'x', null, 2),
  ],
})
const found = (host: string, space = 0) => addressOfName(names, host, space)

test('a device is found by its label and its own name, with a domain or without', () => {
  assert.equal(found('CORE1'), '10.0.0.1')
  assert.equal(found('core1.anywhere.example'), '10.0.0.1')
  assert.equal(found('lab'), '10.0.0.5')
  assert.equal(found('Lab.site-a.example'), '10.0.0.5')
})

test('another domain, several devices and parts of addresses are no name', () => {
  for (const host of ['lab.site-b.example', 'edge', '10', '10.0.0.2', 'core', '', '.'])
    assert.equal(found(host), undefined)
  assert.equal(found('edge.site-b.example'), '10.0.0.4')
})

test('names of one space mean nothing in another, whatever is in them', () => {
  assert.equal(found('core1', 2), '10.0.0.1@2')
  assert.equal(found('lab', 2), undefined)
  assert.equal(found('x@2'), '10.0.0.6')
  assert.equal(found('x'), undefined)
  assert.equal(found('x', 2), '10.0.0.7@2')
})
