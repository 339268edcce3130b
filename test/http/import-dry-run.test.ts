import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startService } from '../support.ts'

const csv = { 'Content-Type': 'text/csv' }

test('an import that is only tried says what it would do, and changes nothing', async () => {
  const service = await startService()
  const body = 'zoneId,name,description\n1,Default,changed\n7,North,\n'
  const path = '/plat/data/zone?replace=true'
  const tried = await service.ask('POST', `${path}&dryRun=true`, { headers: csv, body })
  assert.deepEqual([tried.status, tried.json()], [200, { imported: '2', replaced: '1' }])
  assert.equal((await service.get('/ram/zone?total=true')).headers.total, '1')
  const { audit } = (await service.get('/plat/audit', { Accept: 'application/json' })).json()
  assert.deepEqual(audit, [])
  const done = await service.ask('POST', path, { headers: csv, body })
  assert.deepEqual(done.json(), { imported: '2', replaced: '1' })
  assert.equal((await service.get('/ram/zone?total=true')).headers.total, '2')
})

test('what is wrong with a file is told by trying it, with line and field', async () => {
  const service = await startService()
  const body = 'zoneId,name\n7,North\nx,South\n'
  const { status, text } = await service.ask('POST', '/plat/data/zone?dryRun=true', { headers: csv, body })
  assert.equal(status, 400)
  assert.match(text, /line 3/)
})
