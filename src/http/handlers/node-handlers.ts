// Handlers for the services on the store: a single one, or several nodes of which one is the leader.

import { countWaiting } from '../../cluster/blocks/block-table.ts'
import { listNodes, type NodeRow } from '../../cluster/nodes/membership.ts'
import type { Node } from '../../cluster/nodes/node.ts'
import { differences, listProfiles } from '../../cluster/nodes/node-profile.ts'
import { required, set } from '../../schema/resource.ts'
import { bool, instant, int, long, text } from '../../schema/scalar.ts'
import type { Call, Handler } from '../call.ts'
import { answerRows } from './list-handlers.ts'

const empty = { absent: 'empty' } as const

export const nodeDocument = {
  name: 'node',
  fields: {
    name: required(text()),
    address: required(text(), empty),
    version: required(text()),
    /** `running`, `gone` where it has been silent for too long, or `stopped`. */
    state: required(text()),
    since: required(instant),
    lastSign: required(instant),
    /** How far its clock is ahead of the store's. */
    clockOffsetMilliseconds: required(long),
    settles: required(bool),
    /** Grows whenever another node begins to process. */
    term: required(long),
    /** The blocks it has received that are not processed yet, and how long the oldest has waited. */
    blocksWaiting: required(int()),
    oldestSeconds: required(int()),
    /** The names of settings in which it differs from other nodes. */
    differingSetting: set(text()),
  },
}

export const showNodes: Handler = async (call) => {
  const { node } = call
  answerRows(call, nodeDocument, node ? await several(node, call) : [alone(call)])
}

/** A single service processes at once: nothing waits. */
function alone({ base, version, clock }: Parameters<Handler>[0]) {
  const now = clock()
  return {
    name: 'alone',
    address: base,
    version,
    state: 'running',
    since: now - Math.round(process.uptime() * 1000),
    lastSign: now,
    clockOffsetMilliseconds: 0n,
    settles: true,
    term: 0n,
    blocksWaiting: 0,
    oldestSeconds: 0,
    differingSetting: [],
  }
}

async function several(self: Node, { database, keys }: Pick<Call, 'database' | 'keys'>) {
  const lease = await self.readLease()
  const waiting = new Map((await countWaiting(database)).map((one) => [one.node, one]))
  const differing = differences(await listProfiles(database), await keys.idInUse())
  return (await listNodes(database)).map((node) => {
    const { blocks = 0, age = 0 } = waiting.get(node.name) ?? {}
    const settles = !lease.hasExpired && lease.holder === node.name && lease.start === node.start
    return {
      ...node,
      since: node.start,
      state: stateOf(node),
      clockOffsetMilliseconds: BigInt(node.clockOffset),
      settles,
      term: settles ? lease.term : 0n,
      blocksWaiting: blocks,
      oldestSeconds: Math.round(age / 1000),
      differingSetting: differing.get(node.name) ?? [],
    }
  })
}

const stateOf = ({ stopped, gone }: NodeRow) => (stopped ? 'stopped' : gone ? 'gone' : 'running')
