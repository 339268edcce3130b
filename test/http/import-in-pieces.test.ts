// Files of many records: tried as a whole, then written a few at a time, so that no other writer waits for all of it.

import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, test } from 'node:test'
import { work } from '../../src/http/handlers/files/import-trial.ts'
import { StagedRows } from '../../src/http/handlers/files/staged-rows.ts'
import { catalog } from '../../src/resources/catalog.ts'
import { readRows, utf8Text } from '../../src/schema/rows.ts'
import { newMigratedDatabase } from '../postgres-database.ts'
import { startService, stores, type TestService, temporaryFolder } from '../support.ts'
import { idOf } from './reading.ts'

const headers = { 'Content-Type': 'text/csv' }
const send = (service: TestService, body: string, parameters = '') =>
  service.ask('POST', `/plat/data/zone${parameters}`, { headers, body })
const create = (service: TestService, name: string) =>
  service.send('POST', '/ram/zone', `<zone><name>${name}</name></zone>`)
const total = async (service: TestService) =>
  Number((await service.get('/ram/zone?total=true')).headers.total)
const file = (name: string, rows: number) =>
  `name\n${Array.from({ length: rows }, (_, n) => `${name} ${n}`).join('\n')}\n`

for (const { name } of stores) {
  describe(`a file of many records on ${name}`, async () => {
    const service = await startService(name === 'SQLite' ? {} : { store: await newMigratedDatabase() })

    test('other requests write while it is written', async () => {
      let done = false
      const importing = send(service, file('Between', 1500)).finally(() => {
        done = true
      })
      const ids: number[] = []
      while (!done) ids.push(Number(idOf(await create(service, `By hand ${ids.length}`))))
      assert.deepEqual((await importing).json(), { imported: '1500', replaced: '0' })
      const rows = (await service.get('/plat/data/zone?format=csv')).text.split('\n')
      const imported = rows.filter((row) => row.includes(',Between ')).map((row) => Number.parseInt(row, 10))
      const [first, last] = [Math.min(...imported), Math.max(...imported)]
      assert.equal(imported.length, 1500)
      assert(
        ids.filter((id) => id > first && id < last).length > 1,
        'created between two records of the file',
      )
    })

    test('it is tried as a whole: a conflict in its last row prevents the first from being written', async () => {
      const before = await total(service)
      const refused = await send(service, `${file('Tried', 500)}tried 7\n`)
      assert.equal(refused.status, 409)
      assert.match(refused.text, /line 502: name: name tried 7 is taken by zone \d+/)
      const dry = await send(service, file('Tried', 500), '?dryRun=true')
      assert.deepEqual(dry.json(), { imported: '500', replaced: '0' })
      assert.equal(await total(service), before)
    })

    test('if a conflicting record is created meanwhile, the answer says how far it came, and it continues when it is sent again', async () => {
      const { answer, body, rows, taken } = await brokenOff(service)
      const [, done, all] =
        /broke off after record (\d+) of (\d+): send the same file again to continue there/.exec(
          answer.text,
        ) ?? []
      assert.equal(Number(all), rows)
      await service.ask('DELETE', `/ram/zone/${taken}`)
      const again = await send(service, body)
      assert.deepEqual(again.json(), { imported: String(rows), replaced: '0', resumedAfter: done })
      const { text } = await service.get('/plat/audit?action=import&size=100')
      assert.deepEqual([...text.matchAll(/broke off|goes on/g)].flat(), ['broke off', 'goes on'])
      assert.equal((await send(service, body)).status, 409, 'it is complete: once more is once too often')
    })
  })
}

/** An import in whose way a zone was put after it had begun. It may have been too quick for that: then another one. */
async function brokenOff(service: TestService) {
  for (let round = 0; round < 10; round += 1) {
    const rows = 2000
    const name = `Late ${round}`
    const body = file(name, rows)
    const before = await total(service)
    let done = false
    const importing = send(service, body).finally(() => {
      done = true
    })
    while (!done && (await total(service)) === before);
    const taken = await create(service, `${name} ${rows - 1}`)
    const answer = await importing
    if (answer.status === 200) continue
    assert.equal(answer.status, 409, answer.text)
    return { answer, body, rows, taken: idOf(taken) }
  }
  return assert.fail('every import was done at once')
}

test('the tables that the rules of a record read are there in the trial, for every kind of record', async () => {
  const folder = temporaryFolder()
  const service = await startService()
  const sample = new URL('../../examples/network/', import.meta.url)
  for (const { path, resource } of catalog) {
    const samples = new URL(`${resource.name}.csv`, sample)
    if (existsSync(samples)) {
      const body = readFileSync(samples, 'utf8')
      const answer = await service.ask('POST', `/plat/data/${resource.name}?replace=true`, { headers, body })
      assert.equal(answer.status, 200, answer.text)
    }
    const { text } = await service.get(`/plat/data/${resource.name}?format=csv`)
    const staged = join(folder, resource.name)
    const rows = new StagedRows(staged)
    const form = { form: 'csv', resource, rowLimit: 100_000 } as const
    for await (const row of readRows(utf8Text(Readable.from([Buffer.from(text)])), form)) await rows.add(row)
    await rows.close()
    const scratch = `${staged}.scratch`
    const hint = `${resource.name}: does its collection name all tables that its rules read in touchedTables?`
    const actor = { name: 'ann', role: 'administrator', address: 'local' }
    const order = { path, staged, skipped: 0, replace: true, listed: 0, scratch, now: Date.now(), actor }
    const tried = await work(service.database, order).catch((error) => assert.fail(`${hint} ${error}`))
    const expected = { imported: rows.count, replaced: rows.count }
    assert.deepEqual(tried, expected, `${hint} ${JSON.stringify(tried)}`)
  }
})
