// How much is kept, and for how long.

import { number } from '../forms.ts'
import { setting } from './setting.ts'

export const retention = {
  'keep-terminals': setting(
    'number',
    '200000',
    number(0, 2 ** 31),
    'How many terminals are kept with the place where they were last seen, and ten times as many earlier stays.',
  ),
  'keep-terminals-days': setting(
    'days',
    '30',
    number(0, 36_500),
    'How long earlier places of terminals are kept, and terminals that are no longer seen. 0: only terminals that are present, with where they are.',
  ),
  'keep-traps': setting(
    'number',
    '1000000',
    number(0, 2 ** 40),
    'How many recent traps are kept for searching.',
  ),
  'keep-traps-days': setting('days', '7', number(1, 36_500), 'How long recent traps are kept.'),
  'keep-alarms': setting('number', '1000000', number(0, 2 ** 40), 'How many recovered alarms are kept.'),
  'keep-alarms-days': setting('days', '365', number(1, 36_500), 'How long recovered alarms are kept.'),
  'keep-log': setting('number', '5000000', number(0, 2 ** 40), 'How many entries of the alarm log are kept.'),
  'keep-log-bytes': setting(
    'bytes',
    '8589934592',
    number(0, 2 ** 50),
    'How many bytes their alarms may take.',
  ),
  'keep-log-days': setting('days', '7', number(1, 36_500), 'How long entries of the alarm log are kept.'),
  'keep-audit': setting(
    'number',
    '5000000',
    number(0, 2 ** 40),
    'How many entries of the audit log are kept.',
  ),
  'keep-audit-days': setting('days', '365', number(1, 36_500), 'How long entries of the audit log are kept.'),
}
