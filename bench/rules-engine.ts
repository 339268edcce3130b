// What trap rules cost a trap on its whole way through the engine, by how many there are.

import { join } from 'node:path'
import type { AlarmEngine } from '../src/alarms/engine/engine.ts'
import type { IncomingTrap } from '../src/alarms/engine/incoming-trap.ts'
import { LogSignal } from '../src/alarms/log/log-signal.ts'
import { type TrapRule, trapRules } from '../src/resources/alarms/trap-rule.ts'
import { createIn } from '../src/resources/collection.ts'
import type { Store } from '../src/store/database.ts'
import { migrate } from '../src/store/migrate.ts'
import { openSqlite } from '../src/store/sqlite/sqlite.ts'
import { seedStore } from '../src/upkeep/seed.ts'
import { newEngine } from './processing-blocks.ts'
import { median } from './table.ts'
import { linkDown } from './trap-datagram.ts'

const devices = 500
const perBlock = 500

/** Repeats of open alarms: the traps that cost least, so that rules weigh most. */
function block(from: number): IncomingTrap[] {
  return Array.from({ length: perBlock }, (_, index) => {
    const port = Math.floor((from + index) / devices) + 1
    return {
      kind: 'trap',
      receivedAt: Date.now(),
      sourceIp: `10.7.${((from + index) % devices) >> 8}.${(from + index) & 255}`,
      agentIp: undefined,
      version: '2c',
      oid: linkDown,
      variables: [{ oid: `1.3.6.1.2.1.2.2.1.1.${port}`, type: 'Integer32', value: String(port) }],
    }
  })
}

async function open(file: string, rules: readonly TrapRule[]) {
  const database: Store = openSqlite(file)
  await migrate(database)
  await seedStore(database)
  await database.transaction(async (tx) => {
    // There are some from the beginning.
    for (const rule of rules) await createIn(tx, trapRules, { ...rule, id: null } as never)
  })
  return { database, engine: newEngine(database, new LogSignal()), costs: [] as number[] }
}

async function microseconds(engine: AlarmEngine, blocks: number): Promise<number> {
  const before = process.threadCpuUsage()
  for (let index = 0; index < blocks; index += 1) await engine.handle(block(index * perBlock))
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / (blocks * perBlock)
}

/** Microseconds of processor time of a trap, for each number of rules; all in turn. */
export async function throughEngine(
  folder: string,
  counts: readonly number[],
  ruleOf: (index: number) => TrapRule,
  rounds: number,
): Promise<number[]> {
  const all = await Promise.all(
    counts.map((count) =>
      open(
        join(folder, `${count}.db`),
        Array.from({ length: count }, (_, index) => ruleOf(index)),
      ),
    ),
  )
  try {
    for (let round = 0; round <= rounds; round += 1) {
      for (const { engine, costs } of all) costs.push(await microseconds(engine, 8))
    }
    // The first round raises the alarms.
    return all.map(({ costs }) => median(costs.slice(1)))
  } finally {
    for (const { database } of all) await database.close()
  }
}
