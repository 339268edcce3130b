// The words by which a message says that something has failed or works again, whoever writes them.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { transitionOf } from '../../src/syslog/state-words.ts'

const sentences: readonly (readonly [string, string, 'raise' | 'clear' | undefined])[] = [
  ['FAN_OK', 'Fan 1 had earlier reported a rotation error', 'clear'],
  ['PSOK', 'power supply 1 turned on', 'clear'],
  ['portLinkStateUp', 'Port 11', 'clear'],
  ['BACKUP', 'nothing is said', undefined],
  ['UPDOWN', 'changed state to down', 'raise'],
  ['UPDOWN', 'changed state to up', 'clear'],
  ['MODULE_FAILURE', 'failure condition cleared', 'clear'],
  ['MODULE_FAILURE', 'condition reported', 'raise'],
  ['', 'required number of fan trays is not present', 'raise'],
  ['', 'fan tray is present', 'clear'],
  ['', 'the link could not be restored', 'raise'],
  ['', 'temperature has returned to a normal level', 'clear'],
  ['', 'sensor no longer responding', 'raise'],
  ['', 'sensor is no longer in alarm', 'clear'],
  ['', 'Alarm cleared: PEM 1 Not OK', 'clear'],
  ['', 'Alarm set: PEM 1 Not OK', 'raise'],
  ['', 'supply failed', 'raise'],
  ['', 'the job gave up', 'raise'],
  ['', 'unfailing downtown', undefined],
]
for (const [mnemonic, text, expected] of sentences) {
  test(`"${mnemonic}: ${text}" says ${expected ?? 'nothing'}`, () => {
    assert.equal(transitionOf(mnemonic, text), expected)
  })
}
