import { test } from 'node:test'
import { killInMidStorm } from './killing.ts'

const rounds = Number(process.env.ROUNDS ?? 6)

test(
  `a service killed during a storm, ${rounds} times, has kept everything that it acknowledged`,
  { timeout: rounds * 30_000 },
  () => killInMidStorm(rounds),
)
