// Compares what a device says with what it said before: what is to be written, and what is worth telling.

import type { ChangeKind, DeviceChange } from '../../resources/inventory/device-change.ts'
import type { DeviceFacts } from '../../resources/inventory/device-facts.ts'
import type { Learnt, LearntDifference } from '../../resources/inventory/learnt.ts'
import { portName } from '../../resources/inventory/port.ts'
import { clean, type DeviceReport } from './device-report.ts'
import { neighbourDifference } from './neighbour-difference.ts'
import { type Moment, portDifference } from './port-difference.ts'

/** A device that invents things anew each time must not fill the store. */
const maxChanges = 200

type NewChange = Pick<DeviceChange, 'kind' | 'ifIndex' | 'portName' | 'oldValue' | 'newValue'>

export function compare(
  before: Learnt,
  report: DeviceReport,
  deviceId: bigint,
  now: number,
): LearntDifference {
  const moment: Moment = { deviceId, now, uptime: report.system.uptime }
  const known = factsFrom(report, before.facts, moment)
  const ports = portDifference(before.ports, report.ports, moment)
  const neighbours = neighbourDifference(before.neighbours, report.neighbours, ports.all, moment)
  const changes: NewChange[] = [
    ...factChanges(before.facts, known),
    ...ports.changes.map(({ kind, port, oldValue, newValue }) => ({
      ...{ kind, oldValue, newValue },
      ...{ ifIndex: port.ifIndex, portName: portName(port) },
    })),
    ...neighbours.changes.map(({ kind, neighbour, oldValue, newValue }) => ({
      ...{ kind, oldValue, newValue },
      ...{ ifIndex: neighbour.ifIndex, portName: neighbour.portName },
    })),
  ]
  const isNew =
    hasNewFacts(before.facts, known) ||
    [ports, neighbours].some(
      ({ added, changed, removed }) => added.length + changed.length + removed.length > 0,
    )
  return {
    facts: { ...known, learnt: isNew ? now : known.learnt },
    ...{ ports, neighbours, isNew, renamesPorts: ports.renames },
    // What is there the first time is no change.
    changes: before.facts ? recorded(changes, deviceId, now) : [],
  }
}

const systemFields = ['sysName', 'sysDescription', 'sysOid', 'location', 'contact'] as const
const chassisFields = ['serialNumber', 'model', 'software'] as const
const texts = [...systemFields, ...chassisFields]

function factsFrom(report: DeviceReport, before: DeviceFacts | undefined, moment: Moment): DeviceFacts {
  const { system, chassis, addresses, problem } = report
  const { deviceId, now } = moment
  return {
    deviceId,
    deviceIp: '',
    deviceName: '',
    sysName: clean(system.name),
    sysDescription: clean(system.description, 1000),
    sysOid: clean(system.objectId, 1408),
    location: clean(system.location),
    contact: clean(system.contact),
    serialNumber: chassis ? clean(chassis.serialNumber) : (before?.serialNumber ?? ''),
    model: chassis ? clean(chassis.model) : (before?.model ?? ''),
    software: chassis ? clean(chassis.software) : (before?.software ?? ''),
    address: addresses?.toSorted() ?? before?.address ?? [],
    learnt: before?.learnt ?? now,
    asked: now,
    problem,
    differs: '',
  }
}

const hasNewFacts = (before: DeviceFacts | undefined, now: DeviceFacts) =>
  !before || texts.some((name) => before[name] !== now[name]) || before.address.join() !== now.address.join()

const ofDevice = { ifIndex: 0n, portName: '' }

function factChanges(before: DeviceFacts | undefined, now: DeviceFacts): NewChange[] {
  if (!before) return []
  const changed = texts.filter((name) => before[name] !== now[name])
  const had = new Set(before.address)
  const has = new Set(now.address)
  return [
    ...changed.map((kind) => ({ ...ofDevice, kind, oldValue: before[kind], newValue: now[kind] })),
    ...now.address
      .filter((address) => !had.has(address))
      .map((newValue) => ({ ...ofDevice, kind: 'addressAdded', oldValue: '', newValue })),
    ...before.address
      .filter((address) => !has.has(address))
      .map((oldValue) => ({ ...ofDevice, kind: 'addressRemoved', oldValue, newValue: '' })),
  ]
}

function recorded(changes: readonly NewChange[], deviceId: bigint, time: number): DeviceChange[] {
  const more: ChangeKind = 'more'
  const rest = changes.length - maxChanges
  const shown =
    rest > 0
      ? [...changes.slice(0, maxChanges), { ...ofDevice, kind: more, oldValue: '', newValue: String(rest) }]
      : changes
  return shown.map((one) => ({ ...one, id: 0n, deviceId, deviceName: '', time }))
}
