// The event stream, alarms about clients and rules, and the zone of times.

import { choice, number, readTimeZone } from '../forms.ts'
import { setting } from './setting.ts'

export const events = {
  'heartbeat-seconds': setting(
    'seconds',
    '25',
    number(1, 3600),
    'How long an event stream may be silent before a sign of life is sent.',
  ),
  'heartbeat-form': setting(
    'line|family',
    'line',
    choice('line', 'family'),
    "The sign of life in XML and JSON streams: an empty line, or the iMC interface's #HEART_BEAT with an empty line behind it.",
  ),
  'clean-close': setting(
    'repeat|trust',
    'repeat',
    choice('repeat', 'trust'),
    'What the orderly end of an event stream that was idle for a second means: nothing, so that a client that comes back by its uuid gets the last minute again; or that everything was received. A proxy closes connections properly whatever has become of the client behind it.',
  ),
  'stall-seconds': setting(
    'seconds',
    '60',
    number(1, 3600),
    'How long a client may read nothing of an event stream, or of any answer, before it is disconnected. It may reconnect and resume.',
  ),
  'keep-registrations-days': setting(
    'days',
    '7',
    number(1, 36_500),
    'How long a registration with a uuid is kept after its client was last connected.',
  ),
  'lag-alarm': setting(
    'number',
    '10000',
    number(1, 2 ** 40),
    'How many entries of the alarm log a registered client may be behind before the service raises an alarm of its own.',
  ),
  'rule-alarm': setting(
    'number',
    '10000',
    number(1, 2 ** 40),
    'How many traps a trap rule may filter, since it was last quiet, before the service raises an alarm of its own.',
  ),
  'time-zone': setting(
    'name',
    '',
    readTimeZone,
    'The zone in which times are shown and read, such as Europe/Berlin. Empty: the zone of the machine.',
  ),
}
