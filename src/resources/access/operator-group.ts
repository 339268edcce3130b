// Operator groups. The first three are the roles; further ones list their members.

import { Fault } from '../../fault.ts'
import { list } from '../../schema/list.ts'
import { assigned, empty, optional, type RecordOf, required, resource, set } from '../../schema/resource.ts'
import { fold, long, text } from '../../schema/scalar.ts'
import type { Actor, Reader, Transaction } from '../../store/database.ts'
import { update } from '../../store/table.ts'
import { collection, requireUnique } from '../collection.ts'
import { auditChange } from './audit-entry.ts'
import { groupOfRole, type Role, roles } from './role.ts'

export const operatorGroup = resource(
  'operatorGroup',
  {
    operatorGroupId: assigned(long),
    operatorGroupName: required(text({ maxLength: 200 }), { keyed: true }),
    description: optional(text(), empty),
    /** The ids of its operators; empty for a role, whose operators are those who have it. */
    member: set(long),
  },
  { table: 'operator_group', key: 'operatorGroupId' },
)

type OperatorGroup = RecordOf<typeof operatorGroup.fields>

/** The groups that are there from the beginning, as programs of the iMC interface know them. */
export const roleGroups = [
  { operatorGroupId: 1n, operatorGroupName: 'Administrator Group' },
  { operatorGroupId: 2n, operatorGroupName: 'Maintainer Group' },
  { operatorGroupId: 3n, operatorGroupName: 'Viewer Group' },
] as const

const isRole = (id: bigint) => id <= BigInt(roles.length)

export const operatorGroups = collection({
  resource: operatorGroup,
  noun: 'operator group',
  list: list('/plat/operatorGroup', operatorGroup, {
    filters: ({ wildcard }) => ({ operatorGroupName: wildcard('operatorGroupName') }),
    orderBy: { operatorGroupId: 'operatorGroupId', operatorGroupName: 'operatorGroupName' },
  }),
  rules: {
    check({ operatorGroupId, member }) {
      if (isRole(operatorGroupId) && member.length > 0) {
        const message = `group ${operatorGroupId} is a role: its members are the operators who have it`
        throw new Fault('conflict', message, { field: 'member' })
      }
    },
    async saving(tx, record, before) {
      const unique = {
        table: 'operator_group',
        column: 'operator_group_name_key',
        field: 'operatorGroupName',
        noun: 'operator group',
      }
      const { operatorGroupName, operatorGroupId } = record
      await requireUnique(tx, unique, fold(operatorGroupName), operatorGroupId, operatorGroupName)
      await requireOperators(tx, record)
      if (before && before.operatorGroupName !== operatorGroupName) await renameInTemplates(tx, record)
    },
    async deleting(tx, { operatorGroupId }) {
      if (isRole(operatorGroupId)) {
        throw new Fault('conflict', `group ${operatorGroupId} is a role: it cannot be deleted`)
      }
      const [template] = await tx.all(
        'select template_id from report_template_group where group_id = ? limit 1',
        [operatorGroupId],
      )
      if (!template) return
      const message = `report template ${template.template_id} is for group ${operatorGroupId}: take it out there first`
      throw new Fault('conflict', message)
    },
  },
})

/** Report templates say what their groups are called. */
async function renameInTemplates(
  tx: Transaction,
  { operatorGroupId, operatorGroupName }: OperatorGroup,
): Promise<void> {
  const id = String(operatorGroupId)
  const rows = await tx.all('select id, operator_group from report_template where operator_group like ?', [
    `%"operatorGroupId":"${id}"%`,
  ])
  for (const row of rows) {
    const groups = JSON.parse(String(row.operator_group)) as Record<string, string>[]
    const renamed = groups.map((group) =>
      group.operatorGroupId === id ? { ...group, operatorGroupName } : group,
    )
    await tx.run('update report_template set operator_group = ? where id = ?', [
      JSON.stringify(renamed),
      row.id as bigint,
    ])
  }
}

/** The id of the group that has this name. */
export async function groupNamed(reader: Reader, name: string): Promise<bigint | undefined> {
  const [row] = await reader.all('select id from operator_group where operator_group_name_key = ?', [
    fold(name),
  ])
  return row?.id as bigint | undefined
}

/** The name of a group; undefined if there is none. Roles are groups even before they are stored. */
export async function groupName(reader: Reader, id: bigint): Promise<string | undefined> {
  const [row] = await reader.all('select operator_group_name from operator_group where id = ?', [id])
  if (row) return String(row.operator_group_name)
  return roleGroups.find(({ operatorGroupId }) => operatorGroupId === id)?.operatorGroupName
}

async function requireOperators(reader: Reader, { member }: OperatorGroup): Promise<void> {
  for (const [index, id] of member.entries()) {
    const [row] = await reader.all('select id from operator where id = ?', [id])
    if (row) continue
    throw new Fault('conflict', `operator ${id} does not exist`, { field: `member[${index + 1}]` })
  }
}

/** A deleted operator is removed from all groups. */
export async function leaveGroups(tx: Transaction, operatorId: bigint): Promise<void> {
  const { table } = operatorGroups
  for (const row of await tx.all(`select ${table.form.shown} from ${table.name} order by id`)) {
    const before = table.form.toRecord(row) as OperatorGroup
    if (!before.member.includes(operatorId)) continue
    const record = { ...before, member: before.member.filter((id) => id !== operatorId) }
    await update(tx, table, before.operatorGroupId, before, record)
    await auditChange(tx, 'modify', operatorGroup, before.operatorGroupId, before, record)
  }
}

/** The group that everyone is in. */
export const everyone = 0n

/** The groups that someone is in; administrators are in all of them. */
export async function groupsOf(
  reader: Reader,
  { name, role }: Pick<Actor, 'name' | 'role'>,
): Promise<bigint[] | 'all'> {
  if (role === 'administrator') return 'all'
  const [operator] = await reader.all('select id from operator where name_key = ?', [fold(name)])
  const rows = await reader.all('select id, member from operator_group where id > ?', [roles.length])
  const own = rows.filter((row) =>
    (JSON.parse(String(row.member)) as string[]).includes(String(operator?.id)),
  )
  return [everyone, BigInt(groupOfRole(role as Role)), ...own.map((row) => row.id as bigint)]
}
