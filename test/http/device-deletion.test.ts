// Deleting a device: its open alarms end, and what still refers to it is reported.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type EventReader, field } from '../push/reader.ts'
import { startService, texts } from '../support.ts'
import { listeningTo } from './listening.ts'
import { idOf, refused } from './reading.ts'

const service = await startService()
const { raise, listen } = listeningTo(service)
const devices = '/plat/res/device'

const create = async (path: string, body: object) => {
  const answer = await service.sendJson('POST', path, body)
  assert.ok(answer.status < 300, answer.text)
  return idOf(answer)
}
const device = (ip: string) => create(devices, { ip, label: ip })
const remove = (id: string) => service.ask('DELETE', `${devices}/${id}`)
const open = async (id: string) =>
  (await service.get(`/fault/alarm?deviceId=${id}&recStatus=0&total=true`)).headers.total

/** Of each document: what was done, and the alarm it is about. */
const seen = (reader: EventReader) =>
  reader.documents.map((document) => {
    const action = field(document, 'nAction')
    return `${action} ${field(document, action === 'Recover' ? 'recoverFaultIdList' : 'id')}`
  })

test('a device that nothing refers to is deleted without a warning', async () => {
  const answer = await remove(await device('10.0.0.1'))
  assert.deepEqual([answer.status, answer.headers['belfry-warning']], [204, undefined])
})

test('what still refers to a device is reported, by kind and id, and stays as it is', async () => {
  const id = await device('10.0.0.2')
  // Ids that begin or end like it are of others.
  const others = [`${id}1`, `1${id}`]
  const rule = (devID: string, more = {}) => ({
    trapGroup: 0,
    trapDevice: [{ displayName: 'x', devID }],
    ...more,
  })
  const binding = (terminalMac: string, deviceId: string) =>
    create('/res/access/macAccessBind', { terminalMac, bindType: 2, ifInfo: [{ deviceId, ifIndex: 1 }] })
  const bindings: string[] = []
  for (const last of [1, 2, 3, 4, 5, 6, 7]) bindings.push(await binding(`02:00:00:00:00:0${last}`, id))
  const rules = [
    await create('/fault/trapRule', rule(id)),
    await create('/fault/trapRule', rule('0', { trapInterfaces: [{ ifDesc: 'x', deviceId: id }] })),
  ]
  const view = await create('/plat/res/view/custom', { name: 'Mine', member: [id] })
  const window = await create('/fault/maintenance', { name: 'Work', minutes: 60, device: [id] })
  for (const [index, other] of others.entries()) {
    await binding(`02:00:00:00:01:0${index}`, other)
    await create('/fault/trapRule', rule(other))
    await create('/plat/res/view/custom', { name: `Other ${index}`, member: [other] })
  }
  const { status, headers } = await remove(id)
  assert.equal(status, 204)
  assert.equal(
    headers['belfry-warning'],
    [
      `bindings ${bindings.slice(0, 5).join(', ')} and 2 more still refer to device ${id}`,
      `trap rules ${rules.join(', ')} still refer to device ${id}`,
      `custom view ${view} still refers to device ${id}`,
      `maintenance window ${window} still refers to device ${id}`,
    ].join(', '),
  )
  assert.equal((await service.get(`/plat/res/view/custom/${view}`)).status, 200)
  assert.deepEqual(texts((await service.get(`/plat/res/view/custom/${view}`)).text, 'member'), [id])
})

test('the open alarms of a deleted device are ended, each by a recovery of its own that is pushed', async () => {
  const id = await device('10.0.0.3')
  const reader = await listen('deviceIp=10.0.0.3')
  const raised: string[] = []
  for (let index = 0; index < 250; index += 1) {
    raised.push(await raise({ deviceIp: '10.0.0.3', resource: `r${index}`, alarmLevel: '2' }))
  }
  const elsewhere = await raise({ deviceIp: '10.0.0.4', resource: 'r', alarmLevel: '2' })
  const over = raised[0] ?? ''
  await service.ask('PUT', `/fault/alarm/recover/${over}`)
  assert.equal((await remove(id)).status, 204)
  assert.equal(await open(id), '0')
  await reader.take(500)
  const recoveries = seen(reader).filter((one) => one.startsWith('Recover'))
  assert.deepEqual(
    recoveries,
    raised.map((one) => `Recover ${one}`),
  )
  reader.close()
  assert.match((await service.get(`/fault/alarm/${elsewhere}`)).text, /<recStatus>0</)
  refused(await service.get(`${devices}/${id}`), 404)
  refused(await remove(id), 410)
  const audit = (await service.get('/plat/audit?resource=device&desc=true&size=1')).text
  assert.match(audit, /<action>delete</)
})
