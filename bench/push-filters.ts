// Ten thousand registrations matched with one alarm, in this process.

import type { PushAttributes } from '../src/alarms/log/push-attributes.ts'
import { type Filtered, FilterIndex } from '../src/push/filter-index.ts'
import { type Filter, Filters } from '../src/push/stream-filter.ts'

const standard = '1.3.6.1.6.3.1.1.5'
const enterprise = '1.3.6.1.4.1.25506.2'
const device = (index: number) => `10.${(index >> 8) & 255}.${index & 255}.1`

/** What clients ask for, and the alarm that comes. */
export interface Case {
  readonly name: string
  filter(index: number): Record<string, string>
}

/** Few want everything; most want a level, some devices, a network or a kind of event. */
const mixed: Case['filter'] = (index) => {
  switch (index % 10) {
    case 0:
      return {}
    case 1:
    case 2:
      return { alarmLevel: String(1 + (index % 5)) }
    case 3:
      return { alarmLevel: '1,2', customView: String(index % 50) }
    case 4:
    case 5:
      return { deviceIp: [0, 1, 2, 3, 4].map((step) => device(index * 5 + step)).join() }
    case 6:
      return { ipSegment: `10.${index % 256}.0.0-10.${index % 256}.255.255` }
    case 7:
      return { eventOid: `${standard}.${1 + (index % 5)}` }
    case 8:
      return { eventOid: `${enterprise}.${index % 100}.*`, alarmLevel: '1,2,3' }
    default:
      return { deviceIp: device(index), alarmLevel: '1,2,3' }
  }
}

export const cases: readonly Case[] = [
  { name: 'mixed', filter: mixed },
  { name: 'all want everything', filter: () => ({}) },
  {
    name: 'each wants a network of its own',
    filter: (index) => ({
      ipSegment: `10.${index >> 8}.${index & 255}.0-10.${index >> 8}.${index & 255}.255`,
    }),
  },
  {
    name: 'each wants a part of one network',
    filter: (index) => ({ ipSegment: `10.0.0.0-10.255.${index >> 8}.${index & 255}`, alarmLevel: '2,4' }),
  },
  {
    name: 'each wants the same events of a view',
    filter: (index) => ({ eventOid: `${standard}.*,${enterprise}.*`, customView: String(index) }),
  },
  { name: 'all want one of 50 views', filter: (index) => ({ customView: String(index % 50) }) },
  { name: 'all want two levels', filter: () => ({ alarmLevel: '1,3' }) },
]

function facts(index: number): PushAttributes[] {
  const common = { deviceIp: device(index), views: new Set([String(index % 50)]) }
  const own = {
    ...common,
    OID: index % 2 === 0 ? `${standard}.3` : `${enterprise}.${index % 100}.6.1`,
    alarmLevel: 1 + (index % 5),
  }
  return index % 10 === 0 ? [own, { ...common, OID: `${standard}.3`, alarmLevel: 3 }] : [own]
}

/** Milliseconds for one alarm: nine out of ten take no longer. */
export function cost({ filter }: Case, registrations: number, alarms: number): number {
  const index = new FilterIndex<Filtered>()
  for (let client = 0; client < registrations; client += 1) index.add({ filter: parsed(filter(client)) })
  const times = Array.from({ length: alarms }, (_, alarm) => {
    // The best of a few: what else the machine does is not the filters' work.
    const tries = Array.from({ length: 5 }, () => {
      const began = performance.now()
      index.groups(facts(alarm))
      return performance.now() - began
    })
    return Math.min(...tries)
  })
  // The first ones run before the compiler has seen them.
  const known = times.slice(Math.floor(alarms / 4)).sort((a, b) => a - b)
  return known[Math.floor(known.length * 0.9)] ?? Number.NaN
}

const filters = new Filters()

const parsed = (parameters: Record<string, string>): Filter =>
  filters.read(new Map(Object.entries(parameters).map(([name, value]) => [name, [value]])))
