// The one table of settings.

import {
  choice,
  number,
  readAddress,
  readAddresses,
  readFolder,
  readLevel,
  readPublicUrl,
  readRealm,
  readStore,
  readText,
  readTimeZone,
  readWords,
} from './forms.ts'
import { readNetworks } from './networks.ts'

interface Setting<T> {
  readonly help: string
  /** A word for the value in help texts. */
  readonly form: string
  readonly byDefault: string
  read(text: string): T
}

const setting = <T>(
  form: string,
  byDefault: string,
  read: (text: string) => T,
  help: string,
): Setting<T> => ({
  form,
  byDefault,
  read,
  help,
})

export const settings = {
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
    'A store in PostgreSQL, postgres://user@host:port/database, instead of the one in the data folder; see docs/postgresql.md. Empty: the data folder.',
  ),
  'store-password-file': setting(
    'file',
    '',
    readText,
    'A file with the password for the store in PostgreSQL. Empty: as PGPASSWORD or PGPASSFILE say.',
  ),
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
  ),
  'storm-source': setting(
    'number',
    '1000',
    number(0, 1_000_000),
    'Traps a second of one sender, on average over storm-seconds, above which it storms: most are then counted and not read. 0: never.',
  ),
  'storm-source-rearm': setting(
    'number',
    '500',
    number(1, 1_000_000),
    'Traps a second that are read of a sender while it storms, and below which the storm is over. Not above storm-source.',
  ),
  'storm-overall': setting(
    'number',
    '40000',
    number(0, 10_000_000),
    'Traps a second of all senders together, likewise. The loudest are held back first. 0: never.',
  ),
  'storm-overall-rearm': setting(
    'number',
    '10000',
    number(1, 10_000_000),
    'Traps a second that are read while all together storm, and below which that is over. Not above storm-overall.',
  ),
  'storm-seconds': setting(
    'seconds',
    '30',
    number(1, 3600),
    'Over how long rates of storms are averaged, and how long it must be quiet until a storm is over.',
  ),
  'duplicate-seconds': setting(
    'seconds',
    '60',
    number(0, 3600),
    'How long the same inform of the same sender again is the same notification; the same trap is so for 5 seconds at most. 0: never.',
  ),
  'flap-count': setting(
    'number',
    '5',
    number(0, 100),
    'How often an alarm may come and go within flap-seconds before one summary alarm stands for it. 0: as often as it likes.',
  ),
  'flap-seconds': setting('seconds', '300', number(1, 86_400), 'See flap-count.'),
  'flap-rearm-seconds': setting(
    'seconds',
    '300',
    number(1, 86_400),
    'How long an alarm that flaps must stay as it is until its summary recovers.',
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
    'How many devices there may be for further senders to be registered. Traps of more are refused, and an alarm says so.',
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
  'keep-traps': setting(
    'number',
    '1000000',
    number(0, 2 ** 40),
    'How many recent traps are kept for searching.',
  ),
  'keep-traps-bytes': setting(
    'bytes',
    '2147483648',
    number(0, 2 ** 50),
    'How many bytes their variables may take.',
  ),
  'keep-traps-days': setting('days', '7', number(1, 36_500), 'How long recent traps are kept.'),
  'keep-alarms': setting('number', '1000000', number(0, 2 ** 40), 'How many recovered alarms are kept.'),
  'keep-alarms-bytes': setting(
    'bytes',
    '1073741824',
    number(0, 2 ** 50),
    'How many bytes their texts may take.',
  ),
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
  'keep-audit-bytes': setting(
    'bytes',
    '4294967296',
    number(0, 2 ** 50),
    'How many bytes their texts may take.',
  ),
  'keep-audit-days': setting('days', '365', number(1, 36_500), 'How long entries of the audit log are kept.'),
  'keep-reports': setting(
    'number',
    '20',
    number(1, 10_000),
    'How many results of each report template are kept that somebody asked for; a schedule says it for its own.',
  ),
  'keep-reports-days': setting('days', '90', number(1, 36_500), 'How long these results are kept.'),
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
    "The sign of life in XML and JSON streams: an empty line, or the interface family's #HEART_BEAT.",
  ),
  'clean-close': setting(
    'repeat|trust',
    'repeat',
    choice('repeat', 'trust'),
    'What the orderly end of an event stream that was idle for a second says: nothing, so that a client who comes back by its uuid gets the last minute again; or that everything was received. A proxy ends connections in order whatever became of the client behind it.',
  ),
  'stall-seconds': setting(
    'seconds',
    '60',
    number(1, 3600),
    'How long a client may take nothing of an event stream, or of any answer, before it is disconnected. It may come back and resume.',
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
  'public-url': setting(
    'URL',
    '',
    readPublicUrl,
    'The address callers use, for Location headers behind a proxy. Empty: the address each caller used.',
  ),
  'open-hosts': setting(
    'names',
    '',
    readWords,
    'Names, beside localhost and that of public-url, by which the service may be called as long as there is no operator.',
  ),
  'tls-certificate': setting(
    'file',
    '',
    readText,
    "A PEM file with the service's certificate and those that lead to its root. HTTPS is served instead of HTTP. Read again when it changes.",
  ),
  'tls-key': setting(
    'file',
    '',
    readText,
    'A PEM file with the private key of the certificate, without a pass phrase. Read again when it changes.',
  ),
  'trusted-proxies': setting(
    'addresses',
    '',
    readAddresses,
    'Addresses of proxies, separated by commas, whose X-Forwarded-For, -Proto and -Host are believed.',
  ),
  realm: setting(
    'text',
    'Belfry',
    readRealm,
    'The realm that is named when credentials are asked for. Passwords for Digest must be set anew when it changes.',
  ),
  'session-hours': setting(
    'hours',
    '168',
    number(1, 8760),
    'How long one who signed in from a browser stays so at most.',
  ),
  'session-idle-minutes': setting(
    'minutes',
    '720',
    number(0, 525_600),
    'How long such a session may be without a request before it ends. An open event stream is none. 0: as long as it likes.',
  ),
  'event-clients': setting(
    'networks',
    '',
    readNetworks,
    'Addresses and networks that may register at /events without credentials, separated by commas. Empty: none.',
  ),
  'metrics-clients': setting(
    'networks',
    '',
    readNetworks,
    'Addresses and networks that may read /metrics without credentials, separated by commas. Empty: none.',
  ),
  'admin-password-file': setting(
    'file',
    '',
    readText,
    'A file with a password: at a start without operators, the administrator "admin" is made with it.',
  ),
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
    'How long a caller may take to send a request. Headers alone get at most 5 of them.',
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
  ),
} satisfies Record<string, Setting<unknown>>
