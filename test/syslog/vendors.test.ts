// Messages in the documented formats of many vendors, and what each is about. They are not what definitions are judged by
// alone: `npm run measure -- syslog` tells which of them were looked at.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { MessageMatcher } from '../../src/syslog/message-matcher.ts'
import { readMessage } from '../../src/syslog/message-reader.ts'
import { readShippedDefinitions } from '../../src/syslog/syslog-definitions.ts'

interface Judged {
  readonly message: string
  readonly kind: 'raise' | 'clear' | 'neither' | 'both'
  readonly vars: { readonly name?: string }
}

const matcher = new MessageMatcher(readShippedDefinitions().definitions)

for (const file of ['syslog-vendors.jsonl', 'syslog-unseen.jsonl', 'syslog-further.jsonl']) {
  const judged: Judged[] = readFileSync(new URL(`../../bench/corpus/${file}`, import.meta.url), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
  const results = judged.map((one) => {
    const meaning = matcher.match(readMessage(Buffer.from(one.message)))
    const does = meaning?.does === 'raise' || meaning?.does === 'clear' ? meaning.does : 'neither'
    return { ...one, does, resource: meaning?.resource ?? '' }
  })
  const wrong = results.filter(({ kind, does }) => (kind === 'both' ? does === 'neither' : kind !== does))
  const share = (part: number, whole: number) => part / whole

  test(`nine of ten messages of ${file} are taken for what they are`, () =>
    assert(share(wrong.length, judged.length) <= 0.1, JSON.stringify(wrong, undefined, 1)))

  test(`nothing harmless of ${file} opens an alarm`, () =>
    assert.deepEqual(
      wrong.filter(({ kind, does }) => kind === 'neither' && does === 'raise'),
      [],
    ))

  test(`what is named in ${file} is in the resource`, () => {
    const named = results.filter(({ vars, kind, does }) => vars.name !== undefined && kind === does)
    assert(named.length > 20, `${named.length}`)
    for (const { vars, resource, message } of named)
      assert(resource.toLowerCase().includes((vars.name ?? '').toLowerCase()), `${resource}: ${message}`)
  })
}
