// The parts of asking again and again: moments, nodes, and what answers and silence mean for one device.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DeviceReach, type Result } from '../../src/ask/reach/device-reach.ts'
import { ReachSchedule } from '../../src/ask/reach/reach-schedule.ts'
import { nextMoment, nodeFor } from '../../src/ask/reach/slots.ts'

const ids = Array.from({ length: 10_000 }, (_, index) => BigInt(index + 1))

test('each device has one moment in each interval, whenever it is looked up; they are spread evenly', () => {
  const interval = 60_000
  const tenths = new Array(10).fill(0)
  for (const id of ids) {
    const first = nextMoment(id, 1_700_000_000_000, interval)
    assert.equal(nextMoment(id, first - 1, interval), first)
    assert.equal(nextMoment(id, first, interval), first + interval)
    tenths[Math.floor((first % interval) / (interval / 10))] += 1
    const stride = nextMoment(id, first, interval, 4)
    assert.ok(stride > first && stride <= first + 4 * interval && (stride - first) % interval === 0)
    assert.equal(nextMoment(id, stride, interval, 4), stride + 4 * interval)
  }
  for (const count of tenths) assert.ok(count > 800 && count < 1200, String(tenths))
})

test('devices are divided evenly among nodes, and only those of a node that goes move', () => {
  const shares = new Map<string | undefined, number>()
  for (const id of ids) {
    const owner = nodeFor(id, ['a', 'b', 'c'])
    shares.set(owner, (shares.get(owner) ?? 0) + 1)
    assert.equal(nodeFor(id, ['c', 'a', 'b']), owner)
    const without = nodeFor(id, ['a', 'b'])
    if (owner !== 'c') assert.equal(without, owner)
  }
  for (const count of shares.values()) assert.ok(count > 3000 && count < 3700, String([...shares]))
  assert.equal(nodeFor(1n, []), undefined)
})

test('a schedule gives each entry once, in time, also after a long sleep', () => {
  const schedule = new ReachSchedule<number>(1000)
  for (const at of [1050, 1500, 1550, 90_000]) schedule.add(at, at)
  schedule.add(1, 0)
  assert.deepEqual(schedule.takeDue(1400), [1050, 1])
  assert.deepEqual(schedule.takeDue(1499), [])
  assert.deepEqual(schedule.takeDue(1549), [1500], 'none is early')
  assert.deepEqual(schedule.takeDue(1600), [1550])
  assert.deepEqual(schedule.takeDue(10_000_000), [90_000])
})

const place = { deviceId: 7n, profileId: 1n, range: '127.0.0.0/8', network: '127.0.0.0/24' }
const silent: Result = { reason: 'silent', problem: 'no answer' }

function device(stored?: ConstructorParameters<typeof DeviceReach>[1]) {
  const reach = new DeviceReach(place, stored)
  const clock = { time: 1_700_000_000_000, monotonic: 5000 }
  const after = (seconds: number, result: Result) => {
    clock.time += seconds * 1000
    clock.monotonic += seconds * 1000
    return reach.note(result, { ...clock })
  }
  return { reach, clock, after }
}

test('only changes are written, and a device that answers once in ten minutes', () => {
  const { after } = device()
  let uptime = 0
  const answer = (seconds: number) => {
    uptime += seconds * 100
    return after(seconds, { uptime })
  }
  assert.equal(answer(60)?.answered, true)
  const written = Array.from({ length: 60 }, () => answer(60)).filter(Boolean)
  assert.equal(written.length, 6)
  assert.ok(written.every((one) => one?.matters === false))
})

test('three failures decide, two answers in a row end it; one answer between does not', () => {
  const { reach, after } = device()
  after(60, { uptime: 100 })
  const failures = [1, 2, 3, 4].map(() => after(15, silent))
  assert.deepEqual(
    failures.map((one) => one && [one.failures, one.matters]),
    [[1, false], [2, false], [3, true], undefined],
  )
  assert.equal(reach.isSilent, true)
  assert.equal(after(60, { uptime: 20_000 }), undefined)
  assert.equal(after(60, silent), undefined, 'not twice in a row')
  assert.equal(after(60, { uptime: 32_000 }), undefined)
  assert.equal(reach.isUncertain, true)
  const back = after(15, { uptime: 33_500 })
  assert.deepEqual([back?.failures, back?.reason, back?.matters], [0, '', true])
  assert.equal(reach.isUncertain, false)
})

test('a device that never answered concerns nobody but those who look', () => {
  const { reach, after } = device()
  const written = Array.from({ length: 10 }, () => after(60, silent)).filter(Boolean)
  assert.equal(written.length, 3)
  assert.ok(written.every((one) => one?.matters === false && one.answered === false))
  assert.equal(reach.isSilent, true)
})

test('what this machine could not send is shown, and is no failure of the device', () => {
  const { reach, after } = device()
  after(60, { uptime: 100 })
  for (let count = 0; count < 5; count += 1) after(60, { reason: 'unsent', problem: 'no route' })
  assert.equal(reach.isSilent, false)
  assert.equal(after(60, { uptime: 40_000 })?.reason, '')
})

test('a restart shows in the uptime, and neither a wrap of its counter nor a jump of the clock does', () => {
  const restarts = (
    steps: readonly (readonly [seconds: number, uptime: number])[],
    more?: (at: number) => number,
  ) => {
    const { after, clock } = device()
    return steps.map(([seconds, uptime], index) => {
      clock.time += more?.(index) ?? 0
      return after(seconds, { uptime })?.hasRestarted ?? false
    })
  }
  const end = 2 ** 32
  assert.deepEqual(
    restarts([
      [1, 100_000],
      [60, 106_000],
      [60, 500],
    ]),
    [false, false, true],
  )
  assert.deepEqual(
    restarts([
      [1, 3000],
      [600, 63_000],
      [600, 113_000],
    ]),
    [false, false, true],
    'less than passed',
  )
  assert.deepEqual(
    restarts([
      [1, 3000],
      [600, 62_000],
    ]),
    [false, false],
    'a slow clock',
  )
  assert.deepEqual(
    restarts([
      [1, end - 3000],
      [60, 3000],
    ]),
    [false, false],
    'the counter has wrapped',
  )
  assert.deepEqual(
    restarts([
      [1, end - 900_000],
      [60, 3000],
    ]),
    [false, true],
  )
  const jump = (index: number) => (index === 1 ? 3_600_000 : 0)
  assert.deepEqual(
    restarts(
      [
        [1, 100_000],
        [60, 106_000],
      ],
      jump,
    ),
    [false, false],
  )
  const stored = {
    ...{ profileId: 1n, reason: '', failures: 0, failingSince: 0, answered: true },
    ...{ restartTime: 0, roundTrip: 0 },
  }
  const earlier = { ...stored, lastAnswer: 1_700_000_000_000 - 3_600_000, agentStart: 1, uptime: 500_000 }
  assert.equal(
    device(earlier).after(60, { uptime: 400_000 })?.hasRestarted,
    true,
    'by what another node has stored',
  )
  assert.equal(device(earlier).after(60, { uptime: 500_001 })?.hasRestarted ?? false, false)
})
