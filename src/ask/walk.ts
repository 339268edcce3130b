// Walks a part of a device's objects, within limits: an agent decides itself how much it answers.

import { isOidAfter } from '../snmp/oid.ts'
import type { Variable } from '../snmp/variables.ts'
import { AskFault, addressText, ErrorStatus } from './ask-fault.ts'
import type { DeviceSession } from './device-session.ts'

export interface WalkLimits {
  readonly values: number
  /** Characters of OIDs and values. */
  readonly characters: number
  /** Milliseconds. */
  readonly duration: number
}

export const defaultWalkLimits: WalkLimits = { values: 100_000, characters: 8_000_000, duration: 60_000 }

/** How many values are asked for in one question: an answer of usual values then fits into one packet of Ethernet. */
const REPETITIONS = 20

export interface Walked {
  readonly variables: readonly Variable[]
  /** Why the walk ended before its end. */
  readonly problem: AskFault | undefined
}

/** All values below an OID, in order; with a problem, those before it. */
export async function walk(
  session: DeviceSession,
  root: string,
  limits: WalkLimits = defaultWalkLimits,
): Promise<Walked> {
  const variables: Variable[] = []
  try {
    for await (const variable of valuesBelow(session, root, limits)) variables.push(variable)
  } catch (error) {
    if (error instanceof AskFault) return { variables, problem: error }
    throw error
  }
  return { variables, problem: undefined }
}

async function* valuesBelow(
  session: DeviceSession,
  root: string,
  limits: WalkLimits,
): AsyncGenerator<Variable> {
  const where = `the walk of ${root} at ${addressText(session.device)}`
  const until = performance.now() + limits.duration
  const isV1 = session.credentials.version === '1'
  let repetitions = REPETITIONS
  let [values, characters] = [0, 0]
  let last = root
  for (;;) {
    if (performance.now() > until) throw new AskFault('limit', `${where} took too long and was given up`)
    const kind = isV1 || repetitions === 1 ? 'next' : 'bulk'
    const answer = await session.ask({ kind, oids: [last], repetitions })
    if (answer.errorStatus === ErrorStatus.tooBig && repetitions > 1) {
      repetitions = Math.floor(repetitions / 2)
      continue
    }
    // The end of all objects, in version 1.
    if (isV1 && answer.errorStatus === ErrorStatus.noSuchName) return
    if (answer.errorStatus !== 0) throw session.error(answer)
    if (answer.variables.length === 0) throw new AskFault('error', `${where} was answered with nothing`)
    for (const variable of answer.variables) {
      const { oid, type, value } = variable
      if (type === 'EndOfMibView' || !oid.startsWith(`${root}.`)) return
      if (!isOidAfter(last, oid))
        throw new AskFault('limit', `${where} goes round in circles: ${oid} does not come after ${last}`)
      last = oid
      values += 1
      characters += oid.length + value.length
      if (values > limits.values || characters > limits.characters)
        throw new AskFault('limit', `${where} returned too much and was given up after ${values - 1} values`)
      yield variable
    }
  }
}
