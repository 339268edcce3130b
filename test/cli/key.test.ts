import assert from 'node:assert/strict'
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Key, newKeyText } from '../../src/keys/key-file.ts'
import { newDatabase } from '../postgres-database.ts'
import { temporaryFolder } from '../support.ts'
import { belfry, fail, succeed } from './here.ts'
import { fail as failToStart, serve, stop } from './running.ts'

/** Others may use the usual ports. */
const listening = ['--listen', '127.0.0.1:0', '--traps', '127.0.0.1:0']

const keysIn = (file: string) =>
  readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => Key.read(line)?.id)

test('a single service makes its key file; the command rotates it, beside the service and without one', async () => {
  const data = temporaryFolder()
  const file = join(data, 'key')
  const service = await serve(['--data', data])
  assert.equal(statSync(file).mode & 0o777, 0o600)
  const [first] = keysIn(file)
  const running = await succeed(['key', 'rotate', '--data', data])
  const [second, ...none] = keysIn(file)
  assert.deepEqual(none, [])
  assert.notEqual(second, first)
  assert.equal(running.stdout, `key ${second} is in use now; 0 secrets sealed with it\n`)
  await stop(service)
  const stopped = await succeed(['key', 'rotate', '--data', data])
  const [third] = keysIn(file)
  assert.notEqual(third, second)
  assert.match(stopped.stdout, new RegExp(`^key ${third} is in use now`))
  // The next start finds nothing wrong with it.
  const again = await serve(['--data', data])
  const { stderr } = await stop(again)
  assert.ok(!stderr.includes('another key'), stderr)
})

test('a backup holds no key, and where the key is lost a restored store works with a new one', async () => {
  const data = temporaryFolder()
  const copy = join(temporaryFolder(), 'copy.db')
  await stop(await serve(['--data', data]))
  await succeed(['backup', copy, '--data', data])
  const text = readFileSync(join(data, 'key'), 'utf8').trim()
  const bytes = readFileSync(copy)
  assert.ok(!bytes.includes(text) && !bytes.includes(Buffer.from(text, 'base64')))
  const other = temporaryFolder()
  await succeed(['restore', copy, '--data', other])
  assert.ok(!existsSync(join(other, 'key')))
  const service = await serve(['--data', other])
  assert.notEqual(readFileSync(join(other, 'key'), 'utf8').trim(), text)
  assert.equal((await fetch(`${service.url}/health`)).status, 200)
  await stop(service)
})

test('a key file elsewhere is made there, and one that cannot be used prevents the start', async () => {
  const [data, file] = [temporaryFolder(), join(temporaryFolder(), 'belfry.key')]
  const made = await succeed(['key', 'new', '--data', data, '--key-file', file])
  const [id] = keysIn(file)
  assert.equal(made.stdout, `${file} has a new key, ${id}: keep a copy of it\n`)
  await stop(await serve(['--data', data, '--key-file', file]))
  assert.ok(!existsSync(join(data, 'key')))
  assert.deepEqual(keysIn(file), [id])
  writeFileSync(file, 'hunter2\n')
  const sentence = await failToStart(1, ['serve', ...listening, '--data', data, '--key-file', file])
  assert.match(
    sentence,
    /belfry\.key cannot be used: its key 1 is not 32 bytes in base64\. Expected 32 random/,
  )
  assert.ok(!sentence.includes('hunter2'))
})

test('what is to be done with the key must be said', async () => {
  for (const words of [[], ['turn']]) {
    assert.match(await fail(2, ['key', ...words]), /expected new, rotate, replace\. Try belfry key --help$/)
  }
  assert.match(await fail(2, ['key', 'new', 'rotate']), /"rotate" is not expected here/)
  assert.match(await fail(2, ['key', 'replace', '--data', temporaryFolder()]), /takes a new key by itself/)
})

test('a node does not start without the key of its store, and starts with one that replaces it', async () => {
  const store = await newDatabase()
  const [data, file] = [temporaryFolder(), join(temporaryFolder(), 'belfry.key')]
  const on = ['--data', data, '--store', store, '--key-file', file]
  assert.match(
    await failToStart(1, ['serve', ...listening, ...on]),
    /there is no key file \S+belfry\.key: a node needs/,
  )
  await succeed(['key', 'new', ...on])
  const node = await serve(on)
  const again = await fail(1, ['key', 'replace', ...on])
  assert.match(again, /a service uses this store in PostgreSQL: stop all of its nodes first/)
  await stop(node)
  rmSync(file)
  writeFileSync(file, newKeyText())
  assert.match(
    await failToStart(1, ['serve', ...listening, ...on]),
    /is not the one of this store: copy it from another/,
  )
  const replaced = await succeed(['key', 'replace', ...on])
  assert.equal(
    replaced.stdout,
    `the key of ${file} is in use now; 0 secrets cannot be read: enter them again\n`,
  )
  await stop(await serve(on))
  // Without a node that runs, the command rotates as one itself.
  await succeed(['key', 'new', ...on])
  assert.equal(keysIn(file).length, 2)
  const rotated = await belfry(['key', 'rotate', ...on])
  assert.equal(rotated.code, 0, rotated.stderr)
  assert.match(rotated.stdout, new RegExp(`^key ${keysIn(file)[0]} is in use now`))
  assert.equal(keysIn(file).length, 1)
})
