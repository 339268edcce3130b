import { test } from 'node:test'
import { killInMidStorm } from './killing.ts'

const rounds = 6

test(
  `a service killed in mid-storm, ${rounds} times, has kept all that it promised`,
  { timeout: 180_000 },
  () => killInMidStorm(rounds),
)
