// An entry of the audit log, written in the same transaction as the change it records.

import { difference } from '../../schema/difference.ts'
import {
  type AnyRecord,
  assigned,
  empty,
  optional,
  type RecordOf,
  resource,
  type Shape,
} from '../../schema/resource.ts'
import { instant, ip, long, type Scalar, text } from '../../schema/scalar.ts'
import { type Actor, auditTable, type Transaction } from '../../store/database.ts'
import { openIds } from '../../store/ids.ts'
import { insertAll, type SizedColumns, table } from '../../store/table.ts'

const word = text({ maxLength: 100 })

/** An IP address in its canonical spelling; for callers that come by another way than IP, a word for that way. */
const place: Scalar<string> = {
  ...word,
  read(value) {
    try {
      return ip.read(value)
    } catch {
      return word.read(value)
    }
  },
}

export const auditEntry = resource(
  'audit',
  {
    id: assigned(long),
    time: assigned(instant),
    /** Who, in which role, and from where. */
    name: assigned(text(), { keyed: true, ...empty }),
    role: assigned(word, empty),
    address: assigned(place, empty),
    action: assigned(word),
    /** The changed resource and its id. */
    resource: assigned(word, { keyed: true, ...empty }),
    resourceId: assigned(text(), { keyed: true, ...empty }),
    /** The number of records or attempts that the entry summarises. */
    count: assigned(long),
    detail: optional(text()),
    /** JSON objects with the fields that differ. */
    before: optional(text({ maxLength: 1_000_000 })),
    after: optional(text({ maxLength: 1_000_000 })),
  },
  { table: auditTable, key: 'id' },
)

type AuditEntry = RecordOf<typeof auditEntry.fields>

export const auditSize: SizedColumns = { columns: ['detail', 'before', 'after'] }
export const auditRows = table(auditEntry, { sized: auditSize })

/** What an entry contains beside who, when and from where. */
export interface AuditFacts {
  readonly action: string
  readonly resource: string
  readonly id?: bigint | string
  readonly count?: number
  readonly detail?: string
  readonly before?: string | null
  readonly after?: string | null
}

/** Writes an entry for the caller; the service's own changes have none. */
export async function audit(tx: Transaction, facts: AuditFacts): Promise<void> {
  if (tx.actor) await write(tx, tx.actor, facts)
}

export async function write(tx: Transaction, actor: Actor, facts: AuditFacts): Promise<void> {
  await auditEach(tx, [{ ...facts, actor }])
}

/** Writes entries where several callers share a transaction, in order. */
export async function auditEach(
  tx: Transaction,
  all: readonly (AuditFacts & { readonly actor: Actor })[],
): Promise<void> {
  if (all.length === 0) return
  const next = await openIds(tx, auditTable)
  const entries = all.map(
    ({ actor: { name, role, address }, ...facts }): AuditEntry => ({
      id: next(auditTable),
      time: tx.now,
      name,
      role,
      address,
      action: facts.action,
      resource: facts.resource,
      resourceId: String(facts.id ?? ''),
      count: BigInt(facts.count ?? 1),
      detail: facts.detail ?? null,
      before: facts.before ?? null,
      after: facts.after ?? null,
    }),
  )
  await insertAll(tx, auditRows, entries)
}

/** Writes what differs in one record: without `before` it is new, without `after` it is gone. */
export async function auditChange(
  tx: Transaction,
  action: string,
  of: Shape,
  id: bigint | string,
  before: AnyRecord | undefined,
  after: AnyRecord | undefined,
): Promise<void> {
  if (tx.actor) await write(tx, tx.actor, changeFacts(action, of, id, before, after))
}

/** The entry of such a change. */
export function changeFacts(
  action: string,
  of: Shape,
  id: bigint | string,
  before: AnyRecord | undefined,
  after: AnyRecord | undefined,
): AuditFacts {
  const { fields: _fields, ...sides } = difference(of, before, after)
  return { action, resource: of.name, id, ...sides }
}
