// The frame of every benchmark: with which numbers it runs, in which parts, and the table at the end.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Processes } from './processes.ts'
import { type Line, printTable } from './table.ts'

export interface BenchOptions {
  readonly quick: boolean
  /** A folder for CPU profiles of the measured service. */
  readonly profile: string | undefined
  /** The one part of a benchmark that is run; absent: all. */
  readonly only: string | undefined
}

/** What a part works with; its processes are ended and its folder is removed when the part is over. */
export interface Stage<P> {
  readonly plan: P
  readonly folder: string
  readonly processes: Processes
  /** The same plan with processes and a folder that are gone when the work is done. */
  nested<T>(work: (stage: Stage<P>) => Promise<T>): Promise<T>
}

interface Description<P> {
  readonly summary: string
  readonly title: string
  /** What the rows mean. */
  readonly meaning: readonly string[]
  readonly full: P
  readonly quick: P
  readonly parts: Readonly<Record<string, (stage: Stage<P>) => Promise<readonly Line[]>>>
}

export interface Benchmark {
  readonly summary: string
  readonly parts: readonly string[]
  run(options: BenchOptions): Promise<void>
}

export function benchmark<P>({ summary, title, meaning, parts, ...plans }: Description<P>): Benchmark {
  return {
    summary,
    parts: Object.keys(parts),
    async run({ quick, profile, only }) {
      const lines: Line[] = []
      for (const [name, part] of Object.entries(parts)) {
        if (only === undefined || only === name) {
          lines.push(...(await onStage(quick ? plans.quick : plans.full, profile, part)))
        }
      }
      printTable(title, lines, meaning)
    },
  }
}

async function onStage<P, T>(
  plan: P,
  profile: string | undefined,
  work: (stage: Stage<P>) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'belfry-bench-'))
  const clear = () => rmSync(folder, { recursive: true, force: true })
  // Also when the benchmark is interrupted.
  process.once('exit', clear)
  const processes = new Processes(profile)
  try {
    return await work({ plan, folder, processes, nested: (inner) => onStage(plan, profile, inner) })
  } finally {
    await processes.end()
    clear()
    process.off('exit', clear)
  }
}
