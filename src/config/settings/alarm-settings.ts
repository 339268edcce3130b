// What becomes an alarm, and how many may be open.

import { choice, number } from '../forms.ts'
import { setting } from './setting.ts'

export const alarms = {
  'flap-count': setting(
    'number',
    '5',
    number(0, 100),
    'How often an alarm may come and go within flap-seconds before one summary alarm stands for it. 0: no limit.',
  ),
  'flap-seconds': setting('seconds', '300', number(1, 86_400), 'See flap-count.'),
  'flap-rearm-seconds': setting(
    'seconds',
    '300',
    number(1, 86_400),
    'How long an alarm that flaps must stay as it is until its summary recovers.',
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
  'unknown-alarms-device': setting(
    'number',
    '100',
    number(0, 2 ** 31),
    'How many alarms of events without a definition may be open for one device. One alarm of the service stands for further ones.',
  ),
  'unknown-alarms': setting(
    'number',
    '10000',
    number(0, 2 ** 31),
    'How many of them may be open for all devices together.',
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
  'terminal-alarm-hours': setting(
    'hours',
    '24',
    number(1, 8760),
    'How long a terminal must not have been refused again, or seen where it may not be, until the alarm about it recovers.',
  ),
}
