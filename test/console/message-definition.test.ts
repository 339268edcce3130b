// A definition of messages in the console is sent without what does not go with the rest.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bodyOf, valuesOf } from '../../console/messages/definition.ts'

test('a form is sent as the service takes it, and shows it again', () => {
  const values = valuesOf({ word: ['doord'], message: [{ pattern: 'door', handling: '1' }], alarmLevel: '3' })
  const own = bodyOf({ ...values, raises: 'down', code: ' A-B, C ' })
  assert.deepEqual([own.eventOid, own.alarmLevel, own.raises], [null, '3', []])
  assert.deepEqual((own as { code?: unknown }).code, ['A-B', 'C'])
  const other = bodyOf({ ...values, eventOid: '1.3.6.1.6.3.1.1.5.3' })
  assert.deepEqual([other.eventOid, other.alarmLevel], ['1.3.6.1.6.3.1.1.5.3', null])
  const quiet = bodyOf({ ...values, message: '[{"pattern":"x","handling":"0"}]', eventOid: '1.3' })
  assert.deepEqual([quiet.eventOid, quiet.alarmLevel], [null, null])
  assert.equal(bodyOf({ ...values, alarmLevel: '' }).alarmLevel, null)
  assert.equal(valuesOf({ id: '7', eventOid: '1.3.6.1.4.1.32473.514.4.7' }).eventOid, '')
})
