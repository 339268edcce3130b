// Picks a benchmark by name and runs it. Each prints one table and ends by itself.

import { parseArgs } from 'node:util'
import type { Benchmark } from './frame.ts'

const names = [
  ...[
    'access',
    'ask',
    'beside',
    'console',
    'lists',
    'nodes',
    'notify',
    'push',
    'reports',
    'rules',
    'processing',
    'storm',
    'syslog',
  ],
  ...['takeover', 'traps', 'work', 'writes'],
]

const load = async (name: string): Promise<Benchmark> => (await import(`./${name}.ts`)).default

async function help(): Promise<string> {
  const all = await Promise.all(names.map(load))
  const summaries = all.map(({ summary }, index) => `  ${(names[index] ?? '').padEnd(18)}${summary}`)
  const parts = all.flatMap(({ parts: some }, index) =>
    some.length > 1 ? [`                    ${names[index]}: ${some.join(', ')}`] : [],
  )
  return `Usage: npm run bench -- NAME… [--quick] [--only PART] [--profile FOLDER]

${summaries.join('\n')}

  --quick           smaller tables, fewer and shorter rounds
  --only PART       one part of it:
${parts.join('\n')}
  --profile FOLDER  writes a CPU profile of each service that is measured (open it in a browser's developer tools)
`
}

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
    console.log(await help())
    return 0
  }
  const unknown = positionals.find((name) => !names.includes(name))
  if (unknown !== undefined) {
    console.error(`there is no benchmark ${unknown}: expected one of ${names.join(', ')}`)
    return 1
  }
  for (const name of positionals) {
    const { parts, run } = await load(name)
    if (values.only !== undefined && !parts.includes(values.only)) {
      console.error(`${name} has no part ${values.only}: expected one of ${parts.join(', ')}`)
      return 1
    }
    await run({ quick: values.quick, profile: values.profile, only: values.only })
  }
  return 0
}

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))
process.exitCode = await main()
