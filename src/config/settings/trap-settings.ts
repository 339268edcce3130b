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
    'Traps a second of one sender, on average over 30 seconds, above which a storm begins: half as many are then read, and the rest counted, until no more than these come. 0: never.',
  ),
  'storm-overall': setting(
    'number',
    '40000',
    number(0, 10_000_000),
    'Traps a second of all senders together, likewise; a quarter is then read. Those that send most are limited first. 0: never.',
  ),
  'duplicate-seconds': setting(
    'seconds',
    '60',
    number(0, 3600),
    'How long the same inform from the same sender counts as the same notification sent again; the same trap does so for 5 seconds at most. 0: never.',
  ),
}
