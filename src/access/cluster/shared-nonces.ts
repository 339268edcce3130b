// Nonces of HTTP Digest for several nodes on one store. They are signed with a secret of the store and therefore
// valid at every node; every use is recorded in the store, so that a captured request is refused everywhere.

import { randomBytes } from 'node:crypto'
import type { Reader, Store, Transaction } from '../../store/database.ts'
import { countOf, issuedAt, type NonceRegistry, nonceLifetime, signedNonce, type Verdict } from '../nonces.ts'

/**
 * Changes with every start of the server, and when the table is created again from a dump, which does not know what was
 * used after it was made. After a crash the tables are empty, as they are on a promoted standby.
 */
const serverSql = `extract(epoch from pg_postmaster_start_time()) || ' ' || 'nonce_secret'::regclass::oid`

export class SharedNonces implements NonceRegistry {
  readonly #database: Store
  readonly #clock: () => number
  /** As last read; if it has changed since, nonces signed with it are stale. */
  #secret: Buffer | undefined

  constructor(database: Store, clock: () => number) {
    this.#database = database
    this.#clock = clock
  }

  async make(): Promise<string> {
    this.#secret ??= await this.#database.writeConcurrently((tx) => secretIn(tx))
    return signedNonce(this.#secret, this.#clock())
  }

  use(nonce: string, nc: string): Promise<Verdict> {
    return this.#database.writeConcurrently(async (tx) => {
      const secret = await secretIn(tx)
      this.#secret = secret
      const issued = issuedAt(secret, nonce)
      // Another node, whose clock differs a little, may have issued it.
      if (issued === undefined || Math.abs(this.#clock() - issued) > nonceLifetime) return 'stale'
      const recorded = await tx.run(
        'insert into nonce_use (nonce, count, issued) values (?, ?, ?) on conflict do nothing',
        [nonce, countOf(nc), issued],
      )
      return recorded === 1 ? 'good' : 'replayed'
    })
  }

  /** Removes uses of nonces that no node accepts any more, whatever its clock. */
  async forgetOld(): Promise<void> {
    const before = this.#clock() - 2 * nonceLifetime
    await this.#database.writeConcurrently((tx) => tx.run('delete from nonce_use where issued < ?', [before]))
  }
}

async function secretIn(tx: Transaction): Promise<Buffer> {
  const known = await readSecret(tx)
  if (known) return known
  // If two nodes create one at the same time, the second waits here and uses that of the first.
  await tx.run(
    `insert into nonce_secret (one, server, secret) values (1, ${serverSql}, ?)
     on conflict (one) do update set server = excluded.server, secret = excluded.secret
     where nonce_secret.server <> excluded.server`,
    [randomBytes(32).toString('base64')],
  )
  const made = await readSecret(tx)
  if (!made) throw new Error('the store keeps no secret for nonces')
  return made
}

async function readSecret(reader: Reader): Promise<Buffer | undefined> {
  const [row] = await reader.all(`select secret from nonce_secret where one = 1 and server = ${serverSql}`)
  return row && Buffer.from(String(row.secret), 'base64')
}
