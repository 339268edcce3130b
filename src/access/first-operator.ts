// Creates the first administrator of a new container, and refuses to serve a network without operators.

import { lookup } from 'node:dns/promises'
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import type { Logger } from 'pino'
import { isLoopback } from '../config/networks.ts'
import { Fault } from '../fault.ts'
import { operators, password, seal } from '../resources/access/operator.ts'
import { create } from '../resources/collection.ts'
import type { Database } from '../store/database.ts'
import type { Logins } from './logins.ts'

const firstName = 'admin'

interface FirstPassword {
  /** The file that contains the password; empty if there is none. */
  readonly file: string
  /** The password from the environment. */
  readonly fromEnvironment?: string | undefined
}

/** Creates the administrator if there is no operator yet; an existing operator is never changed. */
export async function createFirstOperator(
  logins: Logins,
  database: Database,
  first: FirstPassword,
  log: Logger,
): Promise<void> {
  const { byId } = await logins.directory.entries()
  if (byId.size > 0) {
    warnOfRealm(logins, log)
    return
  }
  const plain = first.file === '' ? first.fromEnvironment : readPassword(first.file)
  if (plain === undefined) return
  const where = first.file === '' ? 'BELFRY_ADMIN_PASSWORD' : `admin-password-file (${first.file})`
  try {
    password.read(plain)
    const objection = await logins.weakPasswords.objectionTo(plain, { name: firstName })
    if (objection !== undefined) throw new Fault('invalid', objection)
  } catch (cause) {
    throw new Fault('invalid', `${where}: ${(cause as Error).message}`, { cause })
  }
  const sealed = seal(await logins.passwords.credential(firstName, logins.realm, plain))
  await create(database, operators, { name: firstName, role: 'administrator', password: sealed })
  log.info({ name: firstName }, 'the first administrator was created')
  await logins.directory.entries()
}

function readPassword(file: string): string {
  try {
    // Without the line end that editors and tools append.
    return readFileSync(file, 'utf8').replace(/\r?\n$/, '')
  } catch (cause) {
    throw new Fault('invalid', `admin-password-file: ${file} cannot be read: ${(cause as Error).message}`, {
      cause,
    })
  }
}

/** The realm is part of what is stored for Digest: with another realm the right password no longer matches. */
function warnOfRealm(logins: Logins, log: Logger): void {
  const operatorsOf = [...(logins.directory.last?.byId.values() ?? [])]
  const names = operatorsOf
    .filter(({ realm, sha256 }) => sha256 !== undefined && realm !== logins.realm)
    .map(({ name }) => name)
  if (names.length === 0) return
  log.warn(
    { operators: names, realm: logins.realm },
    'the setting realm was changed: these operators cannot use Digest until their passwords are set again (belfry operator passwd NAME)',
  )
}

/** A service that is open to everyone listens on this machine only. */
export async function requireOperatorFor(host: string, logins: Logins): Promise<void> {
  const { byId } = await logins.directory.entries()
  if (byId.size > 0 || (await isHere(host))) return
  throw new Fault(
    'invalid',
    `there is no operator yet, and on ${host} everyone on the network could change everything: make one first (belfry operator add NAME --role administrator), or give a first password (BELFRY_ADMIN_PASSWORD_FILE), or listen on 127.0.0.1`,
  )
}

async function isHere(host: string): Promise<boolean> {
  if (isIP(host) !== 0) return isLoopback(host)
  try {
    const found = await lookup(host, { all: true })
    return found.length > 0 && found.every(({ address }) => isLoopback(address))
  } catch {
    // An error in the name is reported when the service tries to listen.
    return false
  }
}
