// A compiled trap rule: decides whether it filters a trap.

import { fullName, type NamedValue, spellings, type Variable } from '../events/naming.ts'
import type { TrapRule } from '../resources/alarms/trap-rule.ts'
import { readPattern } from '../schema/list-filter.ts'
import { fold } from '../schema/scalar.ts'
import { isAlways, periodOf, validityKey } from './validity-period.ts'
import type { ZoneTime } from './zone-time.ts'

/** The attributes of a trap that rules test. */
export interface Candidate {
  readonly oid: string
  /** The OID of the definition, where it spells the event differently. */
  readonly eventOid: string
  readonly deviceId: bigint
  readonly at: number
  /** Whether it is an alarm of the service itself. */
  readonly own: boolean
  readonly variables: readonly Variable[]
  readonly values: readonly NamedValue[]
  /** Every name of the interface it is about. */
  readonly interfaces: readonly string[]
}

export const upDownGroup = 0
export const ownGroup = 1
export const byEventGroup = -1
export const upDownEvents = ['1.3.6.1.6.3.1.1.5.3', '1.3.6.1.6.3.1.1.5.4']
export const anyDevice = 0

export type Condition = 'group' | 'event' | 'device and parameters' | 'interface' | 'validity'

type Test = (trap: Candidate) => boolean
type Period = (at: number) => boolean

const always: Test = () => true
const never: Test = () => false

interface RuleCondition {
  readonly name: Condition
  readonly isMet: Test
  /** Whether it depends only on the event and the device of a trap. */
  readonly constant: boolean
}

/** A rule with its compiled conditions, the cheapest first. */
export class CompiledRule {
  readonly id: bigint
  readonly name: string
  readonly conditions: readonly RuleCondition[]
  /** The devices and events under which it is indexed; `undefined` stands for any. */
  readonly devices: readonly (bigint | undefined)[]
  readonly events: readonly (string | undefined)[]
  readonly #constant: readonly Test[]
  /** The tests that remain for a trap that the rule could match: usually one or none, for which no list is needed. */
  readonly #firstVariable: Test
  readonly #otherVariable: readonly Test[] | undefined

  constructor(rule: TrapRule, zone: ZoneTime, validities = new Validities(zone)) {
    this.id = rule.id
    this.name = rule.trapRuleName ?? ''
    const hasNoParameters = rule.trapDevice.every((entry) => entry.trapFilterEventParasInfo.length === 0)
    this.conditions = [
      { name: 'group', isMet: groupTest(rule), constant: true },
      { name: 'event', isMet: eventTest(rule), constant: true },
      { name: 'validity', isMet: validities.of(rule), constant: false },
      { name: 'device and parameters', isMet: deviceTest(rule), constant: hasNoParameters },
      { name: 'interface', isMet: interfaceTest(rule), constant: false },
    ]
    const canFail = this.conditions.filter(({ isMet }) => isMet !== always)
    this.#constant = canFail.filter(({ constant }) => constant).map(({ isMet }) => isMet)
    const [first = always, ...others] = canFail.filter(({ constant }) => !constant).map(({ isMet }) => isMet)
    this.#firstVariable = first
    this.#otherVariable = others.length > 0 ? others : undefined
    const ids = rule.trapDevice.map(({ devID }) => devID)
    this.devices = ids.includes(anyDevice) ? [undefined] : [...new Set(ids)].map(BigInt)
    this.events = eventsOf(rule)
  }

  filters(trap: Candidate): boolean {
    return this.couldMatch(trap) && this.filtersApplicable(trap)
  }

  /** Whether it could filter traps of this event and device at all. */
  couldMatch(trap: Candidate): boolean {
    for (const isMet of this.#constant) if (!isMet(trap)) return false
    return true
  }

  /** Whether it filters a trap for which `couldMatch` is true. */
  filtersApplicable(trap: Candidate): boolean {
    if (!this.#firstVariable(trap)) return false
    return this.#otherVariable === undefined || this.#otherVariable.every((isMet) => isMet(trap))
  }
}

/** Rules with the same validity share its test, which is then computed once per second, not for each rule. */
export class Validities {
  readonly #zone: ZoneTime
  readonly #known = new Map<string, Test>()

  constructor(zone: ZoneTime) {
    this.#zone = zone
  }

  get size(): number {
    return this.#known.size
  }

  of(rule: TrapRule): Test {
    if (isAlways(rule)) return always
    const key = validityKey(rule)
    const known = this.#known.get(key)
    if (known) return known
    const inForce = bySecond(periodOf(rule, this.#zone))
    const test: Test = ({ at }) => inForce(at)
    this.#known.set(key, test)
    return test
  }
}

/** Caches a period by second: periods begin and end on whole seconds, and many traps arrive in one. */
function bySecond(period: Period): Period {
  let second = Number.NaN
  let answer = false
  return (at) => {
    const now = Math.floor(at / 1000)
    if (now !== second) {
      second = now
      answer = period(at)
    }
    return answer
  }
}

/** The events that a rule can match, as far as it names them. */
function eventsOf({ trapOId, trapGroup, trapDevice }: TrapRule): (string | undefined)[] {
  if (trapOId !== null) return [trapOId]
  if (trapGroup === upDownGroup) return upDownEvents
  const parameters = trapDevice.map(({ trapFilterEventParasInfo }) => trapFilterEventParasInfo)
  const named = parameters.flat().map(({ faultOid }) => faultOid)
  const everywhere = parameters.every((entries) => entries.length > 0) && named.every((oid) => oid !== null)
  return everywhere ? [...new Set(named.map((oid) => oid ?? undefined))] : [undefined]
}

/** Whether a rule of the group "by event" names no event, and so matches nothing. */
export const namesNoEvent = ({ trapGroup, trapOId, trapDevice }: TrapRule) =>
  trapGroup === byEventGroup &&
  trapOId === null &&
  !trapDevice.some((entry) => entry.trapFilterEventParasInfo.some(({ faultOid }) => faultOid !== null))

function groupTest(rule: TrapRule): Test {
  if (namesNoEvent(rule)) return never
  switch (rule.trapGroup) {
    case upDownGroup:
      return ({ oid, own }) => !own && upDownEvents.includes(oid)
    case ownGroup:
      return ({ own }) => own
    default:
      // Only rules of their own group filter the service's alarms.
      return ({ own }) => !own
  }
}

/** The event itself, or anything below it. */
function eventTest(rule: TrapRule): Test {
  const { trapOId } = rule
  if (trapOId === null) return namesNoEvent(rule) ? never : always
  const below = `${trapOId}.`
  const named = (oid: string) => oid === trapOId || oid.startsWith(below)
  return ({ oid, eventOid }) => named(oid) || named(eventOid)
}

type DeviceEntry = TrapRule['trapDevice'][number]
type ParameterEntry = DeviceEntry['trapFilterEventParasInfo'][number]

/** One of the devices matches with its parameters: all those of an event, for any of the events. */
function deviceTest({ trapDevice }: TrapRule): Test {
  // There may be very many devices, so a trap is compared only with its own.
  const tests = new Map<bigint, Test[]>()
  for (const { devID, trapFilterEventParasInfo } of trapDevice) {
    const groups = [...Map.groupBy(trapFilterEventParasInfo, ({ faultOid }) => faultOid)]
    const parameters = groups.map(([faultOid, entries]) => parameterTest(faultOid, entries))
    const test: Test = (trap) => parameters.length === 0 || parameters.some((isMet) => isMet(trap))
    const known = tests.get(BigInt(devID))
    if (known) known.push(test)
    else tests.set(BigInt(devID), [test])
  }
  const ofAny = tests.get(BigInt(anyDevice)) ?? []
  return (trap) =>
    ofAny.some((isMet) => isMet(trap)) || (tests.get(trap.deviceId)?.some((isMet) => isMet(trap)) ?? false)
}

function parameterTest(faultOid: string | null, entries: readonly ParameterEntry[]): Test {
  const tests = entries.map(valueTest)
  return (trap) =>
    (faultOid === null || faultOid === trap.oid || faultOid === trap.eventOid) &&
    tests.every((isMet) => isMet(trap))
}

/** The variable at a position (from 1) or with a name has the value. */
function valueTest({ position, name, value }: ParameterEntry): Test {
  if (position === null && name === null) return () => true
  if (position !== null && position < 1) return () => false
  const matches = value === null ? () => true : patternTest(value)
  const wanted = name === null ? undefined : fold(name)
  return ({ variables, values }) => {
    const at = position === null ? undefined : variables[position - 1]?.value
    if (at !== undefined && position !== null) {
      // A named value may stand for the variable's row instead of its value, and then does not count.
      const isItsValue = (named: NamedValue) =>
        named.position === position - 1 && (named.raw ?? named.value) === at
      return matches(at) || values.some((named) => isItsValue(named) && spellings(named).some(matches))
    }
    if (wanted === undefined) return false
    return values.some((named) => isCalled(named, variables, wanted) && spellings(named).some(matches))
  }
}

/** By its name, with or without its row, or by its OID, which is its name where no module is loaded. */
const isCalled = (named: NamedValue, variables: readonly Variable[], wanted: string) =>
  equalsFolded(named.name, wanted) ||
  equalsFolded(fullName(named), wanted) ||
  variables[named.position]?.oid === wanted

/** Folding case does not change the length, so most names are ruled out without folding. */
const equalsFolded = (name: string, wanted: string) => name.length === wanted.length && fold(name) === wanted

function interfaceTest({ trapInterfaces }: TrapRule): Test {
  if (trapInterfaces.length === 0) return always
  const tests = trapInterfaces.map(({ ifDesc, deviceId }) => {
    const matches = ifDesc === null ? undefined : patternTest(ifDesc)
    const id = deviceId === null ? undefined : BigInt(deviceId)
    return (trap: Candidate) =>
      (id === undefined || trap.deviceId === id) && (matches === undefined || trap.interfaces.some(matches))
  })
  return (trap) => tests.some((isMet) => isMet(trap))
}

/**
 * The wildcards of the lists, applied to a value in memory. At most pattern times value steps, whatever the pattern.
 */
export function patternTest(pattern: string): (value: string) => boolean {
  const { literal, like } = readPattern(pattern)
  if (literal !== undefined) return (value) => fold(value) === literal
  const tokens = (like.match(/\\[\s\S]|[\s\S]/gu) ?? []).map(tokenOf)
  return (value) => matchesLike(tokens, fold(value))
}

/** A character by its code point, or a wildcard for any number of characters or for one. */
type Token = number
const anyNumber: Token = -1
const anyOne: Token = -2

function tokenOf(text: string): Token {
  if (text === '%') return anyNumber
  if (text === '_') return anyOne
  const isEscaped = text.length > 1 && text.startsWith('\\')
  return text.codePointAt(isEscaped ? 1 : 0) ?? 0
}

function matchesLike(tokens: readonly Token[], value: string): boolean {
  let token = 0
  let at = 0
  /** Where to continue when the last % has to match one more character. */
  let retryToken = -1
  let retryAt = 0
  while (at < value.length) {
    const wanted = tokens[token]
    const char = value.codePointAt(at)
    if (wanted === anyNumber) {
      token += 1
      retryToken = token
      retryAt = at
    } else if (wanted === anyOne || wanted === char) {
      token += 1
      at += widthAt(value, at)
    } else if (retryToken >= 0) {
      token = retryToken
      retryAt += widthAt(value, retryAt)
      at = retryAt
    } else return false
  }
  while (tokens[token] === anyNumber) token += 1
  return token === tokens.length
}

/** The number of UTF-16 units of the character at an index. */
const widthAt = (value: string, at: number) => ((value.codePointAt(at) ?? 0) > 0xffff ? 2 : 1)
