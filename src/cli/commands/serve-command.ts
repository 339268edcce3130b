// belfry serve: runs the service until it is stopped.

import { destination, type Logger, levels, pino } from 'pino'
import { type App, type AppOptions, startApp } from '../../app.ts'
import type { Config } from '../../config/config.ts'
import { version } from '../../config/version.ts'
import type { Fault } from '../../fault.ts'
import { defaultSpace } from '../../schema/space.ts'
import { saveStoreLocation } from '../../store/store-location.ts'
import { reportIgnoredSettings } from '../../upkeep/checks/ignored-settings.ts'
import { harmless } from '../alarm-printer.ts'
import { allSettings, type Command } from '../command.ts'

export const serve: Command = {
  name: 'serve',
  summary: 'runs the service until it is stopped',
  usage: 'belfry serve [settings]',
  text: `Runs the service until SIGTERM or SIGINT. Open the address that it prints in a browser for the console; let devices
send their traps to the port that it prints.`,
  listed: allSettings,
  runsService: true,
  async run({ config }, environment) {
    return runService(config, environment, {})
  },
}

/** Milliseconds after the start: what waited while the service was down goes first. */
const afterStart = 15_000

/** Runs until a signal; `ready` is called once it listens, and returns a function to call before the service stops. */
export async function runService(
  config: Config,
  environment: NodeJS.ProcessEnv,
  { standIn }: Pick<AppOptions, 'standIn'>,
  ready: (app: App) => Promise<(() => Promise<void>) | undefined> = async () => undefined,
): Promise<number> {
  // Lines for people go to standard output, log lines to standard error.
  const log = openLog(config)
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
  for (const { name, text } of config.ignored) log.warn({ setting: name }, text)
  const app = await startApp(config, {
    log,
    adminPassword: environment.BELFRY_ADMIN_PASSWORD,
    onFatal: (fault) => giveUp(log, fault),
    standIn,
  })
  if (config.store !== '') saveStoreLocation(config.data, config)
  const stopped = untilSignal(log, environment.npm_lifecycle_event !== undefined)
  console.log(`Belfry ${version} listens on ${app.url} and keeps its data in ${config.data}`)
  console.log(
    `The console is at ${app.url}/console; SNMP traps are received on ${trapListeners(config, app.trapPorts)}`,
  )
  let end: (() => Promise<void>) | undefined
  try {
    await reportIgnoredSettings(app.database, app.engine, config.ignored, app.node)
    end = await ready(app)
  } catch (error) {
    // Stopped before it was ready: it never ran.
    await app.stop()
    throw error
  }
  const later = setTimeout(() => void app.prepareConsole(), afterStart)
  const signal = await stopped
  clearTimeout(later)
  log.info({ signal }, 'stopping')
  await end?.()
  await app.stop()
  log.info('stopped')
  return 0
}

/** After a failed write nothing may be promised any more: stop at once, and let the next start check the disk. */
function giveUp(log: Logger, fault: Fault): never {
  log.fatal({ err: fault }, fault.message)
  console.error(`belfry: ${fault.message}. The service has stopped; what was acknowledged before is safe`)
  process.exit(1)
}

/**
 * Milliseconds within which signals count as one: a terminal or a supervisor signals the service, and the launcher,
 * which passes it on.
 */
const sameSignal = 500

function untilSignal(log: Logger, underNpm: boolean): Promise<string> {
  return new Promise((resolve) => {
    let stopAskedAt: number | undefined
    const onSignal = (signal: string) => {
      if (stopAskedAt !== undefined) {
        if (performance.now() - stopAskedAt < sameSignal) return
        log.warn({ signal }, 'second signal: stopping at once')
        process.exit(1)
      }
      stopAskedAt = performance.now()
      resolve(signal)
    }
    process.on('SIGTERM', onSignal)
    process.on('SIGINT', onSignal)
    process.on('SIGHUP', onSignal)
    if (underNpm) whenParentEnds(() => resolve('end of npm'))
  })
}

/** npm sends SIGTERM to its shell, which ends without passing it on: the service would keep running. */
function whenParentEnds(act: () => void): void {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    act()
  }, 500)
  timer.unref()
}

// Writes the log to standard error: JSON for programs, readable lines on a terminal.

/** The fields that every line has; all others are details of the message. */
interface Line extends Readonly<Record<string, unknown>> {
  readonly level: number
  readonly time: number
  readonly msg?: string
  readonly err?: { readonly type?: string; readonly message?: string; readonly stack?: string }
}

/**
 * A log whose reader is gone, or whose disk is full, is no reason to stop: log lines are written when there is room
 * again.
 */
function openLog({ 'log-level': level, 'log-form': form }: Config): Logger {
  const lines = destination({ dest: 2, sync: true, maxLength: 2 ** 20 })
  lines.on('error', () => undefined)
  const asText = form === 'text' || (form === 'auto' && process.stderr.isTTY === true)
  if (!asText) return pino({ level }, lines)
  return pino({ level }, { write: (line: string) => void lines.write(`${readable(JSON.parse(line))}\n`) })
}

/** `2026-11-15 05:30:00  WARN   a login was refused  name="alice"`, in the time of the machine. */
export function readable({ level, time, msg = '', err, pid: _, hostname: __, ...more }: Line): string {
  const name = (levels.labels[level] ?? String(level)).toUpperCase().padEnd(5)
  const details = Object.entries(more).map(([key, value]) => `  ${key}=${JSON.stringify(value)}`)
  const text = harmless(`${localTime(time)}  ${name}  ${msg}${details.join('')}`)
  const trace = err?.stack ?? err?.message
  if (trace === undefined) return text
  return [text, ...trace.split('\n').map((line) => `    ${harmless(line.trim())}`)].join('\n')
}

function localTime(milliseconds: number): string {
  const at = new Date(milliseconds)
  return new Date(milliseconds - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 19).replace('T', ' ')
}

const trapListeners = ({ traps }: Config, ports: readonly number[]) =>
  traps
    .map(({ host, space }, index) => {
      const where = `${host}, UDP port ${ports[index]}`
      return space === defaultSpace ? where : `${where} in space ${space}`
    })
    .join('; ')
