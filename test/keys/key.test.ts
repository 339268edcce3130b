import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Key, KeyFile, newKeyText } from '../../src/keys/key-file.ts'
import { temporaryFolder } from '../support.ts'

const newKey = () => Key.read(newKeyText()) ?? assert.fail('a new key can be read')

test('what a key has sealed, it opens, for the same purpose and unchanged', () => {
  const key = newKey()
  const sealed = key.seal('channel 7', 'geheim ü')
  assert.equal(key.open('channel 7', sealed), 'geheim ü')
  assert.equal(key.open('channel 8', sealed), undefined, 'another purpose')
  assert.equal(newKey().open('channel 7', sealed), undefined, 'another key')
  const bytes = Buffer.from(sealed, 'base64url')
  for (let at = 0; at < bytes.length; at += 1) {
    const changed = Buffer.from(bytes)
    changed[at] = (changed[at] ?? 0) ^ 1
    assert.equal(key.open('channel 7', changed.toString('base64url')), undefined, `byte ${at} changed`)
    assert.equal(key.open('channel 7', bytes.toString('base64url', 0, at)), undefined, `${at} bytes`)
  }
  assert.notEqual(key.seal('channel 7', 'geheim ü'), sealed, 'never the same twice')
  assert.equal(key.open('channel 7', key.seal('channel 7', '')), '')
})

test('a digest is the same for the same key, purpose and text alone', () => {
  const text = newKeyText()
  const [key, same] = [
    Key.read(text),
    Key.read(text.replace(/\+/g, '-').replace(/\//g, '_').replace('=', '')),
  ]
  assert.ok(key && same, 'either alphabet')
  assert.equal(key.id, same.id)
  assert.equal(key.digest('a', 'bc'), same.digest('a', 'bc'))
  const others = [key.digest('ab', 'c'), key.digest('a', 'bcd'), newKey().digest('a', 'bc')]
  assert.equal(new Set([key.digest('a', 'bc'), ...others]).size, 4)
  assert.ok(!text.includes(key.id))
})

test('only 32 bytes in base64 are a key', () => {
  for (const text of ['', 'short', 'x'.repeat(43 * 2), `${'x'.repeat(42)}!`, 'x'.repeat(42)]) {
    assert.equal(Key.read(text), undefined, text)
  }
})

function keyFile(content?: string): KeyFile {
  const file = new KeyFile({ data: temporaryFolder(), 'key-file': '' })
  if (content !== undefined) writeFileSync(file.path, content)
  return file
}

test('a key file is made for its owner alone; the next key is added, and the old one removed', () => {
  const file = keyFile()
  assert.equal(file.read(), undefined)
  file.add()
  assert.equal(statSync(file.path).mode & 0o777, 0o600)
  const [first] = file.read() ?? []
  file.add()
  const [again, second] = file.read() ?? []
  assert.equal(again?.id, first?.id)
  assert.notEqual(second?.id, first?.id)
  assert.throws(() => file.add(), { message: /holds a new key already: belfry key rotate/ })
  assert.equal(file.keepOnly('unknown'), 0, 'never all of them')
  assert.equal(file.keepOnly(second?.id ?? ''), 1)
  assert.deepEqual(
    file.read()?.map(({ id }) => id),
    [second?.id],
  )
  assert.equal(statSync(file.path).mode & 0o777, 0o600)
})

test('a key file may hold comments and empty lines', () => {
  const file = keyFile(`# of the installation in Lyon\n\n${newKeyText()}\r\n`)
  assert.equal(file.read()?.length, 1)
})

test('a key file that cannot be used is refused without repeating what is in it', () => {
  const good = newKeyText()
  for (const [content, reason] of [
    ['', 'it holds no key'],
    ['# nothing\n', 'it holds no key'],
    ['hunter2\n', 'its key 1 is not 32 bytes in base64'],
    [`${good}\nhunter2\n`, 'its key 2 is not'],
    ['x'.repeat(5000), 'it is larger than 4096 bytes'],
  ] as const) {
    const file = keyFile(content)
    assert.throws(
      () => file.read(),
      ({ message }: Error) =>
        message.startsWith(`the key file ${file.path} cannot be used: ${reason}`) &&
        !/hunter2|xxxx/.test(message),
    )
  }
  const folder = keyFile()
  mkdirSync(folder.path)
  assert.throws(() => folder.read(), /is not a file/)
})

test('in the data folder a link is not followed; elsewhere it may be one', () => {
  const real = join(temporaryFolder(), 'real')
  writeFileSync(real, newKeyText())
  const own = keyFile()
  symlinkSync(real, own.path)
  assert.throws(() => own.read(), /is a link, which is not followed/)
  const named = join(temporaryFolder(), 'link')
  symlinkSync(real, named)
  assert.equal(new KeyFile({ data: '.', 'key-file': named }).read()?.length, 1)
  assert.equal(readFileSync(real, 'utf8').length, 44)
})
