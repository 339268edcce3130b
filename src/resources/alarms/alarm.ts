// The alarm as it is stored, listed and pushed.

import { list } from '../../schema/list.ts'
import {
  assigned,
  assignedSet,
  derived,
  empty,
  fieldsIn,
  inPart,
  optional,
  type RecordOf,
  required,
  resource,
} from '../../schema/resource.ts'
import { bool, coded, instant, int, ip, long, oid, oidLength, text } from '../../schema/scalar.ts'
import { spaceNumber } from '../../schema/space.ts'
import type { Database, Reader } from '../../store/database.ts'
import { TableCache } from '../../store/table-cache.ts'
import { collection } from '../collection.ts'
import { zoneOfDevice } from '../inventory/zone.ts'
import { LocalTime } from './local-time.ts'

const levels = { 1: 'Critical', 2: 'Major', 3: 'Minor', 4: 'Warning', 5: 'Info' }
const origins = { 1: 'Trap', 2: 'Syslog', 3: 'Belfry' }
const recoveries = { 0: 'Unrecovered', 1: 'Recovered' }
const acknowledgements = { 0: 'Unacknowledged', 1: 'Acknowledged' }

export const alarmLevel = coded(levels)
export const fromTrap = 1
export const fromSyslog = 2
export const fromService = 3
export type Origin = typeof fromTrap | typeof fromSyslog | typeof fromService
export const infoLevel = 5

/** Why an alarm was raised that no device reported. */
export const foundByAsking = 'found by asking'

// The text of a trap is as long as its sender likes.
const longText = text({ maxLength: 10_000 })
export const noteText = text({ maxLength: 2000 })

/** Fields that are pushed to every client, and those for clients that asked for operators' work. */
const pushed = inPart('pushed')
const work = inPart('work')
/** From a trap to its alarm, and on to the recovery. */
const trace = inPart('trace')

export const alarm = resource(
  'alarm',
  {
    id: pushed(assigned(long)),
    OID: pushed(required(oid)),
    originalType: pushed(assigned(coded(origins))),
    originalTypeDesc: pushed(derived(text(), empty)),
    deviceId: pushed(optional(long)),
    deviceIp: pushed(optional(ip, empty)),
    deviceName: pushed(optional(text(), empty)),
    alarmLevel: pushed(required(alarmLevel)),
    alarmLevelDesc: pushed(derived(text(), empty)),
    alarmCategory: pushed(optional(int({ min: 1 }))),
    alarmCategoryDesc: pushed(derived(text(), empty)),
    faultTime: pushed(assigned(instant)),
    faultTimeDesc: pushed(derived(text(), empty)),
    recTime: pushed(assigned(instant)),
    recTimeDesc: pushed(derived(text(), empty)),
    recStatus: pushed(assigned(coded(recoveries))),
    recStatusDesc: pushed(derived(text(), empty)),
    recUserName: pushed(assigned(text(), empty)),
    ackTime: pushed(assigned(instant)),
    ackTimeDesc: pushed(derived(text(), empty)),
    ackStatus: pushed(assigned(coded(acknowledgements))),
    ackStatusDesc: pushed(derived(text(), empty)),
    ackUserName: pushed(assigned(text(), empty)),
    alarmDesc: pushed(optional(longText, empty)),
    paras: pushed(optional(longText, empty)),
    parentId: pushed(assigned(long)),
    somState: pushed(assigned(coded({ 0: 'not distributed', 1: 'distributed' }))),
    isReceoverFault: pushed(assigned(coded({ 0: 'fault alarm', 1: 'recovery alarm' }))),
    recoverFaultIdList: pushed(assignedSet(long)),
    remark: optional(text(), empty),
    /** The event's name, the type and the resource that make up the alarm's identity with its device. */
    eventName: assigned(text({ maxLength: oidLength })),
    alarmType: assigned(oid),
    resource: optional(text(), empty),
    /** How often it was reported since it was raised, and when last. */
    repeats: assigned(long),
    lastTime: assigned(instant),
    /** The interface it is about, where it is about one. */
    ifIndex: optional(long),
    ifDesc: optional(text(), empty),
    zoneId: derived(long),
    /** Who has taken it on, the last note, and until when its acknowledgement lasts. */
    owner: work(assigned(text(), empty)),
    note: work(assigned(noteText, empty)),
    ackUntil: work(assigned(instant)),
    /** Whether its pushes are held back, and by what. */
    suppressed: work(assigned(bool)),
    suppressedBy: work(assignedSet(text())),
    shelvedUntil: work(assigned(instant)),
    /** The trap that raised it and why, and the recovery alarm that ended it; 0 if there is none. */
    trapId: trace(assigned(long)),
    reason: trace(assigned(text(), empty)),
    recoveredBy: trace(assigned(long)),
  },
  { table: 'alarm', key: 'id', ignored: ['alarmDetail', 'holdInfo', 'nAction', 'lstRecovered', 'cursor'] },
)

/**
 * As programs raise it: they forward what was reported by syslog, or speak for themselves. `space` is the address space of
 * `deviceIp`.
 */
export const raisedAlarm = resource(
  'alarm',
  {
    ...alarm.fields,
    originalType: pushed(
      optional(coded({ [fromSyslog]: origins[fromSyslog], [fromService]: origins[fromService] })),
    ),
    space: optional(spaceNumber),
  },
  { table: alarm.table, key: 'id', ignored: alarm.ignored },
)

/** Stored with an alarm and shown to nobody. */
const unshown = {
  /** The facts of its pushes; see src/alarms/log/push-attributes.ts. */
  pushed: assigned(text()),
  /** The entry of the log that it was raised with. */
  entry: assigned(long),
  /** Whether it was never pushed to anyone. */
  hidden: assigned(bool),
  /** A shelf ends when the alarm gets more severe than this; 0: at any severity it lasts. */
  shelvedLevel: assigned(int()),
  firstAckTime: assigned(instant),
  /** Whether it means that something is out of reach. */
  outOfReach: assigned(bool),
  /** The open alarm that it follows from, and until when one is awaited; see src/alarms/causes/causes.ts. */
  causeId: assigned(long),
  causeUntil: assigned(instant),
  /** When it was repeated; see src/alarms/history/alarm-history.ts. */
  repeatTrail: assigned(text()),
}

export type Alarm = RecordOf<typeof alarm.fields & typeof unshown>
type ShownAlarm = RecordOf<typeof alarm.fields>

export const pushedAlarm = { name: alarm.name, fields: fieldsIn(alarm.fields, 'pushed') }
export const alarmOperatorFields = { name: alarm.name, fields: fieldsIn(alarm.fields, 'work') }

/** In a list each alarm has the address at which it can be read. */
export const listedAlarm = resource(
  'alarm',
  { ...alarm.fields, alarmDetail: derived(text({ maxLength: 10_000 })) },
  { table: alarm.table, key: 'id', ignored: alarm.ignored },
)

/** A single alarm has its own root element. */
export const alarmDetail = { name: 'alarmDetail', fields: alarm.fields }

/** What iMC-compatible clients are not shown: they know neither suppression nor owners. */
export const unknownToImc: ReadonlySet<string> = new Set(
  ['work', 'trace'].flatMap((part) => Object.keys(fieldsIn(alarm.fields, part))),
)

export const alarms = collection({
  resource: alarm,
  unshown,
  sized: { columns: ['alarm_desc', 'paras'], by: 'rec_status' },
  noun: 'alarm',
  list: list('/fault/alarm', alarm, {
    filters: ({ equals, anyOf, anySpelling, period, checkedOnly, through }) => ({
      id: anyOf('id'),
      deviceId: equals('deviceId'),
      deviceIp: anySpelling('deviceIp'),
      alarmLevel: anyOf('alarmLevel'),
      faultOid: anySpelling('OID'),
      originalType: anyOf('originalType'),
      recStatus: equals('recStatus'),
      isReceoverFault: equals('isReceoverFault'),
      ackStatus: equals('ackStatus'),
      alarmCategory: anyOf('alarmCategory'),
      startAlarmTime: period('faultTime', 'from'),
      endAlarmTime: period('faultTime', 'until'),
      zoneId: through('device_id', zoneOfDevice, long),
      suppressed: equals('suppressed'),
      owner: equals('owner'),
      parentId: equals('parentId'),
      timeRange: checkedOnly(coded({ 0: 'any time', 255: 'startAlarmTime to endAlarmTime' })),
    }),
    orderBy: { id: 'id', faultTime: 'faultTime', alarmLevel: 'alarmLevel', deviceId: 'deviceId' },
    // The iMC interface's programs ask for the newest first without naming an order.
    descendingWithoutOrder: true,
    unindexed: true,
    counted: ['recStatus', 'ackStatus', 'alarmLevel'],
  }),
})

/** Fills in the descriptions that go with the codes and times of an alarm. */
export class AlarmTexts {
  readonly #database: Database
  readonly #localTime: LocalTime
  readonly #categories: TableCache<ReadonlyMap<number, string>>

  constructor(database: Database, timeZone: string) {
    this.#database = database
    this.#categories = new TableCache(database, 'alarm_category')
    this.#localTime = new LocalTime(timeZone)
  }

  async fill(alarms: readonly ShownAlarm[]): Promise<void> {
    await this.refresh(this.#database)
    this.describe(alarms)
  }

  /** Fills in the words that the last refresh has read. */
  describe(alarms: readonly ShownAlarm[]): void {
    const categories = this.#categories.last
    for (const one of alarms) {
      one.originalTypeDesc = word(origins, one.originalType)
      one.alarmLevelDesc = word(levels, one.alarmLevel)
      one.alarmCategoryDesc = categories?.get(one.alarmCategory ?? 0) ?? ''
      one.recStatusDesc = word(recoveries, one.recStatus)
      one.ackStatusDesc = word(acknowledgements, one.ackStatus)
      one.faultTimeDesc = this.#time(one.faultTime)
      one.recTimeDesc = this.#time(one.recTime)
      one.ackTimeDesc = this.#time(one.ackTime)
    }
  }

  /** Inside a transaction, its own reader must be used. */
  async refresh(reader: Reader): Promise<void> {
    await this.#categories.get(reader, readCategories)
  }

  #time(at: number): string {
    return at === 0 ? '' : this.#localTime.text(at)
  }
}

async function readCategories(reader: Reader): Promise<ReadonlyMap<number, string>> {
  const rows = await reader.all('select id, name from alarm_category')
  return new Map(rows.map((row) => [Number(row.id), String(row.name)]))
}

const word = (words: Readonly<Record<number, string>>, code: number) => words[code] ?? ''
