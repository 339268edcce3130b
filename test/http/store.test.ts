// The store as a whole, over HTTP.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdirSync, writeFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { test } from 'node:test'
import { checkBackup } from '../../src/store/backup-file.ts'
import { endRestoreAlarm } from '../../src/upkeep/checks/store-loss.ts'
import { eventually } from '../push/station.ts'
import { startService, type TestService, temporaryFolder, texts } from '../support.ts'

test('the backup is a file with a name and a length, whole and sound', async () => {
  const service = await startService()
  assert.match((await service.get('/metrics')).text, /^belfry_backup_time_seconds 0$/m, 'there is none yet')
  const answer = await fetch(`${service.url}/plat/backup`, { headers: { Accept: 'text/plain' } })
  assert.equal(answer.status, 200)
  assert.equal(answer.headers.get('content-type'), 'application/vnd.sqlite3')
  assert.match(
    answer.headers.get('content-disposition') ?? '',
    /^attachment; filename="belfry-\d{8}T\d{6}Z\.db"$/,
  )
  const bytes = Buffer.from(await answer.arrayBuffer())
  assert.equal(bytes.length, Number(answer.headers.get('content-length')))
  const file = join(temporaryFolder(), 'b.db')
  writeFileSync(file, bytes)
  assert.ok((await checkBackup(file)).madeAt)
  // It is written down after the last byte has left.
  let text = ''
  while (!/^belfry_backup_time_seconds [^0]/m.test(text)) text = (await service.get('/metrics')).text
  const figure = (name: string) => Number(new RegExp(`^belfry_${name} (\\S+)$`, 'm').exec(text)?.[1])
  assert.ok(Math.abs(figure('backup_time_seconds') - Date.now() / 1000) < 600)
  assert.ok(figure('store_bytes') >= bytes.length)
  assert.ok(figure('data_free_bytes') > 0)
  const head = await service.ask('HEAD', '/plat/backup')
  assert.equal(head.status, 200)
  assert.equal((await service.ask('POST', '/plat/backup')).status, 405)
})

/** More than sockets hold, so that a caller can leave a part of it unread. */
const fill = ({ database }: TestService) =>
  database.transaction(async (tx) => {
    for (let id = 1001; id <= 3000; id += 1) {
      await tx.run('insert into alarm_category (id, name, name_key) values (?, ?, ?)', [
        id,
        'x'.repeat(10_000),
        `${id}`,
      ])
    }
  })

const work = (data: string) => readdirSync(data).filter((name) => name.startsWith('.'))

test('one backup or check at a time; a caller that disconnects or does not read makes room for the next', async () => {
  const service = await startService({ 'stall-seconds': '1' })
  await fill(service)
  const asked = request(`${service.url}/plat/backup`, { agent: false })
  asked.on('error', () => undefined)
  asked.end()
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]
  answer.on('error', () => undefined)
  const second = await service.get('/plat/check')
  assert.equal(second.status, 409)
  assert.match(second.text, /a backup or a check is under way: one at a time/)
  assert.equal(work(service.config.data).length, 1)
  // It reads nothing: the service gives up on it.
  await eventually(() => work(service.config.data).length === 0, 'the copy is removed')
  await eventually(async () => (await service.get('/plat/check')).status === 200, 'the next is served')
  asked.destroy()
  const leaving = request(`${service.url}/plat/backup`, { agent: false })
  leaving.on('error', () => undefined)
  leaving.end()
  await once(leaving, 'response')
  leaving.destroy()
  await eventually(() => work(service.config.data).length === 0, 'the copy is removed')
  await eventually(async () => (await service.get('/plat/check')).status === 200, 'the next is served')
})

test('a backup that is put in place by hand is recognised, and its alarm ends when the log has been replaced', async () => {
  const first = await startService()
  const data = temporaryFolder()
  await first.database.copyTo(join(data, 'belfry.db'))
  const { database, engine, get } = await startService({ data })
  const open = async () => texts((await get('/fault/alarm?recStatus=0')).text, 'alarmDesc')
  assert.match((await open()).join(), /^The store was restored from a backup of \d{4}-\d\d-\d\dT/)
  const day = 24 * 3600 * 1000
  await endRestoreAlarm(database, engine, Date.now() + 6 * day, 7)
  assert.equal((await open()).length, 1)
  await endRestoreAlarm(database, engine, Date.now() + 8 * day, 7)
  assert.deepEqual(await open(), [])
})

test('a check reports each part in XML and in JSON', async () => {
  const service = await startService()
  const xml = await service.get('/plat/check')
  assert.match(xml.text, /<storeCheck><sound>true<\/sound><part><name>pages and indexes<\/name>/)
  const { sound, part } = (await service.get('/plat/check', { Accept: 'application/json' })).json()
  assert.equal(sound, 'true')
  assert.equal((part as unknown[]).length, 8)
})
