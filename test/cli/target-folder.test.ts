// Files written into folders of others: nothing is written through what lies there, or on the way.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  chownSync,
  existsSync,
  lchownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { writeInto } from '../../src/cli/commands/export-command.ts'
import { temporaryFolder } from '../support.ts'

const write = (folder: string, text = 'new') => writeInto(folder, 'zone.csv', Readable.from([text]))
const written = (folder: string) => readFileSync(join(folder, 'zone.csv'), 'utf8')

/** A folder, and a file elsewhere that must stay as it is. */
function place() {
  const base = temporaryFolder()
  const [folder, victim] = [join(base, 'to'), join(base, 'victim')]
  mkdirSync(folder)
  writeFileSync(victim, 'mine')
  return { base, folder, victim, isSafe: () => assert.equal(readFileSync(victim, 'utf8'), 'mine') }
}

test('a folder is made with those above it, and a file replaces the one before', async () => {
  const folder = join(temporaryFolder(), 'a', 'b')
  await write(folder, 'one')
  await write(folder, 'two')
  assert.equal(written(folder), 'two')
  assert.deepEqual(readdirSync(folder), ['zone.csv'])
})

for (const name of ['zone.csv', 'zone.csv.part']) {
  test(`a link, a hard link and a pipe under the name ${name} are replaced, and not written through`, async () => {
    const { folder, victim, isSafe } = place()
    const path = join(folder, name)
    for (const make of [
      () => symlinkSync(victim, path),
      () => symlinkSync(join(folder, 'nowhere'), path),
      () => linkSync(victim, path),
      () => execFileSync('mkfifo', [path]),
    ]) {
      make()
      await write(folder)
      isSafe()
      assert.ok(lstatSync(join(folder, 'zone.csv')).isFile())
      assert.equal(written(folder), 'new')
      assert.deepEqual(readdirSync(folder), ['zone.csv'])
      rmSync(join(folder, 'zone.csv'))
    }
  })
}

test('what cannot be written leaves nothing behind, and what was there stays', async () => {
  const { folder } = place()
  await write(folder, 'before')
  const broken = new Readable({
    read() {
      this.push('half')
      this.destroy(new Error('cut off'))
    },
  })
  await assert.rejects(writeInto(folder, 'zone.csv', broken), /cut off/)
  assert.equal(written(folder), 'before')
  assert.deepEqual(readdirSync(folder), ['zone.csv'])
  await assert.rejects(write(join(folder, 'zone.csv')), /is not a folder/)
})

test("links on the way are followed where they are one's own", async () => {
  const { base, folder } = place()
  mkdirSync(join(base, 'x'))
  symlinkSync('../to', join(base, 'x', 'there'))
  await write(join(base, 'x', 'there', 'inner'))
  assert.equal(written(join(folder, 'inner')), 'new')
  symlinkSync('round', join(base, 'round'))
  await assert.rejects(write(join(base, 'round')), /too many links/)
})

const asRoot = process.geteuid?.() === 0 && process.platform === 'linux' ? {} : { skip: 'needs root' }

test("a link of another user's is not followed, as the folder or above it", asRoot, async () => {
  const { base, folder } = place()
  const nobody = 65_534
  const home = join(base, 'home')
  mkdirSync(home)
  chownSync(home, nobody, nobody)
  symlinkSync(folder, join(home, 'link'))
  lchownSync(join(home, 'link'), nobody, nobody)
  for (const to of [join(home, 'link'), join(home, 'link', 'inner')]) {
    await assert.rejects(write(to), { code: 'invalid', message: /link is a link of another user's/ })
  }
  assert.deepEqual(readdirSync(folder), [])
  assert.ok(!existsSync(join(folder, 'inner')))
  await write(join(home, 'own'))
  assert.equal(written(join(home, 'own')), 'new')
})
