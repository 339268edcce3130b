import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mixesAlphabets } from '../../src/access/identities.ts'
import { FairSlots } from '../../src/pacing/fair-slots.ts'
import { processed } from './virtual-time.ts'

test('an address that wants all exchanges gets two of the eight; others do not wait for it', async () => {
  const places = new FairSlots({ atOnce: 8, perAddress: 2, waitingPerAddress: 4, waiting: 64 })
  const begun: string[] = []
  const ends: (() => void)[] = []
  const start = (place: string) =>
    places
      .run(place, () => {
        begun.push(place)
        return new Promise<void>((end) => ends.push(end))
      })
      .then(
        () => 'done',
        () => 'refused',
      )
  const hungry = Array.from({ length: 12 }, () => start('192.0.2.1'))
  const others = Array.from({ length: 30 }, (_, host) => start(`10.0.0.${host}`))
  await processed()
  assert.equal(begun.filter((place) => place === '192.0.2.1').length, 2)
  assert.equal(begun.length, 8)
  while (ends.length > 0) {
    ends.shift()?.()
    await processed()
  }
  assert.deepEqual(new Set(await Promise.all(others)), new Set(['done']), 'all thirty')
  const outcomes = await Promise.all(hungry)
  assert.equal(outcomes.filter((one) => one === 'refused').length, 6)
})

test('names of several alphabets that look alike are recognised; others are not', () => {
  for (const name of ['\u0430lice', 'ali\u03f2e', 'B\u043eb']) assert.equal(mixesAlphabets(name), true, name)
  for (const name of ['alice', '\u0410\u043b\u0438\u0441\u0430', 'Ren\u00e9', '\u5c71\u7530Taro', 'bob-9'])
    assert.equal(mixesAlphabets(name), false, name)
})
