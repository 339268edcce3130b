// What the answers of a device prove about an alarm. It is over if two answers in a row say so, both to questions that were
// sent after the last report, about the same part, and with no restart between.

import type { Variable } from '../../snmp/variables.ts'
import { numberOf, textOf } from '../device-table.ts'
import type { Check } from './checks.ts'

/** `silent`: the device did not answer; `unclear`: it did, and that proves nothing. */
export const checkResults = ['open', 'over', 'unclear', 'silent'] as const
export type CheckResult = (typeof checkResults)[number]

/** When a question was sent: on the store's clock, and on that of this process. */
export interface Sent {
  readonly sentAt: number
  readonly sentMonotonic: number
}

/** Since when an agent runs, as it said. */
export interface Run extends Sent {
  /** Hundredths of a second. */
  readonly uptime: number
}

/** What the device said to one question, and when that was sent. */
export interface Reading extends Sent {
  /** Hundredths of a second. */
  readonly uptime: number | undefined
  readonly state: Variable | undefined
  /** The state of the part that has the index now that was reported, where the question is about another one. */
  readonly reported?: Variable | undefined
  readonly names: readonly string[]
}

export interface Subject {
  readonly check: Check
  /** When the alarm was last reported. */
  readonly lastTime: number
  /** What the part was called when it was reported or asked about before; empty where that is not known. */
  readonly name: string
  /** Whether it was found by its name, at another instance than the one that was reported. */
  readonly isByName: boolean
  /** The state at the instance that was reported: the name may be that from before a restart, so both parts count. */
  readonly reportedOid?: string | undefined
}

interface Judgement {
  readonly result: Exclude<CheckResult, 'silent'>
  readonly value: string
  readonly problem: string
  /** What the part is called, where it is surely the one that was reported. */
  readonly name: string
}

export const uptimeOid = '1.3.6.1.2.1.1.3.0'

export const oidsOf = ({ check, reportedOid }: Subject): readonly string[] => [
  ...[uptimeOid, check.oid, ...check.names],
  ...(reportedOid === undefined ? [] : [reportedOid]),
]

const uptimeIn = (variable: Variable | undefined) =>
  variable?.type === 'TimeTicks' ? numberOf(variable) : undefined

/** Undefined where the agent does not say it. */
export function runOf(variable: Variable | undefined, sent: Sent): Run | undefined {
  const uptime = uptimeIn(variable)
  return uptime === undefined ? undefined : { ...sent, uptime }
}

export const startOf = ({ sentAt, uptime }: Run): number => sentAt - uptime * 10

export function toReading(
  { check, reportedOid }: Subject,
  [uptime, state, ...others]: readonly Variable[],
  sent: Sent,
): Reading {
  const names = others.slice(0, check.names.length)
  return {
    ...sent,
    uptime: uptimeIn(uptime),
    state,
    reported: reportedOid === undefined ? undefined : others[check.names.length],
    names: names.map((name) => textOf(name) ?? ''),
  }
}

const absentTypes = new Set(['NoSuchObject', 'NoSuchInstance', 'EndOfMibView', 'Null'])
export const isAbsent = ({ type }: Variable): boolean => absentTypes.has(type)

/** Two clocks are compared, of which one may be wrong by this, and by a thousandth. */
const clockTolerance = 60_000

/** Whether an agent that started then was the one that reported something: clocks are compared. */
export function runOfReport(
  startedAt: number,
  reportedAt: number,
  now: number,
): 'this' | 'earlier' | 'unsure' {
  const tolerance = clockTolerance + (now - reportedAt) / 1000
  if (startedAt + tolerance <= reportedAt) return 'this'
  return startedAt - tolerance > reportedAt ? 'earlier' : 'unsure'
}

export const mayHaveRestarted = (startedAt: number, since: number, now: number): boolean =>
  runOfReport(startedAt, since, now) !== 'this'

/** What one answer says. */
function judge({ check, lastTime, name, isByName }: Subject, reading: Reading): Judgement {
  const { uptime, state, reported, names, sentAt } = reading
  const unclear = (problem: string, value = ''): Judgement => ({
    result: 'unclear',
    value,
    problem,
    name: '',
  })
  if (uptime === undefined) return unclear('The device does not say since when its agent runs')
  if (!state || isAbsent(state)) return unclear(`The device has no ${check.oid}`)
  const { isOver, text } = check.readConclusion(state)
  const isNamed = name !== '' && names.includes(name)
  const hasRestarted = mayHaveRestarted(sentAt - uptime * 10, lastTime, sentAt)
  const isSame = isNamed || (!isByName && (check.isLasting || !hasRestarted))
  if (!isSame) {
    const why =
      name === '' || names.length === 0
        ? 'The agent has restarted since, and it is not known whether this is still the same part'
        : `The device calls this ${names.find(Boolean) ?? 'nothing'}, and the alarm was about ${name}`
    return unclear(why, text)
  }
  if (isOver && reported && !isAbsent(reported) && !check.readConclusion(reported).isOver)
    return unclear('It is not known which port was reported: one before the restart or one after it', text)
  const shownName = isNamed ? name : (names.find(Boolean) ?? '')
  return { result: isOver ? 'over' : 'open', value: text, problem: '', name: shownName }
}

/** The clock of an agent may be a little fast or slow. */
const uptimeTolerance = 200

/** Whether two answers are about the same part, with no restart between. */
function agree(first: Reading, second: Reading): boolean {
  if (first.uptime === undefined || second.uptime === undefined) return false
  const isSame = isSameRun({ ...first, uptime: first.uptime }, { ...second, uptime: second.uptime })
  return isSame && first.names.join('\n') === second.names.join('\n')
}

/** Whether the agent has not restarted between two answers. */
export function isSameRun(first: Run, second: Run): boolean {
  const elapsed = (second.sentMonotonic - first.sentMonotonic) / 10
  const grown = second.uptime - first.uptime
  return grown >= elapsed * 0.9 - uptimeTolerance && grown >= 0
}

/** Questions about one alarm in one round. */
const maxQuestions = 4

export interface Conclusion extends Judgement {
  /** Set where the alarm is over: when the first of the two questions was sent. */
  readonly firstAsked: number
}

/** What is to be proved of one alarm, answer by answer. */
export class Proof {
  readonly subject: Subject
  /** The answer before, which said that the alarm is over. */
  #first: Reading | undefined
  #questions = 0

  constructor(subject: Subject) {
    this.subject = subject
  }

  /** Undefined: another answer is needed. */
  take(reading: Reading): Conclusion | undefined {
    const said = judge(this.subject, reading)
    this.#questions += 1
    if (said.result !== 'over') return { ...said, firstAsked: 0 }
    const first = this.#first
    if (first && agree(first, reading)) return { ...said, firstAsked: first.sentAt }
    this.#first = reading
    if (this.#questions < maxQuestions) return undefined
    return { ...said, result: 'unclear', problem: 'The agent restarts between two questions', firstAsked: 0 }
  }
}
