// belfry tail: follows alarms, one line each.

import { type AlarmFilter, type ConnectOptions, connect, RefusedError } from '../../client/connect.ts'
import type { Config } from '../../config/config.ts'
import { Fault, shown } from '../../fault.ts'
import { readNote } from '../../store/data-folder.ts'
import { harmless, JsonPrinter, LinePrinter, type Printer } from '../alarm-printer.ts'
import type { Command, Option } from '../command.ts'
import { tailMessages } from '../raw-messages.ts'
import { secretFrom } from '../secret.ts'
import { reach, runningService } from '../service-connection.ts'

const options: Record<string, Option> = {
  url: {
    form: 'URL',
    help: 'The service, such as http://127.0.0.1:8080. Default: the one that runs on the data folder.',
  },
  uuid: {
    form: 'NAME',
    help: 'Registers under this name: what is missed while the command does not run comes first the next time.',
  },
  level: {
    form: 'LEVELS',
    several: true,
    help: 'Only these: critical, major, minor, warning, info, or 1 to 5, separated by commas.',
  },
  device: { form: 'IPS', several: true, help: 'Only from devices with these addresses.' },
  segment: {
    form: 'RANGES',
    several: true,
    help: 'Only from these ranges of addresses: 10.0.0.1-10.0.0.99.',
  },
  oid: {
    form: 'OIDS',
    several: true,
    help: 'Only these events: 1.3.6.1.6.3.1.1.5.3, or 1.3.6.1.6.3.* for all below.',
  },
  view: { form: 'ID', help: 'Only from devices of this custom view.' },
  since: { form: 'POSITION', help: 'Goes on behind this position, as an earlier run printed it.' },
  snapshot: { help: 'First all open alarms.' },
  recovered: { help: 'Has recoveries name the events that they end.' },
  count: { form: 'N', help: 'Ends after N alarms.' },
  json: { help: 'A JSON object per line, as the service sends it, for other programs.' },
  raw: {
    help: 'Syslog messages instead of alarms, as devices send them; first the last ten. Of one device with --device.',
  },
}

const credentialOptions: Record<string, Option> = {
  'token-file': { form: 'FILE', help: 'A file with a token for --url. [BELFRY_TOKEN has the token itself]' },
  user: { form: 'NAME', help: 'The operator for --url. [BELFRY_USER]' },
  'password-file': {
    form: 'FILE',
    help: "A file with the operator's password. [BELFRY_PASSWORD has the password itself]",
  },
}

const allOptions = { ...options, ...credentialOptions }

const usage = 'belfry tail [options] [settings]'

const text = `Prints alarms as they come, until Ctrl-C. A lost connection is made again, and the output goes on where it was.
With --raw, syslog messages that the service on this machine, or a node beside it, receives.
Alarms go to standard output; messages about the connection, and the last position, to standard error.

  belfry tail                                   all alarms of the service on this machine
  belfry tail --snapshot --level critical,major what is open now, and what comes
  belfry tail --uuid night-shift                misses nothing between two runs, for days
  belfry tail --oid '1.3.6.1.6.3.1.1.5.*' --segment 10.10.0.0-10.10.255.255
  belfry tail --json --url https://nms.example.net | jq .alarmDesc
  belfry tail --url https://nms.example.net --token-file ~/.belfry-token
  belfry tail --count 1 --level 1 && notify     waits for a critical alarm
  belfry tail --raw --device 10.0.0.7           what a device says in syslog

With --json, alarms that were missed are reported as {"gap": {"from": …, "to": …, "reason": …}}.

Exit codes: 0 ended by Ctrl-C, SIGTERM, --count or the reader of its output; 1 the service cannot be reached, or refuses;
2 wrong arguments.`

export const tail: Command = {
  name: 'tail',
  summary: 'prints alarms as they come',
  usage,
  text,
  options: allOptions,
  async run({ options, config }, environment) {
    const count = options.count === undefined ? Number.POSITIVE_INFINITY : countOf(options.count)
    if (options.raw !== undefined) {
      await untilEnded((ending) => tailMessages(rawTailOf(options, config, count, ending.signal)))
      return 0
    }
    const filter = filterOf(options)
    const service =
      options.url === undefined ? await ownService(config) : remote(options.url, options, environment)
    const printer = options.json === undefined ? new LinePrinter(environment) : new JsonPrinter()
    await follow({ service, options, filter, count, printer, heartbeatSeconds: config['heartbeat-seconds'] })
    return 0
  },
}

type Options = Readonly<Record<string, string>>

const forMessages = ['raw', 'device', 'count', 'json']

function rawTailOf(options: Options, config: Config, count: number, ending: AbortSignal) {
  const other = Object.keys(options).find((name) => !forMessages.includes(name))
  if (other) throw new Fault('invalid', `--${other} is not for --raw: expected --device, --count or --json`)
  const { device, json } = options
  return { config, device, count, asJson: json !== undefined, ending }
}

function countOf(value: string): number {
  const count = /^\d+$/.test(value) ? Number(value) : 0
  if (count < 1) throw new Fault('invalid', `--count ${shown(value)}: expected a whole number from 1`)
  return count
}

const levels = ['critical', 'major', 'minor', 'warning', 'info']

/** Values that the service checks are not checked here. */
function filterOf({ level, device, segment, oid, view, recovered }: Options): AlarmFilter {
  return {
    alarmLevel: level?.split(',').map((word) => {
      const known = levels.indexOf(word.trim().toLowerCase())
      if (known >= 0) return known + 1
      if (/^\s*\d+\s*$/.test(word)) return word.trim()
      throw new Fault('invalid', `--level ${shown(word)}: expected ${levels.join(', ')}, or 1 to 5`)
    }),
    deviceIp: device,
    ipSegment: segment,
    eventOid: oid,
    customView: view,
    sendRecovered: recovered === undefined ? undefined : true,
  }
}

interface Service extends Pick<ConnectOptions, 'token' | 'user' | 'fetch'> {
  readonly url: string
}

/** Secrets are not passed on the command line, where everyone on the machine could read them. */
function remote(url: string, options: Options, environment: NodeJS.ProcessEnv): Service {
  const token = secretFrom('token-file', options['token-file']) ?? environment.BELFRY_TOKEN
  const name = options.user ?? environment.BELFRY_USER
  const password = secretFrom('password-file', options['password-file']) ?? environment.BELFRY_PASSWORD
  if (token !== undefined && options.user === undefined) return { url, token }
  if (name === undefined) return { url }
  if (password === undefined) {
    throw new Fault('invalid', `--user ${name}: a password is needed: --password-file or BELFRY_PASSWORD`)
  }
  return { url, user: { name, password } }
}

/** The service that runs on the folder, through its admin socket. */
async function ownService(config: Config): Promise<Service> {
  const address = await runningService(config.data)
  if (address !== undefined) {
    const note = readNote(config.data)
    const url = typeof note === 'object' ? note.url : 'http://localhost'
    const throughDoor = (asked: URL, init?: RequestInit) =>
      reach(address + asked.pathname + asked.search, init)
    return { url, fetch: throughDoor as typeof fetch }
  }
  throw new Fault(
    'unavailable',
    `no service runs on the folder ${config.data}: start it, or name one with --url`,
  )
}

interface Order {
  readonly service: Service
  readonly options: Options
  readonly filter: AlarmFilter
  readonly count: number
  readonly printer: Printer
  readonly heartbeatSeconds: number
}

/** Prints until it has printed enough, or a signal or the reader of its output ends it. */
const follow = (order: Order): Promise<void> => untilEnded((ending) => printAlarms(order, ending))

async function untilEnded(work: (ending: AbortController) => Promise<void>): Promise<void> {
  const ending = new AbortController()
  const end = () => ending.abort()
  process.once('SIGINT', end)
  process.once('SIGTERM', end)
  // A reader that has seen enough, such as head, closes the pipe.
  process.stdout.on('error', end)
  try {
    await work(ending)
  } catch (error) {
    throw faultOf(error)
  } finally {
    process.off('SIGINT', end)
    process.off('SIGTERM', end)
  }
}

async function printAlarms(order: Order, ending: AbortController): Promise<void> {
  const { service, options, filter, count, printer, heartbeatSeconds } = order
  const { url, ...access } = service
  let connected = 0
  let gone: Error | undefined
  const stream = connect(url, {
    ...access,
    uuid: options.uuid,
    filter,
    since: options.since,
    snapshot: options.snapshot !== undefined,
    signal: ending.signal,
    heartbeatSeconds,
    onGap: (gap) => {
      say(`alarms may be missing: ${gap.reason}`)
      printer.gap(gap)
    },
    onConnect(warning) {
      connected += 1
      say(connected === 1 ? `following ${url}` : `connected again`)
      if (warning !== undefined && connected === 1) say(warning)
    },
    onRetry({ error, delay }) {
      // An address that has never answered is more likely wrong than away.
      if (connected === 0) {
        gone = error
        ending.abort()
      } else say(`the connection is lost (${error.message}): trying again in ${delay.toFixed(1)} s`)
    },
  })
  let left = count
  for await (const alarm of stream) {
    await printer.alarm(alarm)
    left -= 1
    if (left === 0) break
  }
  if (gone) throw unreachable(url, gone)
  if (stream.position !== undefined) say(`ended at position ${stream.position}`)
}

function unreachable(url: string, cause: Error): Fault {
  // OpenSSL's message about an answer in plain text helps nobody but its authors.
  const reason = cause.message.includes('wrong version number') ? 'it does not speak TLS' : cause.message
  return new Fault('unavailable', `${url} cannot be reached: ${reason}`, { cause })
}

function faultOf(error: unknown): unknown {
  // The client refuses a wrong address before it connects.
  if (error instanceof TypeError && /address|URL/.test(error.message)) {
    return new Fault('invalid', `--url: ${error.message}`, { cause: error })
  }
  if (!(error instanceof RefusedError)) return error
  return new Fault(error.status === 400 ? 'invalid' : 'unavailable', error.message, { cause: error })
}

const say = (line: string) => console.error(`belfry: ${harmless(line)}`)
