import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Key, newKeyText } from '../../src/keys/key-file.ts'
import { startService, temporaryFolder, testKeyFile } from '../support.ts'

const json = { Accept: 'application/json' }

test('a rotation is answered with the key in use, and is recorded', async () => {
  const file = testKeyFile()
  const service = await startService({ 'key-file': file })
  writeFileSync(file, `${readFileSync(file, 'utf8')}${newKeyText()}\n`)
  const answer = await service.ask('POST', '/plat/key/rotation', { headers: json })
  assert.equal(answer.status, 200, answer.text)
  const keyId = Key.read(readFileSync(file, 'utf8').trim())?.id
  assert.deepEqual(answer.json(), { keyId, changed: 'true', secrets: '0', unreadable: '0', remark: '' })
  const { audit } = (await service.get('/plat/audit?desc=true&size=1', json)).json()
  const [{ action, resource, resourceId }] = audit as [Record<string, string>]
  assert.deepEqual({ action, resource, resourceId }, { action: 'rotate', resource: 'key', resourceId: keyId })
})

test('a key file that the service may not write is left as it is, and the answer says so', async () => {
  const folder = join(temporaryFolder(), 'locked')
  const file = join(folder, 'key')
  mkdirSync(folder)
  // Not even root can make a file under this name.
  mkdirSync(`${file}.part`)
  mkdirSync(join(`${file}.part`, 'something'))
  writeFileSync(file, `${newKeyText()}\n${newKeyText()}\n`)
  chmodSync(file, 0o400)
  const service = await startService({ 'key-file': file })
  const { keyId, changed, remark } = (
    await service.ask('POST', '/plat/key/rotation', { headers: json })
  ).json()
  assert.equal(changed, 'false', 'a new store takes the newest')
  assert.equal(keyId, Key.read(readFileSync(file, 'utf8').trim().split('\n')[1] ?? '')?.id)
  assert.match(String(remark), /^the key file \S+ cannot be written: /)
})
