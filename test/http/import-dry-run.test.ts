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

test('columns that no record has are refused before a row is read, however long their names are', async () => {
  const service = await startService()
  for (const name of [
    'colour',
    'x'.repeat(1_000_000),
    Array(3000).fill('a').join('/'),
    Array(400_000).fill('a').join('/'),
  ]) {
    for (const query of ['', '?dryRun=true', '?dryRun=true&records=10']) {
      const body = `name,${name}\n${'x,y\n'.repeat(200)}`
      const answer = await service.ask('POST', `/plat/data/zone${query}`, { headers: csv, body })
      assert.equal(answer.status, 400, answer.text)
      assert.match(answer.text, /line 1: column /)
      assert.ok(answer.text.length < 2000)
    }
  }
})

interface Reported {
  readonly record: readonly {
    readonly line: string
    readonly outcome: string
    readonly id?: string
    readonly name?: string
    readonly before?: Record<string, string>
    readonly after?: Record<string, string>
    readonly field?: string
    readonly message?: string
  }[]
}

test('what would become of each record is reported, with what would change and all that is wrong', async () => {
  const service = await startService()
  await service.sendJson('POST', '/ram/zone', { name: 'South', description: 'as it is' })
  const { text: zone } = await service.get('/ram/zone?name=South')
  const south = /<zoneId>(\d+)/.exec(zone)?.[1]
  const body = [
    'zoneId,name,description',
    '1,Everything,',
    '700,North,new',
    'x,West,',
    `${south},South,as it is`,
    '701,north,the name is taken by the one above',
    '702,East,what is refused is not in the way',
  ].join('\n')
  const path = '/plat/data/zone?replace=true&dryRun=true&records=10'
  const { status, json } = await service.ask('POST', path, { headers: csv, body })
  assert.equal(status, 200)
  const { record, ...counts } = json() as unknown as Reported
  assert.deepEqual(counts, { imported: '4', replaced: '2', unchanged: '1', refused: '2' })
  assert.deepEqual(
    record.map(({ line, outcome, id }) => [line, outcome, id]),
    [
      ['2', 'changed', '1'],
      ['3', 'new', '700'],
      ['4', 'refused', undefined],
      ['6', 'refused', undefined],
      ['7', 'new', '702'],
    ],
  )
  assert.equal(record[0]?.before?.name, 'Default')
  assert.equal(record[1]?.name, 'North')
  assert.equal(record[0]?.after?.name, 'Everything')
  assert.deepEqual([record[2]?.field, record[3]?.field], ['zoneId', 'name'])
  assert.match(record[3]?.message ?? '', /taken by zone 700/)
  assert.equal((await service.get('/ram/zone?total=true')).headers.total, '2')
  const few = await service.ask('POST', path.replace('10', '1'), { headers: csv, body })
  assert.equal((few.json() as unknown as Reported).record.length, 3, 'one of each kind')
  const real = await service.ask('POST', '/plat/data/zone?records=10', { headers: csv, body })
  assert.equal(real.status, 400)
  assert.match(real.text, /records is accepted only with dryRun=true/)
})

test('what is wrong with a file is reported by trying it, with line and field', async () => {
  const service = await startService()
  const body = 'zoneId,name\n7,North\nx,South\n'
  const { status, text } = await service.ask('POST', '/plat/data/zone?dryRun=true', { headers: csv, body })
  assert.equal(status, 400)
  assert.match(text, /line 3/)
})
