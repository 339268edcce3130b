import { test } from 'node:test'
import { killInMidStorm } from './killing.ts'

const rounds = Number(process.env.ROUNDS ?? 6)

test(
  `a service killed in mid-storm, ${rounds} times, has kept all that it promised`,
  { timeout: rounds * 30_000 },
  () => killInMidStorm(rounds),
)
