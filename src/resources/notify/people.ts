// Contacts, teams and channels as routes use them, read at once: who can be reached, and how.

import type { Reader, Row, SqlValue } from '../../store/database.ts'

/** A channel that counts: its address is confirmed, its gateway is in use, and its contact is told of alarms. */
export interface ReachableChannel {
  readonly id: bigint
  /** Undefined where it belongs to nobody. */
  readonly contactId: bigint | undefined
  readonly gatewayId: bigint
  /** Its own, or that of its gateway. */
  readonly name: string
  /** Milliseconds after the contact's channel before it. */
  readonly delay: number
}

export interface ReachableContact {
  readonly id: bigint
  readonly name: string
  /** Why the contact is told of nothing; undefined where it is told. */
  readonly silenced: 'is disabled' | 'is an operator who is disabled' | undefined
  /** Of the operator that the contact is, where that one may sign in. */
  readonly role: string | undefined
  readonly timeZone: string | undefined
  /** Local times as HH:mm, and the least severe level that is told between them. */
  readonly quiet: { readonly from: string; readonly to: string; readonly level: number } | undefined
  /** In their order. */
  readonly channels: readonly ReachableChannel[]
  /** Whether there are confirmed channels, all of them on gateways that are disabled. */
  readonly isCutOff: boolean
}

export interface People {
  readonly contacts: ReadonlyMap<bigint, ReachableContact>
  readonly teams: ReadonlyMap<bigint, readonly bigint[]>
  /** Also those that belong to nobody. */
  readonly channels: ReadonlyMap<bigint, ReachableChannel>
}

/** What they are read from. */
export const peopleTables = ['contact', 'team', 'channel', 'gateway', 'operator'] as const

const second = 1000

export async function readPeople(reader: Reader): Promise<People> {
  const channelRows = await reader.all(
    `select channel.id, contact_id, gateway_id, delay, channel.name, gateway.name as gateway, gateway.enabled from channel
     join gateway on gateway.id = gateway_id where confirmed = 1 order by contact_id, position, channel.id`,
  )
  const contactRows = await reader.all(
    `select contact.id, contact.name, contact.enabled, time_zone, quiet_from, quiet_to, quiet_level, role,
     operator.enabled as signs_in from contact left join operator on operator.id = operator_id order by contact.id`,
  )
  const teamRows = await reader.all('select id, contact_id from team')
  const silenced = new Set(contactRows.filter((row) => silenceOf(row) !== undefined).map((row) => row.id))
  const channels = channelRows
    .filter((row) => row.enabled !== 0n && !silenced.has(row.contact_id))
    .map(channelOf)
  const byContact = Map.groupBy(channels, ({ contactId }) => contactId)
  const confirmed = new Set(channelRows.map((row) => row.contact_id))
  return {
    contacts: new Map(
      contactRows.map((row) => {
        const id = row.id as bigint
        return [id, contactOf(row, byContact.get(id) ?? [], confirmed.has(id))]
      }),
    ),
    teams: new Map(teamRows.map((row) => [row.id as bigint, idsIn(row.contact_id)])),
    channels: new Map(channels.map((channel) => [channel.id, channel])),
  }
}

const channelOf = (row: Row): ReachableChannel => ({
  id: row.id as bigint,
  contactId: row.contact_id === null ? undefined : (row.contact_id as bigint),
  gatewayId: row.gateway_id as bigint,
  name: String(row.name ?? '') || String(row.gateway),
  delay: Number(row.delay ?? 0) * second,
})

function silenceOf({ enabled, signs_in }: Row): ReachableContact['silenced'] {
  if (enabled === 0n) return 'is disabled'
  return signs_in === 0n ? 'is an operator who is disabled' : undefined
}

const contactOf = (
  row: Row,
  channels: readonly ReachableChannel[],
  hasConfirmed: boolean,
): ReachableContact => ({
  id: row.id as bigint,
  name: String(row.name),
  silenced: silenceOf(row),
  role: row.role === null || row.signs_in !== 1n ? undefined : String(row.role),
  timeZone: row.time_zone === null ? undefined : String(row.time_zone),
  quiet:
    row.quiet_from === null
      ? undefined
      : { from: String(row.quiet_from), to: String(row.quiet_to), level: Number(row.quiet_level) },
  channels,
  isCutOff: hasConfirmed && channels.length === 0,
})

/** A set of ids as it is stored. */
const idsIn = (value: SqlValue | undefined): bigint[] =>
  (JSON.parse(String(value)) as (string | number)[]).map(BigInt)

/** By its gateway and its contact: whoever reads an alarm about it may not see the address. */
export async function describeChannel(reader: Reader, channelId: bigint): Promise<string> {
  const [row] = await reader.all(
    `select gateway.name as gateway, contact.name as contact from channel
     join gateway on gateway.id = channel.gateway_id left join contact on contact.id = channel.contact_id
     where channel.id = ?`,
    [channelId],
  )
  if (!row) return `channel ${channelId}`
  return `channel ${channelId} (gateway ${row.gateway}${row.contact === null ? '' : `, of ${row.contact}`})`
}
