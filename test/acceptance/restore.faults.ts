// A backup is made while traps come in, and restored elsewhere: the same lists, and clients with old positions learn
// what is missing.

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { type Service, serve, start, stop, succeed } from '../cli/running.ts'
import { record } from '../outcome.ts'
import { EventReader, field } from '../push/reader.ts'
import { eventually } from '../push/station.ts'
import { temporaryFolder } from '../support.ts'

async function started(data: string): Promise<Service & { trapPort: string }> {
  const service = await serve(['--data', data])
  await service.logged('"receiving traps"')
  const trapPort = /"port":(\d+)[^\n]*"receiving traps"/.exec(service.said.stderr)?.[1] ?? assert.fail()
  return { ...service, trapPort }
}

/** Sends one that is answered when its alarm is on disk. */
const sendOne = ({ trapPort }: { trapPort: string }, name: string) =>
  succeed(['trap', name, '--inform', '--to', `127.0.0.1:${trapPort}`])

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

/** The position of the document about an event, once it has come. */
async function positionOf(reader: EventReader, event: string): Promise<string> {
  const find = () => reader.documents.find((one) => one.includes(`<OID>${event}</OID>`))
  await reader.until(() => find() !== undefined, event)
  return field(find() ?? '', 'cursor')
}

const [coldStart, warmStart] = ['1.3.6.1.6.3.1.1.5.1', '1.3.6.1.6.3.1.1.5.2']

test('a backup under load, restored elsewhere, answers the same lists and reports the gap to old positions', {
  timeout: 360_000,
}, async (context) => {
  const data = temporaryFolder()
  const file = join(temporaryFolder(), 'b.db')
  let service = await started(data)
  const desk = await EventReader.open(service.url, 'type=11&cursor=true&uuid=desk')
  const live = await EventReader.open(service.url, 'type=11&cursor=true')
  const to = ['--to', `127.0.0.1:${service.trapPort}`]
  const load = start(['trap', 'linkDown', 'ifIndex={n}', '--count', '1000000', '--rate', '700', ...to])
  await desk.take(100)
  await succeed(['backup', file, '--data', data])
  load.child.kill('SIGTERM')
  await load.ended
  await sendOne(service, 'coldStart')
  const atEnd = await positionOf(live, coldStart)
  desk.close()
  live.close()
  const covered = contents(file)
  const all = await total(service, '/fault/alarm')
  context.diagnostic(`the backup has ${covered.alarms} of ${all} alarms`)
  assert(covered.alarms >= 100 && covered.alarms < all, 'it was made in the middle')

  // The original store goes on, with a restart.
  await stop(service)
  service = await started(data)
  const later = await EventReader.open(service.url, 'type=11&cursor=true')
  await sendOne(service, 'warmStart')
  const afterRestart = await positionOf(later, warmStart)
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
    // Addresses begin with where each of them is.
    const [here, there] = await Promise.all(
      [service, restored].map(async (one) => (await body(one, path)).replaceAll(one.url, '')),
    )
    assert(here === there, `${path} differs`)
    assert((here ?? '').length > 100, path)
  }
  assert.equal(await total(restored, '/fault/trap'), covered.traps)
  // One alarm more: the service's own, which says that it was restored.
  assert.equal(await total(restored, '/fault/alarm'), covered.alarms + 1)
  await stop(service)

  await sendOne(restored, 'warmStart')
  const count = covered.alarms + 2
  await eventually(async () => (await total(restored, '/fault/alarm')) === count, 'the new life has alarms')
  const from = async (query: string) => {
    const reader = await EventReader.open(restored.url, `type=11&cursor=true&${query}`)
    await positionOf(reader, warmStart)
    reader.close()
    return reader.documents
  }
  for (const since of [atEnd, afterRestart]) {
    const [gap = '', ...rest] = await from(`since=${since}`)
    record({ gapsOwed: 1, gapsTold: gap.includes('<gap>') ? 1 : 0 })
    assert.match(gap, /<gap>/)
    assert.equal(field(gap, 'from'), since)
    assert.match(field(gap, 'reason'), /the store was put back to an older state, and they are gone/)
    assert.equal(rest.length, 2, 'and gets what this life has written')
    assert.match(rest[0] ?? '', /The store was restored from a backup of/)
  }
  const [epoch = ''] = atEnd.split(':')
  const inside = await from(`since=${epoch}:${covered.head - 1}`)
  assert.equal(inside.length, 4, 'a position that the backup covers goes on with what the backup has')
  assert(!inside[0]?.includes('<gap>'))
  assert.match(inside[1] ?? '', /<gap>/, 'and learns where it ends')
  record({ rounds: 1, gapsOwed: 1, gapsTold: inside[1]?.includes('<gap>') ? 1 : 0 })
  const resumed = await from('uuid=desk')
  assert(!resumed.join().includes('<gap>'))
  assert(
    resumed.length >= 2,
    'a client by its uuid goes on from its cursor in the backup, and learns of it by the alarm',
  )
  assert.match(resumed.join(), /The store was restored from a backup of/)
  await stop(restored)
})
