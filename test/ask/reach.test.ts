// Whether devices answer: asked by the service within the ranges of profiles, on loopback alone.

import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { after, describe, test } from 'node:test'
import { freePort } from '../free-port.ts'
import { until, v2c } from '../intake/sending.ts'
import { startService } from '../support.ts'
import { addDevice, addProfile, Device, openAlarms, reachOf, untilOpen, untilState } from './reach-world.ts'

const coldStart = '1.3.6.1.6.3.1.1.5.1'

const port = await freePort()
const service = await startService({ 'ask-seconds': '1', 'cause-wait': '0' })

describe('reachability', () => {
  let profile = ''
  const devices: Device[] = []
  after(async () => {
    for (const device of devices) await device.close()
  })
  const add = async (host: string, more: object = {}): Promise<Device> => {
    const device = await Device.start(host, port)
    devices.push(device)
    await addDevice(service, device, more)
    return device
  }
  const alone = () => devices[0] as Device
  const isShown = (device: Device, expected: object) =>
    until(`${device.host} shows ${JSON.stringify(expected)}`, async () => {
      const shown = await reachOf(service, device.id)
      return Object.entries(expected).every(([name, value]) => shown?.[name] === value)
    })

  /** By the list without a filter. */
  const listed = async (): Promise<string[]> => {
    const { text, headers } = await service.get('/plat/reachability', { Accept: 'application/json' })
    const rows: { deviceIp: string }[] = JSON.parse(text).reachability
    assert.equal(headers.total, String(rows.length))
    return rows.map(({ deviceIp }) => deviceIp)
  }

  test('nothing is asked before a profile names a range, and nothing outside of it', async () => {
    const inside = await add('127.0.40.1')
    const outside = await add('127.0.41.1')
    assert.equal(inside.asked, 0)
    profile = await addProfile(service, port, '127.0.40.0/24')
    await untilState(service, inside, 'answering')
    assert.equal(outside.asked, 0)
    assert.equal(await reachOf(service, outside.id), undefined)
    const { deviceIp, deviceName, profileId, reason } = (await reachOf(service, inside.id)) ?? {}
    assert.deepEqual([deviceIp, deviceName, profileId, reason], ['127.0.40.1', 'at 127.0.40.1', profile, ''])
    assert.deepEqual(await listed(), ['127.0.40.1'])
    assert.deepEqual(await openAlarms(service), [])
  })

  test('a silent device is an alarm, which two answers end', async () => {
    alone().isSilent = true
    await untilState(service, alone(), 'unreachable')
    await untilOpen(service, ['deviceUnreachable at 127.0.40.1'])
    const [alarm] = await service.database.all(
      "select alarm_category, out_of_reach, alarm_desc, original_type from alarm where event_name = 'deviceUnreachable'",
    )
    assert.deepEqual([alarm?.alarm_category, alarm?.out_of_reach], [2n, 1n])
    assert.match(String(alarm?.alarm_desc), /^at 127\.0\.40\.1 \(127\.0\.40\.1\) is out of reach/)
    await isShown(alone(), { reason: 'silent' })
    alone().isSilent = false
    await untilState(service, alone(), 'answering')
    await untilOpen(service, [])
  })

  test('a machine that refuses questions is there: another alarm, and back', async () => {
    await alone().close()
    await untilState(service, alone(), 'refusing')
    await untilOpen(service, ['agentRefusing at 127.0.40.1'])
    await isShown(alone(), { reason: 'closed' })
    await alone().listen()
    await untilState(service, alone(), 'answering')
    await untilOpen(service, [])
  })

  test('a restart is told, unless its trap has come', async () => {
    const before = (await reachOf(service, alone().id))?.restartTime
    alone().restart(45)
    await untilOpen(service, ['deviceRestarted at 127.0.40.1'])
    assert.notEqual((await reachOf(service, alone().id))?.restartTime, before)
    const other = await add('127.0.40.2')
    await untilState(service, other, 'answering')
    const sender = createSocket('udp4')
    sender.bind(0, other.host, () =>
      sender.send(v2c(coldStart, []), service.trapPort, '127.0.0.1', () => sender.close()),
    )
    await until('the trap is an alarm', async () => {
      const rows = await service.database.all("select id from alarm where event_name = 'coldStart'")
      return rows.length === 1
    })
    other.restart(45)
    await until('the restart is noted', async () => {
      const [row] = await service.database.all(
        `select restart_time, restart_pending from reachability where id = ${other.id}`,
      )
      return row?.restart_time !== 0n && row?.restart_pending === 0n
    })
    assert.deepEqual(await openAlarms(service), ['deviceRestarted at 127.0.40.1'])
  })

  test('a device that never answered is shown, and raises nothing', async () => {
    const never = await Device.start('127.0.40.3', port)
    devices.push(never)
    never.isSilent = true
    await addDevice(service, never)
    await isShown(never, { state: 'unknown', reason: 'silent' })
    await until('it was asked more often than decides', async () => never.asked > 4)
    const list = async (query: string) => (await service.get(`/plat/reachability?${query}`)).headers.total
    assert.deepEqual(await Promise.all(['state=unknown', 'state=answering', 'reason=silent'].map(list)), [
      '1',
      '2',
      '1',
    ])
    assert.equal(await list('state=unknown,answering&zoneId=1'), '3')
    assert.equal((await service.get('/plat/reachability?state=lost')).status, 400)
    assert.deepEqual(await openAlarms(service), ['deviceRestarted at 127.0.40.1'])
  })

  test('a device behind another has its alarm as a consequence', async () => {
    const child = await add('127.0.40.4', { parent: [{ deviceId: alone().id }] })
    await untilState(service, child, 'answering')
    alone().isSilent = true
    await untilState(service, alone(), 'unreachable')
    child.isSilent = true
    await untilState(service, child, 'unreachable')
    const rows = await service.database.all(
      "select id, device_id, parent_id from alarm where event_name = 'deviceUnreachable' and rec_status = 0 order by id",
    )
    assert.equal(rows.length, 2)
    assert.deepEqual([rows[1]?.device_id, rows[1]?.parent_id], [BigInt(child.id), rows[0]?.id])
    for (const device of [alone(), child]) device.isSilent = false
    await untilOpen(service, ['deviceRestarted at 127.0.40.1'])
  })

  test('a whole range that is silent at once is one alarm, and what stays silent has its own afterwards', async () => {
    await addProfile(service, port, '127.0.42.0/24')
    const range = await Promise.all([1, 2, 3, 4, 5].map((last) => add(`127.0.42.${last}`)))
    for (const device of range) await untilState(service, device, 'answering')
    for (const device of range) device.isSilent = true
    for (const device of range) await untilState(service, device, 'rangeSilent')
    const others = ['deviceRestarted at 127.0.40.1']
    await untilOpen(service, [...others, 'rangeSilent range=127.0.42.0/24'])
    const raised = async () => {
      const [row] = await service.database.all(
        "select count(*) as n from alarm where event_name = 'deviceUnreachable' and device_name like 'at 127.0.42.%'",
      )
      return Number(row?.n)
    }
    assert.equal(await raised(), 0)
    const dead = range.at(-1) as Device
    for (const device of range) device.isSilent = device === dead
    await untilOpen(service, [...others, 'deviceUnreachable at 127.0.42.5'])
    assert.equal(await raised(), 1)
    dead.isSilent = false
    await untilOpen(service, others)
  })

  test('what is no longer asked has no alarm', async () => {
    alone().isSilent = true
    await untilState(service, alone(), 'unreachable')
    const answer = await service.ask('DELETE', `/plat/askProfile/${profile}`)
    assert.equal(answer.status, 204, answer.text)
    await untilOpen(service, [])
    assert.equal(await reachOf(service, alone().id), undefined)
    await until('it is not listed', async () => !(await listed()).includes(alone().host))
    const asked = alone().asked
    assert.ok(asked > 0)
  })
})
