// A maintenance window as the service sends it, and as the editor holds it.

import { ownZone } from '../core/zone-time.ts'
import type { Port } from '../inventory/port-choice.tsx'
import { onceFrom, onceLimits, spanOf, tonight } from './once.ts'
import type { NamedDevice } from './rule.ts'
import { type Limits, limitsOf, unlimited, type Validity, validityOf } from './validity.ts'

export interface Window extends Limits {
  readonly id: string
  readonly name: string
  readonly owner: string
  readonly reason: string
  readonly minutes: string
  readonly fromTime: string
  readonly untilTime: string
  readonly endedFrom: string
  readonly endedUntil: string
  readonly device: readonly string[]
  readonly interface: readonly Port[]
  readonly view: readonly string[]
  readonly zone: readonly string[]
  readonly event: readonly string[]
  readonly active: string
  readonly activeUntil: string
  readonly nextTime: string
  readonly suppressed: string
  readonly hits: string
  readonly lastHit: string
}

export interface WindowDraft extends Validity {
  readonly name: string
  readonly owner: string
  readonly reason: string
  /** `now`: from now for some minutes. */
  readonly kind: 'once' | 'weekly' | 'now'
  /** Once: days and times in the zone of this browser, such as `2031-04-05T22:00`. */
  readonly from: string
  readonly to: string
  /** From now for this long; empty: as long as it was said before. */
  readonly minutes: string
  readonly devices: readonly NamedDevice[]
  readonly ports: readonly Port[]
  readonly views: readonly string[]
  readonly zones: readonly string[]
  readonly events: readonly string[]
}

export const blankWindow = (now: number): WindowDraft => ({
  name: '',
  owner: '',
  reason: '',
  kind: 'once',
  ...tonight(now, ownZone()),
  minutes: '120',
  devices: [],
  ports: [],
  views: [],
  zones: [],
  events: [],
  ...unlimited,
})

const hasLimits = (limits: Limits) => limitsOf(validityOf(limits)).exectimeType !== '0'

/**
 * `named` are its devices, with their names; `zone` is that of the service. Minutes count from when they are given: a
 * change does not begin anew.
 */
export function windowDraftOf(window: Window, named: readonly NamedDevice[], zone: string): WindowDraft {
  const once = onceFrom(window, zone, ownZone())
  return {
    ...fieldsOf(window, named),
    kind: once ? 'once' : hasLimits(window) ? 'weekly' : 'now',
    from: once?.from ?? '',
    to: once?.to ?? '',
  }
}

const fieldsOf = (
  window: Window,
  named: readonly NamedDevice[],
): Omit<WindowDraft, 'kind' | 'from' | 'to'> => ({
  name: window.name,
  owner: window.owner,
  reason: window.reason,
  minutes: '',
  devices: window.device.map((id) => named.find((one) => one.id === id) ?? { id, name: id }),
  ports: window.interface,
  views: window.view,
  zones: window.zone,
  events: window.event,
  ...validityOf(window),
})

/** Whether a window that is in force once begins before it ends; the service checks all else. */
export function isUsable(draft: WindowDraft): boolean {
  if (draft.kind !== 'once') return true
  const span = spanOf(draft, ownZone())
  return span !== undefined && span.from < span.to
}

function windowLimits(draft: WindowDraft, zone: string): Required<Limits> {
  if (draft.kind === 'once') return onceLimits(draft, ownZone(), zone)
  return limitsOf(draft.kind === 'weekly' ? draft : unlimited)
}

/** Always the whole window; of one that there is, the minutes only where they are given anew. */
export function windowBodyOf(draft: WindowDraft, isNew: boolean, zone: string) {
  const { name, owner, reason, devices, ports, views, zones, events } = draft
  const minutes = draft.kind === 'now' ? draft.minutes.trim() : ''
  return {
    ...{ name, owner, reason, ...windowLimits(draft, zone) },
    ...((minutes !== '' || isNew || draft.kind !== 'now') && { minutes }),
    device: devices.map(({ id }) => id),
    interface: ports,
    view: views,
    zone: zones,
    event: events.map((oid) => oid.trim()).filter((oid) => oid !== ''),
  }
}
