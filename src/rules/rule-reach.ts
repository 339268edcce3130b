// Warnings about rules that can match nothing, everything, or less than they seem to, judged by their conditions alone.

import { deviceServiceEvents, serviceEvents } from '../events/service-events.ts'
import { otherSpelling } from '../resources/alarms/trap-event.ts'
import type { TrapRule } from '../resources/alarms/trap-rule.ts'
import { spanType } from '../resources/alarms/validity.ts'
import { anyDevice, byEventGroup, namesNoEvent, ownGroup, upDownEvents, upDownGroup } from './rules.ts'
import { isAlways, neverApplies } from './validity-period.ts'
import type { ZoneTime } from './zone-time.ts'

type Device = TrapRule['trapDevice'][number]
type Parameter = Device['trapFilterEventParasInfo'][number]

const never = (why: string) => `the rule never applies: ${why}`

/** Reasons why the rule can filter no trap. */
export function neverWarnings(rule: TrapRule, zone: ZoneTime, now: number): string[] {
  const reasons = [...groupReasons(rule), ...deviceReasons(rule), ...interfaceReasons(rule)]
  if (neverApplies(rule, zone, now)) reasons.push('its validity lies in the past or is empty')
  return reasons.map(never)
}

const isBelow = (oid: string, above: string) => oid === above || oid.startsWith(`${above}.`)

function groupReasons(rule: TrapRule): string[] {
  const { trapGroup, trapOId } = rule
  if (namesNoEvent(rule)) return ['trapGroup -1 (by event) needs a trapOId or a faultOid']
  if (trapGroup === upDownGroup && trapOId !== null && !upDownEvents.some((oid) => isBelow(oid, trapOId))) {
    return [`trapGroup 0 is linkDown and linkUp, and trapOId ${trapOId} is neither`]
  }
  return trapGroup === ownGroup ? ownReasons(rule) : []
}

const ownOids: readonly string[] = Object.values(serviceEvents).map(({ eventOid }) => eventOid)

const namesOnlyDevices = ({ trapDevice }: TrapRule) => trapDevice.every(({ devID }) => devID !== anyDevice)

/** Alarms of the service itself carry no variables and no interfaces, and few are about a device. */
function ownReasons(rule: TrapRule): string[] {
  const { trapOId, trapInterfaces } = rule
  const named = ownOids.filter((oid) => trapOId === null || isBelow(oid, trapOId))
  if (named.length === 0) {
    return [`trapGroup 1 is alarms of the service itself, and trapOId ${trapOId} is none of them`]
  }
  if (namesOnlyDevices(rule) && !named.some((oid) => deviceServiceEvents.includes(oid))) {
    return [`trapGroup 1 is alarms of the service itself, and those of trapOId ${trapOId} are about device 0`]
  }
  const ofInterfaces = trapInterfaces.length > 0 && trapInterfaces.every(({ ifDesc }) => ifDesc !== null)
  return ofInterfaces ? ['trapGroup 1 is alarms of the service itself, which are about no interface'] : []
}

/** A reason if every device of the rule has parameters that no trap can have. */
function deviceReasons(rule: TrapRule): string[] {
  const impossible = ({ trapFilterEventParasInfo: entries }: Device) => {
    const events = [...Map.groupBy(entries, ({ faultOid }) => faultOid)]
    const canMatch = rule.trapGroup === ownGroup ? isEmptyButEvent : hasPosition
    return entries.length > 0 && !events.some(([oid, all]) => isPossible(rule, oid) && all.every(canMatch))
  }
  return rule.trapDevice.every(impossible) ? ['no trap has the parameters of its devices'] : []
}

const hasPosition = ({ position }: Parameter) => position === null || position >= 1

/** Whether traps of an event can match the rule's other conditions on events. */
function isPossible({ trapGroup, trapOId }: TrapRule, faultOid: string | null): boolean {
  if (faultOid === null) return true
  if (trapGroup === upDownGroup && !upDownEvents.includes(faultOid)) return false
  if (trapGroup === ownGroup && !ownOids.includes(faultOid)) return false
  return trapOId === null || [faultOid, otherSpelling(faultOid)].some((oid) => isBelow(oid, trapOId))
}

function interfaceReasons(rule: TrapRule): string[] {
  const { trapInterfaces } = rule
  if (trapInterfaces.length === 0 || !trapInterfaces.every(contradicts(rule))) return []
  return ['its interfaces are of other devices than trapDevice names']
}

/** Whether an interface belongs to a device that is not in the rule. */
function contradicts({ trapDevice }: TrapRule): (entry: TrapRule['trapInterfaces'][number]) => boolean {
  const ids = new Set(trapDevice.map(({ devID }) => devID))
  return ({ deviceId }) =>
    deviceId !== null && (deviceId === anyDevice || !(ids.has(anyDevice) || ids.has(deviceId)))
}

/** Warns about parts of the rule that have no effect, or that other parts contradict. */
export function partWarnings(rule: TrapRule): string[] {
  const { trapDevice, trapInterfaces } = rule
  const positions = trapDevice.flatMap(({ trapFilterEventParasInfo }, device) =>
    trapFilterEventParasInfo.flatMap((entry, index) =>
      hasPosition(entry)
        ? []
        : [
            `trapDevice[${device + 1}]/trapFilterEventParasInfo[${index + 1}] matches nothing: its position is ${entry.position}, and positions count from 1`,
          ],
    ),
  )
  const isContradicted = contradicts(rule)
  const interfaces = trapInterfaces.flatMap((entry, index) =>
    isContradicted(entry)
      ? [`trapInterfaces[${index + 1}] matches nothing: device ${entry.deviceId} is not in trapDevice`]
      : [],
  )
  return [...positions, ...interfaces, ...serviceWarnings(rule), ...typeWarnings(rule)]
}

/** A rule against alarms of the service that names devices matches fewer than its author may think. */
function serviceWarnings(rule: TrapRule): string[] {
  const isOfDevices = rule.trapGroup === ownGroup && namesOnlyDevices(rule) && ownReasons(rule).length === 0
  const isAboutDevice = rule.trapOId !== null && deviceServiceEvents.includes(rule.trapOId)
  if (!isOfDevices || isAboutDevice) return []
  return [
    'of the alarms of the service itself (trapGroup 1) only those of flapping, of terminals, of asking and of syslog are about a device: the rule filters no others',
  ]
}

const alwaysType = 0

/** Limits of the validity apply, whatever the type says. */
function typeWarnings(rule: TrapRule): string[] {
  const { exectimeType, startDay, endDay, startTime, endTime } = rule
  if (exectimeType === alwaysType && !isAlways(rule)) {
    return ['exectimeType is 0, but limits of the validity are given: they hold']
  }
  if (exectimeType !== spanType) return []
  const loose = [
    ...(startTime !== null && startDay === null ? ['startTime has no startDay'] : []),
    ...(endTime !== null && endDay === null ? ['endTime has no endDay'] : []),
  ]
  return loose.map((what) => `exectimeType is 2, but ${what}: it limits every day`)
}

/** All OIDs of SNMP begin with it. */
const internet = '1.3.6.1'

/** A rule that names no event filters everything, of every device or of those it names. */
export function everythingWarnings(rule: TrapRule): string[] {
  const { trapGroup, trapOId, trapDevice, trapInterfaces } = rule
  const anyEvent =
    (trapGroup === null || trapGroup === byEventGroup) && (trapOId === null || isBelow(internet, trapOId))
  const named = trapGroup === null || trapOId !== null
  const whole = trapDevice.filter(({ trapFilterEventParasInfo: entries }) => entries.every(isEmpty))
  if (!anyEvent || !named || whole.length === 0) return []
  const anyInterface =
    trapInterfaces.length === 0 ||
    trapInterfaces.some(({ ifDesc, deviceId }) => ifDesc === null && deviceId === null)
  const devices = whole.some(({ devID }) => devID === anyDevice) ? 'every device' : devicesNamed(whole)
  const what = anyInterface ? `every trap of ${devices}` : `every trap of the given interfaces of ${devices}`
  const when = isAlways(rule) ? '' : ' while it is in force'
  return [`the rule filters ${what}${when}${trapOId === null ? ': it names no event' : ''}`]
}

/** The most devices that a warning lists. */
const listedDevices = 5

function devicesNamed(devices: readonly Device[]): string {
  const ids = [...new Set(devices.map(({ devID }) => devID))]
  return ids.length > listedDevices ? `${ids.length} devices` : `device ${ids.join(', ')}`
}

const isEmptyButEvent = ({ position, name }: Parameter) => position === null && name === null
const isEmpty = (entry: Parameter) => entry.faultOid === null && isEmptyButEvent(entry)
