import { test } from 'node:test'
import { killInMidStorm } from './killing.ts'

test('a service killed in mid-storm has kept all that it promised', { timeout: 120_000 }, () =>
  killInMidStorm(1),
)
