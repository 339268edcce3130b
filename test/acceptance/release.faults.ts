// kill -9 between the end of a window and its pushes, and in the middle of a change of many alarms: nothing is lost,
// and nothing is done twice.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '../intake/sending.ts'
import { record, rounds } from '../outcome.ts'
import { temporaryFolder, texts } from '../support.ts'
import { chance } from './chance.ts'
import { follow, meant, raise, send } from './held.ts'
import { startProcess } from './process.ts'

const count = 1500
const random = chance(20_270_112)

test(`a service killed ${rounds} times between the end of a window and its pushes releases every alarm once`, {
  timeout: 300_000 + rounds * 240_000,
}, async () => {
  const data = temporaryFolder()
  let service = await startProcess(data)
  for (let round = 0; round < rounds; round += 1) {
    const seen = new Map<string, Set<string>>()
    const made = await send(service, 'POST', '/fault/maintenance', {
      name: `Round ${round}`,
      minutes: 60,
      zone: ['1'],
    })
    assert.equal(made.status, 201, made.text)
    const window = String(made.headers.location).split('/').at(-1)
    let reader = await follow(service, seen)
    await raise(service, 1 + round * count, count)
    const held = await service.get(`/fault/alarm?suppressed=true&${meant}&size=10000`)
    const ids = texts(held.text, 'id')
    assert.equal(ids.length, count)
    assert.equal((await send(service, 'PUT', `/fault/maintenance/end/${window}`)).status, 204)
    // At a random time: before or after the first of them is pushed.
    await sleep(random() * 1500)
    await service.kill()
    reader.close()
    service = await startProcess(data)
    reader = await follow(service, seen)
    await until('all of them are pushed', () => ids.every((id) => seen.has(id)))
    const twice = ids.filter((id) => (seen.get(id)?.size ?? 0) !== 1)
    record({ rounds: 1, doubled: twice.length })
    assert.deepEqual(twice, [], `round ${round}: each has one entry in the log`)
    const { headers } = await service.get('/fault/alarm?suppressed=true&recStatus=0&total=true')
    assert.equal(headers.total, '0')
    reader.close()
    // Or the limit of open alarms of a device would be reached.
    const ended = await send(service, 'PUT', `/fault/alarm/recover?${meant}&confirm=true`)
    assert.equal(ended.status, 200, ended.text)
  }
  await service.kill()
})

test(`a service killed ${rounds} times while many alarms are changed goes on, and changes none twice`, {
  timeout: 300_000 + rounds * 240_000,
}, async () => {
  const data = temporaryFolder()
  let service = await startProcess(data)
  await raise(service, 1, count)
  const ids = texts((await service.get(`/fault/alarm?${meant}&size=10000`)).text, 'id')
  assert.equal(ids.length, count)
  for (let round = 0; round < rounds; round += 1) {
    const note = `Round ${round}`
    const noting = send(service, 'POST', `/fault/alarm/note?${meant}&confirm=true`, { note }).catch(
      () => undefined,
    )
    const begun = async () => (await service.get('/plat/audit?action=note&total=true')).headers.total
    await until('it has begun', async () => (await begun()) === String(round + 1))
    await sleep(random() * 300)
    await service.kill()
    await noting
    service = await startProcess(data)
    const noted = async () => {
      const { text } = await service.get(`/fault/alarm?${meant}&size=10000`)
      const isDone = texts(text, 'note').filter((one) => one === note).length === count
      if (!isDone) await sleep(200)
      return isDone
    }
    await until('the rest is done', noted)
    record({ rounds: 1 })
  }
  for (const id of ids.filter((_, index) => index % 50 === 0)) {
    const { text } = await service.get(`/fault/alarm/${id}/history`)
    assert.equal(texts(text, 'action').filter((one) => one === 'note').length, rounds)
  }
  await service.kill()
})
