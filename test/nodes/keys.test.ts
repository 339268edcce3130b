// Several nodes on one store: all have the same key, and it is rotated while they run.

import assert from 'node:assert/strict'
import { appendFileSync, copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Key, KeyFile, newKeyText } from '../../src/keys/key-file.ts'
import { Keys } from '../../src/keys/key-ring.ts'
import { newMigratedDatabase } from '../postgres-database.ts'
import { eventually } from '../push/station.ts'
import { temporaryFolder } from '../support.ts'
import { startNode } from './several.ts'

const newKeyFile = () => {
  const file = join(temporaryFolder(), 'key')
  writeFileSync(file, `${newKeyText()}\n`)
  return file
}

const idsIn = (file: string) =>
  readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => Key.read(line)?.id)

test('nodes, keys: a node with another key, or none, does not start; a rotation waits until all have the new one', async () => {
  const address = await newMigratedDatabase()
  const [here, there] = [newKeyFile(), join(temporaryFolder(), 'key')]
  copyFileSync(here, there)
  const a = await startNode(address, 'a', { 'key-file': here })
  const b = await startNode(address, 'b', { 'key-file': there })
  const refused = (file: string) => startNode(address, 'c', { 'key-file': file })
  const starts = () => a.database.all("select value from counter where name = 'starts'")
  const before = await starts()
  await assert.rejects(refused(newKeyFile()), /is not the one of this store: copy it from another node/)
  await assert.rejects(refused(join(temporaryFolder(), 'key')), /there is no key file/)
  assert.deepEqual(await starts(), before, 'it has changed nothing')

  const known = await Keys.open(new KeyFile(a.config), a.database, { isAlone: false })
  await a.database.transaction((tx) => known.put(tx, 'channel 7', 'hunter2'))
  const rotate = (node: typeof a) =>
    node.ask('POST', '/plat/key/rotation', { headers: { Accept: 'application/json' } })
  assert.equal((await rotate(a)).json().changed, 'false', 'there is no newer key')

  appendFileSync(here, `${newKeyText()}\n`)
  const early = await rotate(a)
  assert.equal(early.status, 409, early.text)
  assert.match(String(early.json().message), /is not at every node: copy the file to b, and try again/)
  const [old, next] = idsIn(here)
  copyFileSync(here, there)
  await eventually(async () => (await rotate(a)).status === 200, 'b has read its file again')
  assert.deepEqual(idsIn(here), [next], 'the old one is gone')
  assert.deepEqual(idsIn(there), [old, next])
  const [row] = await b.database.all("select key_id from secret where name = 'channel 7'")
  assert.equal(row?.key_id, next)
  const { changed, secrets } = (await rotate(b)).json()
  assert.deepEqual([changed, secrets, idsIn(there)], ['false', '1', [next]])
  assert.equal(await known.get('channel 7'), 'hunter2')
})
