// Identities of operators at an identity provider, identified by issuer and subject, never by a name.

import type { Reader, Transaction } from '../../store/database.ts'

export interface ProviderIdentity {
  readonly issuer: string
  readonly subject: string
}

export async function operatorKnownAs(
  reader: Reader,
  { issuer, subject }: ProviderIdentity,
): Promise<bigint | undefined> {
  const sql = 'select operator_id from identity where issuer = ? and subject = ?'
  const [row] = await reader.all(sql, [issuer, subject])
  return row?.operator_id as bigint | undefined
}

export async function saveIdentity(
  tx: Transaction,
  operatorId: bigint,
  identity: ProviderIdentity,
): Promise<void> {
  const { issuer, subject } = identity
  await tx.run('insert into identity (operator_id, issuer, subject, signed_in) values (?, ?, ?, ?)', [
    operatorId,
    issuer,
    subject,
    tx.now,
  ])
}

/** Returns when it was the time before. */
export async function noteSignIn(tx: Transaction, operatorId: bigint): Promise<number> {
  const [row] = await tx.all('select signed_in from identity where operator_id = ?', [operatorId])
  await tx.run('update identity set signed_in = ? where operator_id = ?', [tx.now, operatorId])
  return Number(row?.signed_in ?? tx.now)
}

/** Whether this is the first use of a sign-in, at whichever node. `kept` is how long, in milliseconds, that must be known. */
export async function useSignIn(tx: Transaction, mark: string, kept: number): Promise<boolean> {
  await tx.run('delete from used_sign_in where used_time < ?', [tx.now - kept])
  const sql = 'insert into used_sign_in (mark, used_time) values (?, ?) on conflict do nothing'
  return (await tx.run(sql, [mark, tx.now])) === 1
}

/** By this name the secret is kept with which the provider is asked whether it still knows the operator. */
export const refreshSecret = (operatorId: bigint) => `openid ${operatorId}`

/** Those who sign in through a provider, and have no password here. */
export async function knownElsewhere(reader: Reader): Promise<ReadonlySet<bigint>> {
  const rows = await reader.all('select operator_id from identity')
  return new Set(rows.map((row) => row.operator_id as bigint))
}
