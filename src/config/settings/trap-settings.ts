// Which traps are accepted, and how many.

import { number, readText, readWords } from '../forms.ts'
import { readNetworks } from '../networks.ts'
import { setting } from './setting.ts'

export const traps = {
  'trap-communities': setting(
    'words',
    'public',
    readWords,
    'Communities of SNMP versions 1 and 2c that are accepted, separated by commas. Empty: none.',
  ),
  'trap-users': setting(
    'file',
    '',
    readText,
    'A JSON file with the users of SNMP version 3; see docs/traps.md. Empty: version 3 is refused.',
    'content',
  ),
  'trap-senders': setting(
    'networks',
    '',
    readNetworks,
    'Addresses and networks that may send traps, separated by commas. Empty: everyone.',
  ),
  'trap-buffer': setting(
    'bytes',
    '4194304',
    number(4096, 2 ** 30),
    'The receive buffer to ask the kernel for. What it grants is logged.',
    'own',
  ),
  'storm-source': setting(
    'number',
    '1000',
    number(0, 1_000_000),
    'Traps a second of one sender, on average over storm-seconds, above which a storm begins: most are then counted and not read. 0: never.',
  ),
  'storm-source-rearm': setting(
    'number',
    '500',
    number(1, 1_000_000),
    'Traps a second that are read of a sender during its storm, and below which the storm is over. Not above storm-source.',
  ),
  'storm-overall': setting(
    'number',
    '40000',
    number(0, 10_000_000),
    'Traps a second of all senders together, likewise. Those that send most are limited first. 0: never.',
  ),
  'storm-overall-rearm': setting(
    'number',
    '10000',
    number(1, 10_000_000),
    'Traps a second that are read during a storm of all senders together, and below which it is over. Not above storm-overall.',
  ),
  'storm-seconds': setting(
    'seconds',
    '30',
    number(1, 3600),
    'Over how long the rate of traps is averaged, and how long it must be low until a storm is over.',
  ),
  'duplicate-seconds': setting(
    'seconds',
    '60',
    number(0, 3600),
    'How long the same inform from the same sender counts as the same notification sent again; the same trap does so for 5 seconds at most. 0: never.',
  ),
}
