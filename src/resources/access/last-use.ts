// Records when operators, tokens and sessions were last used. A subject is one of these words and an id: 'token 7'.

import type { Reader, Transaction } from '../../store/database.ts'

type Kind = 'operator' | 'token' | 'session'

export type Subject = `${Kind} ${bigint}`

export async function noteLogin(tx: Transaction, subject: Subject): Promise<void> {
  await tx.run(
    'insert into login (subject, last_time) values (?, ?) on conflict (subject) do update set last_time = excluded.last_time',
    [subject, tx.now],
  )
}

/** Undefined where it was never used. */
export async function lastLogin(reader: Reader, kind: Kind, id: bigint): Promise<number | undefined> {
  const [row] = await reader.all('select last_time from login where subject = ?', [`${kind} ${id}`])
  return row && Number(row.last_time)
}

/** Of all of a kind, by id. */
export async function lastLogins(reader: Reader, kind: Kind): Promise<Map<bigint, number>> {
  const rows = await reader.all('select subject, last_time from login where subject like ?', [`${kind} %`])
  return new Map(
    rows.map((row) => [BigInt(String(row.subject).slice(kind.length + 1)), Number(row.last_time)]),
  )
}

export async function forgetLogin(tx: Transaction, kind: Kind, id: bigint): Promise<void> {
  await tx.run('delete from login where subject = ?', [`${kind} ${id}`])
}

/** A token or a session. */
interface Credential {
  readonly id: bigint
  readonly operatorId: bigint | null
  lastUseTime: number | null
  operatorName: string | null
}

/** Fills in whose each is, and when it was last used, or `unused` where it never was. */
export async function showUse<C extends Credential>(
  reader: Reader,
  kind: Kind,
  credentials: readonly C[],
  unused: (credential: C) => number,
): Promise<void> {
  const times = await lastLogins(reader, kind)
  const rows = await reader.all('select id, name from operator')
  const names = new Map(rows.map((row) => [row.id, String(row.name)]))
  for (const credential of credentials) {
    credential.lastUseTime = times.get(credential.id) ?? unused(credential)
    credential.operatorName = names.get(credential.operatorId) ?? ''
  }
}
