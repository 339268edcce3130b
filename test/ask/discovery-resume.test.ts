// A discovery whose service has gone begins anew: at the next start, or at another node after a sign of life is missing.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freePort } from '../free-port.ts'
import { until } from '../intake/sending.ts'
import { startService, type TestService, temporaryFolder } from '../support.ts'
import { Switch } from './know-world.ts'
import { addProfile } from './reach-world.ts'

const read = async (service: TestService, path: string) =>
  (await service.get(path, { Accept: 'application/json' })).json() as Record<string, string>

test('a run that the end of its service cut off is completed by the next start', async () => {
  const port = await freePort()
  const data = temporaryFolder()
  const settings = { data, 'ask-seconds': '0' }
  const first = await startService({ ...settings, 'ask-rate': '8' })
  await addProfile(first, port, '127.0.53.0/28')
  const ports = [{ index: 1, name: 'Gi0/1' }]
  await using one = await Switch.start('127.0.53.13', port, { name: 'last', ports })
  assert(one)
  const made = await first.sendJson('POST', '/plat/discovery', {
    name: 'cut',
    addressRange: ['127.0.53.0/28'],
  })
  const where = `/plat/discovery/${/\d+$/.exec(String(made.headers.location))?.[0]}`
  await first.sendJson('POST', `${where}/start`, {})
  await until('it has begun', async () => Number((await read(first, where)).asked) > 0)
  await first.stop()
  const second = await startService({ ...settings, 'ask-rate': '2000' })
  await until('it is complete', async () => (await read(second, where)).state === 'complete')
  const { total, asked, answering } = await read(second, where)
  assert.deepEqual([total, asked, answering], ['14', '14', '1'])
})

test('a run that was stopped, or began long ago, is not taken over', async () => {
  const service = await startService({ 'ask-seconds': '0' })
  for (const name of ['stopped', 'old', 'fresh'])
    await service.sendJson('POST', '/plat/discovery', { name, addressRange: ['127.0.53.14/32'] })
  const now = service.database.now()
  const set = (name: string, state: string, began: number) =>
    service.database.transaction((tx) =>
      tx.run('update discovery set state = ?, began = ?, progress_time = 0 where name = ?', [
        state,
        began,
        name,
      ]),
    )
  await set('stopped', 'stopping', now)
  await set('old', 'running', now - 7 * 3_600_000)
  await set('fresh', 'running', now - 3_600_000)
  const stateOf = async (id: number) => (await read(service, `/plat/discovery/${id}`)).state
  await until('one is taken over', async () => (await stateOf(3)) === 'complete')
  assert.deepEqual([await stateOf(1), await stateOf(2)], ['interrupted', 'interrupted'])
})
