// Contacts: people who are told of alarms. A contact may be an operator, or somebody who cannot sign in.

import { Fault } from '../../fault.ts'
import { list } from '../../schema/list.ts'
import { assigned, derived, optional, type RecordOf, required, resource, set } from '../../schema/resource.ts'
import { bool, fold, long, type Scalar, text } from '../../schema/scalar.ts'
import type { Database, Reader, Transaction } from '../../store/database.ts'
import { update } from '../../store/table.ts'
import { auditChange } from '../access/audit-entry.ts'
import type { Role } from '../access/role.ts'
import { alarmLevel } from '../alarms/alarm.ts'
import { collection, requireUnique } from '../collection.ts'
import { eraseAll } from '../references.ts'
import { channels } from './channel.ts'

const zoneText = text({ maxLength: 100 })
export const timeZone: Scalar<string> = {
  ...zoneText,
  accepted: 'the name of a time zone such as Europe/Berlin',
  read(value) {
    try {
      return new Intl.DateTimeFormat('en', { timeZone: zoneText.read(value) }).resolvedOptions().timeZone
    } catch {
      throw new Fault('invalid', `${JSON.stringify(value)} is not accepted: expected ${timeZone.accepted}`)
    }
  },
}

export const timeOfDay = text({
  pattern: { source: '([01][0-9]|2[0-3]):[0-5][0-9]', accepted: 'a time of day as HH:mm' },
})

export const contact = resource(
  'contact',
  {
    id: assigned(long),
    name: required(text({ maxLength: 100 }), { keyed: true }),
    operatorId: optional(long),
    operatorName: derived(text(), { mayBeAbsent: true }),
    /** One that is not is told of nothing. */
    enabled: optional(bool),
    /** That of the service without. */
    timeZone: optional(timeZone),
    /** Between these, local time, only alarms of this level and more severe ones are told. */
    quietFrom: optional(timeOfDay),
    quietTo: optional(timeOfDay),
    quietLevel: optional(alarmLevel),
  },
  { table: 'contact', key: 'id' },
)

export type Contact = RecordOf<typeof contact.fields>

const defaultQuietLevel = 1

function checkQuietHours(record: Contact): void {
  const { quietFrom, quietTo } = record
  if ((quietFrom === null) !== (quietTo === null)) {
    const field = quietFrom === null ? 'quietFrom' : 'quietTo'
    throw new Fault('invalid', `${field} is required: quiet hours have a beginning and an end`, { field })
  }
  if (quietFrom !== null && quietFrom === quietTo) {
    const message = `quietTo is ${quietTo} like quietFrom: expected another time of day`
    throw new Fault('invalid', message, { field: 'quietTo' })
  }
}

/** Who removes the hours need not remove the level that belongs to them. */
function completeLevel(record: Contact, before: Contact | undefined): void {
  if (record.quietFrom !== null) record.quietLevel ??= defaultQuietLevel
  else if (before && before.quietFrom !== null && record.quietLevel === before.quietLevel)
    record.quietLevel = null
  else if (record.quietLevel !== null) {
    const message = 'quietLevel is accepted only with quietFrom and quietTo'
    throw new Fault('invalid', message, { field: 'quietLevel' })
  }
}

export const contacts = collection({
  resource: contact,
  noun: 'contact',
  list: list('/notify/contact', contact, {
    filters: ({ wildcard, equals }) => ({ name: wildcard('name'), operatorId: equals('operatorId') }),
    orderBy: { id: 'id', name: 'name' },
  }),
  rules: {
    check: checkQuietHours,
    async saving(tx, record, before) {
      record.enabled ??= true
      completeLevel(record, before)
      const unique = { table: 'contact', column: 'name_key', field: 'name', noun: 'contact' }
      await requireUnique(tx, unique, fold(record.name), record.id, record.name)
      if (record.operatorId !== null) await requireOperator(tx, record.operatorId, record.id)
    },
    async deleting(tx, { id }) {
      await requireOffDuty(tx, id)
      await eraseAll(tx, channels, 'contact_id', id)
      await leaveTeams(tx, id)
    },
    show: showOperators,
  },
})

/** Whoever is on call cannot be deleted: nobody would be called in their place. */
async function requireOffDuty(tx: Transaction, id: bigint): Promise<void> {
  const [member] = await tx.all('select schedule_id from schedule_contact where contact_id = ?', [id])
  if (member) {
    throw new Fault('conflict', `contact ${id} is in schedule ${member.schedule_id}: take it out first`)
  }
  const [override] = await tx.all('select id from schedule_override where contact_id = ? and to_time > ?', [
    id,
    tx.now,
  ])
  if (override) throw new Fault('conflict', `contact ${id} is in override ${override.id}: delete it first`)
  await tx.run('delete from schedule_override where contact_id = ?', [id])
  await tx.run('delete from calendar_feed where contact_id = ?', [id])
}

async function requireOperator(tx: Transaction, operatorId: bigint, id: bigint): Promise<void> {
  const field = 'operatorId'
  const [operator] = await tx.all('select id from operator where id = ?', [operatorId])
  if (!operator) throw new Fault('conflict', `operator ${operatorId} does not exist`, { field })
  const [other] = await tx.all('select id from contact where operator_id = ? and id <> ?', [operatorId, id])
  if (other) throw new Fault('conflict', `operator ${operatorId} is contact ${other.id} already`, { field })
}

async function showOperators(database: Database, records: Contact[]): Promise<void> {
  if (records.every(({ operatorId }) => operatorId === null)) return
  const rows = await database.all('select id, name from operator')
  const names = new Map(rows.map(({ id, name }) => [id as bigint, String(name)]))
  for (const record of records) {
    const name = names.get(record.operatorId ?? 0n)
    if (name !== undefined) record.operatorName = name
  }
}

/** The contact that an operator is; undefined where there is none. */
export async function contactOfOperator(reader: Reader, operatorId: bigint): Promise<bigint | undefined> {
  const [row] = await reader.all('select id from contact where operator_id = ?', [operatorId])
  return row?.id as bigint | undefined
}

export async function requireContact(tx: Transaction, id: bigint, field: string): Promise<void> {
  const [row] = await tx.all('select id from contact where id = ?', [id])
  if (!row) throw new Fault('conflict', `contact ${id} does not exist`, { field })
}

export const team = resource(
  'team',
  {
    id: assigned(long),
    name: required(text({ maxLength: 100 }), { keyed: true }),
    description: optional(text()),
    contactId: set(long),
  },
  { table: 'team', key: 'id' },
)

export type Team = RecordOf<typeof team.fields>

const maxTeamSize = 500

export const teams = collection({
  resource: team,
  noun: 'team',
  list: list('/notify/team', team, {
    filters: ({ wildcard }) => ({ name: wildcard('name') }),
    orderBy: { id: 'id', name: 'name' },
  }),
  rules: {
    async saving(tx, record) {
      const unique = { table: 'team', column: 'name_key', field: 'name', noun: 'team' }
      await requireUnique(tx, unique, fold(record.name), record.id, record.name)
      record.contactId = [...new Set(record.contactId)]
      if (record.contactId.length > maxTeamSize) {
        const message = `a team has at most ${maxTeamSize} contacts, not ${record.contactId.length}`
        throw new Fault('invalid', message, { field: 'contactId' })
      }
      for (const [index, id] of record.contactId.entries())
        await requireContact(tx, id, `contactId[${index + 1}]`)
    },
  },
})

async function leaveTeams(tx: Transaction, contactId: bigint): Promise<void> {
  const { table } = teams
  for (const row of await tx.all(`select ${table.form.shown} from ${table.name} order by id`)) {
    const before = table.form.toRecord(row) as Team
    if (!before.contactId.includes(contactId)) continue
    const record = { ...before, contactId: before.contactId.filter((id) => id !== contactId) }
    await update(tx, table, before.id, before, record)
    await auditChange(tx, 'modify', team, before.id, before, record)
  }
}

/** By their ids. */
export async function contactNames(reader: Reader): Promise<ReadonlyMap<bigint, string>> {
  const rows = await reader.all('select id, name from contact')
  return new Map(rows.map(({ id, name }) => [id as bigint, String(name)]))
}

/** A contact as somebody who acts: by the rights of the operator that it is, where it is one. */
export interface ActingContact {
  readonly name: string
  /** Whoever is told of nothing does not answer either. */
  readonly isNotified: boolean
  readonly operator:
    | { readonly id: bigint; readonly name: string; readonly role: Role; readonly enabled: boolean }
    | undefined
}

export async function readActingContact(
  reader: Reader,
  contactId: bigint,
): Promise<ActingContact | undefined> {
  const [row] = await reader.all(
    'select contact.name as name, contact.enabled as is_told, operator.id as operator_id, operator.name as operator_name, role, operator.enabled as enabled from contact left join operator on operator.id = contact.operator_id where contact.id = ?',
    [contactId],
  )
  if (!row) return undefined
  const { operator_id: id, operator_name, role, enabled } = row
  const operator =
    typeof id === 'bigint'
      ? { id, name: String(operator_name), role: role as Role, enabled: enabled === 1n }
      : undefined
  return { name: String(row.name), isNotified: row.is_told === 1n, operator }
}
