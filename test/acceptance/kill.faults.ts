import { test } from 'node:test'
import { rounds } from '../outcome.ts'
import { killInMidStorm } from './killing.ts'

test(
  `a service killed during a storm, ${rounds} times, has kept everything that it acknowledged`,
  { timeout: 300_000 + rounds * 240_000 },
  () => killInMidStorm(rounds),
)
