// Lists the clients of event streams for people.

import { entryTimes } from '../alarms/log/alarm-log.ts'
import type { Database } from '../store/database.ts'
import type { Hub } from './hub.ts'
import type { Positions } from './positions.ts'
import type { Registration } from './registrations.ts'

export interface Client {
  /** Empty for a client that is not durable. */
  readonly uuid: string
  readonly holder: string
  readonly query: string
  readonly connected: boolean
  readonly position: bigint
  readonly lag: bigint
  readonly lagSeconds: number
  readonly lastWrite: number
  readonly since: number
}

interface ClientParts {
  readonly database: Database
  readonly clock: () => number
  /** The name of this node; for clients of other nodes, the progress that those have saved is shown. */
  readonly node?: string
}

type ClientWithoutLag = Omit<Client, 'lag' | 'lagSeconds'>

export async function listClients(
  { database, clock, node = '' }: ClientParts,
  hub: Hub,
  positions: Positions,
  registrations: readonly Registration[],
): Promise<Client[]> {
  const durable = registrations.map((registration): ClientWithoutLag => {
    const { uuid, holder, query, position, lastWrite, createdTime } = registration
    const stream = hub.streamOf(uuid)
    const connected = stream !== undefined || (registration.connected && registration.node !== node)
    return {
      uuid,
      holder,
      query,
      connected,
      since: createdTime,
      position: stream?.position ?? position,
      lastWrite: stream?.lastWrite ?? lastWrite,
    }
  })
  const temporary = [...hub.streams]
    .filter(({ uuid }) => uuid === undefined)
    .map(({ holder, query, position, lastWrite, began }): ClientWithoutLag => {
      return { uuid: '', holder, query, connected: true, since: began, position, lastWrite }
    })
  const clients = [...durable, ...temporary]
  const { head } = hub
  const next = ({ position }: ClientWithoutLag) => positions.after(position)
  const times = await entryTimes(database, clients.filter(({ position }) => position < head).map(next))
  return clients.map((client) => {
    const at = times.get(next(client))
    const lag = positions.entriesBetween(client.position, head)
    return {
      ...client,
      lag,
      lagSeconds: at === undefined ? 0 : Math.max(0, Math.floor((clock() - at) / 1000)),
    }
  })
}
