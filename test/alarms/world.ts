// An alarm engine over a store of its own, and traps as the receiver hands them over.

import { describe } from 'node:test'
import { AlarmEngine, type EngineOptions, type EngineSettings } from '../../src/alarms/engine/engine.ts'
import type { Incoming, IncomingTrap, Outcome } from '../../src/alarms/engine/incoming-trap.ts'
import {
  type Cleared,
  type EntryKind,
  type LogEntry,
  readEntriesAfter,
} from '../../src/alarms/log/alarm-log.ts'
import { lastEntryNumber } from '../../src/alarms/log/epochs.ts'
import { LogSignal } from '../../src/alarms/log/log-signal.ts'
import type { PushAttributes } from '../../src/alarms/log/push-attributes.ts'
import type { Variable } from '../../src/events/naming.ts'
import { type Alarm, AlarmTexts, alarms } from '../../src/resources/alarms/alarm.ts'
import type { Store } from '../../src/store/database.ts'
import { find } from '../../src/store/table.ts'
import { seedStore } from '../../src/upkeep/seed.ts'
import { stores, type TestStore, texts } from '../support.ts'

export const linkDown = '1.3.6.1.6.3.1.1.5.3'
export const linkUp = '1.3.6.1.6.3.1.1.5.4'
export const coldStart = '1.3.6.1.6.3.1.1.5.1'
/** Of category 2, device availability; coldStart and nsNotifyStart end it. */
export const shutdown = '1.3.6.1.4.1.8072.4.0.2'
export const agentStart = '1.3.6.1.4.1.8072.4.0.1'

export const variable = (oid: string, value: string, type = 'Integer32'): Variable => ({ oid, type, value })
export const ifIndex = (index: number) => variable(`1.3.6.1.2.1.2.2.1.1.${index}`, String(index))
export const ifDescr = (index: number, name: string) =>
  variable(`1.3.6.1.2.1.2.2.1.2.${index}`, name, 'OctetString')

export class World {
  readonly database: Store
  readonly time: { now: number }
  readonly engine: AlarmEngine

  private constructor(database: Store, time: { now: number }) {
    this.database = database
    this.time = time
    this.engine = this.another({})
  }

  /** A migrated store with the standard events, and a clock that stands still. */
  static async open(engine: TestStore): Promise<World> {
    const time = { now: Date.UTC(2026, 6, 1, 12) }
    const database = await engine.openMigrated(() => time.now)
    await seedStore(database)
    return new World(database, time)
  }

  /** A second engine over the same store, as after a restart with other settings. */
  another(settings: Partial<EngineSettings>, options?: EngineOptions): AlarmEngine {
    const usual = {
      timeZone: 'UTC',
      unknownTraps: 'alarm',
      unknownSenders: 'register',
      flapping: { count: 5, seconds: 300, rearmSeconds: 300 },
      deviceLimit: 100_000,
      unknownAlarms: { perDevice: 100_000, overall: 100_000 },
      causeWaitSeconds: 20,
      openAlarms: { perDevice: 100_000, overall: 100_000 },
    } as const
    const texts = new AlarmTexts(this.database, 'UTC')
    return new AlarmEngine(this.database, new LogSignal(), texts, { ...usual, ...settings }, options)
  }

  trap(
    oid: string,
    from: string,
    variables: readonly Variable[] = [],
    more: Partial<IncomingTrap> = {},
  ): IncomingTrap {
    const at = this.time.now
    return {
      kind: 'trap',
      receivedAt: at,
      sourceIp: from,
      agentIp: undefined,
      version: '2c',
      oid,
      variables,
      ...more,
    }
  }

  handle(...batch: readonly Incoming[]): Promise<Outcome[]> {
    return this.engine.handle(batch)
  }

  /** The alarms of a device, oldest first. */
  async alarmsOf(deviceIp: string): Promise<Alarm[]> {
    const rows = await this.database.all('select id from alarm where device_ip = ? order by id', [deviceIp])
    return Promise.all(rows.map((row) => this.alarm(row.id as bigint)))
  }

  async alarm(id: bigint): Promise<Alarm> {
    return (await find(this.database, alarms.table, id)) as Alarm
  }

  /** Runs something and returns what it added to the log. */
  async logged(work: () => Promise<unknown>): Promise<Logged[]> {
    const before = await lastEntryNumber(this.database)
    await work()
    return (await readEntriesAfter(this.database, before, 10_000)).map(logged)
  }
}

/** An entry of the log, with the fields of the alarm as it was then. */
interface Logged {
  readonly number: bigint
  readonly kind: EntryKind
  readonly id: bigint
  readonly cleared: readonly Cleared[]
  readonly attributes: readonly PushAttributes[]
  field(name: 'OID' | 'alarmLevel' | 'recStatus' | 'ackStatus' | 'recUserName'): unknown
}

const logged = ({ number, kind, alarmId, xml, cleared, attributes }: LogEntry): Logged => ({
  number,
  kind,
  id: alarmId,
  cleared,
  attributes,
  field(name) {
    const [value = ''] = texts(xml, name)
    return name === 'OID' || name === 'recUserName' ? value : Number(value)
  },
})

/** Declares the same tests for a world on each kind of store. */
export async function onEveryStore(declare: (world: World) => void): Promise<void> {
  // All are open before the first test is declared: what a file opens is closed when its tests are over.
  const worlds = await Promise.all(stores.map(async (store) => ({ store, world: await World.open(store) })))
  for (const { store, world } of worlds) describe(`on ${store.name}`, () => declare(world))
}
