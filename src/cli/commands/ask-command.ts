// belfry ask: asks one device by SNMP, and prints what it says.

import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { AskFault, addressText, type DeviceAddress } from '../../ask/ask-fault.ts'
import { askInterfaces, askSystem, type SystemFacts } from '../../ask/device-facts.ts'
import { askAddresses, askChassis } from '../../ask/device-hardware.ts'
import { askNeighbours } from '../../ask/device-neighbours.ts'
import { type Credentials, DeviceSession } from '../../ask/device-session.ts'
import { explainSilence, probeClosed } from '../../ask/port-probe.ts'
import { QuestionSocket } from '../../ask/question-socket.ts'
import { readAddress } from '../../config/forms.ts'
import { Fault, shown } from '../../fault.ts'
import { ip } from '../../schema/scalar.ts'
import { readUsers } from '../../snmp/users.ts'
import { UsmUser } from '../../snmp/usm-user.ts'
import type { Command, Option } from '../command.ts'
import { printAddresses, printInterfaces, printNeighbours, printSystem } from '../device-printer.ts'
import { askedSecret, secretsFrom } from '../secret.ts'

const options: Record<string, Option> = {
  'community-file': {
    form: 'FILE',
    help: 'A file with the community in its first line, or with several, one a line, which are tried in order.',
  },
  'user-file': {
    form: 'FILE',
    help: 'A file of users of version 3, in the form of the setting trap-users; they are tried in order, before communities.',
  },
  user: { form: 'NAME', help: 'Only this user of the file.' },
  v1: { help: 'SNMP version 1 instead of 2c.' },
}

const text = `Asks one device by SNMP, and prints what it says: its name, description, uptime, model and serial number, its
interfaces and addresses, its neighbours by LLDP and CDP, and which credentials it took. The port is 161 unless one is
given. Nothing but this address is asked, nothing is stored, and no service is needed. Secrets are read from files;
without a file, the command asks for the community, or reads it from standard input.

  belfry ask 192.0.2.7
  belfry ask 192.0.2.7:1161 --community-file communities.txt
  belfry ask [2001:db8::7]:161 --user-file users.json --user ops

Exit codes: 0 the device answered, 1 it did not or refused, 2 wrong arguments.`

/** What the command tries, and how it is called in what is printed, without secrets. */
interface Candidate {
  readonly name: string
  readonly credentials: Credentials
}

const maxCandidates = 16
const defaultPort = 161

export const ask: Command = {
  name: 'ask',
  summary: 'asks a device by SNMP what it is',
  usage: 'belfry ask ADDRESS[:PORT] [options] [settings]',
  text,
  options,
  takesFiles: true,
  async run({ files, options }) {
    const [where, unexpected] = files
    if (where === undefined) throw new Fault('invalid', 'name the address to ask. Try belfry ask --help')
    if (unexpected !== undefined)
      throw new Fault('invalid', `${shown(unexpected)} is not expected here: one device is asked at a time`)
    const device = await deviceOf(where)
    const candidates = await candidatesOf(options)
    const socket = new QuestionSocket()
    try {
      const { session, system, name, took } = await firstAnswer(socket, device, candidates)
      console.log(`${addressText(device)} answers ${name}, after ${took} ms\n`)
      printSystem(system, await askChassis(session))
      printInterfaces(await askInterfaces(session))
      printAddresses(await askAddresses(session))
      printNeighbours(await askNeighbours(session))
      const { unknown, elsewhere, refused } = socket.strays
      const strays = unknown + elsewhere + refused
      if (strays > 0)
        console.log(`\n${strays} of the datagrams received did not answer a question, and were ignored`)
    } finally {
      await socket.close()
    }
    return 0
  },
}

async function deviceOf(where: string): Promise<DeviceAddress> {
  const { host, port } = hostAndPort(where)
  if (port === 0) throw new Fault('invalid', `${shown(where)}: port 0 cannot be asked`)
  const address = isIP(host) ? host : await addressOf(host)
  return { address: ip.read(address), port }
}

/** A bare IPv6 address has colons, too, but no port. */
function hostAndPort(where: string): { host: string; port: number } {
  if (isIP(where) || !where.includes(':')) return { host: where, port: defaultPort }
  const [, bracketed] = /^\[([^\]]+)\]$/.exec(where) ?? []
  if (bracketed !== undefined) return { host: bracketed, port: defaultPort }
  try {
    return readAddress(where)
  } catch (cause) {
    const expected = 'expected an address such as 192.0.2.7, 192.0.2.7:1161 or [2001:db8::7]:1161'
    throw new Fault('invalid', `${shown(where)}: ${expected}`, { cause })
  }
}

async function addressOf(host: string): Promise<string> {
  try {
    return (await lookup(host)).address
  } catch (cause) {
    throw new Fault('unavailable', `${shown(host)} is not known as a host`, { cause })
  }
}

async function candidatesOf(options: Readonly<Record<string, string>>): Promise<readonly Candidate[]> {
  const { user: userName, 'user-file': userFile, 'community-file': communityFile } = options
  if (userName !== undefined && userFile === undefined)
    throw new Fault('invalid', '--user needs --user-file, which has its passwords')
  if (options.v1 !== undefined && userFile !== undefined)
    throw new Fault('invalid', '--v1 and --user-file exclude each other')
  const version = options.v1 === undefined ? '2c' : '1'
  const users = userFile === undefined ? [] : usersOf(userFile, userName)
  if (communityFile === undefined && userFile !== undefined) return users
  if (communityFile === undefined) {
    const community = await askedSecret('Community')
    if (community === '')
      throw new Fault('invalid', 'there is no community: type one, or use --community-file or --user-file')
    return [{ name: `to version ${version} with the community given`, credentials: { version, community } }]
  }
  const communities = secretsFrom('community-file', communityFile, maxCandidates)
  return [
    ...users,
    ...communities.map((community, index) => ({
      name: `to version ${version} with community ${index + 1} of ${communityFile}`,
      credentials: { version, community } as const,
    })),
  ]
}

function usersOf(file: string, name: string | undefined): readonly Candidate[] {
  const users = readUsers(file).filter((user) => name === undefined || user.name === name)
  if (users.length === 0)
    throw new Fault(
      'invalid',
      name === undefined ? `${file} has no users` : `${file} has no user ${shown(name)}`,
    )
  if (users.length > maxCandidates)
    throw new Fault('invalid', `${file} has more than ${maxCandidates} users: choose one with --user`)
  return users.map((settings) => {
    const user = new UsmUser(settings)
    const algorithms = [user.auth, user.priv].filter(Boolean).join(', ')
    const level = algorithms === '' ? user.level : `${user.level}: ${algorithms}`
    return {
      name: `to version 3 as user ${user.name} (${level})`,
      credentials: { version: '3', user } as const,
    }
  })
}

interface FirstAnswer {
  readonly session: DeviceSession
  readonly system: SystemFacts
  readonly name: string
  /** Milliseconds. */
  readonly took: number
}

/** The session of the first credentials that the device takes. */
async function firstAnswer(
  socket: QuestionSocket,
  device: DeviceAddress,
  candidates: readonly Candidate[],
): Promise<FirstAnswer> {
  const faults: { name: string; fault: AskFault }[] = []
  for (const { name, credentials } of candidates) {
    const session = new DeviceSession(socket, device, credentials)
    const began = performance.now()
    try {
      const system = await askSystem(session)
      return { session, system, name, took: Math.round(performance.now() - began) }
    } catch (fault) {
      if (!(fault instanceof AskFault)) throw fault
      faults.push({ name, fault })
      // Other credentials do not help.
      if (fault.reason === 'unsent') break
    }
    if (faults.length === 1 && faults[0]?.fault.reason === 'silent' && candidates.length > 1) {
      const closed = await probeClosed(device)
      if (closed) throw closed
    }
  }
  throw await explained(device, faults)
}

async function explained(
  device: DeviceAddress,
  faults: readonly { name: string; fault: AskFault }[],
): Promise<AskFault> {
  const sentences = faults.map(({ name, fault }) =>
    faults.length === 1 ? fault.message : `${name}: ${fault.message}`,
  )
  if (faults.every(({ fault }) => fault.reason === 'silent')) return explainSilence(device, sentences)
  return new AskFault(faults[0]?.fault.reason ?? 'silent', sentences.join('; '))
}
