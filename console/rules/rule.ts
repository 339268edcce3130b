// A trap rule as the service sends it, and as the editor holds it.

import { type Limits, limitsOf, unlimited, type Validity, validityOf } from './validity.ts'

export interface RuleParameter {
  readonly faultOid?: string
  readonly position?: string
  readonly name?: string
  readonly value?: string
}

interface RuleInterface {
  readonly ifDesc?: string
  readonly deviceId?: string
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
  readonly trapInterfaces: readonly RuleInterface[]
  readonly hits: string
  readonly lastHit: string
}

/** What is saved: a rule without what the service computes. */
export type RuleBody = Omit<Rule, 'id' | 'hits' | 'lastHit'>

export interface NamedDevice {
  readonly id: string
  readonly name: string
}

export interface RuleDevice extends NamedDevice {
  /** Of this device alone, where they differ. */
  readonly parameters: readonly RuleParameter[]
}

export interface Draft extends Validity {
  readonly name: string
  /** One event, a group of them by its number, or any trap. */
  readonly kind: 'event' | '0' | '1' | 'any'
  readonly oid: string
  /** None: any device. Beside others, that is one with the id 0. */
  readonly devices: readonly RuleDevice[]
  /** Conditions on variables: the same for all devices, unless each has its own. */
  readonly parameters: readonly RuleParameter[]
  readonly isApart: boolean
  readonly interfaces: readonly RuleInterface[]
}

export const blank: Draft = {
  name: '',
  kind: 'event',
  oid: '',
  devices: [],
  parameters: [],
  isApart: false,
  interfaces: [],
  ...unlimited,
}

const byEvent = '-1'

export const anyDevice = '0'

/** A field that is empty is as good as none. */
const same = (a: readonly RuleParameter[], b: readonly RuleParameter[]) => plainly(a) === plainly(b)
const plainly = (all: readonly RuleParameter[]) =>
  JSON.stringify(
    all.map(({ faultOid = '', position = '', name = '', value = '' }) => [faultOid, position, name, value]),
  )

const kindOf = ({ trapGroup, trapOId }: Rule): Draft['kind'] => {
  if (trapGroup === '0' || trapGroup === '1') return trapGroup
  return trapGroup || trapOId ? 'event' : 'any'
}

export function draftOf(rule: Rule): Draft {
  const [first, ...others] = rule.trapDevice
  const parameters = first?.trapFilterEventParasInfo ?? []
  const isEverywhere = first?.devID === anyDevice && others.length === 0
  return {
    name: rule.trapRuleName ?? '',
    kind: kindOf(rule),
    oid: rule.trapOId ?? '',
    devices: (isEverywhere ? [] : rule.trapDevice).map((one) => ({
      ...{ id: one.devID, name: one.displayName },
      parameters: one.trapFilterEventParasInfo,
    })),
    parameters,
    isApart: others.some((one) => !same(one.trapFilterEventParasInfo, parameters)),
    interfaces: rule.trapInterfaces,
    ...validityOf(rule),
  }
}

/** Always the whole rule: what is empty here is cleared there. */
export function bodyOf(draft: Draft): RuleBody {
  const everywhere = { id: anyDevice, name: 'any device', parameters: draft.parameters }
  const devices = draft.devices.length > 0 ? draft.devices : [everywhere]
  const isAny = draft.kind === 'any'
  return {
    trapRuleName: draft.name,
    trapOId: isAny ? '' : draft.oid.trim(),
    trapGroup: isAny ? '' : draft.kind === 'event' ? byEvent : draft.kind,
    ...limitsOf(draft),
    trapDevice: devices.map(({ id, name, parameters }) => ({
      devID: id,
      displayName: name,
      trapFilterEventParasInfo: draft.isApart ? parameters : draft.parameters,
    })),
    trapInterfaces: draft.interfaces.filter(({ ifDesc, deviceId }) => ifDesc?.trim() || deviceId),
  }
}

/** The conditions of all devices. */
export const conditionsOf = ({ isApart, devices, parameters }: Draft): readonly RuleParameter[] =>
  isApart ? devices.flatMap((one) => one.parameters) : parameters

/** That is so for every new rule: it names no event yet, and so there is nothing to try. */
export const namesNoEvent = (draft: Draft): boolean =>
  draft.kind === 'event' &&
  draft.oid.trim() === '' &&
  conditionsOf(draft).every(({ faultOid = '' }) => faultOid === '')
