// The file of version 3 users: a mistake in it must not create a user that anyone can impersonate.

import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { readUsers } from '../../src/snmp/users.ts'
import { temporaryFolder } from '../support.ts'

const file = join(temporaryFolder(), 'users.json')

function read(content: unknown) {
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  return readUsers(file)
}

const auth = { algorithm: 'sha256', password: 'correct horse' }
const priv = { algorithm: 'aes128', password: 'battery staple' }

test('users are read as they are written', () => {
  const users = [{ name: 'ops', auth, priv, relaxedTime: true }, { name: 'signed', auth }, { name: 'open' }]
  assert.deepEqual(read(users), users)
})

test('what is not known is refused by its name, and no password is quoted', () => {
  const wrong: [unknown, RegExp][] = [
    [[{ name: 'ops', Auth: auth }], /user 1: "Auth" is not known: expected name, auth, priv, relaxedTime/],
    [[{ name: 'ops', auth: { ...auth, passphrase: 'x' } }], /user 1: auth: "passphrase" is not known/],
    [
      [
        { name: 'ops', auth },
        { name: 'b', privacy: priv },
      ],
      /user 2: "privacy" is not known/,
    ],
    [[{ auth }], /user 1: expected a name/],
    [
      [{ name: 'ops', auth: { algorithm: 'sha3', password: 'correct horse' } }],
      /auth: expected an algorithm/,
    ],
    [[{ name: 'ops', auth: { algorithm: 'sha256' } }], /auth: expected a password/],
    [{ name: 'ops' }, /must contain a JSON array/],
    ['[{"name": "correct horse" x}]', /it is not valid JSON/],
  ]
  for (const [content, expected] of wrong) {
    assert.throws(
      () => read(content),
      (error: Error) => expected.test(error.message) && !error.message.includes('horse'),
      String(expected),
    )
  }
})
