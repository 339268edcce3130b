import assert from 'node:assert/strict'
import { globSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { catalog } from '../../src/resources/catalog.ts'
import { temporaryFolder } from '../support.ts'
import { fail, serve, stop, succeed } from './running.ts'

const network = fileURLToPath(new URL('../../examples/network/', import.meta.url))
const formats = ['csv', 'json', 'xml']

const contents = (folder: string) =>
  Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]))

/** What people and devices put into names. */
const strange = {
  zone: [
    { zoneId: '40', name: 'comma, semicolon; "quotes" & <tags>', description: 'two\nlines\r\nand\ttabs' },
    { zoneId: '41', name: '=1+1', description: 'Grüße 😀 日本 ΟΔΟΣ' },
    { zoneId: '1', name: 'Renamed default' },
  ],
  trapRule: [
    {
      id: '50',
      trapDevice: [
        {
          displayName: 'a',
          devID: '-1',
          trapFilterEventParasInfo: [{ faultOid: '1.3.6', position: '1', value: 'x,"y"' }, { name: 'n' }],
        },
        { displayName: 'b', devID: '0' },
      ],
      trapInterfaces: [{ deviceId: '7' }, { ifDesc: '*;?' }],
    },
  ],
}

test('an export loaded into a fresh folder exports to the same bytes, in every format', async () => {
  const source = temporaryFolder()
  const more = temporaryFolder()
  for (const [name, records] of Object.entries(strange))
    writeFileSync(join(more, `${name}.json`), JSON.stringify(records))
  const service = await serve(['--data', source])
  await succeed(['load', ...globSync(`${network}*.csv`), '--data', source])
  await succeed(['load', ...globSync(`${more}/*.json`), '--replace', '--data', source])
  const exported = formats.map((format) => ({ format, to: temporaryFolder() }))
  for (const { format, to } of exported)
    await succeed(['export', '--format', format, '--to', to, '--data', source])
  await stop(service)

  await Promise.all(
    exported.map(async ({ format, to }) => {
      const files = readdirSync(to)
      assert.deepEqual(
        files.toSorted(),
        catalog.map(({ resource }) => `${resource.name}.${format}`).toSorted(),
      )
      const fresh = temporaryFolder()
      const again = temporaryFolder()
      await succeed(['load', '--replace', ...files.map((name) => join(to, name)), '--data', fresh])
      await succeed(['export', '--format', format, '--to', again, '--data', fresh])
      assert.deepEqual(contents(again), contents(to))
    }),
  )
})

test('one resource goes to standard output, several to a folder', async () => {
  const data = temporaryFolder()
  await stop(await serve(['--data', data]))
  const written: string[] = []
  for (const format of formats)
    written.push((await succeed(['export', 'ZONE', '--format', format, '--data', data])).stdout)
  const [csv, json, xml] = written
  assert.equal(csv, 'zoneId,name,description\r\n1,Default,Everything that is in no other zone\r\n')
  assert.deepEqual(JSON.parse(json ?? ''), {
    zone: [{ zoneId: '1', name: 'Default', description: 'Everything that is in no other zone' }],
  })
  assert.match(xml ?? '', /^<\?xml [^>]*\?>\n<list>\n<zone><zoneId>1<\/zoneId>.*<\/zone>\n<\/list>\n$/)
  const sentences = await Promise.all([
    fail(2, ['export', '--data', data]),
    fail(2, ['export', 'zone', 'device', '--data', data]),
    fail(2, ['export', 'building', '--data', data]),
    fail(2, ['export', 'zone', '--format', 'yaml', '--data', data]),
  ])
  assert.match(sentences[0], /name one resource, or a folder for several with --to/)
  assert.match(sentences[1], /name one resource, or a folder for several with --to/)
  assert.match(sentences[2], /"building" is no resource: expected one of zone, [\w, ]*\bdevice, /)
  assert.match(sentences[3], /--format "yaml": expected one of csv, json, xml/)
})
