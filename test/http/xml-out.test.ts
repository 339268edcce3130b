// XML as it is written (decisions 1, "XML out").

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startService } from '../support.ts'
import { pathOf, value } from './reading.ts'

const service = await startService()
const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
const zone = async (name: string) => pathOf(await service.sendJson('POST', '/ram/zone', { name }))

test('every document begins with the XML declaration, and the document follows at once, in no namespace', async () => {
  for (const [path, root] of [
    ['/ram/zone', 'list'],
    ['/ram/zone/1', 'zone'],
    ['/ram/zone/999', 'error'],
    ['/', 'service'],
    ['/nowhere', 'error'],
    ['/report/reportTemplate', 'list'],
  ] as const) {
    const { text, headers } = await service.get(path)
    assert.equal(headers['content-type'], 'application/xml')
    assert.ok(text.startsWith(`${declaration}<${root}>`), text)
    assert.doesNotMatch(text, /xmlns/)
  }
})

test('markup in values is escaped, never put in CDATA', async () => {
  const name = '<b>&amp; ]]> "quoted" \'too\' <![CDATA[x]]> <!-- --> <?pi?>'
  const { text } = await service.get(await zone(name))
  assert.equal(value(text, 'name'), name)
  assert.doesNotMatch(text, /<!\[CDATA|<b>/)
  assert.match(text, /&lt;b&gt;&amp;amp; \]\]&gt;/)
})

test('line breaks and tabs inside a value survive', async () => {
  const name = 'one\ntwo\r\nthree\tfour'
  const { text } = await service.get(await zone(name))
  assert.equal(value(text, 'name'), name)
  assert.doesNotMatch(text, /[\r\n]/, 'written as references: no reader can change them')
})

test('characters that XML 1.0 cannot carry are replaced by U+FFFD', async () => {
  // No body can bring them in, so they are put into the store directly, and into a message by a JSON name.
  const path = await zone('carried')
  await service.database.transaction((tx) =>
    tx.run("update zone set description = ? where name = 'carried'", ['a\u0001b\ufffec\u000bd']),
  )
  assert.equal(value((await service.get(path)).text, 'description'), 'a\ufffdb\ufffdc\ufffdd')
  const answer = await service.ask('POST', '/ram/zone', {
    body: '{"na\\u0001me\\ud800":"x"}',
    headers: { 'Content-Type': 'application/json', Accept: 'application/xml' },
  })
  assert.equal(answer.status, 400)
  assert.equal(value(answer.text, 'field'), 'na\ufffdme\ufffd')
})

test('characters outside the first plane are written as themselves', async () => {
  const { text } = await service.get(await zone('😀 𝄞 \u{10fffd}'))
  assert.ok(text.includes('<name>😀 𝄞 \u{10fffd}</name>'))
})
