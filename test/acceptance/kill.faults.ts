import { test } from 'node:test'
import { rounds } from '../outcome.ts'
import { killInMidStorm } from './killing.ts'

test(
  `a service killed during a storm, ${rounds} times, has kept everything that it acknowledged`,
  { timeout: rounds * 30_000 },
  () => killInMidStorm(rounds),
)
