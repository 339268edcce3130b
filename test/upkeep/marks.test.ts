// How far a node has seen the store, in its data folder: where that cannot be read or written, it is said, and the
// service goes on.

import assert from 'node:assert/strict'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { pino } from 'pino'
import { MarkFile } from '../../src/store/mark-file.ts'
import { newMigratedDatabase } from '../postgres-database.ts'
import { startService, temporaryFolder } from '../support.ts'

const mark = { store: 7n, term: 1n, epoch: 5n, number: 9n, ids: new Map([['alarm', 9n]]), at: 0 }

test('marks that are damaged are told from none', () => {
  const file = join(temporaryFolder(), 'store-marks')
  const first = new MarkFile(file)
  assert.equal(first.isDamaged, false)
  first.write(mark)
  first.close()
  const second = new MarkFile(file)
  assert.deepEqual([second.isDamaged, second.of(7n)?.number], [false, 9n])
  second.close()
  writeFileSync(file, Buffer.alloc(1000, 'x'))
  const third = new MarkFile(file)
  assert.deepEqual([third.isDamaged, third.of(7n)], [true, undefined])
  third.close()
})

test('a disk that takes no marks is told once', { skip: !existsSync('/dev/full') && 'no /dev/full' }, () => {
  const told: string[] = []
  const file = new MarkFile('/dev/full', (error) => told.push(error?.message ?? 'over'))
  file.write(mark)
  file.write({ ...mark, number: 10n })
  assert.equal(told.length, 1)
  assert.match(told[0] ?? '', /ENOSPC/)
  assert.equal(file.of(7n)?.number, 10n, 'as long as it runs, it knows')
})

test('a node whose marks are damaged says so, and starts', async () => {
  const data = temporaryFolder()
  writeFileSync(join(data, 'store-marks'), 'something else')
  const lines: { msg: string }[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => lines.push(JSON.parse(line)) })
  const service = await startService({ data, store: await newMigratedDatabase() }, { log })
  assert.ok(
    lines.some(({ msg }) => msg.startsWith('store-marks is damaged')),
    JSON.stringify(lines),
  )
  await service.stop()
})
