// Push alone, over a store of its own: tests raise the alarms and set the clocks.

import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import { pino } from 'pino'
import { type AlarmDraft, Identity } from '../../src/alarms/engine/alarm-draft.ts'
import { AlarmEngine } from '../../src/alarms/engine/engine.ts'
import { lastEntryNumber, openEpoch } from '../../src/alarms/log/epochs.ts'
import { LogSignal } from '../../src/alarms/log/log-signal.ts'
import { readParameters } from '../../src/http/call.ts'
import { StreamOutlet } from '../../src/http/wire/stream-outlet.ts'
import { Push } from '../../src/push/push.ts'
import { Registrations } from '../../src/push/registrations.ts'
import { AlarmTexts } from '../../src/resources/alarms/alarm.ts'
import type { Store } from '../../src/store/database.ts'
import { seedStore } from '../../src/upkeep/seed.ts'
import { waitUntil } from '../patience.ts'
import { stores } from '../support.ts'
import { EventReader } from './reader.ts'

export const linkDown = '1.3.6.1.6.3.1.1.5.3'

export interface StationOptions {
  /** Puts something between the store and the streams. */
  readonly wrap?: (database: Store) => Store
  readonly trustCleanClose?: boolean
}

export class Station {
  readonly database: Store
  /** The wall clock and the monotonic one; they need not agree. */
  readonly time: { wall: number; monotonic: number }
  readonly logSignal: LogSignal
  readonly engine: AlarmEngine
  readonly push: Push
  readonly registrations: Registrations
  /** Answers under way. */
  readonly responses = new Set<ServerResponse>()
  url = ''
  /** Sockets that are open on our side. */
  connections = 0
  #raised = 0

  private constructor(parts: Pick<Station, 'database' | 'time' | 'logSignal' | 'engine' | 'push'>) {
    this.database = parts.database
    this.time = parts.time
    this.logSignal = parts.logSignal
    this.engine = parts.engine
    this.push = parts.push
    this.registrations = new Registrations(this.database)
  }

  static async open({ wrap = (database) => database, ...more }: StationOptions = {}): Promise<Station> {
    const [store] = stores
    if (!store) throw new Error('no store')
    const time = { wall: Date.UTC(2026, 6, 1, 12), monotonic: 0 }
    const database = wrap(await store.openMigrated(() => time.wall))
    await seedStore(database)
    const logSignal = new LogSignal()
    const alarmTexts = new AlarmTexts(database, 'UTC')
    const engine = new AlarmEngine(database, logSignal, alarmTexts, {
      timeZone: 'UTC',
      unknownTraps: 'alarm',
      unknownSenders: 'register',
      flapping: { count: 0, seconds: 300, rearmSeconds: 300 },
      deviceLimit: 100_000,
      unknownAlarms: { perDevice: 100_000, overall: 100_000 },
      causeWaitSeconds: 20,
      openAlarms: { perDevice: 100_000, overall: 100_000 },
    })
    const log = pino({ level: 'silent' })
    const clocks = { clock: () => time.wall, monotonicClock: () => time.monotonic }
    await openEpoch(database)
    const push = await Push.start(
      { database, logSignal, alarmTexts, log, ...clocks },
      {
        heartbeatSeconds: 60,
        imcHeartbeat: false,
        stallSeconds: 60,
        trustCleanClose: false,
        keepRegistrationsDays: 7,
        ...more,
      },
    )
    const station = new Station({ database, time, logSignal, engine, push })
    await station.#listen()
    return station
  }

  async #listen(): Promise<void> {
    const server = createServer((request, response) => {
      this.responses.add(response)
      response.once('close', () => this.responses.delete(response))
      this.register(response, request.url?.split('?')[1] ?? '').catch(() => response.destroy())
    })
    server.on('connection', (socket) => {
      this.connections += 1
      socket.on('close', () => {
        this.connections -= 1
      })
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    after(async () => {
      await this.push.stop()
      server.closeAllConnections()
      server.close()
    })
  }

  register(response: ServerResponse, query: string): Promise<void> {
    return this.push.register({
      outlet: new StreamOutlet(response),
      form: 'xml',
      parameters: readParameters(`cursor=true&${query}`),
      holder: '',
      hasPermission: () => true,
      accepted() {
        response.writeHead(202)
        response.flushHeaders()
      },
    })
  }

  /** Bytes that clients have not taken yet. */
  get pending(): number[] {
    return [...this.responses].map(({ writableLength }) => writableLength)
  }

  connect(query = ''): Promise<EventReader> {
    return EventReader.open(this.url, query)
  }

  /** Raises this many alarms, all different, a few in each transaction. */
  async raise(count = 1, alarmDesc = '', together = 50): Promise<void> {
    for (let left = count; left > 0; left -= together) {
      await this.engine.change(async (changes, tx) => {
        for (let one = 0; one < Math.min(left, together); one += 1) {
          this.#raised += 1
          const draft = faultOf(this.#raised, alarmDesc, tx.now)
          await changes.gather([draft])
          changes.raise(draft)
        }
      })
    }
  }

  /** Waits until streams have been offered the whole log; returns its last number. */
  async processed(): Promise<number> {
    const last = await lastEntryNumber(this.database)
    await eventually(() => this.push.head === last, 'the hub knows the log')
    return Number(last)
  }

  /** Advances both clocks, then runs what is done once a second. */
  async pass(milliseconds: number): Promise<void> {
    this.time.wall += milliseconds
    this.time.monotonic += milliseconds
    await this.push.tick()
  }
}

const faultOf = (number: number, alarmDesc: string, at: number): AlarmDraft => ({
  identity: new Identity(0n, '', `n=${number}`, linkDown),
  OID: linkDown,
  eventName: 'linkDown',
  originalType: 3,
  deviceIp: '127.0.0.1',
  deviceName: 'Belfry',
  alarmLevel: 2,
  alarmCategory: 3,
  alarmDesc,
  paras: '',
  at,
})

/** Waits until something holds. */
export const eventually = (holds: () => boolean | Promise<boolean>, what: string): Promise<void> =>
  waitUntil(what, holds)
