// A store with alarms as they are kept, and reports made of it.

import { blankAlarm } from '../../src/alarms/engine/alarm-draft.ts'
import { runElement } from '../../src/reports/report.ts'
import type { ReportDocument, Section, Value } from '../../src/reports/report-document.ts'
import { Reports } from '../../src/reports/runs.ts'
import { alarms } from '../../src/resources/alarms/alarm.ts'
import { type ReportTemplate, reportTemplates } from '../../src/resources/reports/report-template.ts'
import type { Database } from '../../src/store/database.ts'
import { find, insertAll } from '../../src/store/table.ts'
import { seedStore } from '../../src/upkeep/seed.ts'
import type { TestStore } from '../support.ts'

export interface Raised {
  readonly oid: string
  readonly deviceId: bigint
  readonly alarmLevel: number
  readonly alarmCategory: number
  readonly from: number
  /** When it ended; it is open without. */
  readonly until: number | null
  readonly acknowledged: number | null
  readonly ifIndex: bigint | null
  /** Of a host that is no device: its address. */
  readonly deviceIp?: string
  /** Whether its definition said `outOfReach` when it was raised. */
  readonly outOfReach?: boolean
  /** Whether it is the end of another, which is no alarm to be counted. */
  readonly isEnd?: boolean
}

const recordOf = (raised: Raised, index: number) => ({
  ...blankAlarm,
  id: BigInt(index + 1),
  OID: raised.oid,
  originalType: 1,
  deviceId: raised.deviceId,
  deviceIp: raised.deviceIp ?? `10.0.0.${raised.deviceId}`,
  deviceName: raised.deviceIp ?? `device ${raised.deviceId}`,
  alarmLevel: raised.alarmLevel,
  alarmCategory: raised.alarmCategory,
  alarmDesc: '',
  paras: '',
  faultTime: raised.from,
  recTime: raised.until ?? 0,
  recStatus: raised.until === null ? 0 : 1,
  firstAckTime: raised.acknowledged ?? 0,
  ackTime: raised.acknowledged ?? 0,
  eventName: `event ${raised.oid}`,
  isReceoverFault: raised.isEnd ? 1 : 0,
  outOfReach: raised.outOfReach ?? false,
  alarmType: raised.oid,
  // Two that are open at once are of different resources.
  resource: `r${index}`,
  lastTime: raised.from,
  ifIndex: raised.ifIndex,
  ifDesc: null,
})

export interface World {
  readonly database: Database
  /** Sets the alarms that there are. */
  fill(raised: readonly Raised[]): Promise<void>
  run(template: number, parameters: Readonly<Record<string, string>>, now: number): Promise<ReportDocument>
}

export async function openWorld(store: TestStore, timeZone: string): Promise<World> {
  const clock = { now: 1_790_000_000_000 }
  const database = await store.openMigrated(() => clock.now)
  await seedStore(database)
  const reports = new Reports(database, () => clock.now, { timeZone, keep: 1, keepDays: 1 })
  return {
    database,
    fill: (raised) =>
      database.transaction(async (tx) => {
        await tx.run('delete from alarm')
        await insertAll(tx, alarms.table, raised.map(recordOf))
      }),
    async run(template, parameters, now) {
      clock.now = now
      const found = (await find(database, reportTemplates.table, BigInt(template))) as ReportTemplate
      const given = Object.entries(parameters).map(([parameterName, value]) => ({ parameterName, value }))
      return (await reports.run(found, runElement(given), { name: '', scheduleId: null })).document
    },
  }
}

export function sectionOf({ sections }: ReportDocument, title: string): Section {
  const found = sections.find((section) => section.title === title)
  if (!found) throw new Error(`there is no section ${title}`)
  return found
}

/** A column of a section by what its rows are called. */
export function columnBy(section: Section, key: string, wanted: string): Map<Value, Value> {
  const place = (name: string) => section.columns.findIndex((column) => column.name === name)
  return new Map(section.rows.map((row) => [row[place(key)] ?? null, row[place(wanted)] ?? null]))
}

export function figureOf({ figures }: ReportDocument, label: string): Value | undefined {
  return figures.find((figure) => figure.label === label)?.value
}
