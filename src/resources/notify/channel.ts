// Channels: an address on a gateway, of a contact or of nobody (a room, a ticket system). An address counts once it is
// confirmed.

import { Fault } from '../../fault.ts'
import { list } from '../../schema/list.ts'
import { assigned, optional, type RecordOf, required, resource } from '../../schema/resource.ts'
import { bool, instant, int, long, text } from '../../schema/scalar.ts'
import type { Transaction } from '../../store/database.ts'
import { collection } from '../collection.ts'
import { type GatewayKind, usages } from './gateway-kinds.ts'

export const channel = resource(
  'channel',
  {
    id: assigned(long),
    /** Without one it belongs to nobody. */
    contactId: optional(long),
    gatewayId: required(long),
    name: optional(text({ maxLength: 100 })),
    address: optional(text({ maxLength: 500 })),
    /** The order of a contact's channels, and how many seconds after the previous one it is used. */
    position: optional(int({ min: 1, max: 1000 })),
    delay: optional(int({ min: 0, max: 86_400 })),
    confirmed: assigned(bool),
    confirmedTime: assigned(instant),
  },
  { table: 'channel', key: 'id' },
)

export type Channel = RecordOf<typeof channel.fields>

const perContact = 20
const ofNobody = 500
const mailAddress = /^[^@\s<>,;:"()]{1,64}@[^@\s<>,;:"()]{1,189}$/

export const channels = collection({
  resource: channel,
  noun: 'channel',
  list: list('/notify/channel', channel, {
    filters: ({ equals }) => ({
      contactId: equals('contactId'),
      gatewayId: equals('gatewayId'),
      confirmed: equals('confirmed'),
    }),
    orderBy: { id: 'id' },
  }),
  rules: {
    async saving(tx, record, before) {
      await requireAddress(tx, record)
      if (record.contactId !== null) {
        const [contact] = await tx.all('select id from contact where id = ?', [record.contactId])
        if (!contact)
          throw new Fault('conflict', `contact ${record.contactId} does not exist`, { field: 'contactId' })
      }
      if (!before || before.contactId !== record.contactId) await requireRoom(tx, record.contactId)
      record.position ??= await nextPosition(tx, record.contactId)
      record.delay ??= 0
      const isSame =
        before !== undefined &&
        before.gatewayId === record.gatewayId &&
        before.address === record.address &&
        before.contactId === record.contactId
      record.confirmed = isSame && before.confirmed
      record.confirmedTime = isSame ? before.confirmedTime : 0
    },
    async saved(tx, record) {
      // The code that was sent belongs to the address before.
      if (!record.confirmed) await forgetCode(tx, record.id)
    },
  },
})

async function requireAddress(tx: Transaction, { gatewayId, address }: Channel): Promise<void> {
  const [gateway] = await tx.all('select kind from gateway where id = ?', [gatewayId])
  if (!gateway) throw new Fault('conflict', `gateway ${gatewayId} does not exist`, { field: 'gatewayId' })
  checkAddress(String(gateway.kind) as GatewayKind, address)
}

/** Whether it can be one on a gateway of this kind. */
export function checkAddress(kind: GatewayKind, address: string | null): void {
  const field = 'address'
  if (address === null && usages[kind].address)
    throw new Fault('invalid', `address is required on a gateway of kind=${kind}`, { field })
  if (kind === 'mail' && !mailAddress.test(address ?? ''))
    throw new Fault('invalid', 'address is not accepted: expected a mail address such as ann@example.net', {
      field,
    })
  if (/\p{Cc}/u.test(address ?? ''))
    throw new Fault('invalid', 'address is not accepted: expected no control characters', { field })
}

async function requireRoom(tx: Transaction, contactId: bigint | null): Promise<void> {
  const where = contactId === null ? 'contact_id is null' : 'contact_id = ?'
  const values = contactId === null ? [] : [contactId]
  const [row] = await tx.all(`select count(*) as n from channel where ${where}`, values)
  const limit = contactId === null ? ofNobody : perContact
  if (Number(row?.n) < limit) return
  const owner = contactId === null ? 'nobody' : `contact ${contactId}`
  throw new Fault('conflict', `${owner} has ${limit} channels already: delete one first`)
}

async function nextPosition(tx: Transaction, contactId: bigint | null): Promise<number> {
  if (contactId === null) return 1
  const [row] = await tx.all('select max(position) as last from channel where contact_id = ?', [contactId])
  return Math.min(1000, Number(row?.last ?? 0) + 1)
}

/** What is remembered of a code that was sent: its digest, until when it is accepted, and how often it was tried. */
export interface SentCode {
  readonly digest: string
  readonly until: number
  readonly tries: number
  /** How many were sent since when. */
  readonly sent: number
  readonly since: number
}

/** These are no fields: nobody can read them. */
export async function sentCode(tx: Transaction, id: bigint): Promise<SentCode> {
  const [row] = await tx.all(
    'select code_digest, code_until, code_tries, code_sent, code_since from channel where id = ?',
    [id],
  )
  return {
    digest: String(row?.code_digest ?? ''),
    until: Number(row?.code_until ?? 0),
    tries: Number(row?.code_tries ?? 0),
    sent: Number(row?.code_sent ?? 0),
    since: Number(row?.code_since ?? 0),
  }
}

export async function keepCode(tx: Transaction, id: bigint, code: SentCode): Promise<void> {
  await tx.run(
    'update channel set code_digest = ?, code_until = ?, code_tries = ?, code_sent = ?, code_since = ? where id = ?',
    [code.digest, code.until, code.tries, code.sent, code.since, id],
  )
}

async function forgetCode(tx: Transaction, id: bigint): Promise<void> {
  await tx.run("update channel set code_digest = '', code_until = 0, code_tries = 0 where id = ?", [id])
}

export async function confirm(tx: Transaction, id: bigint): Promise<void> {
  await tx.run('update channel set confirmed = 1, confirmed_time = ? where id = ?', [tx.now, id])
  await forgetCode(tx, id)
}
