// The module that comes with the program describes exactly what is sent northbound.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { variablesOf } from '../../src/notify/channels/snmp-kind.ts'
import type { Message } from '../../src/notify/message.ts'
import { libraryOf } from '../mibs/modules.ts'

const file = new URL('../../packaging/mibs/BELFRY-NOTIFY-MIB.txt', import.meta.url)
const library = libraryOf(readFileSync(file, 'utf8'))
const message: Message = {
  ...{ id: 'id', incident: 'incident', change: 'raised', title: 'title', text: 'text' },
  ...{ alarm: undefined, children: 2, links: [], earlier: undefined },
}

test('every variable of a northbound notification is in the module, in the order in which they are sent', () => {
  assert.deepEqual(
    [...library.modules.values()].flatMap(({ unknown }) => unknown),
    [],
  )
  const sent = variablesOf(message, 'desk').map(({ oid, value }) => {
    const found = library.find(oid) ?? assert.fail(`${oid} is not in the module`)
    assert.equal(found.index, '', 'a scalar')
    return [found.object.name, value]
  })
  const notification = library.notification('1.3.6.1.4.1.32473.2.0.1')
  assert.equal(notification?.name, 'belfryMessage')
  assert.deepEqual(
    sent.map(([name]) => name),
    notification?.objects.map(({ name }) => name),
  )
  const { belfryChange, belfryTitle, belfryAddress, belfryAlarmLevel, belfryChildren } =
    Object.fromEntries(sent)
  assert.deepEqual(
    [belfryChange, belfryTitle, belfryAddress, belfryAlarmLevel, belfryChildren],
    ['raised', 'title', 'desk', '0', '2'],
  )
})
