// Clients as they are shown to people.

import { timesAt } from '../alarms/log.ts'
import type { Database } from '../store/database.ts'
import type { Hub } from './hub.ts'
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

type Shown = Omit<Client, 'lag' | 'lagSeconds'>

export async function listClients(
  { database, clock }: { readonly database: Database; readonly clock: () => number },
  hub: Hub,
  registrations: readonly Registration[],
): Promise<Client[]> {
  const durable = registrations.map(({ uuid, holder, query, position, lastWrite, createdTime }): Shown => {
    const stream = hub.streamOf(uuid)
    const common = { uuid, holder, query, connected: stream !== undefined, since: createdTime }
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
  const behind = all.flatMap(({ position }) => (position < head ? [position + 1n] : []))
  const times = await timesAt(database, behind)
  return all.map((one) => {
    const at = times.get(one.position + 1n)
    const lag = head > one.position ? head - one.position : 0n
    return { ...one, lag, lagSeconds: at === undefined ? 0 : Math.max(0, Math.floor((clock() - at) / 1000)) }
  })
}
