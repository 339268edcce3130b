// What becomes an alarm, and how many may be open.

import { choice, number } from '../forms.ts'
import { setting } from './setting.ts'

export const alarms = {
  'flap-count': setting(
    'number',
    '5',
    number(0, 100),
    'How often an alarm may come and go within five minutes before one summary alarm stands for it. 0: no limit.',
  ),
  'cause-wait': setting(
    'seconds',
    '20',
    number(0, 3600),
    'How much later than its consequences a cause may be reported, and how long consequences may outlast it, until clients that ask for causes receive them. 0: not at all.',
  ),
  'unknown-senders': setting(
    'register|refuse',
    'register',
    choice('register', 'refuse'),
    'What is done with traps from addresses of no known device: register a device, or refuse them.',
  ),
  'device-limit': setting(
    'number',
    '100000',
    number(0, 2 ** 31),
    'How many devices there may be before no further senders are registered. Traps of further senders are refused, which raises an alarm.',
  ),
  'unknown-traps': setting(
    'alarm|store',
    'alarm',
    choice('alarm', 'store'),
    'What a trap without a definition becomes: one low-level alarm per device and OID, or nothing but a stored trap.',
  ),
  'open-alarms-device': setting(
    'number',
    '10000',
    number(0, 2 ** 31),
    'How many alarms of one device may be open before traps raise no further ones. One alarm of the service stands for these.',
  ),
  'open-alarms': setting(
    'number',
    '200000',
    number(0, 2 ** 31),
    'How many alarms of all devices together may be open before traps raise no further ones.',
  ),
  'unknown-terminals': setting(
    'reject|admit',
    'reject',
    choice('reject', 'admit'),
    'The answer to a switch that asks for a terminal without a binding: reject it, or admit it and raise an alarm; see docs/terminals.md.',
  ),
}
