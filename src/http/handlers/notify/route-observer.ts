// Observes changes of people, channels and schedules: whoever makes one learns which routes lead to nobody by it.

import { deadEnds, newDeadEnds } from '../../../notify/routes/dead-ends.ts'
import type { Observer } from '../record-handlers.ts'

export const observeRoutes: Observer = async ({ routing, database, clock }, change) => {
  const now = clock()
  const before = await deadEnds(routing, database, now)
  await change()
  return newDeadEnds(before, await deadEnds(routing, database, now))
}
