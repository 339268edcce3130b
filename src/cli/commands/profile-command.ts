// belfry profile: the profiles by which the service asks devices.

import { Fault, shown } from '../../fault.ts'
import { askProfiles, byIcmp, byTcp } from '../../resources/inventory/ask-profile.ts'
import { readUsers } from '../../snmp/users.ts'
import { harmless } from '../alarm-printer.ts'
import { type Command, type Option, verbOf } from '../command.ts'
import { askedSecret, secretFrom } from '../secret.ts'
import { askJson, withService } from '../service-connection.ts'

const options: Record<string, Option> = {
  range: {
    form: 'RANGES',
    several: true,
    help: 'Of a new profile: where its secrets may be sent to, such as 192.0.2.0/24; several are separated by commas.',
  },
  'community-file': { form: 'FILE', help: 'A file with the community of version 2c in its first line.' },
  v1: { help: 'SNMP version 1 instead of 2c.' },
  'user-file': {
    form: 'FILE',
    help: 'A file of users of version 3, in the form of the setting trap-users, instead of a community.',
  },
  user: { form: 'NAME', help: 'Which user of the file, if it has several.' },
  tcp: {
    help: 'No SNMP and no credentials: machines are there if they accept or refuse a connection to the port.',
  },
  icmp: {
    help: 'No SNMP and no credentials: machines are there if they answer an echo, which the program fping sends.',
  },
  port: { form: 'PORT', help: 'Of the agents; by default 161, and 22 with --tcp.' },
  description: { form: 'TEXT', help: 'What a new profile is for.' },
}

const text = `Manages profiles: credentials by which the service asks devices, and the ranges of addresses that they may be sent
to. Works while the service runs, and without one. Secrets are read from files; without a file, the command asks for
the community, or reads it from standard input.

  belfry profile add access --range 192.0.2.0/24 --user-file users.json --user ops
  belfry profile add lab --range 198.51.100.0/24,2001:db8::/48 --community-file community.txt
  belfry profile add routers --range 203.0.113.0/24 --tcp
  belfry profile list
  belfry profile test access 192.0.2.7     asks this device, and prints what it says
  belfry profile remove lab

Exit codes: 0 done, 1 the device did not answer, or the service or its store failed, 2 wrong arguments, or refused.`

type Options = Readonly<Record<string, string>>
/** Returns the exit code. */
type Action = (url: string, words: readonly string[], secrets: object, options: Options) => Promise<number>

interface Verb {
  readonly takes: readonly string[]
  readonly act: Action
  /** Whether it may create a store; what it needs is read before there is one. */
  readonly prepare?: (options: Options) => Promise<object>
}

const actions: Readonly<Record<string, Verb>> = {
  add: { takes: ['NAME'], act: add, prepare: credentialsIn },
  list: { takes: [], act: listProfiles },
  test: { takes: ['NAME', 'ADDRESS'], act: test },
  remove: { takes: ['NAME'], act: remove },
}

export const profile: Command = {
  name: 'profile',
  summary: 'manages credentials by which the service asks devices',
  usage: 'belfry profile add|list|test|remove [NAME] [options] [settings]',
  text,
  options,
  takesFiles: true,
  verbs: Object.keys(actions),
  async run({ files: [word, ...words], options, config }) {
    const { takes, act, prepare } = verbOf(actions, word, 'profile')
    if (words.length !== takes.length)
      throw new Fault('invalid', `expected belfry profile ${[word, ...takes].join(' ')}`)
    const secrets = (await prepare?.(options)) ?? {}
    return withService(config, (url) => act(url, words, secrets, options), { fills: prepare !== undefined })
  },
}

async function credentialsIn(options: Options): Promise<object> {
  const { 'user-file': userFile, 'community-file': communityFile, user: name, v1, tcp, icmp } = options
  const bare = tcp !== undefined ? byTcp : icmp !== undefined ? byIcmp : undefined
  if (tcp !== undefined && icmp !== undefined) throw new Fault('invalid', '--tcp excludes --icmp')
  const needless = ['user-file', 'community-file', 'user', 'v1'].find((one) => options[one] !== undefined)
  if (bare !== undefined && needless !== undefined)
    throw new Fault('invalid', `--${bare} sends no credentials: it excludes --${needless}`)
  if (bare !== undefined) return { version: bare }
  if (userFile !== undefined && (communityFile !== undefined || v1 !== undefined))
    throw new Fault('invalid', '--user-file is for version 3: it excludes --community-file and --v1')
  if (userFile === undefined) {
    if (name !== undefined) throw new Fault('invalid', '--user needs --user-file, which has its passwords')
    const community = secretFrom('community-file', communityFile) ?? (await askedSecret('Community'))
    return { version: v1 === undefined ? '2c' : '1', community }
  }
  const users = readUsers(userFile).filter((one) => name === undefined || one.name === name)
  const [user, another] = users
  if (!user)
    throw new Fault(
      'invalid',
      name === undefined ? `${userFile} has no users` : `${userFile} has no user ${shown(name)}`,
    )
  if (another) throw new Fault('invalid', `${userFile} has several users: choose one with --user`)
  const { auth, priv } = user
  return {
    ...{ version: '3', userName: user.name },
    ...(auth && { authAlgorithm: auth.algorithm, authPassword: auth.password }),
    ...(priv && { privAlgorithm: priv.algorithm, privPassword: priv.password }),
  }
}

async function add(
  url: string,
  [name = '']: readonly string[],
  credentials: object,
  options: Options,
): Promise<number> {
  const { range = '', port, description } = options
  const ranges = range.split(',').map((one) => one.trim())
  await askJson(`${url}${askProfiles.path}`, 'POST', {
    ...{ name, ...credentials, addressRange: ranges.filter((one) => one !== '') },
    ...(port !== undefined && { port }),
    ...(description !== undefined && { description }),
  })
  console.log(`profile ${shown(name)} is there`)
  return 0
}

interface Listed {
  readonly id: string
  readonly name: string
  readonly version: string
  readonly userName?: string
  readonly addressRange: readonly string[]
  readonly port: string
}

/** More than there can be. */
const all = 1000

async function profiles(url: string): Promise<readonly Listed[]> {
  const answer = await askJson<{ askProfile: readonly Listed[] }>(
    `${url}${askProfiles.path}?size=${all}&orderBy=name`,
  )
  return answer.askProfile
}

async function find(url: string, name: string): Promise<Listed> {
  const known = await profiles(url)
  const found = known.find((one) => one.name === name)
  if (found) return found
  const names = known.map((one) => one.name).join(', ')
  const expected = names === '' ? '' : `: expected one of ${names}`
  throw new Fault('invalid', `there is no profile ${shown(name)}${expected}`)
}

const ways: Readonly<Record<string, string>> = { [byTcp]: 'by TCP', [byIcmp]: 'by ICMP' }

async function listProfiles(url: string): Promise<number> {
  const known = await profiles(url)
  if (known.length === 0) console.error('There are no profiles: no device is asked')
  for (const { name, version, userName, addressRange, port } of known) {
    const user = userName === undefined ? '' : ` as ${userName}`
    const shortList = addressRange.slice(0, 5).join(', ')
    const more = addressRange.length > 5 ? ` and ${addressRange.length - 5} more` : ''
    const way = ways[version] ?? `version ${version}${user}`
    const at = version === byIcmp ? '' : `, port ${port}`
    console.log(harmless(`${name}: ${way}${at}, ${shortList}${more}`))
  }
  return 0
}

interface Trial {
  readonly answers: string
  readonly reason?: string
  readonly milliseconds?: string
  readonly sysName?: string
  readonly sysDescription?: string
}

async function test(url: string, [name = '', address = '']: readonly string[]): Promise<number> {
  const { id } = await find(url, name)
  const trial = await askJson<Trial>(`${url}${askProfiles.path}/${id}/test`, 'POST', { ip: address })
  if (trial.answers !== 'true') {
    console.log(harmless(trial.reason ?? 'no answer'))
    return 1
  }
  const { sysName, sysDescription, milliseconds } = trial
  const called = sysName === undefined ? '' : `: ${sysName}`
  console.log(harmless(`${address} answers after ${milliseconds} ms${called}`))
  if (sysDescription !== undefined) console.log(harmless(sysDescription))
  return 0
}

async function remove(url: string, [name = '']: readonly string[]): Promise<number> {
  const { id } = await find(url, name)
  await askJson(`${url}${askProfiles.path}/${id}`, 'DELETE')
  console.log(`profile ${shown(name)} is removed`)
  return 0
}
