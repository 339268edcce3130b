// Operators: people and programs that may call the service, and their permissions.

import { isIP } from 'node:net'
import { Fault } from '../../fault.ts'
import { forgetSecret } from '../../keys/key-ring.ts'
import { list } from '../../schema/list.ts'
import {
  assigned,
  derived,
  empty,
  optional,
  type RecordOf,
  required,
  resource,
  secret,
} from '../../schema/resource.ts'
import { bool, coded, fold, instant, long, type Scalar, text } from '../../schema/scalar.ts'
import type { Transaction } from '../../store/database.ts'
import { collection, requireUnique } from '../collection.ts'
import { eraseAll } from '../references.ts'
import { knownElsewhere, type ProviderIdentity, refreshSecret, saveIdentity } from './identity.ts'
import { forgetLogin, lastLogins } from './last-use.ts'
import { leaveGroups } from './operator-group.ts'
import { groupOfRole, operatorGroup, role } from './role.ts'
import { sessions } from './session.ts'
import { tokens } from './token.ts'

// A colon would end the name in Basic, and programs quote quotes and backslashes differently in Digest.
const plainName = text({
  maxLength: 64,
  pattern: {
    source: '[^:"\\\\/\\s]{1,64}',
    accepted: 'a name of at most 64 characters without spaces, colons, quotes, slashes and backslashes',
  },
})

/** The service's own names for callers that are no operators. */
const taken = new Set(['anonymous', 'local', '$system'])

/** One spelling for what looks the same: programs compose accents differently. */
const operatorName: Scalar<string> = {
  ...plainName,
  read(value) {
    const name = plainName.read(value.normalize('NFC'))
    if (taken.has(fold(name)) || isIP(name) !== 0 || /\p{C}/u.test(name)) {
      throw new Fault('invalid', `an operator cannot be called ${name}: expected another name`)
    }
    return name
  },
}

const passwordLength = { min: 12, max: 256 }
const passwordForm = `a password of ${passwordLength.min} to ${passwordLength.max} characters`

/** Passwords are accepted but never shown. */
export const password: Scalar<string> = {
  accepted: passwordForm,
  column: 'text',
  facets: { base: 'string', maxLength: passwordLength.max },
  read(value) {
    const { length } = [...value]
    const wrong =
      length < passwordLength.min || length > passwordLength.max
        ? `it has ${length}`
        : /\p{Cc}/u.test(value)
          ? 'it has control characters'
          : new Set(value).size < 4
            ? 'it has too few different ones'
            : undefined
    if (wrong !== undefined) throw new Fault('invalid', `expected ${passwordForm}, ${wrong}`)
    return value
  },
  write: () => '',
  fromSql: () => '',
  key: () => '',
}

export const operator = resource(
  'operator',
  {
    id: assigned(long),
    name: required(operatorName, { keyed: true }),
    fullName: optional(text({ maxLength: 200 }), empty),
    role: required(role),
    enabled: optional(bool),
    /** Whether Digest may be used, which requires more than a slow hash of the password to be stored. */
    digest: optional(bool),
    description: optional(text()),
    lastLoginTime: derived(instant),
    /** The role as programs of the iMC interface know it, and what operators are known by. */
    operatorGroupId: derived(operatorGroup),
    authType: derived(coded({ 0: 'password', 1: 'OpenID Connect' })),
    password: secret(password),
  },
  {
    table: 'operator',
    key: 'id',
    ignored: [
      'desc',
      'sessionTimeout',
      'defaultAcl',
      'defaultManagedGroup',
      'defaultManagedDefinedView',
      'link',
    ],
  },
)

type OperatorRecord = RecordOf<typeof operator.fields>

/** What passwords are checked against. Computed before the record is saved, since it takes long. */
export interface Credential {
  readonly password: string
  readonly sha256: string
  readonly md5: string
  readonly realm: string
}

interface Sealed extends Credential {
  /** Tokens that were made before stay valid. */
  readonly keepTokens: boolean
}

/** A credential takes the place of the password that it was made of. */
export const seal = (credential: Credential, keepTokens = false): string =>
  JSON.stringify({ ...credential, keepTokens } satisfies Sealed)

/** How passwords can be sent to this service. */
export interface LoginWays {
  /** Of Digest. */
  readonly realm: string
  /** Whether connections can be encrypted, so that a password can be sent as it is. */
  readonly encrypted: boolean
  /** A new operator of an identity provider: one without a password. */
  readonly identity?: ProviderIdentity
}

const allWays = { realm: '', encrypted: true }

/** Enabled administrators with a password, and those of them who can log in with it. */
async function administrators(
  tx: Transaction,
  { realm, encrypted }: LoginWays,
): Promise<{ enabled: number; able: number }> {
  const rows = await tx.all(
    "select sha256, realm from operator join credential on operator_id = id where role = 'administrator' and enabled = 1",
  )
  const able = rows.filter((row) => encrypted || (row.sha256 !== null && row.realm === realm))
  return { enabled: rows.length, able: able.length }
}

/**
 * There is always an administrator who can log in; so the first operator is an administrator. Operators without a
 * password do not count: their provider may be out of reach.
 */
async function keepAdministrator(tx: Transaction, ways: LoginWays): Promise<void> {
  const before = await administrators(tx, ways)
  tx.beforeCommit(async () => {
    const after = await administrators(tx, ways)
    if (after.enabled === 0) {
      const message =
        before.enabled === 0
          ? 'the first operator must be an enabled administrator'
          : 'this is the last enabled administrator, and must remain one'
      throw new Fault('conflict', message, { field: 'role' })
    }
    if (after.able > 0 || (before.able === 0 && before.enabled > 0)) return
    const message = 'no administrator could log in any more: without TLS, that needs Digest'
    throw new Fault('conflict', message, { field: 'digest' })
  })
}

export async function endTokens(tx: Transaction, operatorId: bigint): Promise<void> {
  await tx.run(
    "delete from login where subject in (select 'token ' || id from token where operator_id = ?)",
    [operatorId],
  )
  await eraseAll(tx, tokens, 'operator_id', operatorId)
}

/** Sessions that were begun and tokens that were made before are no longer valid. */
export async function endAccess(tx: Transaction, operatorId: bigint): Promise<void> {
  await forgetSecret(tx, refreshSecret(operatorId))
  await endTokens(tx, operatorId)
  await endSessions(tx, operatorId)
}

async function endSessions(tx: Transaction, operatorId: bigint): Promise<void> {
  await tx.run(
    "delete from login where subject in (select 'session ' || id from session where operator_id = ?)",
    [operatorId],
  )
  await eraseAll(tx, sessions, 'operator_id', operatorId)
}

async function saveCredential(
  tx: Transaction,
  record: OperatorRecord,
  before: OperatorRecord | undefined,
): Promise<void> {
  const sealed = record.password
  record.password = null
  if (before && (await knownElsewhere(tx)).has(record.id)) {
    if (sealed === null && !record.digest) return
    const message = 'this operator signs in through OpenID Connect, and has no password here'
    throw new Fault('conflict', message, { field: sealed === null ? 'digest' : 'password' })
  }
  if (sealed !== null) {
    const { password, sha256, md5, realm, keepTokens }: Sealed = JSON.parse(sealed)
    await tx.run(
      'insert into credential (operator_id, password, sha256, md5, realm, changed_at) values (?, ?, ?, ?, ?, ?) on conflict (operator_id) do update set password = excluded.password, sha256 = excluded.sha256, md5 = excluded.md5, realm = excluded.realm, changed_at = excluded.changed_at',
      [record.id, password, record.digest ? sha256 : null, record.digest ? md5 : null, realm, tx.now],
    )
    // A password may be changed because others know it, who may have created tokens.
    if (before && !keepTokens) await endTokens(tx, record.id)
    if (before) await endSessions(tx, record.id)
  } else if (!before) {
    throw new Fault('invalid', `password is required: ${passwordForm}`, { field: 'password' })
  } else if (record.digest && (!before.digest || record.name !== before.name)) {
    const message = 'the password is needed again: Digest uses a hash of it together with the name'
    throw new Fault('conflict', message, { field: 'password' })
  } else if (!record.digest) {
    await tx.run('update credential set sha256 = null, md5 = null where operator_id = ?', [record.id])
  }
}

/** The collection for a service with these ways to log in. */
export const operatorsBy = (ways: LoginWays) =>
  collection({
    resource: operator,
    noun: 'operator',
    list: list('/plat/operator', operator, {
      filters: ({ wildcard, anySpelling }) => ({ name: wildcard('name'), role: anySpelling('role') }),
      orderBy: { id: 'id', name: 'name' },
    }),
    rules: {
      async saving(tx, record, before) {
        record.enabled ??= true
        record.digest ??= ways.identity === undefined
        const unique = { table: 'operator', column: 'name_key', field: 'name', noun: 'operator' }
        await requireUnique(tx, unique, fold(record.name), record.id, record.name)
        await keepAdministrator(tx, ways)
        if (ways.identity && !before) await saveIdentity(tx, record.id, ways.identity)
        else await saveCredential(tx, record, before)
        if (before && !record.enabled) await endSessions(tx, record.id)
      },
      async deleting(tx, { id }) {
        await keepAdministrator(tx, ways)
        await endAccess(tx, id)
        await leaveGroups(tx, id)
        await forgetLogin(tx, 'operator', id)
        for (const table of ['credential', 'identity', 'login_place', 'calendar_feed'])
          await tx.run(`delete from ${table} where operator_id = ?`, [id])
        await tx.run("update registration set holder = '' where holder = ?", [String(id)])
        // Whoever is no longer an operator is not told of alarms, unless an administrator decides that they are.
        await tx.run('update contact set operator_id = null, enabled = 0 where operator_id = ?', [id])
      },
      async show(database, records) {
        const times = await lastLogins(database, 'operator')
        const elsewhere = await knownElsewhere(database)
        for (const record of records) {
          record.lastLoginTime = times.get(record.id) ?? 0
          record.operatorGroupId = groupOfRole(record.role)
          record.authType = elsewhere.has(record.id) ? 1 : 0
        }
      },
    },
  })

export const operators = operatorsBy(allWays)
