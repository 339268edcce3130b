import assert from 'node:assert/strict'
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { KeyFile, newKeyText } from '../../src/keys/key-file.ts'
import { Keys } from '../../src/keys/key-ring.ts'
import { stores, temporaryFolder } from '../support.ts'

const fileIn = (data: string) => new KeyFile({ data, 'key-file': '' })
const asNode = { isAlone: false }
const alone = { isAlone: true }

for (const store of stores) {
  describe(`keys on ${store.name}`, async () => {
    const fresh = async () => ({ database: await store.openMigrated(), data: temporaryFolder() })

    test('a secret is kept sealed, is read again after a restart, and moves to a new key', async () => {
      const { database, data } = await fresh()
      const keys = await Keys.open(fileIn(data), database, alone)
      await database.transaction((tx) => keys.put(tx, 'channel 7', 'hunter2'))
      const stored = async () => JSON.stringify(await database.all('select name, key_id, sealed from secret'))
      assert.ok(!(await stored()).includes('hunter2'))
      const again = await Keys.open(fileIn(data), database, alone)
      assert.equal(await again.get('channel 7'), 'hunter2')
      assert.equal(await again.get('channel 8'), undefined)

      const before = readFileSync(join(data, 'key'), 'utf8')
      const { keyId } = await again.prepareRotation()
      const rotation = await database.transaction((tx) => again.rotate(tx))
      assert.deepEqual(rotation, { keyId, isNew: true, secrets: 1, unreadable: 0 })
      assert.equal(again.tidyFile(keyId), undefined)
      const after = readFileSync(join(data, 'key'), 'utf8')
      assert.equal(after.trim().split('\n').length, 1)
      assert.notEqual(after, before)
      assert.equal(await (await Keys.open(fileIn(data), database, alone)).get('channel 7'), 'hunter2')
      // The old key opens nothing any more.
      writeFileSync(join(data, 'key'), before)
      await assert.rejects(Keys.open(fileIn(data), database, asNode), /is not the one of this store/)
    })

    test('a rotation that was interrupted is finished by the next, from whichever side', async () => {
      const { database, data } = await fresh()
      const file = fileIn(data)
      const keys = await Keys.open(file, database, alone)
      await database.transaction((tx) => keys.put(tx, 'channel 7', 'hunter2'))
      // It ended before the store was changed: the file has two keys.
      const { keyId: prepared } = await keys.prepareRotation()
      const second = await Keys.open(file, database, alone)
      assert.equal(await second.get('channel 7'), 'hunter2')
      assert.equal((await second.prepareRotation()).keyId, prepared, 'no third key')
      await database.transaction((tx) => second.rotate(tx))
      // It ended before the file was tidied.
      const third = await Keys.open(file, database, alone)
      assert.equal(await third.get('channel 7'), 'hunter2')
      assert.equal((await third.current())?.id, prepared)
      // A service that still runs with the old key finds the new one in the file.
      assert.equal(await keys.get('channel 7'), 'hunter2')
      await database.transaction((tx) => keys.put(tx, 'channel 8', 'hunter3'))
      assert.equal(await third.get('channel 8'), 'hunter3')
    })

    test('with the key lost, a single service asks for secrets again, and nothing else fails', async () => {
      const { database, data } = await fresh()
      const keys = await Keys.open(fileIn(data), database, alone)
      await database.transaction((tx) => keys.put(tx, 'channel 7', 'hunter2'))
      const lost = readFileSync(join(data, 'key'), 'utf8')
      rmSync(join(data, 'key'))
      const next = await Keys.open(fileIn(data), database, alone)
      assert.equal(await next.get('channel 7'), undefined)
      assert.equal(await next.countUnreadable(), 1)
      await database.transaction((tx) => next.put(tx, 'channel 8', 'other'))
      const { keyId } = await next.prepareRotation()
      const rotation = await database.transaction((tx) => next.rotate(tx))
      assert.deepEqual(rotation, { keyId, isNew: true, secrets: 1, unreadable: 1 })
      next.tidyFile(keyId)
      // The old one was found again: it is read, and the next rotation takes it along.
      writeFileSync(join(data, 'key'), `${lost}${readFileSync(join(data, 'key'), 'utf8')}`)
      const found = await Keys.open(fileIn(data), database, alone)
      assert.equal(await found.get('channel 7'), 'hunter2')
      assert.equal(await found.countUnreadable(), 0)
    })

    test('a running service whose file vanished still has its key, and rotates to a new one', async () => {
      const { database, data } = await fresh()
      const keys = await Keys.open(fileIn(data), database, alone)
      await database.transaction((tx) => keys.put(tx, 'channel 7', 'hunter2'))
      rmSync(join(data, 'key'))
      assert.equal(await keys.get('channel 7'), 'hunter2')
      await keys.prepareRotation()
      await database.transaction((tx) => keys.rotate(tx))
      assert.equal(await (await Keys.open(fileIn(data), database, alone)).get('channel 7'), 'hunter2')
    })

    test('a node needs the key of the others, and makes none by itself', async () => {
      const { database, data } = await fresh()
      await assert.rejects(Keys.open(fileIn(data), database, asNode), {
        message: new RegExp(`^there is no key file ${data}/key: a node needs the one that all nodes`),
      })
      fileIn(data).add()
      const keys = await Keys.open(fileIn(data), database, asNode)
      await database.transaction((tx) => keys.put(tx, 'channel 7', 'hunter2'))
      const other = temporaryFolder()
      fileIn(other).add()
      await assert.rejects(
        Keys.open(fileIn(other), database, asNode),
        /is not the one of this store: copy it/,
      )
      copyFileSync(join(data, 'key'), join(other, 'key'))
      assert.equal(await (await Keys.open(fileIn(other), database, asNode)).get('channel 7'), 'hunter2')
      // Lost at all of them.
      writeFileSync(join(other, 'key'), newKeyText())
      const replaced = await Keys.open(fileIn(other), database, { ...asNode, replaces: true })
      assert.equal(await replaced.get('channel 7'), undefined)
      await assert.rejects(Keys.open(fileIn(data), database, asNode), /is not the one of this store/)
    })

    test('a node that lacks the key in use writes no secret', async () => {
      const { database, data } = await fresh()
      fileIn(data).add()
      const keys = await Keys.open(fileIn(data), database, asNode)
      const other = temporaryFolder()
      fileIn(other).add()
      await Keys.open(fileIn(other), database, { ...asNode, replaces: true })
      await assert.rejects(
        database.transaction((tx) => keys.put(tx, 'channel 7', 'x')),
        /is not the one of this store/,
      )
    })
  })
}
