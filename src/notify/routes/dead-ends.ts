// Targets of routes that lead to nobody: whoever deletes or changes what a route relies on learns it.

import type { Reader } from '../../store/database.ts'
import { leadingText } from './contact-watch.ts'
import type { KnownRoute, RouteCache } from './route-index.ts'
import type { Directory } from './targets.ts'

interface DeadEnd {
  readonly remark: string
  readonly routes: Set<KnownRoute>
}

export interface DeadEndParts {
  readonly routeCache: RouteCache
  readonly directory: Directory
}

/** Of routes that are enabled, by the target; each target is looked at once, however many routes name it. */
export async function deadEnds(
  { routeCache, directory }: DeadEndParts,
  reader: Reader,
  at: number,
): Promise<Map<string, DeadEnd>> {
  const found = new Map<string, DeadEnd | undefined>()
  const { routes } = await routeCache.read(reader)
  for (const route of routes) {
    for (const target of route.steps.flatMap(({ targets }) => targets)) {
      if (target.kind === 'administrators') continue
      const key = `${target.kind}:${target.id}`
      if (!found.has(key)) {
        const [remark] = (await directory.resolve({ targets: [target] }, at)).remarks
        found.set(key, remark === undefined ? undefined : { remark, routes: new Set() })
      }
      found.get(key)?.routes.add(route)
    }
  }
  return new Map([...found].flatMap(([key, end]) => (end ? [[key, end] as const] : [])))
}

/** What a change has led to: one sentence for each target that leads to nobody since. */
export const newDeadEnds = (
  before: ReadonlyMap<string, DeadEnd>,
  after: ReadonlyMap<string, DeadEnd>,
): string[] =>
  [...after].flatMap(([key, { remark, routes }]) =>
    before.get(key)?.remark === remark ? [] : [`${remark}: ${leadingText([...routes])}`],
  )
