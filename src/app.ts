// Builds and connects all parts. The command line starts this, and so do the tests.

import { readFileSync } from 'node:fs'
import { type Logger, pino } from 'pino'
import { Bell } from './alarms/bell.ts'
import { AlarmEngine } from './alarms/engine.ts'
import { openEpoch } from './alarms/log.ts'
import { type Retention, sweep } from './alarms/retention.ts'
import { DropWatch } from './alarms/watch.ts'
import type { Config } from './config.ts'
import { Fault } from './fault.ts'
import { HttpServer } from './http/server.ts'
import { AlarmWords } from './resources/alarm.ts'
import { plantFirstData } from './resources/first-data.ts'
import type { Database } from './store/database.ts'
import { DataFolder } from './store/folder.ts'
import { migrate } from './store/migrate.ts'
import { openSqlite } from './store/sqlite.ts'
import { EngineClocks } from './traps/engine-clocks.ts'
import { TrapReceiver } from './traps/receiver.ts'
import { Senders } from './traps/senders.ts'
import { Decoder } from './traps/snmp.ts'
import { readUsers } from './traps/users.ts'
import { Usm } from './traps/usm.ts'

export const version: string = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
).version

export interface App {
  /** Where it listens: `http://127.0.0.1:8080`. */
  readonly url: string
  /** The UDP port on which traps are received. */
  readonly trapPort: number
  readonly database: Database
  readonly engine: AlarmEngine
  stop(): Promise<void>
}

export interface AppOptions {
  readonly log?: Logger
  readonly clock?: () => number
  /** Opens another store than the one in the data folder. */
  readonly open?: () => Promise<Database>
  /** Called when the store can no longer promise anything. */
  readonly onFatal?: (fault: Fault) => void
}

export async function startApp(config: Config, options: AppOptions = {}): Promise<App> {
  const { log = pino({ level: 'silent' }), clock = Date.now, onFatal = () => undefined } = options
  /** What has been started and must be stopped, in reverse. */
  const started: (() => Promise<void> | void)[] = []
  const stop = async () => {
    for (const end of started.splice(0).reverse()) await end()
  }
  try {
    const folder = new DataFolder(config.data)
    started.push(() => folder.release())
    const database = await (options.open?.() ?? openSqlite(folder.storeFile, { clock, onFatal }))
    started.push(() => database.close())
    await prepare(database, folder, log)
    const engine = new AlarmEngine(database, new Bell(), {
      unknownTraps: config['unknown-traps'],
      unknownSenders: config['unknown-senders'],
    })
    let receiver: TrapReceiver | undefined
    const server = new HttpServer({
      database,
      config,
      log,
      version,
      engine,
      words: new AlarmWords(database, config['time-zone']),
      trapCounts: () => receiver?.counts(),
    })
    const url = await server.listen()
    started.push(() => server.close())
    receiver = await startReceiver(config, database, engine, log)
    const running = receiver
    // HTTP stops before these: callers are told at once, while traps that have arrived are still settled.
    started.splice(-1, 0, () => running.stop(), keepHouse(config, database, engine, running, log))
    folder.announce({ pid: process.pid, url })
    return { url, trapPort: running.port, database, engine, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function prepare(database: Database, folder: DataFolder, log: Logger): Promise<void> {
  if (folder.uncleanStop && database.engine === 'sqlite') {
    log.warn('the last stop was not an orderly one: checking the store')
    const [row] = await database.longRead('pragma quick_check(1)')
    if (row?.quick_check !== 'ok') {
      const found = String(row?.quick_check).replace(/\s+/g, ' ')
      throw new Fault('unavailable', `the store is damaged: ${found}. Restore a backup`)
    }
  }
  for (const name of await migrate(database)) log.debug({ name }, 'migration applied')
  await plantFirstData(database)
  await openEpoch(database)
}

async function startReceiver(
  config: Config,
  database: Database,
  engine: AlarmEngine,
  log: Logger,
): Promise<TrapReceiver> {
  const clocks = await EngineClocks.open(database)
  const users = config['trap-users'] === '' ? [] : readUsers(config['trap-users'])
  // Steady, and close to the wall clock: what it says is kept across restarts.
  const clock = () => performance.timeOrigin + performance.now()
  const { engineId, engineBoots } = clocks
  const usm = users.length > 0 ? new Usm({ users, engineId, engineBoots, times: clocks, clock }) : undefined
  const decoder = new Decoder({ communities: config['trap-communities'], usm })
  const parts = { engine, decoder, senders: new Senders(config['trap-senders']), clocks, log }
  return TrapReceiver.start(parts, { ...config.traps, bufferSize: config['trap-buffer'] })
}

const second = 1000
const minute = 60 * second

/** What is looked after now and then; answers how to end it. */
function keepHouse(
  config: Config,
  database: Database,
  engine: AlarmEngine,
  receiver: TrapReceiver,
  log: Logger,
): () => Promise<void> {
  const retention: Retention = {
    traps: { count: config['keep-traps'], days: config['keep-traps-days'] },
    alarms: { count: config['keep-alarms'], days: config['keep-alarms-days'] },
    log: { count: config['keep-log'], days: config['keep-log-days'] },
  }
  const watch = new DropWatch(engine, receiver.counts().kernelDrops ?? 0)
  const ends = [
    every(second, log, () => watch.look(receiver.counts().kernelDrops ?? 0, Date.now())),
    every(minute, log, async () => {
      const removed = await sweep(database, retention)
      if (removed > 0) log.debug({ removed }, 'old rows removed')
    }),
  ]
  return async () => {
    for (const end of ends) await end()
  }
}

/** Runs a task again and again, never twice at once. */
function every(milliseconds: number, log: Logger, task: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  const timer = setInterval(() => {
    running ??= task()
      .catch((error) => log.error({ err: error }, 'a recurring task failed'))
      .finally(() => {
        running = undefined
      })
  }, milliseconds)
  return async () => {
    clearInterval(timer)
    await running
  }
}
