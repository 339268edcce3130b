// Templates of webhooks: what they can say, how values are escaped, and that none costs much.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Fault } from '../../src/fault.ts'
import { gatewayTemplates, readTemplate } from '../../src/notify/channels/gateway-templates.ts'
import { encodingOf, MessageTemplates, templateLimits } from '../../src/notify/channels/message-template.ts'

const templates = new MessageTemplates()
const render = (template: string, values: object, encoding: 'json' | 'form' | 'url' | 'header' | 'text') =>
  templates.render(template, values as Record<string, unknown>, encoding)
const refuses = (template: string, values: object = {}, message = /./) =>
  assert.rejects(render(template, values, 'text'), (error: Error) => {
    assert.ok(error instanceof Fault)
    assert.match(error.message, message)
    return true
  })

test('whatever a device sent, a body of JSON stays JSON and says the same', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 200 }), async (title) => {
      const body = await render('{"a": ["{{ title }}"]}', { title }, 'json')
      assert.deepEqual(JSON.parse(body), { a: [title.toWellFormed()] })
    }),
  )
})

test('a value in a form or an address stays one value', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 200 }), async (title) => {
      const form = new URLSearchParams(await render('x=1&title={{ title }}&y=2', { title }, 'form'))
      assert.deepEqual(
        [...form],
        [
          ['x', '1'],
          ['title', title.toWellFormed()],
          ['y', '2'],
        ],
      )
      const url = new URL(
        await render('https://a.example/{{ title }}?b={{ title }}', { title: `.${title}` }, 'url'),
      )
      assert.equal(url.host, 'a.example')
      assert.equal(url.searchParams.get('b'), `.${title.toWellFormed()}`)
    }),
  )
})

test('a value cannot begin another header', async () => {
  const line = await render('X-Title: {{ title }}', { title: 'a\r\nX-Other: ü\u2028' }, 'header')
  assert.equal(line, 'X-Title: a  X-Other:   ')
})

test('a text that looks like a template is not one', async () => {
  assert.equal(
    await render('{{ title }}', { title: '{{ token }}{% if %}', token: 'x' }, 'text'),
    '{{ token }}{% if %}',
  )
})

test('escaping cannot be skipped, and no file can be read', async () => {
  await refuses('{{ title | raw }}', { title: 'x' }, /undefined filter: raw/)
  await refuses('{{ title | json }}', { title: 'x' }, /undefined filter: json/)
  for (const tag of ['include "x"', 'render "x"', 'layout "x"', 'capture x'])
    await refuses(`{% ${tag} %}`, {}, /tag "\w+" not found/)
})

test('only what a message has can be named, and nothing that every object has', async () => {
  assert.equal(
    await render(
      '{{ title.constructor }}{{ alarm.__proto__ }}{{ toString }}',
      { title: 'x', alarm: {} },
      'text',
    ),
    '',
  )
})

test('what would grow or run without end is refused soon', async () => {
  await refuses('{% for i in (1..99999999) %}x{% endfor %}', {}, /limit/)
  await refuses(
    '{% for i in (1..900) %}{% for j in (1..900) %}{% for k in (1..900) %}x{% endfor %}{% endfor %}{% endfor %}',
    {},
    /limit/,
  )
  await refuses(
    `{% assign a = "${'x'.repeat(100)}" %}{% for i in (1..64) %}{% assign a = a | append: a %}{% endfor %}{{ a }}`,
    {},
    /longer than|limit/,
  )
  await refuses(`${'x'.repeat(templateLimits.source + 1)}`, {}, /limit/)
  await refuses('{{ t }}{{ t }}{{ t }}{{ t }}', { t: 'x'.repeat(19_999) }, /longer than/)
  await refuses('{{ t }}', { t: 'x'.repeat(20_001) }, /longer than/)
  await refuses(`${'{% if true %}'.repeat(1000)}${'{% endif %}'.repeat(1000)}`, {}, /./)
})

test('work is limited by what a template does, not by how long that takes on a busy machine', async () => {
  const long = 'ab'.repeat(2000)
  const loop = (inner: string, times = 9000) => `{% for i in (1..${times}) %}${inner}{% endfor %}`
  const costly = {
    nothing: loop('', 190_000),
    filters: loop(`{% assign a = "x"${' | size'.repeat(2000)} %}`, 1900),
    conditions: loop(`{% if ${'1 == 2 or '.repeat(1500)} 1 == 2 %}{% endif %}`),
    branches: loop(`{% if false %}${'{% elsif 1 == 2 %}'.repeat(900)}{% endif %}`),
    cases: loop(`{% case 0 %}${`{% when ${'1,'.repeat(900)}1 %}`.repeat(9)}{% endcase %}`),
    paths: loop(`{% if a${'.b'.repeat(8000)} %}{% endif %}`),
    search: `{% assign a = "${long}" %}${loop(`{% if a contains "${long}c" %}{% endif %}`)}`,
    markdown: `{% assign a = "${long}" %}{% assign a = a ${'| markdown '.repeat(1000)} %}`,
    written: `{% assign a = "${long}" %}${loop('{{ a }}')}`,
  }
  for (const template of Object.values(costly)) await refuses(template, { a: {} }, /limit/)
  assert.equal((await render(loop('{{ i }},', 2000), {}, 'text')).length, 8893, 'a long list is not too much')
})

test('a message about no alarm renders where the template speaks of one', async () => {
  assert.equal(
    await render(
      '{% if alarm.alarmLevel == 1 %}a{% else %}b{% endif %}{{ alarm.deviceName }}',
      { alarm: undefined },
      'text',
    ),
    'b',
  )
})

const refusedAt = (field: string) => (error: Error) => error instanceof Fault && error.field === field
const nothing = { url: null, header: null, body: null, contentType: null }

test('a template is tried before it is kept', async () => {
  await templates.checkGateway({ ...nothing, body: '{"text": "{{ title }}", "n": {{ children }}}' })
  await assert.rejects(
    templates.checkGateway({ ...nothing, body: '{"text": {{ title }}}' }),
    refusedAt('body'),
  )
  await assert.rejects(
    templates.checkGateway({ ...nothing, body: '{"a": "{{ titel }}"}' }),
    refusedAt('body'),
  )
  await assert.rejects(templates.checkGateway({ ...nothing, url: 'https://a/{{ x' }), refusedAt('url'))
  await assert.rejects(
    templates.checkGateway({ ...nothing, header: 'A: {{ token | raw }}' }),
    refusedAt('header'),
  )
})

for (const { name, gateway, description, needs } of gatewayTemplates().values()) {
  test(`the shipped template ${name} works`, async () => {
    assert.ok(description.length > 20)
    const { body = null, url = null, header = null, contentType = null } = gateway
    assert.ok(url !== null || needs.includes('url'))
    await templates.checkGateway({ body, url, header, contentType })
    const test = {
      title: 'Test',
      text: 'A test',
      change: 'test',
      address: 'ann',
      links: [],
      children: 0,
      token: 't',
      incident: 'i',
    }
    const result = await render(body ?? '', test, encodingOf(contentType))
    if (contentType === 'application/json') JSON.parse(result)
  })
}

const hostile = [
  '![](http://evil.example/a.png) [click](https://evil.example) <https://evil.example|x> <!channel> <!here>',
  '@all @channel @here @ann #tag ~town-square ann@example.net www.evil.example &lt;b&gt; <b>b</b>',
  '# Title\n- item\n1. item\n> quote\n===\n```\ncode\n``` **bold** _it_ ~~no~~ |a|b| \\[x](y) \\\\*z*',
].join('\n')
/** What Mattermost and Telegram would make of plain text by themselves. */
const active = /@\w|#\w|~\w|~~|<[!@#\w/]|&\w+;|:\/\/|www\./

const told = (said: string) => ({
  title: said,
  text: said,
  change: 'raised',
  address: 'ann',
  links: [{ label: 'Open', url: 'https://nms.example.net/' }],
  children: 0,
  token: 't',
  incident: 'i',
  alarm: { alarmLevel: 1, deviceName: said },
})
const bodyOf = async (name: string, said: string) => {
  const { body = '', contentType = null } = gatewayTemplates().get(name)?.gateway ?? {}
  return render(body, told(said), encodingOf(contentType))
}

test('Mattermost: what devices sent is neither markup nor a link or a mention', async () => {
  const [{ fallback, title, text }] = JSON.parse(await bodyOf('mattermost', hostile)).attachments
  const [said = '', link] = text.split('\nOpen: ')
  assert.equal(link, 'https://nms.example.net/')
  for (const shown of [fallback, title, said]) {
    assert.doesNotMatch(shown, active)
    // Pairs of a backslash and a sign are text; no sign is left without one.
    const left = shown.replaceAll(/\\[\\`*_{}[\]()!|>]/g, 'x')
    assert.doesNotMatch(left, /[\\`*_{}[\]()!|>]|^[ \t\-+=\d]|^#+ /m)
  }
  assert.equal(said.replaceAll('\u200b', '').replaceAll(/\\(.)/g, '$1'), hostile)
})

test('Markdown of any text reads as that text, also where it is cut', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: fc.constantFrom(...'\\[]()!*_`@#~<>&:/w.|-+=1 \na') }),
      async (said) => {
        const shown = await render('{{ said | truncate: 20 | markdown }}', { said }, 'text')
        const cut = await render('{{ said | truncate: 20 }}', { said }, 'text')
        assert.equal(shown.replaceAll('\u200b', '').replaceAll(/\\(.)/g, '$1'), cut)
        assert.doesNotMatch(shown, active)
        assert.doesNotMatch(shown.replaceAll(/\\./g, ''), /[\\`*_[\]!|>]/)
      },
    ),
  )
})

test('Telegram: what devices sent mentions nobody, and no markup is read', async () => {
  const document = JSON.parse(await bodyOf('telegram', hostile))
  const [said, link] = document.text.split('\nOpen: ')
  assert.equal(link, 'https://nms.example.net/')
  assert.doesNotMatch(said, active)
  assert.equal(said.replaceAll('\u200b', ''), `${hostile}\n\n${hostile}`)
  assert.ok(!('parse_mode' in document) && !('entities' in document))
})

test('ntfy, PagerDuty, Pushover and SMS read plain text: what devices sent is one value there, as it is', async () => {
  const ntfy = JSON.parse(await bodyOf('ntfy', hostile))
  assert.deepEqual([ntfy.message, ntfy.markdown, ntfy.actions.length], [hostile, undefined, 1])
  const { payload, links } = JSON.parse(await bodyOf('pagerduty', hostile))
  assert.deepEqual([payload.custom_details.text, payload.source, links.length], [hostile, hostile, 1])
  const pushover = new URLSearchParams(await bodyOf('pushover', hostile))
  assert.deepEqual([pushover.get('message'), pushover.get('html')], [hostile, null])
  assert.deepEqual(Object.keys(JSON.parse(await bodyOf('sms', hostile))), ['to', 'text'])
})

test('a mistake in a file of templates is reported with the file and the field', () => {
  const read = (content: object) => () => readTemplate(JSON.stringify(content), 'mine')
  assert.throws(read({ description: 'x', gatway: {} }), /mine\.json: "gatway" is not known/)
  assert.throws(read({ description: 'x', gateway: { kind: 'fax' } }), /mine\.json: kind: "fax"/)
  assert.throws(() => readTemplate('{', 'mine'), /mine\.json/)
})
