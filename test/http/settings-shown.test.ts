// The settings as administrators see them.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from '../../src/config/config.ts'
import { startService } from '../support.ts'

interface Setting {
  readonly name: string
  readonly value: string
  readonly source: string
  readonly place: string
  readonly byDefault: string
}

test('each setting is shown with where it comes from', () => {
  const config = readConfig({ 'time-zone': 'Europe/Berlin' }, { BELFRY_BODY_LIMIT: '2000' })
  const found = Object.fromEntries(config.shown.map((one) => [one.name, one]))
  assert.deepEqual([found['time-zone']?.source, found['time-zone']?.place], ['flag', '--time-zone'])
  assert.deepEqual(
    [found['body-limit']?.value, found['body-limit']?.source, found['body-limit']?.place],
    ['2000', 'environment', 'BELFRY_BODY_LIMIT'],
  )
  assert.deepEqual([found.realm?.source, found.realm?.value], ['default', found.realm?.byDefault])
})

test('communities are not shown', () => {
  const config = readConfig({ 'trap-communities': 'geheim' }, {})
  assert(!JSON.stringify(config.shown).includes('geheim'))
})

test('administrators see the settings over HTTP, others do not', async () => {
  const service = await startService()
  const { setting } = (await service.get('/plat/setting', { Accept: 'application/json' })).json() as {
    setting: Setting[]
  }
  assert.equal(setting.find(({ name }) => name === 'listen')?.source, 'flag')
  assert.equal((await service.get('/plat/setting')).status, 200)
  const { text } = await service.get('/console/session', { Accept: 'application/json' })
  assert.match(text, /GET \/plat\/setting/)
})
