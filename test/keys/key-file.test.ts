// Who else may read the key file.

import assert from 'node:assert/strict'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { pino } from 'pino'
import { newKeyText } from '../../src/keys/key-file.ts'
import { startService, temporaryFolder } from '../support.ts'

test('a key file that every user of the machine may read is named in the log, one for its owner alone is not', async () => {
  const file = join(temporaryFolder(), 'key')
  writeFileSync(file, newKeyText(), { mode: 0o600 })
  const warnings = async () => {
    const lines: string[] = []
    const log = pino({ level: 'warn' }, { write: (line: string) => lines.push(line) })
    const service = await startService({ 'key-file': file }, { log })
    await service.stop()
    return lines.filter((line) => line.includes('may read or change the key file'))
  }
  assert.deepEqual(await warnings(), [])
  chmodSync(file, 0o604)
  const [line = '', ...more] = await warnings()
  assert.deepEqual([JSON.parse(line).file, more], [file, []])
})
