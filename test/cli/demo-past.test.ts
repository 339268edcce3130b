import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../src/app.ts'
import { seeded } from '../../src/cli/demo/demo-incident.ts'
import { hasNoStore, makePast } from '../../src/cli/demo/demo-past.ts'
import { Timeline } from '../../src/cli/demo/timeline.ts'
import { readConfig } from '../../src/config/config.ts'
import { sendRequest, temporaryFolder } from '../support.ts'

const hour = 3_600_000
// A Tuesday, so that a Monday is among the days before.
const until = Date.UTC(2026, 10, 17, 10, 0)
const days = 2

const read = async (url: string, path: string) =>
  JSON.parse((await sendRequest(url, 'GET', path, { headers: { Accept: 'application/json' } })).text)

test('a new demo has a past: alarms at their times, people who worked on them, windows and reports', async () => {
  const data = `${temporaryFolder()}/demo`
  const local = '127.0.0.1:0'
  const config = readConfig({ data, listen: local, traps: local, 'time-zone': 'UTC' }, {})
  assert(hasNoStore(config))
  await makePast(config, { days, chance: seeded(7), until }, async () => undefined)
  assert(!hasNoStore(config))
  const app = await startApp(config, { tells: false, clock: () => until })
  try {
    const { alarm } = await read(app.url, '/fault/alarm?size=1000&isReceoverFault=0')
    const times: number[] = alarm.map(({ faultTime }: { faultTime: string }) => Number(faultTime) * 1000)
    assert(
      times.every((time) => time > until - days * 24 * hour && time <= until),
      'all of it is past',
    )
    const hit = new Set(times.map((time) => Math.floor(time / (24 * hour))))
    assert(hit.size >= days, 'on every day')
    const open = alarm.filter(({ recStatus }: { recStatus: string }) => recStatus === '0')
    assert(open.length > 0 && open.length < alarm.length / 4, 'little of it is still open')
    const by = new Set(alarm.map(({ ackUserName }: { ackUserName: string }) => ackUserName))
    assert(by.has('meike') && by.has('jonas'))
    const { trap } = await read(app.url, '/fault/trap?size=1&bin=raised')
    assert.match(trap[0].sourceIp, /^10\./, 'devices have sent themselves')
    const { reportResult } = await read(app.url, '/report/result')
    assert.deepEqual(
      reportResult.map(({ name, failure = '' }: { name: string; failure?: string }) => name + failure).sort(),
      ['Alarm Summary', 'Device Availability'],
    )
    const { reportSchedule } = await read(app.url, '/report/reportSchedule')
    assert.equal(reportSchedule.length, 2)
    const { maintenance } = await read(app.url, '/fault/maintenance?size=100')
    const next = maintenance.filter(({ nextTime }: { nextTime: string }) => Number(nextTime) > 0)
    assert(next.length >= 2, 'some is planned')
    const service = alarm.filter(({ deviceName }: { deviceName: string }) => /belfry/i.test(deviceName))
    assert.deepEqual(service, [], 'the service itself has nothing to complain of')
  } finally {
    await app.stop()
  }
})

test('happenings come in the order of their times, also those that others cause', async () => {
  const timeline = new Timeline(0)
  const seen: string[] = []
  const note = (word: string) => async () => void seen.push(`${timeline.now} ${word}`)
  timeline.add(30, note('late'))
  timeline.add(10, async () => timeline.add(20, note('caused')))
  timeline.add(20, note('planned'))
  timeline.add(50, note('never'))
  await timeline.run(40, async () => undefined)
  assert.deepEqual(seen, ['20 planned', '20 caused', '30 late'])
  assert.equal(timeline.now, 40)
})
