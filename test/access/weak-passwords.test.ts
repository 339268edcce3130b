import assert from 'node:assert/strict'
import { test } from 'node:test'
import { WeakPasswords } from '../../src/access/weak-passwords.ts'

const weak = new WeakPasswords()
const alice = { name: 'alice', fullName: 'Alice Smithers' }

test('the most common passwords that are long enough are refused, also with digits and signs around them', async () => {
  const common = [
    '1q2w3e4r5t6y',
    'QwertyQwerty',
    '123456789987654321',
    'password1234',
    'Passw0rd!2026',
    '!!dragon12345',
  ]
  for (const password of [...common, 'letmeinletmein', 'sunshine20261117'])
    assert.match((await weak.objectionTo(password, alice)) ?? '', /most common/, password)
})

test('passwords made of the name or of the product are refused', async () => {
  for (const password of ['belfry123456', 'B3lfry-2026!', 'belfrybelfry', 'smithers-2026', 'Sm1thers20261'])
    assert.match((await weak.objectionTo(password, alice)) ?? '', /made of your name/, password)
  assert.match((await weak.objectionTo('my-alice-password-9', alice)) ?? '', /must not contain the name/)
  assert.match((await weak.objectionTo('bob1bob2bob3', { name: 'bob' })) ?? '', /made of your name/)
})

test('others are accepted: phrases, and what nobody can guess', async () => {
  for (const password of [
    'correct horse staple',
    'belfry-horse-staple',
    'x9$k2!L8q#zT',
    '73910482645x',
    'horse-staple-battery',
  ])
    assert.equal(await weak.objectionTo(password, alice), undefined, password)
})
