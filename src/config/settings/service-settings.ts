// Where the service listens and keeps its data, which node it is, its time zone and its log.

import {
  choice,
  number,
  readAddress,
  readFolder,
  readLevel,
  readNodeName,
  readStore,
  readText,
  readTimeZone,
  readTrapListeners,
} from '../forms.ts'
import { setting } from './setting.ts'

export const service = {
  listen: setting(
    'host:port',
    '127.0.0.1:8080',
    readAddress,
    'Where HTTP is served. Port 0 takes a free one.',
    'own',
  ),
  traps: setting(
    'host:port',
    '127.0.0.1:1162',
    readTrapListeners,
    'Where SNMP traps are received. Devices send to port 162, which needs more rights. Further ones, separated by commas, are for senders in address spaces of their own, 192.0.2.1:162@2; see docs/spaces.md.',
    'own',
  ),
  data: setting(
    'folder',
    './data',
    readFolder,
    'Where everything is kept. Created when missing; one service at a time.',
    'own',
  ),
  store: setting(
    'address',
    '',
    readStore,
    'A store in PostgreSQL, postgres://user@host:port/database, instead of the one in the data folder; several hosts are separated by commas; see docs/postgresql.md. Empty: the data folder.',
    'own',
  ),
  'store-password-file': setting(
    'file',
    '',
    readText,
    'A file with the password for the store in PostgreSQL. Empty: from PGPASSWORD or PGPASSFILE.',
    'own',
  ),
  'key-file': setting(
    'file',
    '',
    readText,
    'The file with the key for secrets in the store, the same for all nodes on one store; see docs/security.md. A single service makes it where it is missing. Empty: key in the data folder.',
    'own',
  ),
  node: setting(
    'name',
    '',
    readNodeName,
    'The name of this service among several on one store in PostgreSQL; see docs/nodes.md. Empty: the name of the machine.',
    'own',
  ),
  installation: setting(
    'name',
    '',
    readNodeName,
    'The name of the installation. The store takes it from the first node that has one; a node with another name does not start on that store. Empty: any store is accepted.',
  ),
  'lease-seconds': setting(
    'seconds',
    '5',
    number(1, 60),
    'How long the leader may be silent before another takes over.',
  ),
  'time-zone': setting(
    'name',
    '',
    readTimeZone,
    'The zone in which times are shown and read, such as Europe/Berlin. Empty: the zone of the machine.',
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

// How much is kept, and for how long.

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
