// Picks a benchmark by name and runs it. Each prints one table and ends by itself.

import { parseArgs } from 'node:util'
import type { BenchOptions } from './options.ts'

interface Benchmark {
  readonly summary: string
  run(options: BenchOptions): Promise<void>
}

const benchmarks: Readonly<Record<string, Benchmark>> = {
  access: {
    summary: 'access: answers to a RADIUS server while traps become alarms',
    run: async (options) => (await import('./access.ts')).benchAccess(options),
  },
  beside: {
    summary:
      'beside: /health and streams beside very many traps, writers beside imports and deletions, slow readers',
    run: async (options) => (await import('./beside.ts')).benchBeside(options),
  },
  console: {
    summary:
      'console: frames while scrolling 10,000 alarms, change to screen, bytes of the first page; in Chromium',
    run: async (options) => (await import('./console.ts')).benchConsole(options),
  },
  lists: {
    summary: 'lists: against Fastify and bare Node, as tables grow, and very long ones',
    run: async (options) => (await import('./lists.ts')).benchLists(options),
  },
  nodes: {
    summary:
      'nodes: new alarms, pages, and trap to subscriber, with 1, 2 and 3 nodes on PostgreSQL beside SQLite',
    run: async (options) => (await import('./nodes.ts')).benchNodes(options),
  },
  push: {
    summary: 'push: fan-out against bare Node and nchan, delay, memory, replay, filters',
    run: async (options) => (await import('./push.ts')).benchPush(options),
  },
  reports: {
    summary: 'reports: over a million alarms, and what the service does meanwhile',
    run: async (options) => (await import('./reports.ts')).benchReports(options),
  },
  rules: {
    summary: 'rules: finding the trap rule that filters a trap, against asking one after the other; dry runs',
    run: async (options) => (await import('./rules.ts')).benchRules(options),
  },
  processing: {
    summary: 'processing: traps processed in the main thread against a thread of their own, as a trial',
    run: async (options) => (await import('./processing.ts')).benchProcessing(options),
  },
  storm: {
    summary: 'storm: 50,000 traps a second from one source while fifty others speak now and then',
    run: async (options) => (await import('./storm.ts')).benchStorm(options),
  },
  takeover: {
    summary: 'takeover: the leader is killed: how long until an inform is answered again',
    run: async (options) => (await import('./takeover.ts')).benchTakeover(options),
  },
  traps: {
    summary: 'traps: received against snmptrapd, new and repeated alarms, a million alarms stored',
    run: async (options) => (await import('./traps.ts')).benchTraps(options),
  },
  work: {
    summary:
      'work: how long traps wait while 10,000 alarms are acknowledged by a filter, or released by a window',
    run: async (options) => (await import('./work.ts')).benchWork(options),
  },
}

const help = `Usage: npm run bench -- NAME… [--quick] [--only PART] [--profile FOLDER]

${Object.entries(benchmarks)
  .map(([name, { summary }]) => `  ${name.padEnd(18)}${summary}`)
  .join('\n')}

  --quick           smaller tables, fewer and shorter rounds
  --only PART       push: fanOut, delay, memory, replay, crowd or filters; rules: matching or dryRun;
                    beside: traps, writes or reads; takeover: calm, load or starved
  --profile FOLDER  writes a CPU profile of each service that is measured (open it in a browser's developer tools)
`

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      help: { type: 'boolean', short: 'h', default: false },
      quick: { type: 'boolean', default: false },
      profile: { type: 'string' },
      only: { type: 'string' },
    },
  })
  if (values.help || positionals.length === 0) {
    console.log(help)
    return 0
  }
  const unknown = positionals.find((name) => !Object.hasOwn(benchmarks, name))
  if (unknown !== undefined) {
    console.error(`there is no benchmark ${unknown}: expected one of ${Object.keys(benchmarks).join(', ')}`)
    return 1
  }
  for (const name of positionals) {
    await benchmarks[name]?.run({ quick: values.quick, profile: values.profile, only: values.only })
  }
  return 0
}

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))
process.exitCode = await main()
