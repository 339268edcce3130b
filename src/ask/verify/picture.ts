// What a device says of all states that are looked at, read at once.

import type { Variable } from '../../snmp/variables.ts'
import type { DeviceSession } from '../device-session.ts'
import { textOf } from '../device-table.ts'
import { type WalkLimits, walk } from '../walk.ts'
import { isSameRun, type Run, runOf, uptimeOid } from './readings.ts'
import type { Watch, WatchedState } from './watches.ts'

export interface PicturedPart extends WatchedState {
  /** All names that the device has for it; empty where they were not asked for. */
  readonly names: readonly string[]
}

export interface PicturedTable {
  /** By instance. */
  readonly parts: ReadonlyMap<string, PicturedPart>
  /** Whether what is not named does not exist. */
  readonly isComplete: boolean
  readonly hasNames: boolean
}

export interface Picture {
  readonly run: Run
  /** Columns that the device does not have are absent. */
  readonly tables: ReadonlyMap<Watch, PicturedTable>
}

/** Of one column. */
const limits: WalkLimits = { values: 10_000, characters: 1_000_000, duration: 30_000 }
/** Columns that are looked for with one question. */
const perQuestion = 20

export interface PictureParts {
  readonly watches: readonly Watch[]
  /** Whether the names of the parts are needed. */
  needsNames(watch: Watch, parts: ReadonlyMap<string, WatchedState>, run: Run): boolean
  now(): number
}

/** Undefined where the device does not say since when its agent runs, or restarts meanwhile. */
export async function askPicture(session: DeviceSession, parts: PictureParts): Promise<Picture | undefined> {
  const run = await askRun(session, parts)
  if (!run) return undefined
  const tables = new Map<Watch, PicturedTable>()
  for (const watch of await presentAmong(session, parts.watches)) {
    const { variables, problem } = await walk(session, watch.column, limits)
    const states = byInstance(watch.column, variables, (variable) => watch.read(variable))
    const hasNames = watch.names.length > 0 && parts.needsNames(watch, states, run)
    const names = hasNames ? await askNames(session, watch) : undefined
    tables.set(watch, {
      parts: new Map(
        Array.from(states, ([instance, state]) => [
          instance,
          { ...state, names: names?.get(instance) ?? [] },
        ]),
      ),
      isComplete: problem === undefined,
      hasNames,
    })
  }
  const last = await askRun(session, parts)
  return last && isSameRun(run, last) ? { run, tables } : undefined
}

async function askRun(session: DeviceSession, { now }: PictureParts): Promise<Run | undefined> {
  const sent = { sentAt: now(), sentMonotonic: performance.now() }
  return runOf((await session.get([uptimeOid]))[0], sent)
}

/** Those whose column the device has. */
async function presentAmong(session: DeviceSession, watches: readonly Watch[]): Promise<readonly Watch[]> {
  // Version 1 refuses a question for many if one of them is beyond its last value.
  if (session.credentials.version === '1') return watches
  const present: Watch[] = []
  for (let from = 0; from < watches.length; from += perQuestion) {
    const some = watches.slice(from, from + perQuestion)
    const oids = some.map(({ column }) => column)
    const { errorStatus, variables } = await session.ask({ kind: 'next', oids, repetitions: 0 })
    present.push(
      ...some.filter(
        ({ column }, at) => errorStatus !== 0 || variables[at]?.oid.startsWith(`${column}.`) === true,
      ),
    )
  }
  return present
}

async function askNames(session: DeviceSession, { names }: Watch): Promise<Map<string, readonly string[]>> {
  const found = new Map<string, string[]>()
  for (const column of names) {
    const { variables } = await walk(session, column, limits)
    for (const [instance, name] of byInstance(column, variables, textOf))
      if (name !== undefined) found.set(instance, [...(found.get(instance) ?? []), name])
  }
  return found
}

const byInstance = <T>(column: string, variables: readonly Variable[], read: (variable: Variable) => T) =>
  new Map(variables.map((variable) => [variable.oid.slice(column.length + 1), read(variable)] as const))
