// Resolves the devices of custom views: their own, and those of the views they contain.

export type Members = ReadonlySet<bigint> | 'all'

/** What must be known of a view. */
interface Containing {
  readonly symbolId: bigint
  readonly allDevices: boolean | null
  readonly member: readonly bigint[]
  readonly view: readonly bigint[]
}

/** By view. A view that is named and does not exist holds nothing. */
export function membersOf(views: readonly Containing[]): ReadonlyMap<bigint, Members> {
  const byId = new Map(views.map((view) => [view.symbolId, view]))
  return new Map(views.map((view) => [view.symbolId, gather(view, byId)]))
}

function gather(view: Containing, byId: ReadonlyMap<bigint, Containing>): Members {
  const members = new Set<bigint>()
  for (const one of contained(view, byId)) {
    if (one.allDevices) return 'all'
    for (const id of one.member) members.add(id)
  }
  return members
}

/** A view, and all that it contains over however many others, each once. */
export function contained(view: Containing, byId: ReadonlyMap<bigint, Containing>): Set<Containing> {
  const found = new Set([view])
  // A set is iterated up to its end, also while it grows.
  for (const one of found) {
    for (const id of one.view) {
      const inner = byId.get(id)
      if (inner) found.add(inner)
    }
  }
  return found
}
