// Limits of requests and connections, and of the log.

import { choice, number, readLevel } from '../forms.ts'
import { setting } from './setting.ts'

export const limits = {
  'body-limit': setting('bytes', '1048576', number(1024, 2 ** 30), 'The largest request body.'),
  'import-limit': setting(
    'bytes',
    '268435456',
    number(1024, 2 ** 40),
    'The largest file that can be imported at once.',
  ),
  'request-timeout': setting(
    'seconds',
    '15',
    number(1, 3600),
    'How long a caller may take to send a request. Headers alone may take 5 of them at most.',
  ),
  'connections-per-address': setting(
    'number',
    '256',
    number(1, 100_000),
    'How many connections one address, or one network of 64 bits of IPv6, may hold at the same time. Trusted proxies are not limited.',
  ),
  'log-level': setting(
    'level',
    'info',
    readLevel,
    'The least severe lines that are logged: trace, debug, info, warn, error, fatal or silent.',
    'own',
  ),
  'log-form': setting(
    'auto|json|text',
    'auto',
    choice('auto', 'json', 'text'),
    'How log lines are written: JSON objects for programs, text for people, or text on a terminal and else JSON.',
    'own',
  ),
}
