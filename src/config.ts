// The one table of settings, and the only reader of flags, environment and settings file.

import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { Fault, shown } from './fault.ts'

interface Setting<T> {
  readonly help: string
  /** A word for the value in help texts. */
  readonly form: string
  readonly byDefault: string
  read(text: string): T
}

export interface Address {
  readonly host: string
  readonly port: number
}

export function readAddress(value: string): Address {
  const match = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(value)
  const host = match?.[1] ?? match?.[2]
  const port = Number(match?.[3])
  if (host === undefined || port > 65535)
    throw new Error('expected host:port, such as 127.0.0.1:8080 or [::1]:8080')
  return { host, port }
}

const number = (min: number, max: number) => (value: string) => {
  const result = /^\d+$/.test(value) ? Number(value) : Number.NaN
  if (!(result >= min && result <= max)) throw new Error(`expected a whole number from ${min} to ${max}`)
  return result
}

function readPublicUrl(value: string): string {
  if (value === '') return ''
  const url = URL.canParse(value) ? new URL(value) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash) {
    throw new Error('expected an http or https address without query, such as https://nms.example.net')
  }
  return value.replace(/\/+$/, '')
}

function readAddresses(value: string): readonly string[] {
  const addresses = value.split(',').map((part) => part.trim())
  const list = addresses.filter((address) => address !== '')
  const bad = list.find((address) => isIP(address) === 0)
  if (bad !== undefined) throw new Error(`${shown(bad)} is not an IP address`)
  return list
}

const choice =
  <T extends string>(...words: readonly T[]) =>
  (value: string): T => {
    const word = words.find((known) => known === value)
    if (!word) throw new Error(`expected ${words.join(' or ')}`)
    return word
  }

function readNetworks(value: string): readonly string[] {
  const networks = value.split(',').map((part) => part.trim())
  const list = networks.filter((network) => network !== '')
  for (const network of list) {
    const [address = '', prefix] = network.split('/')
    const bits = isIP(address) === 6 ? 128 : 32
    if (
      isIP(address) === 0 ||
      (prefix !== undefined && !(/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits))
    ) {
      throw new Error(`${shown(network)} is neither an address nor a network such as 10.0.0.0/8`)
    }
  }
  return list
}

const readWords = (value: string) =>
  value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')

function readRealm(value: string): string {
  if (!/^[\x20\x21\x23-\x5b\x5d-\x7e]{1,100}$/.test(value))
    throw new Error('expected 1 to 100 visible ASCII characters without quotes and backslashes')
  return value
}

function readTimeZone(value: string): string {
  const zone = value === '' ? Intl.DateTimeFormat().resolvedOptions().timeZone : value
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone
  } catch {
    throw new Error('expected the name of a time zone such as Europe/Berlin')
  }
}

const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

function readLevel(value: string): (typeof levels)[number] {
  const level = levels.find((known) => known === value)
  if (!level) throw new Error(`expected one of ${levels.join(', ')}`)
  return level
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

const folder = (value: string) => {
  if (value === '') throw new Error('expected a folder')
  return value
}

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
    folder,
    'Where everything is kept. Created when missing; one service at a time.',
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
    (value) => value,
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
    '10000',
    number(0, 10_000_000),
    'Traps a second of all senders together, likewise. The loudest are held back first. 0: never.',
  ),
  'storm-overall-rearm': setting(
    'number',
    '5000',
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
  'keep-log-days': setting('days', '7', number(1, 36_500), 'How long entries of the alarm log are kept.'),
  'keep-audit': setting(
    'number',
    '5000000',
    number(0, 2 ** 40),
    'How many entries of the audit log are kept.',
  ),
  'keep-audit-days': setting('days', '365', number(1, 36_500), 'How long entries of the audit log are kept.'),
  'heartbeat-seconds': setting(
    'seconds',
    '60',
    number(1, 3600),
    'How long an event stream may be silent before a sign of life is sent.',
  ),
  'heartbeat-form': setting(
    'line|family',
    'line',
    choice('line', 'family'),
    "The sign of life in XML and JSON streams: an empty line, or the interface family's #HEART_BEAT.",
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
  'tls-certificate': setting(
    'file',
    '',
    (value) => value,
    "A PEM file with the service's certificate and those that lead to its root. HTTPS is served instead of HTTP. Read again when it changes.",
  ),
  'tls-key': setting(
    'file',
    '',
    (value) => value,
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
    (value) => value,
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
    'How many connections one address may hold at the same time. Trusted proxies are not limited.',
  ),
  'log-level': setting(
    'level',
    'info',
    readLevel,
    'The least severe lines that are logged: trace, debug, info, warn, error, fatal or silent.',
  ),
} satisfies Record<string, Setting<unknown>>

type Settings = typeof settings
export type Config = { readonly [K in keyof Settings]: ReturnType<Settings[K]['read']> }

export const environmentName = (name: string) => `BELFRY_${name.toUpperCase().replaceAll('-', '_')}`

/** Secrets are read where they are used, so that nothing that shows settings can show them. */
const notSettings = [
  'BELFRY_CONFIG',
  'BELFRY_ADMIN_PASSWORD',
  'BELFRY_TOKEN',
  'BELFRY_USER',
  'BELFRY_PASSWORD',
]

/** Flags weigh more than the environment, and that more than the file named by `--config` or BELFRY_CONFIG. */
export function readConfig(flags: Readonly<Record<string, string>>, environment: NodeJS.ProcessEnv): Config {
  for (const name of Object.keys(flags)) {
    if (name !== 'config' && !Object.hasOwn(settings, name)) throw unknown(`--${name}`)
  }
  for (const name of Object.keys(environment)) {
    const known =
      notSettings.includes(name) || Object.keys(settings).some((key) => environmentName(key) === name)
    if (name.startsWith('BELFRY_') && !known) throw unknown(name)
  }
  const file = flags.config ?? environment.BELFRY_CONFIG
  const fromFile = file === undefined ? {} : readFile(file)
  const values = Object.entries(settings).map(([name, { read, byDefault }]) => {
    const variable = environmentName(name)
    const [text, where] =
      flags[name] !== undefined
        ? [flags[name], `--${name}`]
        : environment[variable] !== undefined
          ? [environment[variable], variable]
          : [fromFile[name] ?? byDefault, `${name} in ${file}`]
    try {
      return [name, read(text.trim())]
    } catch (cause) {
      throw new Fault('invalid', `${where}: ${shown(text)}: ${(cause as Error).message}`, {
        field: name,
        cause,
      })
    }
  })
  const config: Config = Object.freeze(Object.fromEntries(values))
  checkTogether(config)
  return config
}

/** What holds between settings. A level at which something is over must not lie above the one at which it begins. */
function checkTogether(config: Config): void {
  for (const name of ['storm-source', 'storm-overall'] as const) {
    const [upper, lower] = [config[name], config[`${name}-rearm`]]
    if (upper === 0 || lower <= upper) continue
    const message = `${name}-rearm: ${lower}: expected at most ${name}, which is ${upper}`
    throw new Fault('invalid', message, { field: `${name}-rearm` })
  }
}

function readFile(file: string): Record<string, string> {
  let content: unknown
  try {
    content = JSON.parse(readFileSync(file, 'utf8'))
  } catch (cause) {
    throw new Fault('invalid', `the settings file ${file} cannot be read: ${(cause as Error).message}`, {
      cause,
    })
  }
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    throw new Fault('invalid', `the settings file ${file} must hold a JSON object of settings`)
  }
  for (const [name, value] of Object.entries(content)) {
    if (!Object.hasOwn(settings, name)) throw unknown(`${name} in ${file}`)
    if (typeof value !== 'string' && typeof value !== 'number') {
      throw new Fault('invalid', `${name} in ${file}: expected a text or a number`, { field: name })
    }
  }
  return Object.fromEntries(Object.entries(content).map(([name, value]) => [name, String(value)]))
}

function unknown(name: string): Fault {
  return new Fault('invalid', `${name} is not a setting: expected one of ${Object.keys(settings).join(', ')}`)
}
