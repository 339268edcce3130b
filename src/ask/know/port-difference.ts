// Compares the ports that a device names with those that it named before. Names are what people and configurations go by;
// indexes may change with every restart. So a port is recognised by its name, and by its index where the name is new.

import type { ChangeKind } from '../../resources/inventory/device-change.ts'
import type { Difference } from '../../resources/inventory/learnt.ts'
import { type Port, portName } from '../../resources/inventory/port.ts'
import type { InterfaceFacts } from '../device-facts.ts'
import { clean, type Part } from './device-report.ts'

export interface PortChange {
  readonly kind: ChangeKind
  readonly port: Port
  readonly oldValue: string
  readonly newValue: string
}

export interface PortDifference extends Difference<Port> {
  readonly changes: readonly PortChange[]
  readonly renames: boolean
  /** All that there are afterwards. */
  readonly all: readonly Port[]
}

/** The clocks of devices are coarse, and answers take their time. */
const clockTolerance = 120_000

export interface Moment {
  readonly deviceId: bigint
  readonly now: number
  /** The device's, in hundredths of a second. */
  readonly uptime: number | undefined
}

export function portDifference(
  before: readonly Port[],
  told: Part<InterfaceFacts>,
  moment: Moment,
): PortDifference {
  const named = told.rows.map((facts) => portFrom(facts, moment))
  const pairs = matchPorts(before, named)
  const known = new Set([...pairs.values()])
  const added: Port[] = []
  const changed: Port[] = []
  const kept: Port[] = []
  const changes: PortChange[] = []
  for (const port of named) {
    const old = pairs.get(port)
    if (!old) {
      added.push(port)
      changes.push({ kind: 'portAdded', port, oldValue: '', newValue: portName(port) })
      continue
    }
    const next = { ...port, id: old.id, lastChange: stableTime(old.lastChange, port.lastChange) }
    const differences = differencesOf(old, next)
    const isSame = compared.every((name) => old[name] === next[name])
    if (isSame) kept.push(old)
    else changed.push(next)
    for (const difference of differences) changes.push({ ...difference, port: next })
  }
  const unnamed = before.filter((port) => !known.has(port))
  // An agent that is just starting names none.
  const removed = told.isComplete && named.length > 0 ? unnamed : []
  for (const port of removed)
    changes.push({ kind: 'portRemoved', port, oldValue: portName(port), newValue: '' })
  const renames =
    added.length + removed.length > 0 ||
    changes.some(({ kind }) => kind === 'portRenamed' || kind === 'portRenumbered')
  const stay = removed.length > 0 ? [] : unnamed
  return { added, changed, removed, changes, renames, all: [...kept, ...changed, ...added, ...stay] }
}

function portFrom(facts: InterfaceFacts, { deviceId, now, uptime }: Moment): Port {
  const { index, type, speed, mac, adminStatus, operStatus, lastChange } = facts
  const isReported =
    lastChange !== undefined && lastChange > 0 && uptime !== undefined && lastChange <= uptime
  return {
    id: 0n,
    deviceId,
    deviceName: '',
    ifIndex: BigInt(index),
    name: clean(facts.name),
    description: clean(facts.description),
    alias: clean(facts.alias),
    type: BigInt(type ?? 0),
    speed: BigInt(Math.trunc(speed ?? 0)),
    mac: mac ?? '',
    adminStatus: adminStatus ?? 0,
    operStatus: operStatus ?? 0,
    lastChange: isReported ? Math.floor((now - (uptime - lastChange) * 10) / 1000) * 1000 : 0,
    learnt: now,
    typed: '',
  }
}

const stableTime = (before: number, now: number) =>
  before !== 0 && now !== 0 && Math.abs(now - before) <= clockTolerance ? before : now

const compared = [
  ...(['ifIndex', 'name', 'description', 'alias', 'type', 'speed', 'mac'] as const),
  ...(['adminStatus', 'operStatus', 'lastChange'] as const),
]

/** What is worth telling: not the state, which alarms tell. */
const told: readonly (readonly [ChangeKind, (port: Port) => string])[] = [
  ['portRenamed', portName],
  ['portRenumbered', ({ ifIndex }) => String(ifIndex)],
  ['portAlias', ({ alias }) => alias],
  ['portType', ({ type }) => String(type)],
  ['portSpeed', ({ speed }) => String(speed)],
  ['portMac', ({ mac }) => mac],
  ['portAdminStatus', ({ adminStatus }) => String(adminStatus)],
]

function differencesOf(old: Port, next: Port): Omit<PortChange, 'port'>[] {
  // A port without link has no speed to speak of.
  const isSettled = old.operStatus === next.operStatus
  return told.flatMap(([kind, valueIn]) => {
    const [oldValue, newValue] = [valueIn(old), valueIn(next)]
    return oldValue === newValue || (kind === 'portSpeed' && !isSettled) ? [] : [{ kind, oldValue, newValue }]
  })
}

/** The port that each one was before. */
function matchPorts(before: readonly Port[], named: readonly Port[]): Map<Port, Port> {
  const pairs = new Map<Port, Port>()
  const free = new Set(before)
  const pairBy = (keyOf: (port: Port) => string) => {
    const old = byKey([...free], keyOf)
    const now = byKey(
      named.filter((port) => !pairs.has(port)),
      keyOf,
    )
    for (const [key, port] of now) {
      const other = old.get(key)
      if (!port || !other) continue
      pairs.set(port, other)
      free.delete(other)
    }
  }
  pairBy((port) => `${portName(port)} ${port.ifIndex}`)
  pairBy(portName)
  pairBy(({ ifIndex, type }) => `${ifIndex} ${type}`)
  return pairs
}

/** Those whose key is theirs alone. */
function byKey(ports: readonly Port[], keyOf: (port: Port) => string): Map<string, Port | undefined> {
  const found = new Map<string, Port | undefined>()
  for (const port of ports) {
    const key = keyOf(port)
    if (key !== '') found.set(key, found.has(key) ? undefined : port)
  }
  return found
}
