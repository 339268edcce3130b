// Asks one address what is there, with the profile that is meant for it, and puts the answer into the form in which it is kept.

import { type AskProfile, isBare } from '../../resources/inventory/ask-profile.ts'
import type { Found } from '../../resources/inventory/discovered.ts'
import { AskFault, addressText } from '../ask-fault.ts'
import { askSystem, type SystemFacts } from '../device-facts.ts'
import { askAddresses, askChassis, type ChassisFacts } from '../device-hardware.ts'
import { askNeighbours, type NeighbourFacts } from '../device-neighbours.ts'
import { type Credentials, DeviceSession } from '../device-session.ts'
import type { TableAnswer } from '../device-table.ts'
import { clean, hopeless } from '../know/device-report.ts'
import { probe } from '../port-probe.ts'
import { lostSecrets } from '../profile-session.ts'
import type { QuestionSocket } from '../question-socket.ts'
import type { WalkLimits } from '../walk.ts'

/** A profile that is meant for an address; its credentials, where they can be read. */
export interface MeantProfile {
  readonly profile: AskProfile
  readonly credentials: Credentials | undefined
}

export interface Candidate {
  readonly found: Found
  /** What it says of its own addresses and of its neighbours. */
  readonly addresses: readonly string[]
  readonly neighbours: readonly NeighbourFacts[]
}

/** Most addresses of a range are silent: they are asked no oftener than this. */
const maxTries = 2
const probeTime = 1000
const snmpPort = 161
/** Of each table. */
const limits: WalkLimits = { values: 20_000, characters: 2_000_000, duration: 30_000 }
const maxAddresses = 200

/** Runs long questions to devices that answer, a few at a time. */
export type Slots = <T>(work: () => Promise<T>) => Promise<T>

/** Undefined where nothing answers. Throws an `AskFault` where this machine cannot ask. */
export async function askCandidate(
  socket: QuestionSocket,
  address: string,
  meant: MeantProfile | undefined,
  slots: Slots,
): Promise<Candidate | undefined> {
  if (!meant?.credentials) return probed(socket, address, meant)
  const { profile, credentials } = meant
  const { port, timeoutSeconds, tries } = profile
  const device = socket.deviceAt(address, port)
  const retryPolicy = { timeout: timeoutSeconds * 1000, attempts: Math.min(tries, maxTries) }
  const session = new DeviceSession(socket, device, credentials, retryPolicy)
  try {
    const system = await askSystem(session)
    return await slots(() => askMore(session, address, system, profile.id))
  } catch (error) {
    if (!(error instanceof AskFault) || error.reason === 'unsent') throw error
    return error.reason === 'silent'
      ? probed(socket, address, meant)
      : refusing(address, profile.id, error.reason, error.message)
  }
}

async function askMore(
  session: DeviceSession,
  address: string,
  system: SystemFacts,
  profileId: bigint,
): Promise<Candidate> {
  const problems: AskFault[] = []
  const told = async <T>(ask: () => Promise<T>, fallback: T): Promise<T> => {
    if (problems.some(({ reason }) => hopeless.includes(reason))) return fallback
    try {
      return await ask()
    } catch (error) {
      if (!(error instanceof AskFault)) throw error
      problems.push(error)
      return fallback
    }
  }
  const noChassis: ChassisFacts = { serialNumber: undefined, model: undefined, software: undefined }
  const table = async <T>(ask: () => Promise<TableAnswer<T>>): Promise<readonly T[]> => {
    const { rows, problem } = await told(ask, { rows: [], problem: undefined })
    if (problem) problems.push(problem)
    return rows
  }
  const chassis = await told(() => askChassis(session, limits), noChassis)
  const own = await table(() => askAddresses(session, limits))
  const near = await table(() => askNeighbours(session, limits))
  return {
    found: {
      ...emptyFound(address, 'answering', profileId),
      sysName: clean(system.name),
      sysDescription: clean(system.description, 1000),
      sysOid: system.objectId ?? '',
      location: clean(system.location),
      serialNumber: clean(chassis.serialNumber),
      model: clean(chassis.model),
      software: clean(chassis.software),
      problem: clean(problems[0]?.message, 500),
    },
    addresses: own.slice(0, maxAddresses).map(({ address }) => address),
    neighbours: near,
  }
}

/** Whether anything is there, found out without credentials. */
async function probed(
  socket: QuestionSocket,
  address: string,
  meant: MeantProfile | undefined,
): Promise<Candidate | undefined> {
  const profileId = meant?.profile.id ?? 0n
  const hasDefaultPort = meant === undefined || isBare(meant.profile)
  const device = socket.deviceAt(address, hasDefaultPort ? snmpPort : meant.profile.port)
  const found = await probe(device, probeTime)
  if (found === 'silent') return undefined
  const place = addressText(device)
  if (found === 'closed')
    return refusing(
      address,
      profileId,
      'closed',
      `nothing listens on ${place}: the machine refuses the question`,
    )
  return refusing(address, profileId, 'credentials', `an agent is there at ${place}; ${whyRefused(meant)}`)
}

function whyRefused(meant: MeantProfile | undefined): string {
  if (meant === undefined) return 'no profile is meant for it'
  if (isBare(meant.profile)) return 'the profile that is meant for it does not ask by SNMP'
  return meant.credentials
    ? 'it does not answer to the credentials of the profile, or this machine may not ask it'
    : `the profile cannot be used: ${lostSecrets}`
}

const refusing = (address: string, profileId: bigint, reason: string, problem: string): Candidate => ({
  found: { ...emptyFound(address, 'refusing', profileId), reason, problem: clean(problem, 500) },
  addresses: [],
  neighbours: [],
})

export const emptyFound = (ip: string, state: Found['state'], profileId = 0n): Found => ({
  ...{ ip, state, profileId, reason: '', problem: '', sysName: '', sysDescription: '', sysOid: '' },
  ...{ location: '', serialNumber: '', model: '', software: '', otherAddress: [], namedBy: '' },
})
