// Several services of one process on one PostgreSQL store.

import type { Limits } from '../../src/config/limits.ts'
import { Postgres } from '../../src/store/postgres/postgres.ts'
import { until } from '../intake/sending.ts'
import { newMigratedDatabase } from '../postgres-database.ts'
import { startService, type TestService } from '../support.ts'

export interface Nodes {
  readonly address: string
  readonly services: readonly TestService[]
}

/** They are named `a`, `b`, `c`; the first settles, however slow the machine is: the others wait ten seconds for it. */
export async function startNodes(
  count: number,
  flags: Record<string, string> = {},
  limits: Partial<Limits> = {},
): Promise<Nodes> {
  const address = await newMigratedDatabase()
  const services: TestService[] = []
  for (let index = 0; index < count; index += 1) {
    services.push(await startNode(address, 'abc'.charAt(index), flags, limits))
  }
  return { address, services }
}

export const startNode = (
  address: string,
  node: string,
  flags: Record<string, string> = {},
  limits: Partial<Limits> = {},
) =>
  startService({ node, 'lease-seconds': '10', ...flags }, { open: async () => new Postgres(address), limits })

export interface ShownNode {
  readonly name: string
  readonly settles: boolean
  readonly term: number
  readonly blocksWaiting: number
  readonly state: string
}

export async function nodesOf(service: Pick<TestService, 'get'>): Promise<ShownNode[]> {
  const { node } = (await service.get('/plat/node', { Accept: 'application/json' })).json()
  return (node as Record<string, string>[]).map((one) => ({
    name: one.name ?? '',
    settles: one.settles === 'true',
    term: Number(one.term),
    blocksWaiting: Number(one.blocksWaiting),
    state: one.state ?? '',
  }))
}

/** The name of the one that is the leader, once there is one. */
export async function leaderOf(service: Pick<TestService, 'get'>): Promise<string> {
  let name: string | undefined
  await until('some node is the leader', async () => {
    name = (await nodesOf(service)).find(({ settles }) => settles)?.name
    return name !== undefined
  })
  return name ?? ''
}

/** For a node that compares the store with nothing. */
export const nothingSeen = {
  mark: '',
  compare: async () => ({ isBehind: false, term: 0n, history: 0n }),
  follow: async () => undefined,
}
