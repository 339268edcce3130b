// A damaged store is reported in one sentence at the start, is never served, and is still refused at the next start.

import assert from 'node:assert/strict'
import { readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { startApp } from '../../src/app.ts'
import { Fault } from '../../src/fault.ts'
import { create } from '../../src/resources/collection.ts'
import { zones } from '../../src/resources/inventory/zone.ts'
import { record } from '../outcome.ts'
import { temporaryFolder, testConfig } from '../support.ts'

const pageSize = 4096
let good: Buffer

before(async () => {
  const config = testConfig()
  const app = await startApp(config)
  for (let number = 1; number <= 300; number += 1) {
    await create(app.database, zones, { name: `zone ${number}`, description: 'x'.repeat(500) })
  }
  await app.stop()
  good = readFileSync(join(config.data, 'belfry.db'))
})

/** A folder whose service did not stop in order, with this store in it. */
function folderWith(store: Buffer | string): string {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'belfry.db'), store)
  writeFileSync(join(folder, 'service.json'), '{"pid":1,"url":"http://127.0.0.1:1"}\n')
  return folder
}

async function refusal(folder: string): Promise<Fault | undefined> {
  try {
    const app = await startApp(testConfig({ data: folder }))
    await app.stop()
    return undefined
  } catch (error) {
    assert(error instanceof Fault, `not a Fault: ${error}`)
    assert.equal(error.code, 'unavailable')
    assert.match(error.message, /^the store is damaged: [^\n]+ Restore a backup$/)
    return error
  }
}

test('an unharmed store is served after a stop that was not in order', async () => {
  assert.equal(await refusal(folderWith(good)), undefined)
})

test('a file that is no database is refused', async () => {
  const folder = folderWith('somebody put a text file here by mistake. '.repeat(200))
  assert(await refusal(folder))
})

test('a garbled header is refused', async () => {
  assert(await refusal(folderWith(Buffer.concat([Buffer.alloc(100, 0xa5), good.subarray(100)]))))
})

test('a file that was cut off is refused', async () => {
  const folder = folderWith(good)
  const file = join(folder, 'belfry.db')
  truncateSync(file, Math.floor(statSync(file).size / 2 / pageSize) * pageSize)
  assert(await refusal(folder))
})

test('a store with changed bytes is refused at every start, not only at the first', async () => {
  let reported = 0
  for (let page = 1; page < good.length / pageSize; page += 9) {
    const bad = Buffer.from(good)
    bad.fill(0xff, page * pageSize, page * pageSize + 64)
    const folder = folderWith(bad)
    if (await refusal(folder)) {
      reported += 1
      assert(await refusal(folder), `page ${page}: served at the second start`)
    }
    rmSync(folder, { recursive: true })
  }
  record({ rounds: reported })
  assert(reported > 2, `only ${reported} damages were noticed`)
})
