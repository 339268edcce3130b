// Trap rules: how long a trap takes to meet its rule, by the index and by asking one rule after the other.

import { type TrapRule, trapRule } from '../src/resources/alarms/trap-rule.ts'
import { RuleIndex } from '../src/rules/rule-index.ts'
import { type Candidate, CompiledRule } from '../src/rules/rules.ts'
import { ZoneTime } from '../src/rules/zone-time.ts'
import { complete } from '../src/schema/read-document.ts'
import type { Database } from '../src/store/database.ts'
import { dryRuns } from './dry-run.ts'
import { benchmark, type Stage } from './frame.ts'
import { throughEngine } from './rules-engine.ts'
import { type Goal, type Line, median } from './table.ts'

const goal: Goal = { sign: '≥', first: 20, later: 20 }
const flatGoal: Goal = { sign: '≤', first: 2, later: 1.2 }
const zone = new ZoneTime('Europe/Berlin')

const meaning = [
  'Rules each name a device and an event, and are in force on working days; one in ten has a parameter or an interface.',
  'Traps come from all devices in turn; one in two meets a rule of its device. Medians of rounds in turn, by processor time.',
  'Dry runs: seconds from request to answer, and of processor time, which is compared with the goal. Meanwhile, traps that each become an',
  'alarm are sent at 20,000/s, and something that costs nothing is asked for again and again.',
]

function ruleOf(index: number): TrapRule {
  const parameter = { faultOid: oidOf(index), position: 1, value: `${index % 50}*`, name: null }
  return complete(trapRule.fields, {
    id: BigInt(index + 1),
    trapOId: oidOf(index),
    exectimeType: 1,
    selectedWeekDay: '1,2,3,4,5',
    trapDevice: [
      {
        displayName: 'x',
        devID: (index % 500) + 1,
        trapFilterEventParasInfo: index % 10 === 0 ? [parameter] : [],
      },
    ],
    trapInterfaces: index % 10 === 5 ? [{ ifDesc: 'Gigabit*', deviceId: null }] : [],
  }) as TrapRule
}

const oidOf = (index: number) => `1.3.6.1.4.1.${index % 97}.2.${index % 13}`

/** Every second one meets a rule, however many rules there are. */
function traps(rules: number): Candidate[] {
  const at = Date.UTC(2026, 10, 16, 12)
  return Array.from({ length: 5000 }, (_, index) => {
    const rule = index % rules
    const oid = index % 2 === 0 ? oidOf(rule) : `1.3.6.1.4.1.9999.${index % 31}`
    const variables = [{ oid: '1.2.3', type: 'Integer32', value: String(rule % 50) }]
    const deviceId = BigInt((rule % 500) + 1)
    return { oid, eventOid: oid, deviceId, at, own: false, variables, values: [], interfaces: ['Gigabit1'] }
  })
}

/** A kernel may count the time of a thread in steps of 4 ms: what takes a microsecond is done this often in a round. */
const enough = 100_000

/** Microseconds of processor time per trap: what else the machine does is not in it. */
function time(
  candidates: readonly Candidate[],
  find: (trap: Candidate) => unknown,
  times = candidates.length,
): number {
  const passes = Math.ceil(times / candidates.length)
  const before = process.threadCpuUsage()
  for (let pass = 0; pass < passes; pass += 1) for (const trap of candidates) find(trap)
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / (passes * candidates.length)
}

interface Cost {
  readonly indexed: number
  readonly scanned: number
}

interface Measured {
  readonly indexed: number[]
  readonly scanned: number[]
}

/** Rules of several numbers in turn, so that all of them meet the same machine. */
function measure(counts: readonly number[], rounds: number): Measured[] {
  const all = counts.map((count) => {
    const rules = Array.from({ length: count }, (_, index) => ruleOf(index))
    // The index reads its rules from here, not from a store.
    const ruleIndex = new RuleIndex(undefined as unknown as Database, zone)
    ruleIndex.replace(rules)
    const compiled = rules.map((rule) => new CompiledRule(rule, zone))
    return { ruleIndex, compiled, candidates: traps(count), indexed: [] as number[], scanned: [] as number[] }
  })
  for (let round = 0; round < rounds; round += 1) {
    for (const { ruleIndex, compiled, candidates, indexed, scanned } of all) {
      indexed.push(time(candidates, (trap) => ruleIndex.find(trap), enough))
      if (round > 3 || compiled.length > 1000) continue
      scanned.push(time(candidates.slice(0, 500), (trap) => compiled.find((rule) => rule.filters(trap))))
    }
  }
  return all
}

const full = { rounds: 40, traps: 1_000_000, flow: 20_000 }
const quick = { rounds: 10, traps: 200_000, flow: 8000 }

async function matching({ plan, folder }: Stage<typeof full>): Promise<Line[]> {
  const { rounds } = plan
  const measured = measure([100, 1000, 10_000], rounds)
  // The first rounds run before the compiler has seen them.
  const [few, many, most] = measured.map(({ indexed, scanned }) => ({
    indexed: median(indexed.slice(2)),
    scanned: median(scanned.slice(1)),
  })) as [Cost, Cost, Cost]
  const [withFew = 0, withMost = 0] = await throughEngine(folder, [100, 10_000], ruleOf, rounds / 2)
  const cost = (micros: number) => `${micros.toFixed(2)} µs a trap`
  return [
    {
      work: '1,000 rules × 1 trap',
      here: cost(many.indexed),
      yardstick: `${cost(many.scanned)}, one rule after the other`,
      ratio: many.scanned / many.indexed,
      goal,
    },
    {
      work: '10,000 rules × 1 trap, its whole way through the engine',
      here: cost(withMost),
      yardstick: `${cost(withFew)} with 100 rules`,
      ratio: withMost / withFew,
      goal: flatGoal,
    },
    {
      work: '10,000 rules × 1 trap, finding the rule',
      here: cost(most.indexed),
      yardstick: `${cost(few.indexed)} with 100 rules`,
      ratio: most.indexed / few.indexed,
      goal: flatGoal,
    },
  ]
}

export default benchmark({
  summary: 'finding the trap rule that filters a trap, against asking one after the other; dry runs',
  title: 'Trap rules',
  meaning,
  full,
  quick,
  parts: { matching, dryRun: dryRuns },
})
