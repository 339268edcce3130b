import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { temporaryFolder } from '../support.ts'
import { belfry, fail, serve, stop, succeed } from './running.ts'

const change = (file: string, sql: string) => {
  const database = new DatabaseSync(file)
  database.exec(sql)
  database.close()
}

const list = async (url: string, path: string) => (await fetch(`${url}${path}`)).text()

test('a running service is backed up, the backup restored elsewhere, and the lists are the same', async () => {
  const data = temporaryFolder()
  const target = temporaryFolder()
  const service = await serve(['--data', data])
  const body = JSON.stringify({ name: 'Kept', description: 'in the backup' })
  const headers = { 'Content-Type': 'application/json' }
  assert.equal((await fetch(`${service.url}/ram/zone`, { method: 'POST', headers, body })).status, 201)
  const { stdout } = await succeed(['backup', target, '--data', data])
  const [name = ''] = readdirSync(target)
  assert.match(name, /^belfry-\d{8}T\d{6}Z\.db$/, 'a time, and nothing that is anybody’s secret')
  const file = join(target, name)
  const [reported = '', hash = ''] = stdout.split('\n')
  assert(reported.startsWith(`${file}: `) && reported.endsWith('whole and sound'), reported)
  assert.match(hash, /^SHA-256 [0-9a-f]{64}$/)
  assert.equal(statSync(file).mode & 0o777, 0o600)
  assert.deepEqual(
    readdirSync(data).filter((entry) => /backup|tmp/.test(entry)),
    [],
  )
  const paths = ['/ram/zone', '/fault/trapEvent?size=1000', '/report/reportTemplate', '/fault/trapRule']
  const before = await Promise.all(paths.map((path) => list(service.url, path)))
  await stop(service)

  const elsewhere = join(temporaryFolder(), 'data')
  const restored = await succeed(['restore', file, '--data', elsewhere])
  assert(restored.stdout.includes(hash), 'the same bytes')
  assert.match(restored.stdout, /has the store of \d{4}-\d\d-\d\dT/)
  const second = await serve(['--data', elsewhere])
  assert.deepEqual(await Promise.all(paths.map((path) => list(second.url, path))), before)
  const own = await list(second.url, '/fault/alarm?originalType=3')
  assert.match(own, /The store was restored from a backup of \d{4}-/)
  await stop(second)
  // It is reported once: the next start is one like any other.
  const third = await serve(['--data', elsewhere])
  assert.equal((await list(third.url, '/fault/alarm?originalType=3')).match(/<alarm>/g)?.length, 1)
  await stop(third)
  // Senders of version 3 must never see the count of starts go back.
  const database = new DatabaseSync(join(elsewhere, 'belfry.db'), { readOnly: true })
  const [engine] = database.prepare("select boots from snmp_engine where engine_id like 'self%'").all()
  database.close()
  assert(Number(engine?.boots) > 1000, String(engine?.boots))
})

test('a backup works without a running service, overwrites only when asked, and leaves no half file', async () => {
  const data = temporaryFolder()
  const target = temporaryFolder()
  const file = join(target, 'b.db')
  await stop(await serve(['--data', data]))
  await succeed(['backup', file, '--data', data])
  const sentence = await fail(1, ['backup', file, '--data', data])
  assert.match(sentence, /b\.db exists: name another file, or say --replace$/)
  writeFileSync(`${file}.part`, 'left by one that was broken off')
  await succeed(['backup', file, '--replace', '--data', data])
  assert.deepEqual(readdirSync(target), ['b.db'])
  assert.match(await fail(2, ['backup', '--data', data]), /name one file or folder/)
  assert.match(
    await fail(2, ['backup', join(target, 'no/b.db'), '--data', data]),
    /folder .*no does not exist/,
  )
})

test('a restore is refused where a service runs, where there is a store, and where the backup is no good', async () => {
  const data = temporaryFolder()
  const file = join(temporaryFolder(), 'b.db')
  const service = await serve(['--data', data])
  await succeed(['backup', file, '--data', data])
  const restoring = ['restore', file, '--data', data]
  assert.match(await fail(1, [...restoring, '--replace']), /is in use by process \d+, which serves/)
  await stop(service)
  assert.match(
    await fail(1, restoring),
    /has a store: name another folder, or say --replace to put it aside$/,
  )
  const bad = join(temporaryFolder(), 'bad.db')
  writeFileSync(bad, readFileSync(file).subarray(0, 40_960))
  assert.match(await fail(1, ['restore', bad, '--replace', '--data', data]), /bad\.db is cut off/)
  await succeed([...restoring, '--replace'])
  const [aside = ''] = readdirSync(data).filter((name) => name.startsWith('replaced-'))
  assert(existsSync(join(data, aside, 'belfry.db')))
  await stop(await serve(['--data', data]))
})

test('a check says what it looked at, beside a service, without one, and on a backup', async () => {
  const data = temporaryFolder()
  const file = join(temporaryFolder(), 'b.db')
  const service = await serve(['--data', data])
  const beside = await succeed(['check', '--data', data])
  await succeed(['backup', file, '--data', data])
  await stop(service)
  const without = await succeed(['check', '--data', data])
  const copy = await succeed(['check', file])
  const shape = (text: string) => text.replace(/\d[\d,]*/g, 'N')
  assert.equal(shape(without.stdout), shape(beside.stdout))
  assert.equal(shape(copy.stdout), shape(beside.stdout))
  assert.match(beside.stdout, /^ok {5}pages and indexes: [\d,]+ pages\nok {5}schema: up to \d{4}-/)
  assert.match(beside.stdout, /\nok {5}alarm log: /)

  change(join(data, 'belfry.db'), "update tally set n = 40 where table_name = 'zone' and column_name = ''")
  const wrong = await belfry(['check', '--data', data])
  assert.equal(wrong.code, 1)
  assert.match(wrong.stdout, /\nWRONG {2}totals: .*\n {7}the total of zone is kept as 40, but there are 1\n/)
  assert.match(wrong.stdout, /belfry check --repair corrects these/)
  await belfry(['check', '--repair', '--data', data])
  assert.equal(shape((await succeed(['check', '--data', data])).stdout), shape(beside.stdout))
  writeFileSync(join(data, 'belfry.db'), 'no database at all '.repeat(300))
  assert.match(await fail(1, ['check', '--data', data]), /the store is damaged/)
  const empty = join(temporaryFolder(), 'x')
  mkdirSync(empty)
  assert.match(await fail(2, ['check', '--data', empty]), /there is no store in/)
})
