// A store with its clients, in a history that a test makes up: entries are written, connections break, the service is
// stopped or killed, the store is put back to a copy. What every client should know is kept beside it, and compared.

import assert from 'node:assert/strict'
import { pino } from 'pino'
import {
  lastEntryNumber,
  logCounter,
  openEpoch,
  openEpochAhead,
  readEpochs,
} from '../../src/alarms/log/epochs.ts'
import { LogSignal } from '../../src/alarms/log/log-signal.ts'
import { readParameters } from '../../src/http/call.ts'
import { Push } from '../../src/push/push.ts'
import { AlarmTexts } from '../../src/resources/alarms/alarm.ts'
import { readCounters, setCounter } from '../../src/store/counter.ts'
import type { Row, Store } from '../../src/store/database.ts'
import { backupMark } from '../../src/store/sqlite/sqlite-connection.ts'
import { noticeLoss } from '../../src/upkeep/checks/store-loss.ts'
import { seedStore } from '../../src/upkeep/seed.ts'
import type { TestStore } from '../support.ts'
import { HistoryClient, type Kind } from './history-client.ts'
import { eventually } from './station.ts'

export type Random = (below: number) => number

/** Tables that go back together. */
const tables = ['counter', 'epoch', 'alarm_log', 'registration', 'audit'] as const

interface Copy {
  readonly rows: ReadonlyMap<string, readonly Row[]>
  readonly labels: readonly string[]
}

/** How the store is served: by one service beside its file, or by nodes that have marks. */
export type Serving = 'alone' | 'nodes'

export class History {
  readonly steps: string[] = []
  readonly clients: HistoryClient[] = []
  readonly time = { wall: Date.UTC(2026, 6, 1), monotonic: 0 }
  readonly #database: Store
  readonly #serving: Serving
  readonly #copies: Copy[] = []
  /** The entries that the store has had, in order: those it has now, and when others went. */
  #labels: string[] = []
  #made = 0
  #push: Push | undefined
  #logSignal = new LogSignal()
  /** Cuts the service that runs off from the store, as a kill does. */
  #kill = () => undefined as undefined
  /** How far nodes have seen the store. */
  #mark = { epoch: 0n, number: 0n }

  private constructor(database: Store, serving: Serving) {
    this.#database = database
    this.#serving = serving
  }

  static async begin(store: TestStore, serving: Serving): Promise<History> {
    let history: History | undefined
    const database = await store.openMigrated(() => history?.time.wall ?? Date.UTC(2026, 6, 1))
    await seedStore(database)
    history = new History(database, serving)
    await history.#start()
    return history
  }

  get push(): Push {
    return this.#push ?? assert.fail('it is stopped')
  }

  // The service -------------------------------------------------------------------------------------------------

  async #start(witness?: Parameters<typeof noticeLoss>[1]): Promise<void> {
    let isAlive = true
    this.#kill = () => {
      isAlive = false
      return undefined
    }
    const gone = async () => {
      throw new Error('killed')
    }
    const own = new Proxy(this.#database, {
      get(target, name) {
        const value = Reflect.get(target, name)
        if (typeof value !== 'function') return value
        return isAlive || name === 'version' || name === 'now' ? value.bind(target) : gone
      },
    })
    // Epochs are named by the time of the start.
    this.time.wall += 1
    this.#logSignal = new LogSignal()
    const log = pino({ level: 'silent' })
    const clocks = { clock: () => this.time.wall, monotonicClock: () => this.time.monotonic }
    const parts = {
      database: own,
      logSignal: this.#logSignal,
      alarmTexts: new AlarmTexts(own, 'UTC'),
      log,
      ...clocks,
    }
    const settings = {
      heartbeatSeconds: 60,
      imcHeartbeat: false,
      stallSeconds: 3600,
      trustCleanClose: false,
      keepRegistrationsDays: 7,
    }
    const isLost = this.#serving === 'alone' && (await noticeLoss(this.#database, witness))
    if (!isLost) await openEpoch(this.#database)
    this.#push = await Push.start(
      this.#serving === 'alone' ? parts : { ...parts, node: 'a', reach: (number) => this.#reach(number) },
      settings,
    )
  }

  #reach(number: bigint): void {
    if (number > this.#mark.number) this.#mark = { ...this.#mark, number }
  }

  async stop(isOrderly: boolean): Promise<void> {
    const { push } = this
    if (isOrderly) {
      await this.caughtUp()
      await push.stop()
    } else this.#kill()
    this.#push = undefined
    for (const client of this.clients) client.cut(isOrderly ? 0 : client.unread)
    if (!isOrderly) await push.stop()
  }

  async restart(isOrderly: boolean): Promise<void> {
    await this.stop(isOrderly)
    await this.#start()
  }

  /** The streams have been offered everything. */
  async caughtUp(): Promise<void> {
    this.#logSignal.notify()
    for (const client of this.clients) {
      client.isSlow = false
      client.read()
    }
    const last = await lastEntryNumber(this.#database)
    await eventually(() => this.push.head >= last, 'the hub knows the log')
    await eventually(async () => {
      const shown = await this.push.clients()
      return shown.every(({ connected, lag }) => !connected || lag === 0n)
    }, 'clients have everything')
  }

  async pass(milliseconds: number): Promise<void> {
    this.time.wall += milliseconds
    this.time.monotonic += milliseconds
    await this.#push?.tick()
    for (const client of this.clients) client.isSaved = true
  }

  // The log -----------------------------------------------------------------------------------------------------

  async write(count: number): Promise<void> {
    await this.#database.transaction(async (tx) => {
      const last = await lastEntryNumber(tx)
      for (let n = 1; n <= count; n += 1) {
        this.#made += 1
        const label = `e${this.#made}`
        this.#labels.push(label)
        await tx.run(
          "insert into alarm_log (number, kind, at, alarm_id, oid, device_id, device_ip, alarm_level, cleared, alarm) values (?, 'raise', ?, ?, '1.3', 0, '', 1, '[]', ?)",
          [last + BigInt(n), tx.now, this.#made, `<alarm><alarmDesc>${label}</alarmDesc></alarm>`],
        )
      }
      await setCounter(tx, logCounter, last + BigInt(count))
    })
    for (const client of this.clients) client.owe(this.#labels.slice(-count))
    this.#logSignal.notify()
  }

  /** Retention removes the oldest. */
  async remove(count: number): Promise<void> {
    const removed = this.#labels.slice(0, count)
    await this.#database.transaction((tx) =>
      tx.run('delete from alarm_log where number in (select number from alarm_log order by number limit ?)', [
        count,
      ]),
    )
    this.#labels = this.#labels.slice(count)
    for (const client of this.clients) client.lose(removed, false)
  }

  // Copies ------------------------------------------------------------------------------------------------------

  async copy(): Promise<void> {
    const rows = new Map<string, readonly Row[]>()
    for (const name of tables) rows.set(name, await this.#database.all(`select * from ${name}`))
    this.#copies.push({ rows, labels: [...this.#labels] })
  }

  get copies(): number {
    return this.#copies.length
  }

  async #putBack(index: number): Promise<void> {
    const copy = this.#copies[index] ?? assert.fail('no copy')
    await this.#database.transaction(async (tx) => {
      for (const [name, rows] of copy.rows) {
        await tx.run(`delete from ${name}`)
        for (const row of rows) {
          const columns = Object.keys(row)
          await tx.run(
            `insert into ${name} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`,
            Object.values(row),
          )
        }
      }
    })
    const kept = new Set(copy.labels)
    const gone = this.#labels.filter((label) => !kept.has(label))
    this.#labels = [...copy.labels]
    for (const client of this.clients) client.lose(gone, true)
  }

  /** A file that is replaced while the service is stopped; with what stood beside it, or without. */
  async putBackFile(index: number, hasWitness: boolean): Promise<void> {
    const seen = await readCounters(this.#database)
    await this.#putBack(index)
    if (!hasWitness) await this.#database.transaction((tx) => setCounter(tx, backupMark, tx.now))
    await this.#start(hasWitness ? { seen, isCopy: false, forget: () => undefined } : undefined)
    await this.#database.transaction((tx) => tx.run('delete from counter where name = ?', [backupMark]))
  }

  /** In its place: nodes notice it a little later, and `before` happens until then. */
  async putBackBelow(index: number, before: () => Promise<void>): Promise<void> {
    const epochs = await readEpochs(this.#database)
    const number = await lastEntryNumber(this.#database)
    await this.#putBack(index)
    await before()
    const seen = {
      epoch: [this.#mark.epoch, epochs.at(-1)?.number ?? 0n].reduce((a, b) => (a > b ? a : b)),
      number: this.#mark.number > number ? this.#mark.number : number,
    }
    this.#mark = seen
    await this.#database.transaction((tx) => openEpochAhead(tx, { ids: new Map(), isReported: true, seen }))
    await this.#push?.endAll()
  }

  // Clients -----------------------------------------------------------------------------------------------------

  add(kind: Kind): HistoryClient {
    const client = new HistoryClient(kind, `c${this.clients.length + 1}`)
    this.clients.push(client)
    return client
  }

  async connect(client: HistoryClient): Promise<void> {
    const { outlet, query } = client.connecting()
    await this.push.register({
      outlet,
      form: 'json',
      parameters: readParameters(query),
      holder: '',
      hasPermission: () => true,
      accepted: () => undefined,
    })
  }

  async forget(client: HistoryClient): Promise<void> {
    await this.push.unregister(client.uuid, { name: 'x', role: 'admin', address: '127.0.0.1' })
    client.forgotten()
  }

  /** Whoever stays away is forgotten, and told when it comes back. */
  async expire(): Promise<void> {
    await this.push.expire(0, this.time.wall + 1)
    for (const client of this.clients) client.expired()
  }

  async end(): Promise<void> {
    await this.#push?.stop()
  }

  /** At the end everybody connects, and knows everything or has been told. */
  async compare(): Promise<void> {
    for (const client of this.clients) if (!client.isConnected) await this.connect(client)
    await this.caughtUp()
    for (const client of this.clients) client.compare(new Set(this.#labels))
  }
}
