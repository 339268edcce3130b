// A backup is made while traps come in, and restored elsewhere: the same lists, and old positions are told what is missing.

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { type Service, serve, start, stop, succeed } from '../cli/running.ts'
import { EventReader, field } from '../push/reader.ts'
import { eventually } from '../push/station.ts'
import { temporaryFolder } from '../support.ts'

const traps = 3000

async function started(data: string): Promise<Service & { trapPort: string }> {
  const service = await serve(['--data', data])
  await service.logged('"receiving traps"')
  const trapPort = /"port":(\d+)[^\n]*"receiving traps"/.exec(service.said.stderr)?.[1] ?? assert.fail()
  return { ...service, trapPort }
}

const sending = (port: string, oid: string, count: number, rate: number) =>
  start([
    'trap',
    oid,
    '1.3.6.1.2.1.2.2.1.1.{n}={n}',
    '--count',
    `${count}`,
    '--rate',
    `${rate}`,
    '--to',
    `127.0.0.1:${port}`,
  ])

const body = async (service: Service, path: string) => (await fetch(`${service.url}${path}`)).text()
const total = async (service: Service, path: string) =>
  Number((await fetch(`${service.url}${path}`, { method: 'HEAD' })).headers.get('total'))

/** Of a file: how many alarms and traps it holds, and the number of its last entry. */
function contents(file: string): { alarms: number; traps: number; head: number } {
  const database = new DatabaseSync(file, { readOnly: true })
  const count = (sql: string) => Number(database.prepare(sql).get()?.n)
  const found = {
    alarms: count('select count(*) as n from alarm'),
    traps: count('select count(*) as n from trap'),
    head: count("select value as n from counter where name = 'alarm log'"),
  }
  database.close()
  return found
}

/** The position of the last document, once there are so many. */
async function positionAfter(reader: EventReader, count: number): Promise<string> {
  const documents = await reader.take(count)
  return field(documents.at(-1) ?? '', 'cursor')
}

test('a backup under load, restored elsewhere, answers the same lists and tells old positions of the gap', {
  timeout: 180_000,
}, async (context) => {
  const data = temporaryFolder()
  const file = join(temporaryFolder(), 'b.db')
  let service = await started(data)
  const desk = await EventReader.open(service.url, 'type=11&cursor=true&uuid=desk')
  const live = await EventReader.open(service.url, 'type=11&cursor=true')
  const load = sending(service.trapPort, 'linkDown', traps, 1000)
  await desk.take(100)
  await succeed(['backup', file, '--data', data])
  await load.ended
  const atEnd = await positionAfter(live, traps)
  desk.close()
  live.close()
  const covered = contents(file)
  context.diagnostic(`the backup has ${covered.alarms} of ${traps} alarms`)
  assert(covered.alarms >= 100 && covered.alarms < traps, 'it was made in the middle')

  // The first life goes on, through a restart.
  await stop(service)
  service = await started(data)
  const later = await EventReader.open(service.url, 'type=11&cursor=true')
  await sending(service.trapPort, 'coldStart', 1, 100).ended
  const afterRestart = await positionAfter(later, 1)
  later.close()

  const elsewhere = join(temporaryFolder(), 'data')
  await succeed(['restore', file, '--data', elsewhere])
  const restored = await started(elsewhere)
  const lists = [
    `/fault/alarm?size=${covered.alarms}`,
    `/fault/trap?size=${covered.traps}`,
    '/plat/res/device',
    '/fault/trapEvent?size=1000',
    '/fault/trapRule',
    '/ram/zone',
  ]
  for (const path of lists) {
    const [here, there] = await Promise.all([body(service, path), body(restored, path)])
    assert(here === there, `${path} differs`)
    assert(here.length > 100, path)
  }
  assert.equal(await total(restored, '/fault/trap'), covered.traps)
  // One alarm more: the service's own, which says that it was restored.
  assert.equal(await total(restored, '/fault/alarm'), covered.alarms + 1)
  await stop(service)

  await sending(restored.trapPort, 'warmStart', 1, 100).ended
  const head = covered.head + 2
  await eventually(async () => (await total(restored, '/fault/alarm')) === head, 'the new life has alarms')
  const from = async (query: string) => {
    const reader = await EventReader.open(restored.url, `type=11&cursor=true&${query}`)
    await reader.until(() => reader.documents.some((one) => one.includes(`:${head}</cursor>`)), query)
    reader.close()
    return reader.documents
  }
  const reasons = {
    [atEnd]: /outside its epoch: the store may have been restored/,
    [afterRestart]: /another history/,
  }
  for (const [since, reason] of Object.entries(reasons)) {
    const [gap = '', ...rest] = await from(`since=${since}`)
    assert.match(gap, /<gap>/)
    assert.equal(field(gap, 'from'), since)
    assert.match(field(gap, 'reason'), reason)
    assert.equal(rest.length, 2, 'and gets what this life has written')
    assert.match(rest[0] ?? '', /The store was restored from a backup of/)
  }
  const [epoch = ''] = atEnd.split(':')
  const inside = await from(`since=${epoch}:${covered.head - 1}`)
  assert.equal(inside.length, 3, 'a position that the backup covers goes on without a gap')
  assert(!inside[0]?.includes('<gap>'))
  const resumed = await from('uuid=desk')
  assert(!resumed.join().includes('<gap>'))
  assert(
    resumed.length >= 2,
    'a client by its uuid goes on from its cursor in the backup, and is told by the alarm',
  )
  assert.match(resumed.join(), /The store was restored from a backup of/)
  await stop(restored)
})
