// Where the service listens and keeps its data, and which node it is.

import { number, readAddress, readFolder, readNodeName, readStore, readText } from '../forms.ts'
import { setting } from './setting.ts'

export const service = {
  listen: setting(
    'host:port',
    '127.0.0.1:8080',
    readAddress,
    'Where HTTP is served. Port 0 takes a free one.',
  ),
  traps: setting(
    'host:port',
    '127.0.0.1:1162',
    readAddress,
    'Where SNMP traps are received. Devices send to port 162, which needs more rights.',
  ),
  data: setting(
    'folder',
    './data',
    readFolder,
    'Where everything is kept. Created when missing; one service at a time.',
  ),
  store: setting(
    'address',
    '',
    readStore,
    'A store in PostgreSQL, postgres://user@host:port/database, instead of the one in the data folder; several hosts are separated by commas; see docs/postgresql.md. Empty: the data folder.',
  ),
  'store-password-file': setting(
    'file',
    '',
    readText,
    'A file with the password for the store in PostgreSQL. Empty: from PGPASSWORD or PGPASSFILE.',
  ),
  'key-file': setting(
    'file',
    '',
    readText,
    'The file with the key for secrets in the store, the same for all nodes on one store; see docs/security.md. A single service makes it where it is missing. Empty: key in the data folder.',
  ),
  node: setting(
    'name',
    '',
    readNodeName,
    'The name of this service among several on one store in PostgreSQL; see docs/nodes.md. Empty: the name of the machine.',
  ),
  'lease-seconds': setting(
    'seconds',
    '5',
    number(1, 60),
    'How long the node that settles traps may be silent before another takes over.',
  ),
}
