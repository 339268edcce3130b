// The push side alone over a store of its own: alarms are raised by hand, time passes when the test says so.

import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import { pino } from 'pino'
import { Bell } from '../../src/alarms/bell.ts'
import type { AlarmDraft } from '../../src/alarms/changes.ts'
import { AlarmEngine } from '../../src/alarms/engine.ts'
import { head, openEpoch } from '../../src/alarms/log.ts'
import { readParameters } from '../../src/http/call.ts'
import { readFilter } from '../../src/push/filter.ts'
import { Hub, type HubParts } from '../../src/push/hub.ts'
import { Positions, readPosition } from '../../src/push/positions.ts'
import { Push } from '../../src/push/push.ts'
import { Registrations } from '../../src/push/registrations.ts'
import { AlarmWords } from '../../src/resources/alarm.ts'
import type { Database } from '../../src/store/database.ts'
import { plantFirstData } from '../../src/upkeep/first-data.ts'
import { openMigrated, stores } from '../support.ts'
import { EventReader } from './reader.ts'

export const linkDown = '1.3.6.1.6.3.1.1.5.3'

export class Station {
  readonly database: Database
  /** The wall clock and the steady one; they need not agree. */
  readonly time: { wall: number; steady: number }
  readonly bell = new Bell()
  readonly engine: AlarmEngine
  readonly hub: Hub
  readonly push: Push
  readonly registrations: Registrations
  readonly positions: Positions
  url = ''
  /** Sockets that are open on our side. */
  connections = 0
  #raised = 0

  private constructor(database: Database, time: Station['time'], positions: Positions) {
    this.database = database
    this.time = time
    this.positions = positions
    this.registrations = new Registrations(database)
    const words = new AlarmWords(database, 'UTC')
    this.engine = new AlarmEngine(database, this.bell, words, {
      timeZone: 'UTC',
      unknownTraps: 'alarm',
      unknownSenders: 'register',
      flapping: { count: 0, seconds: 300, rearmSeconds: 300 },
      deviceLimit: 100_000,
    })
    const parts: HubParts = {
      database,
      bell: this.bell,
      positions,
      registrations: this.registrations,
      log: pino({ level: 'silent' }),
      clock: () => time.wall,
      steadyClock: () => time.steady,
    }
    this.hub = new Hub(parts, { heartbeatSeconds: 60, familyHeartbeat: false, stallSeconds: 60 })
    this.push = new Push(parts, this.hub, words)
  }

  /** `wrap` puts something between the store and the streams. */
  static async open(wrap: (database: Database) => Database = (database) => database): Promise<Station> {
    const [engine] = stores
    if (!engine) throw new Error('no engine')
    const time = { wall: Date.UTC(2026, 6, 1, 12), steady: 0 }
    const database = wrap(await openMigrated(engine, () => time.wall))
    await plantFirstData(database)
    const positions = await Positions.open(database, await openEpoch(database))
    const station = new Station(database, time, positions)
    await station.hub.start()
    await station.#listen()
    return station
  }

  async #listen(): Promise<void> {
    const server = createServer((request, response) => {
      const query = request.url?.split('?')[1] ?? ''
      this.register(response, query).catch(() => response.destroy())
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
      await this.hub.stop()
      server.closeAllConnections()
      server.close()
    })
  }

  register(response: ServerResponse, query: string): Promise<void> {
    const parameters = readParameters(query)
    const filter = readFilter(parameters)
    const since = parameters.get('since')?.[0]
    return this.push.register({
      response,
      filter,
      variant: { form: 'xml', sendRecovered: filter.sendRecovered, cursor: true },
      query,
      uuid: parameters.get('uuid')?.[0],
      position: since === undefined ? undefined : { text: since, value: readPosition(since, 'since') },
      snapshot: parameters.has('snapshot'),
      begin() {
        response.writeHead(202)
        response.flushHeaders()
      },
    })
  }

  connect(query = ''): Promise<EventReader> {
    return EventReader.open(this.url, query)
  }

  /** Raises so many alarms, all different, a few in each transaction. */
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

  /** Waits until streams have been offered all there is; answers its number. */
  async settled(): Promise<number> {
    const last = await head(this.database)
    await eventually(() => this.hub.head === last, 'the hub knows the log')
    return Number(last)
  }

  /** Lets both clocks run, then looks after the streams. */
  async pass(milliseconds: number): Promise<void> {
    this.time.wall += milliseconds
    this.time.steady += milliseconds
    await this.hub.tick()
  }
}

const faultOf = (number: number, alarmDesc: string, at: number): AlarmDraft => ({
  identity: { deviceId: 0n, resource: `n=${number}`, alarmType: linkDown },
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
export async function eventually(
  holds: () => boolean | Promise<boolean>,
  what: string,
  patience = 10_000,
): Promise<void> {
  const deadline = performance.now() + patience
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`waited in vain: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
