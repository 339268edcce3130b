// Clients as they are shown to people.

import { entryTimes } from '../alarms/log/alarm-log.ts'
import type { Database } from '../store/database.ts'
import type { Hub } from './hub.ts'
import type { Positions } from './positions.ts'
import type { Registration } from './registrations.ts'

export interface Client {
  /** Empty for one that is not durable. */
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
  /** Those that are connected to another node are known by what it has saved. */
  readonly node?: string
}

type Shown = Omit<Client, 'lag' | 'lagSeconds'>

export async function listClients(
  { database, clock, node = '' }: ClientParts,
  hub: Hub,
  positions: Positions,
  registrations: readonly Registration[],
): Promise<Client[]> {
  const durable = registrations.map((one): Shown => {
    const { uuid, holder, query, position, lastWrite, createdTime } = one
    const stream = hub.streamOf(uuid)
    const connected = stream !== undefined || (one.connected && one.node !== node)
    const common = { uuid, holder, query, connected, since: createdTime }
    return {
      ...common,
      position: stream?.position ?? position,
      lastWrite: stream?.lastWrite ?? lastWrite,
    }
  })
  const others = [...hub.streams]
    .filter(({ uuid }) => uuid === undefined)
    .map(({ holder, query, position, lastWrite, began }): Shown => {
      return { uuid: '', holder, query, connected: true, since: began, position, lastWrite }
    })
  const all = [...durable, ...others]
  const { head } = hub
  const next = ({ position }: Shown) => positions.after(position)
  const times = await entryTimes(database, all.filter(({ position }) => position < head).map(next))
  return all.map((one) => {
    const at = times.get(next(one))
    const lag = positions.entriesBetween(one.position, head)
    return { ...one, lag, lagSeconds: at === undefined ? 0 : Math.max(0, Math.floor((clock() - at) / 1000)) }
  })
}
