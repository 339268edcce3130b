// Heartbeats that the service sends while it is healthy, to a web address or by mail: whoever expects them notices when
// it is down. A web address is a secret, as that of a webhook is.

import { Fault } from '../../fault.ts'
import { forgetSecret, type Keys } from '../../keys/key-ring.ts'
import { list } from '../../schema/list.ts'
import {
  assigned,
  type DraftOf,
  empty,
  optional,
  type RecordOf,
  required,
  resource,
  secret,
} from '../../schema/resource.ts'
import { bool, fold, instant, int, long, text } from '../../schema/scalar.ts'
import type { Reader, Transaction } from '../../store/database.ts'
import { collection, requireRoom, requireUnique } from '../collection.ts'
import { mailAddress, webAddress } from './gateway.ts'

const maxHeartbeats = 20

export const outgoingHeartbeat = resource(
  'outgoingHeartbeat',
  {
    id: assigned(long),
    name: required(text({ maxLength: 100 }), { keyed: true }),
    description: optional(text(), empty),
    everySeconds: required(int({ min: 30, max: 86_400 })),
    enabled: optional(bool),
    /** Where it is sent to, or the gateway for mail and the address there. */
    url: secret(webAddress),
    urlSet: assigned(bool),
    gatewayId: optional(long),
    address: optional(mailAddress),
    /** When it was last tried and last delivered; since when it is not delivered, and why. */
    attemptTime: assigned(instant),
    lastTime: assigned(instant),
    failingSince: assigned(instant),
    reason: assigned(text({ maxLength: 500 })),
  },
  { table: 'outgoing_heartbeat', key: 'id' },
)

export type OutgoingHeartbeat = RecordOf<typeof outgoingHeartbeat.fields>

const described = {
  resource: outgoingHeartbeat,
  noun: 'outgoing heartbeat',
  list: list('/notify/outgoingHeartbeat', outgoingHeartbeat, {
    filters: ({ wildcard }) => ({ name: wildcard('name') }),
    orderBy: { id: 'id', name: 'name' },
  }),
}

const secretOf = (id: bigint) => `outgoingHeartbeat ${id}`

/** Undefined where the key is lost: it must be entered again. */
export const addressOf = (keys: Keys, id: bigint): Promise<string | undefined> => keys.get(secretOf(id))

export const outgoingHeartbeatsWith = (keys: Keys) =>
  collection({
    ...described,
    rules: {
      // A record cannot tell an address that was not mentioned from one that is to be removed.
      adapt(draft: DraftOf<typeof outgoingHeartbeat.fields>) {
        if (draft.url === null) draft.url = ''
      },
      async saving(tx, record, before) {
        const unique = {
          ...{ table: 'outgoing_heartbeat', column: 'name_key', field: 'name', noun: 'outgoing heartbeat' },
        }
        await requireUnique(tx, unique, fold(record.name), record.id, record.name)
        if (!before)
          await requireRoom(
            tx,
            'outgoing_heartbeat',
            maxHeartbeats,
            'outgoing heartbeats, which is the limit',
          )
        record.enabled ??= true
        const { url } = record
        record.url = null
        record.urlSet = url === null ? (before?.urlSet ?? false) : url !== ''
        await requireTarget(tx, record)
        // The next one is due at once: whoever changed it wants to see whether it arrives.
        Object.assign(record, {
          attemptTime: 0,
          lastTime: before?.lastTime ?? 0,
          failingSince: 0,
          reason: '',
        })
        if (url !== null && url !== '') await keys.put(tx, secretOf(record.id), url)
        else if (url === '') await forgetSecret(tx, secretOf(record.id))
      },
      async deleting(tx, { id }) {
        await forgetSecret(tx, secretOf(id))
      },
    },
  })

/** For reading. */
export const outgoingHeartbeats = collection(described)

/** Either an address of the web, or a mail gateway and an address there. */
async function requireTarget(
  tx: Transaction,
  { urlSet, gatewayId, address }: OutgoingHeartbeat,
): Promise<void> {
  if (urlSet === (gatewayId !== null)) {
    const message = 'expected either url, or gatewayId and address'
    throw new Fault('invalid', urlSet ? `url and gatewayId exclude each other: ${message}` : message, {
      field: 'url',
    })
  }
  if ((gatewayId !== null) !== (address !== null)) {
    const message = 'address is the mail address for a heartbeat through gatewayId: give both, or none'
    throw new Fault('invalid', message, { field: 'address' })
  }
  if (gatewayId === null) return
  const [gateway] = await tx.all('select kind from gateway where id = ?', [gatewayId])
  if (gateway?.kind === 'mail') return
  const message = gateway
    ? `gateway ${gatewayId} is of kind=${gateway.kind}: expected one of kind=mail`
    : `gateway ${gatewayId} does not exist`
  throw new Fault('conflict', message, { field: 'gatewayId' })
}

export async function readOutgoingHeartbeats(reader: Reader): Promise<OutgoingHeartbeat[]> {
  const { form, name } = outgoingHeartbeats.table
  const rows = await reader.all(`select ${form.shown} from ${name} order by id`)
  return rows.map((row) => form.toRecord(row) as OutgoingHeartbeat)
}

/** Records what came of an attempt; one that began before the record was changed does not count. */
export async function noteAttempt(
  tx: Transaction,
  { id, attemptTime, failingSince }: OutgoingHeartbeat,
  failure: string | undefined,
): Promise<void> {
  const since = failure === undefined ? 0 : failingSince || tx.now
  await tx.run(
    `update outgoing_heartbeat set attempt_time = ?, failing_since = ?, reason = ?${failure === undefined ? ', last_time = ?' : ''}
     where id = ? and attempt_time = ?`,
    [
      tx.now,
      since,
      failure?.slice(0, 500) ?? '',
      ...(failure === undefined ? [tx.now] : []),
      id,
      attemptTime,
    ],
  )
}
