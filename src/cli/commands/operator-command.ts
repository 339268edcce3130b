// belfry operator: creates, lists and changes operators.

import { Fault, shown } from '../../fault.ts'
import { operators } from '../../resources/access/operator.ts'
import { roles } from '../../resources/access/role.ts'
import { scopes, tokens } from '../../resources/access/token.ts'
import { type Command, type Option, verbOf } from '../command.ts'
import { newPassword } from '../secret.ts'
import { askJson, withService } from '../service-connection.ts'

const options: Record<string, Option> = {
  role: { form: 'ROLE', words: roles, help: `Of a new operator: ${roles.join(', ')}.` },
  'full-name': { form: 'TEXT', help: 'Of a new operator.' },
  'no-digest': {
    help: 'A new operator who may not use Digest: only a slow hash of the password is stored then.',
  },
  'password-file': { form: 'FILE', help: 'A file with the password in its first line.' },
  'keep-tokens': {
    help: 'With a new password: existing tokens stay valid, which otherwise are revoked.',
  },
  scope: {
    form: 'WORDS',
    words: scopes,
    help: `Of a new token, separated by commas: ${scopes.join(', ')}. Default: the role of its operator.`,
  },
  days: { form: 'N', help: 'How many days a new token is valid. Default 365.' },
  description: { form: 'TEXT', help: 'What a new operator or token is for.' },
}

const usage = 'belfry operator add|list|passwd|remove|token|tokens|revoke [NAME] [options] [settings]'

const text = `Manages the operators, who may call the service. As long as there is none, the service is open to everyone on
this machine, and listens nowhere else. The first operator must be an administrator; from then on every request needs
credentials. Works while the service runs, and without one. Passwords are typed, or read from standard input or a file; never from the command line.

  belfry operator add alice --role administrator
  belfry operator add bob --role viewer --password-file bob.txt
  belfry operator list
  belfry operator passwd bob                             revokes bob's tokens, unless --keep-tokens
  belfry operator remove bob
  belfry operator token alice --scope events --days 90   prints a token, once
  belfry operator tokens                                 lists them, but not the tokens themselves
  belfry operator revoke 7                               by its id

Exit codes: 0 done, 1 the service or its store failed, 2 wrong arguments, or refused.`

type Options = Readonly<Record<string, string>>

interface ListedOperator {
  readonly id: string
  readonly name: string
  readonly role: string
  readonly fullName?: string
  readonly enabled?: string
  readonly digest?: string
  readonly lastLoginTime?: string
}

interface ListedToken {
  readonly id: string
  readonly operatorName: string
  readonly scope: string
  readonly prefix: string
  readonly description?: string
  readonly expiryTime: string
  readonly lastUseTime: string
}

type Action = (url: string, name: string, options: Options) => Promise<void>

interface Verb {
  readonly takes: string
  readonly act: Action
  /** Whether it may create a store; its input is then checked, and asked for, before there is one. */
  readonly prepare?: (options: Options) => Promise<Options>
}

const actions: Readonly<Record<string, Verb>> = {
  add: { takes: 'NAME', act: add, prepare: withPassword },
  list: { takes: '', act: list },
  passwd: { takes: 'NAME', act: passwd },
  remove: { takes: 'NAME', act: remove },
  token: { takes: 'NAME', act: token },
  tokens: { takes: '', act: listTokens },
  revoke: { takes: 'ID', act: revoke },
}

export const operator: Command = {
  name: 'operator',
  summary: 'manages operators, who may call the service',
  usage,
  text,
  options,
  takesFiles: true,
  verbs: Object.keys(actions),
  async run({ files, options, config }) {
    const [word, name = '', ...more] = files
    const action = verbOf(actions, word, 'operator')
    if ((action.takes === '') !== (name === '') || more.length > 0) {
      throw new Fault('invalid', `expected belfry operator ${word} ${action.takes}`.trim())
    }
    const whole = (await action.prepare?.(options)) ?? options
    const fills = action.prepare !== undefined
    await withService(config, (url) => action.act(url, name, whole), { fills })
    return 0
  },
}

async function all(url: string): Promise<ListedOperator[]> {
  const answer = await askJson<{ operator: ListedOperator[] }>(
    `${url}${operators.path}?size=100000&orderBy=name`,
  )
  return answer.operator
}

async function find(url: string, name: string): Promise<ListedOperator> {
  const known = await all(url)
  const found = known.find((one) => one.name === name.normalize('NFC'))
  if (found) return found
  const names = known.map((one) => one.name).join(', ')
  throw new Fault(
    'invalid',
    `there is no operator ${shown(name)}${names === '' ? '' : `: expected one of ${names}`}`,
  )
}

async function withPassword(options: Options): Promise<Options> {
  if (!roles.some((known) => known === options.role)) {
    const found = options.role === undefined ? 'is missing' : `${shown(options.role)} is not known`
    throw new Fault('invalid', `--role ${found}: expected ${roles.join(', ')}`)
  }
  return { ...options, password: await newPassword(options['password-file']) }
}

async function add(url: string, name: string, options: Options): Promise<void> {
  const { role, password } = options
  await askJson(`${url}${operators.path}`, 'POST', {
    name,
    role,
    password,
    fullName: options['full-name'] ?? null,
    description: options.description ?? null,
    digest: options['no-digest'] === undefined,
  })
  console.log(`${name} is ${role} now`)
}

async function passwd(url: string, name: string, options: Options): Promise<void> {
  const { id, role } = await find(url, name)
  const password = await newPassword(options['password-file'])
  const keep = options['keep-tokens'] !== undefined
  const path = `${operators.path}/${id}${keep ? '?keepTokens=true' : ''}`
  await askJson(`${url}${path}`, 'PUT', { name: name.normalize('NFC'), role, password })
  console.log(`${name} has a new password${keep ? '' : '; tokens that were made before are no longer good'}`)
}

async function remove(url: string, name: string): Promise<void> {
  const { id } = await find(url, name)
  await askJson(`${url}${operators.path}/${id}`, 'DELETE')
  console.log(`${name} is removed, and the tokens with it`)
}

async function token(url: string, name: string, options: Options): Promise<void> {
  const { id } = await find(url, name)
  const days = options.days ?? '365'
  if (!/^\d{1,4}$/.test(days) || Number(days) < 1) {
    throw new Fault('invalid', `--days ${shown(days)}: expected a whole number from 1 on`)
  }
  // The service's clock decides when it ends.
  const { time } = await askJson<{ time: string }>(`${url}/`)
  const made = await askJson<{ token: string; id: string; scope: string }>(`${url}${tokens.path}`, 'POST', {
    operatorId: id,
    scope: options.scope ?? null,
    description: options.description ?? null,
    expiryTime: Number(time) + Number(days) * 24 * 3600,
  })
  // For scripts: the token alone.
  console.log(made.token)
  console.error(
    `Token ${made.id} of ${name}, scope ${made.scope}, good for ${days === '1' ? 'a day' : `${days} days`}. It is not shown again.`,
  )
}

async function revoke(url: string, id: string): Promise<void> {
  if (!/^\d{1,10}$/.test(id)) throw new Fault('invalid', `${shown(id)} is not the id of a token`)
  await askJson(`${url}${tokens.path}/${id}`, 'DELETE')
  console.log(`token ${id} is revoked`)
}

async function list(url: string): Promise<void> {
  const rows = (await all(url)).map((one) => [
    one.name,
    one.role,
    one.enabled === 'false' ? 'disabled' : 'enabled',
    one.digest === 'true' ? 'Digest' : 'no Digest',
    when(one.lastLoginTime, 'never logged in'),
    one.fullName ?? '',
  ])
  if (rows.length === 0) console.error('There are no operators: the service is open to this machine')
  table(rows)
}

async function listTokens(url: string): Promise<void> {
  const answer = await askJson<{ token: ListedToken[] }>(`${url}${tokens.path}?size=100000`)
  table(
    answer.token.map((one) => [
      one.id,
      `${one.prefix}…`,
      one.operatorName,
      one.scope,
      `until ${when(one.expiryTime)}`,
      when(one.lastUseTime, 'never used'),
      one.description ?? '',
    ]),
  )
}

function when(seconds = '0', never = ''): string {
  const time = Number(seconds)
  return time === 0 ? never : new Date(time * 1000).toISOString().slice(0, 16).replace('T', ' ')
}

function table(rows: readonly (readonly string[])[]): void {
  const widths = (rows[0] ?? []).map((_, index) => Math.max(...rows.map((row) => row[index]?.length ?? 0)))
  for (const row of rows)
    console.log(
      row
        .map((cell, index) => cell.padEnd(widths[index] ?? 0))
        .join('  ')
        .trimEnd(),
    )
}
