// Windows across both clock changes of a year, minute by minute, against a plain reading of the clock on the wall.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type TrapRule, trapRule } from '../../src/resources/alarms/trap-rule.ts'
import { periodOf } from '../../src/rules/validity-period.ts'
import { ZoneTime } from '../../src/rules/zone-time.ts'
import { complete } from '../../src/schema/read-document.ts'

const minute = 60_000
const dayMinutes = 24 * 60

/** Zone, and the days on which its clocks go forward and back: at 2:00, by half an hour, and at midnight. */
const changes = [
  ['Europe/Berlin', '2026-03-29', '2026-10-25'],
  ['America/New_York', '2026-03-08', '2026-11-01'],
  ['Australia/Lord_Howe', '2026-10-04', '2026-04-05'],
  ['America/Havana', '2026-03-08', '2026-11-01'],
  ['Asia/Beirut', '2026-03-29', '2026-10-25'],
] as const

/** What the clock on the wall shows at each minute of five days around a change, in minutes since 1970. */
function wallClock(zone: string, change: string): { from: number; walls: number[] } {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' })
  const from = Date.parse(`${change}T00:00Z`) - 2 * dayMinutes * minute
  const walls = Array.from({ length: 5 * dayMinutes }, (_, index) => {
    const shown = format.format(from + index * minute)
    return Date.parse(`${shown.replace(' ', 'T')}Z`) / minute
  })
  return { from, walls }
}

/** The minute at which the clock shows this first; if it never does, as much later as the clock skipped. */
function firstMinuteAt(walls: readonly number[], wanted: number): number {
  const exact = walls.indexOf(wanted)
  if (exact >= 0) return exact
  const jump = walls.findIndex((wall, index) => wall < wanted && (walls[index + 1] ?? 0) > wanted)
  return jump < 0 ? (wanted < (walls[0] ?? 0) ? -1 : walls.length) : jump + wanted - (walls[jump] ?? 0)
}

function plainly(walls: readonly number[], start: number, end: number): boolean[] {
  const inside = walls.map(() => false)
  const firstDay = Math.floor((walls[0] ?? 0) / dayMinutes) * dayMinutes
  for (let day = firstDay - dayMinutes; day < firstDay + 6 * dayMinutes; day += dayMinutes) {
    const from = firstMinuteAt(walls, day + start)
    const until = firstMinuteAt(walls, day + end + (end < start ? dayMinutes : 0))
    inside.fill(true, Math.max(0, from), Math.max(0, until))
  }
  return inside
}

const windows = [
  ['00:00', '24:00'],
  ['00:00', '00:30'],
  ['00:30', '01:30'],
  ['01:00', '02:00'],
  ['01:30', '02:30'],
  ['01:45', '02:15'],
  ['02:00', '03:00'],
  ['02:30', '04:00'],
  ['12:00', '13:00'],
  ['22:00', '02:30'],
  ['23:30', '00:30'],
  ['03:00', '02:00'],
] as const

const minutesOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))

for (const [zone, ...days] of changes) {
  const zoneTime = new ZoneTime(zone)
  const clocks = days.map((day) => ({ day, ...wallClock(zone, day) }))

  test(`in ${zone} a window begins and ends by local time, across both clock changes`, () => {
    for (const { day, from, walls } of clocks) {
      for (const [startTime, endTime] of windows) {
        const expected = plainly(walls, minutesOf(startTime), minutesOf(endTime))
        for (const exectimeType of [1, null]) {
          const rule = complete(trapRule.fields, { exectimeType, startTime, endTime }) as TrapRule
          const holds = periodOf(rule, zoneTime)
          // The first and the last day are seen only in part.
          for (let index = dayMinutes; index < 4 * dayMinutes; index += 1) {
            const at = from + index * minute
            if (holds(at) !== expected[index]) {
              assert.fail(`${zone} ${day}, ${startTime} to ${endTime}: ${new Date(at).toISOString()}`)
            }
          }
        }
      }
    }
  })

  test(`in ${zone} an absolute period across a clock change holds from its first to its last moment`, () => {
    for (const { day, from, walls } of clocks) {
      const midnight = Date.parse(`${day}T00:00Z`) / minute
      for (const [startTime, endTime] of [
        ['01:30', '02:30'],
        ['00:30', '02:00'],
        ['02:00', '24:00'],
      ] as const) {
        const rule = complete(trapRule.fields, {
          exectimeType: 2,
          startDay: day,
          endDay: day,
          startTime,
          endTime,
        }) as TrapRule
        const holds = periodOf(rule, zoneTime)
        const first = firstMinuteAt(walls, midnight + minutesOf(startTime))
        const last = firstMinuteAt(walls, midnight + minutesOf(endTime))
        const inForce = walls.flatMap((_, index) => (holds(from + index * minute) ? [index] : []))
        assert.deepEqual([inForce[0], (inForce.at(-1) ?? 0) + 1, inForce.length], [first, last, last - first])
      }
    }
  })
}
