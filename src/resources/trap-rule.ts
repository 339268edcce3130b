import { Fault } from '../fault.ts'
import { list } from '../schema/list.ts'
import {
  assigned,
  derived,
  empty,
  many,
  may,
  need,
  type RecordOf,
  resource,
  some,
} from '../schema/resource.ts'
import { coded, instant, int, long, oid, type Scalar, text } from '../schema/scalar.ts'
import type { Database } from '../store/database.ts'
import { collection } from './collection.ts'
import {
  type CalendarDay,
  dayForms,
  localSeconds,
  readDay,
  readTime,
  readWeekdays,
  type SecondOfDay,
  spanType,
  timeForms,
  weekdayForms,
} from './validity.ts'

/** Text that is kept as given but must be readable in one of the accepted forms. */
function written(read: (value: string) => unknown, accepted: string): Scalar<string> {
  const plain = text({ maxLength: 100 })
  return {
    ...plain,
    accepted,
    read(value) {
      read(value)
      return plain.read(value)
    },
  }
}

const day = written(readDay, dayForms)
const time = written(readTime, timeForms)

export const trapRule = resource(
  'trapRule',
  {
    id: assigned(long),
    trapRuleName: may(text(), { ...empty, keyed: true }),
    trapOId: may(oid, empty),
    trapGroup: may(coded({ '-1': 'by event', 0: 'UP/DOWN trap group', 1: 'MNS trap group' }), empty),
    exectimeType: may(int(), empty),
    startDay: may(day, empty),
    endDay: may(day, empty),
    startTime: may(time, empty),
    endTime: may(time, empty),
    selectedWeekDay: may(written(readWeekdays, weekdayForms), empty),
    trapDevice: some({
      displayName: need(text()),
      devID: need(int()),
      trapFilterEventParasInfo: many({
        faultOid: may(oid, empty),
        position: may(int(), empty),
        value: may(text(), empty),
        name: may(text(), empty),
      }),
    }),
    trapInterfaces: many({ ifDesc: may(text(), empty), deviceId: may(int(), empty) }),
    /** How many traps it has filtered, and when the last of them. */
    hits: derived(long),
    lastHit: derived(instant),
  },
  { table: 'trap_rule', key: 'id' },
)

export type TrapRule = RecordOf<typeof trapRule.fields>

const midnight = 24 * 3600

/** A validity between dates must not end before it starts. Times beside the days belong to them in a span alone. */
function check({ exectimeType, startDay, endDay, startTime, endTime }: TrapRule): void {
  if (startDay === null || endDay === null) return
  const [first, last] = [readDay(startDay), readDay(endDay)]
  if (first.kind !== 'date' || last.kind !== 'date') return
  const isSpan = exectimeType === spanType
  const start = Math.max(...timesOf(first, isSpan ? startTime : null, 0))
  const end = Math.min(...timesOf(last, isSpan ? endTime : null, midnight))
  // The end of one day is the start of the next, but an end day before the start day is a slip all the same.
  const days = localSeconds(last, 0) - localSeconds(first, 0)
  if (days >= 0 && days + end >= start) return
  const words = isSpan ? [startDay, startTime, 'to', endDay, endTime] : [startDay, 'to', endDay]
  const period = words.filter((word) => word !== null).join(' ')
  throw new Fault('invalid', `the validity ends before it starts: ${period}`, { field: 'endDay' })
}

function timesOf(date: CalendarDay, beside: string | null, otherwise: SecondOfDay): SecondOfDay[] {
  const given = [date.time, beside === null ? undefined : readTime(beside)].filter(
    (time) => time !== undefined,
  )
  return given.length === 0 ? [otherwise] : given
}

async function showHits(database: Database, rules: TrapRule[]): Promise<void> {
  for (const rule of rules) {
    const [row] = await database.all('select hits, last_hit from trap_rule_hit where rule_id = ?', [rule.id])
    rule.hits = (row?.hits as bigint | undefined) ?? 0n
    rule.lastHit = Number(row?.last_hit ?? 0n)
  }
}

export const trapRules = collection({
  resource: trapRule,
  noun: 'trap rule',
  list: list('/fault/trapRule', trapRule, {
    filters: ({ wildcard, equals, spelled }) => ({
      trapRuleName: wildcard('trapRuleName'),
      trapGroup: equals('trapGroup'),
      trapOId: spelled('trapOId'),
    }),
    orderBy: { id: 'id', trapRuleName: 'trapRuleName' },
  }),
  rules: {
    check,
    async deleting(tx, { id }) {
      await tx.run('delete from trap_rule_hit where rule_id = ?', [id])
    },
    show: showHits,
  },
})
