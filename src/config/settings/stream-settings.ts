// Event streams and registrations.

import { choice, number } from '../forms.ts'
import { setting } from './setting.ts'

export const streams = {
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
    "The sign of life in XML and JSON streams: an empty line, or the iMC interface's #HEART_BEAT followed by an empty line.",
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
}
