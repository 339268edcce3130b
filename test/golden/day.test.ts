// A recorded day of notifications becomes the recorded log, ledger and pushed bytes, on both stores.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stores } from '../support.ts'
import { runDay } from './day.ts'
import { type Blocks, hold, holdLong } from './recorded.ts'

for (const store of stores) {
  test(`a day of notifications ends as recorded on ${store.name}`, async (t) => {
    const { log, ledger, replies, pushed } = await runDay(store)
    const text = (lines: readonly string[]) => new Map([['text', lines.join('\n')]])
    const blocks: Blocks = new Map([
      ...[...log].map(([hour, lines]): [string, Map<string, string>] => [`log ${hour}`, text(lines)]),
      ['ledger', text(ledger)],
      ...[...pushed].map(([client, bytes]): [string, Map<string, string>] => [
        `the beginning of what is pushed: ${client}`,
        text(bytes.split('\n').slice(0, 4)),
      ]),
    ])
    await t.test('the log and the ledger', () => hold('day', store.name, blocks))
    await t.test('what is pushed and answered, to the byte', () => {
      holdLong('day', store.name, { ...Object.fromEntries(pushed), replies: replies.join('\n') })
    })
    await t.test('everything that can happen has happened', () => {
      const happened = [...log.values()].flat().join('\n')
      for (const kind of ['raise', 'recover', 'cause', 'release', 'acknowledge', 'note'])
        assert.match(happened, new RegExp(` ${kind} alarm `), kind)
      for (const reason of [
        'storm',
        'flapping',
        'duplicate',
        'too many unknown events',
        'trap rule',
        'community',
      ])
        assert.match(ledger.join('\n'), new RegExp(reason))
    })
  })
}
