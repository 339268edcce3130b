// Traps become alarms, on every engine of the store.

import { describe } from 'node:test'
import { engines } from '../support.ts'
import { bookTests } from './books.ts'
import { flappingTests } from './flapping.ts'
import { lifeTests } from './life.ts'
import { meaningTests } from './meaning.ts'
import { namingTests } from './naming.ts'
import { operationTests } from './operations.ts'
import { World } from './world.ts'

const worlds = await Promise.all(
  engines.map(async (engine) => ({ ...engine, world: await World.open(engine) })),
)

for (const { name, world } of worlds) {
  describe(`alarms on ${name}`, () => {
    lifeTests(world)
    meaningTests(world)
    namingTests(world)
    operationTests(world)
    flappingTests(world)
    bookTests(world)
  })
}
