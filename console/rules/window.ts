// A maintenance window as the service sends it, and as the editor holds it.

import type { Port } from '../inventory/port-choice.tsx'
import type { NamedDevice } from './rule.ts'
import { type Limits, limitsOf, unlimited, type Validity, validityOf } from './validity.ts'

export interface Window extends Limits {
  readonly id: string
  readonly name: string
  readonly owner: string
  readonly reason: string
  readonly minutes: string
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
  /** From now for this long; empty: by days and times alone. */
  readonly minutes: string
  readonly devices: readonly NamedDevice[]
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
  ...unlimited,
}

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
  ...validityOf(window),
})

/** Always the whole window; of one that there is, the minutes only where they are given anew. */
export function windowBodyOf(draft: WindowDraft, isNew: boolean) {
  const { name, owner, reason, devices, ports, views, zones, events } = draft
  const minutes = draft.minutes.trim()
  return {
    ...{ name, owner, reason, ...limitsOf(draft) },
    ...((minutes !== '' || isNew) && { minutes }),
    device: devices.map(({ id }) => id),
    interface: ports,
    view: views,
    zone: zones,
    event: events.map((oid) => oid.trim()).filter((oid) => oid !== ''),
  }
}
