// A maintenance window as the service tells it, and as the editor holds it.

import type { NamedDevice, Validity } from './rule.ts'

export interface Window {
  readonly id: string
  readonly name: string
  readonly owner: string
  readonly reason: string
  readonly minutes: string
  readonly exectimeType?: string
  readonly startDay?: string
  readonly endDay?: string
  readonly startTime?: string
  readonly endTime?: string
  readonly selectedWeekDay?: string
  readonly device: readonly string[]
  readonly interface: readonly Port[]
  readonly view: readonly string[]
  readonly zone: readonly string[]
  readonly event: readonly string[]
  readonly active: string
  readonly activeUntil: string
  readonly nextTime: string
  readonly suppressed: string
}

interface Port {
  readonly deviceId: string
  readonly ifIndex?: string
  readonly ifDesc?: string
}

export interface WindowDraft extends Validity {
  readonly name: string
  readonly owner: string
  readonly reason: string
  /** From now for so long; empty: by days and times alone. */
  readonly minutes: string
  readonly devices: readonly NamedDevice[]
  /** Kept as they are: programs write them, by device and port. */
  readonly ports: readonly Port[]
  readonly views: readonly string[]
  readonly zones: readonly string[]
  readonly events: readonly string[]
}

export const blankWindow: WindowDraft = {
  name: '',
  owner: '',
  reason: '',
  minutes: '120',
  devices: [],
  ports: [],
  views: [],
  zones: [],
  events: [],
  weekdays: [],
  startTime: '',
  endTime: '',
  startDay: '',
  endDay: '',
  isSpan: false,
}

const spanType = '2'

/** `named` are its devices, with their names. Minutes count from when they are given: a change does not begin anew. */
export const windowDraftOf = (window: Window, named: readonly NamedDevice[]): WindowDraft => ({
  name: window.name,
  owner: window.owner,
  reason: window.reason,
  minutes: '',
  devices: window.device.map((id) => named.find((one) => one.id === id) ?? { id, name: id }),
  ports: window.interface,
  views: window.view,
  zones: window.zone,
  events: window.event,
  weekdays: (window.selectedWeekDay ?? '').split(',').filter(Boolean).map(Number),
  startTime: window.startTime ?? '',
  endTime: window.endTime ?? '',
  startDay: window.startDay ?? '',
  endDay: window.endDay ?? '',
  isSpan: window.exectimeType === spanType,
})

/** Always the whole window; of one that there is, the minutes only where they are given anew. */
export function windowBodyOf(draft: WindowDraft, isNew: boolean) {
  const { name, owner, reason, weekdays, devices, ports, views, zones, events } = draft
  const limits = {
    startDay: draft.startDay.trim(),
    endDay: draft.endDay.trim(),
    startTime: draft.startTime.trim(),
    endTime: draft.endTime.trim(),
    selectedWeekDay: [...weekdays].sort().join(','),
  }
  const hasLimits = Object.values(limits).some((limit) => limit !== '')
  const minutes = draft.minutes.trim()
  return {
    ...{ name, owner, reason, ...limits },
    exectimeType: !hasLimits ? '0' : draft.isSpan ? spanType : '1',
    ...((minutes !== '' || isNew) && { minutes }),
    device: devices.map(({ id }) => id),
    interface: ports,
    view: views,
    zone: zones,
    event: events.map((oid) => oid.trim()).filter((oid) => oid !== ''),
  }
}
