// The worst level of open alarms of each device, port and zone, now or at a moment of the day that is played back.

import type { AlarmRow } from '../alarms/row.ts'
import type { Graph, MapLink } from './graph.ts'

export interface States {
  /** The worst level by device; those with nothing wrong are missing. */
  readonly devices: ReadonlyMap<string, number>
  /** The same by device and port: `101 7`. */
  readonly ports: ReadonlyMap<string, number>
  /** How many alarms each device has. */
  readonly counts: ReadonlyMap<string, number>
  /** How many devices of a zone have which level as their worst. */
  readonly zones: ReadonlyMap<string, ReadonlyMap<number, number>>
}

/** An alarm that was open for a while, as the service lists them. */
export interface Span {
  readonly id: string
  readonly deviceId: string
  readonly ifIndex?: string
  readonly alarmLevel: string
  readonly alarmDesc: string
  readonly faultTime: string
  readonly recTime: string
}

interface OpenAlarmAt {
  readonly deviceId: string
  readonly port: string
  readonly level: number
}

/** Level 5, information, is not shown as a fault. */
const leastSevereShown = 4

function statesOf(graph: Graph, alarms: Iterable<OpenAlarmAt>): States {
  const devices = new Map<string, number>()
  const ports = new Map<string, number>()
  const counts = new Map<string, number>()
  const note = (map: Map<string, number>, key: string, level: number) => {
    if (level < (map.get(key) ?? leastSevereShown + 1)) map.set(key, level)
  }
  for (const { deviceId, port, level } of alarms) {
    if (level > leastSevereShown || !graph.devices.has(deviceId)) continue
    note(devices, deviceId, level)
    counts.set(deviceId, (counts.get(deviceId) ?? 0) + 1)
    if (port !== '') note(ports, `${deviceId} ${port}`, level)
  }
  const zones = new Map<string, Map<number, number>>()
  for (const [id, level] of devices) {
    const zoneId = graph.devices.get(id)?.zoneId ?? ''
    const levels = zones.get(zoneId) ?? new Map<number, number>()
    levels.set(level, (levels.get(level) ?? 0) + 1)
    zones.set(zoneId, levels)
  }
  return { devices, ports, counts, zones }
}

export function statesNow(graph: Graph, rows: Iterable<AlarmRow>): States {
  const open = Iterator.from(rows).filter(({ endedAt }) => endedAt === 0)
  return statesOf(graph, open)
}

/** At a moment in Unix seconds. */
export function statesAt(graph: Graph, spans: readonly Span[], at: number): States {
  return statesOf(graph, openAt(spans, at).map(openAlarmOf))
}

export const openAt = (spans: readonly Span[], at: number): Span[] =>
  spans.filter(
    ({ faultTime, recTime }) => Number(faultTime) <= at && (recTime === '0' || Number(recTime) > at),
  )

const openAlarmOf = ({ deviceId, ifIndex = '', alarmLevel }: Span): OpenAlarmAt => ({
  deviceId,
  port: ifIndex,
  level: Number(alarmLevel),
})

/** The worst of both ends; undefined where nothing is wrong. */
export function linkLevel({ ports }: States, { from, fromPort, to, toPort }: MapLink): number | undefined {
  const one = fromPort === '' ? undefined : ports.get(`${from} ${fromPort}`)
  const other = toPort === '' ? undefined : ports.get(`${to} ${toPort}`)
  return one === undefined || (other !== undefined && other < one) ? other : one
}
