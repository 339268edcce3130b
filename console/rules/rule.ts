// A trap rule as the service sends it, and as the editor holds it.

import { type Limits, limitsOf, unlimited, type Validity, validityOf } from './validity.ts'

export interface RuleParameter {
  readonly faultOid?: string
  readonly position?: string
  readonly name?: string
  readonly value?: string
}

export interface Rule extends Limits {
  readonly id: string
  readonly trapRuleName?: string
  readonly trapOId?: string
  readonly trapGroup?: string
  readonly trapDevice: readonly {
    readonly displayName: string
    readonly devID: string
    readonly trapFilterEventParasInfo: readonly RuleParameter[]
  }[]
  readonly trapInterfaces: readonly { readonly ifDesc?: string; readonly deviceId?: string }[]
  readonly hits: string
  readonly lastHit: string
}

/** What is saved: a rule without what the service computes. */
export type RuleBody = Omit<Rule, 'id' | 'hits' | 'lastHit'>

export interface NamedDevice {
  readonly id: string
  readonly name: string
}

export interface Draft extends Validity {
  readonly name: string
  /** One event, or a group of them by its number. */
  readonly kind: 'event' | '0' | '1'
  readonly oid: string
  /** None: any device. */
  readonly devices: readonly NamedDevice[]
  /** Conditions on variables; they hold for each of the devices. */
  readonly parameters: readonly RuleParameter[]
  readonly interfaces: readonly string[]
}

export const blank: Draft = {
  name: '',
  kind: 'event',
  oid: '',
  devices: [],
  parameters: [],
  interfaces: [],
  ...unlimited,
}

const byEvent = '-1'

const anyDevice = '0'

export function draftOf(rule: Rule): Draft {
  const group = rule.trapGroup
  return {
    name: rule.trapRuleName ?? '',
    kind: group === '0' || group === '1' ? group : 'event',
    oid: rule.trapOId ?? '',
    devices: rule.trapDevice
      .filter(({ devID }) => devID !== anyDevice)
      .map(({ devID, displayName }) => ({ id: devID, name: displayName })),
    parameters: rule.trapDevice[0]?.trapFilterEventParasInfo ?? [],
    interfaces: rule.trapInterfaces.map(({ ifDesc }) => ifDesc ?? ''),
    ...validityOf(rule),
  }
}

/** Always the whole rule: what is empty here is cleared there. */
export function bodyOf(draft: Draft): RuleBody {
  const devices = draft.devices.length > 0 ? draft.devices : [{ id: anyDevice, name: 'any device' }]
  return {
    trapRuleName: draft.name,
    trapOId: draft.oid.trim(),
    trapGroup: draft.kind === 'event' ? byEvent : draft.kind,
    ...limitsOf(draft),
    trapDevice: devices.map(({ id, name }) => ({
      devID: id,
      displayName: name,
      trapFilterEventParasInfo: draft.parameters,
    })),
    trapInterfaces: draft.interfaces.filter((text) => text.trim() !== '').map((ifDesc) => ({ ifDesc })),
  }
}

/** That is so for every new rule: it names no event yet, and so there is nothing to try. */
export const namesNoEvent = ({ kind, oid, parameters }: Draft): boolean =>
  kind === 'event' && oid.trim() === '' && parameters.every(({ faultOid = '' }) => faultOid === '')

type Condition = Pick<Rule, 'trapOId' | 'trapGroup' | 'trapDevice' | 'trapInterfaces'>

/** The conditions of a rule, apart from the time: two rules with the same conditions are equal here. */
const asksFor = ({ trapOId, trapGroup, trapDevice, trapInterfaces }: Condition) =>
  JSON.stringify([
    trapOId ?? '',
    // With an OID, no group and "by event" are the same; without one they are not.
    trapGroup || (trapOId ? byEvent : ''),
    trapDevice.map(({ devID, trapFilterEventParasInfo }) => [
      devID,
      trapFilterEventParasInfo.map((one) => [
        one.faultOid ?? '',
        one.position ?? '',
        one.name ?? '',
        one.value ?? '',
      ]),
    ]),
    trapInterfaces.map(({ ifDesc, deviceId }) => [ifDesc ?? '', deviceId ?? '']),
  ])

/** Whether a condition names its variable twice: the editor has one field for it. */
const isPlacedTwice = ({ name = '', position = '' }: RuleParameter) => name !== '' && position !== ''

/** What the editor cannot hold must not be lost by saving: so it is shown there, and not changed. */
export const isBeyondEditor = (rule: Rule): boolean =>
  asksFor(bodyOf(draftOf(rule))) !== asksFor(rule) ||
  rule.trapDevice.some(({ trapFilterEventParasInfo }) => trapFilterEventParasInfo.some(isPlacedTwice))
