// Asks a device for everything that is learnt of it, within limits, and puts it into the form in which it is kept.

import { isIP } from 'node:net'
import { ip } from '../../schema/scalar.ts'
import { AskFault, type AskReason } from '../ask-fault.ts'
import { askInterfaces, askSystem, type InterfaceFacts, type SystemFacts } from '../device-facts.ts'
import { askAddresses, askChassis, type ChassisFacts } from '../device-hardware.ts'
import { askNeighbours, type NeighbourFacts } from '../device-neighbours.ts'
import type { DeviceSession } from '../device-session.ts'
import type { TableAnswer } from '../device-table.ts'
import type { WalkLimits } from '../walk.ts'

/** Of each table. */
export const tableLimits: WalkLimits = { values: 120_000, characters: 6_000_000, duration: 120_000 }
export const maxRows = 10_000
const maxAddresses = 1000
/** After one of these, the next table would not be answered either. */
export const hopeless: readonly AskReason[] = ['silent', 'closed', 'credentials', 'clock', 'unsent']

/** What a device said. What it was not heard to say is undefined: it stays as it was. */
export interface DeviceReport {
  readonly system: SystemFacts
  readonly chassis: ChassisFacts | undefined
  readonly addresses: readonly string[] | undefined
  readonly ports: Part<InterfaceFacts>
  readonly neighbours: Part<NeighbourFacts>
  /** Why something is missing; empty where nothing is. */
  readonly problem: string
}

export interface Part<T> {
  readonly rows: readonly T[]
  /** Whether what is not named does not exist. */
  readonly isComplete: boolean
}

/** Throws an `AskFault` where the device says nothing at all. */
export async function askReport(session: DeviceSession): Promise<DeviceReport> {
  const system = await askSystem(session)
  const problems: AskFault[] = []
  const isHopeless = () => problems.some(({ reason }) => hopeless.includes(reason))
  const table = partReader(problems)
  const ports = await table(() => askInterfaces(session, tableLimits))
  const neighbours = await table(() => askNeighbours(session, tableLimits))
  const addresses = await table(() => askAddresses(session, tableLimits), maxAddresses)
  const chassis = isHopeless() ? undefined : await askChassis(session, tableLimits).catch(noted(problems))
  return {
    ...{ system, chassis, ports, neighbours },
    addresses: addresses.isComplete
      ? addresses.rows.map(({ address }) => address).filter(isCanonical)
      : undefined,
    problem: clean(problems[0]?.message, 500),
  }
}

/** Asks for tables one after the other, and no more after a problem that would be that of the next one as well. */
export const partReader =
  (problems: AskFault[]) =>
  async <T>(ask: () => Promise<TableAnswer<T>>, max = maxRows): Promise<Part<T>> => {
    if (problems.some(({ reason }) => hopeless.includes(reason))) return { rows: [], isComplete: false }
    const { rows, problem } = await ask()
    if (problem) problems.push(problem)
    else if (rows.length > max)
      problems.push(
        new AskFault('limit', `${rows.length} rows of a table are more than the ${max} that are kept`),
      )
    return { rows: rows.slice(0, max), isComplete: !problem && rows.length <= max }
  }

const noted = (problems: AskFault[]) => (error: unknown) => {
  if (!(error instanceof AskFault)) throw error
  problems.push(error)
  return undefined
}

const isCanonical = (address: string) => isIP(address) !== 0 && ip.read(address) === address

/** In one line, with characters that can be kept, and no longer than that. */
export const clean = (text: string | undefined, most = 255): string =>
  (text ?? '')
    .slice(0, most * 4)
    .replace(/[\p{Cc}\p{Cs}\u{fffe}\u{ffff}]+/gu, ' ')
    .trim()
    .slice(0, most)
    .toWellFormed()
