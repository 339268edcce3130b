// A store that fails is one line in the log, whatever fails because of it.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Logger, pino } from 'pino'
import { Fault } from '../../src/fault.ts'
import { Health } from '../../src/upkeep/service-health.ts'
import { StoreWatch, TroubleLog, withoutEchoes } from '../../src/upkeep/watches/store-watch.ts'
import { World } from '../alarms/world.ts'
import { stores } from '../support.ts'

function logged(): { log: Logger; lines: string[] } {
  const lines: string[] = []
  const write = (line: string) => {
    const { msg, reason } = JSON.parse(line)
    lines.push(reason === undefined ? msg : `${msg}: ${reason}`)
  }
  return { log: pino({}, { write }), lines }
}

const full = new Fault('unavailable', 'the disk is full')
const silent = new Fault('unavailable', 'the store has not answered for 5 seconds')
const locked = new Fault('unavailable', 'others were writing at the same time')

test('one failure that shows in two ways is logged when it begins, and when both are over', () => {
  const { log, lines } = logged()
  const troubles = new TroubleLog(log)
  troubles.note('health', silent)
  troubles.note('store', full)
  troubles.note('health', silent)
  troubles.note('health', undefined)
  assert.equal(troubles.current, full)
  troubles.note('store', undefined)
  troubles.note('store', undefined)
  assert.deepEqual(lines, [`the store fails: ${silent.message}`, 'the store works again'])
  assert.equal(troubles.current, undefined)
})

test('what fails because the store does is not logged again; many that wait for the same lock are one line a minute', () => {
  const { log, lines } = logged()
  const state = { now: 0, trouble: undefined as Fault | undefined }
  const calm = withoutEchoes(
    log,
    () => state.trouble,
    () => state.now,
  )
  const fails = (err: unknown) => calm.error({ err }, `a task failed at ${state.now}`)
  for (; state.now < 60_000; state.now += 10_000) fails(locked)
  fails(locked)
  state.trouble = full
  fails(full)
  state.now = 90_000
  fails(new TypeError('a bug'))
  calm.warn('something else')
  assert.deepEqual(lines, [
    'a task failed at 0',
    'a task failed at 60000',
    'a task failed at 90000',
    'something else',
  ])
})

test('a process that did not run for a while raises no alarm about the store; a store that stays silent does', async () => {
  const world = await World.open(stores[0] ?? assert.fail())
  const state = { now: 0, trouble: undefined as Fault | undefined }
  const health = new Health(
    {
      requireReceiving: () => undefined,
      storeTrouble: () => undefined,
      probeIntake: async () => {
        if (state.trouble) throw state.trouble
      },
    },
    () => state.now,
  )
  const watch = new StoreWatch({
    ...world,
    health,
    troubles: new TroubleLog(pino({ level: 'silent' })),
    resource: 'store',
  })
  const kinds = async (work: () => Promise<void>) => (await world.logged(work)).map(({ kind }) => kind)
  await health.probeOnce()
  // After a pause, checks and probes go on at the same time, in any order.
  const pause = async () => {
    state.now += 10_000
    await watch.check()
    await health.probeOnce()
    await watch.check()
  }
  assert.deepEqual(await kinds(pause), [])
  assert.deepEqual(await kinds(pause), [])
  state.trouble = full
  await health.probeOnce()
  assert.deepEqual(await kinds(() => watch.check()), [])
  assert.deepEqual(await kinds(() => watch.check()), ['raise'])
  assert.deepEqual(await kinds(() => watch.check()), [])
  state.trouble = undefined
  await health.probeOnce()
  assert.deepEqual(await kinds(() => watch.check()), ['recover'])
})
