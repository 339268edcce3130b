// Receivers that repeat what they were sent, in many ways: no part of a gateway's secrets is shown or stored.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { blotOut, tracesOf } from '../../src/notify/channels/secret-traces.ts'
import { excerpt } from '../../src/notify/channels/send-outcome.ts'
import { idOf } from '../http/reading.ts'
import { startService } from '../support.ts'
import { receiver } from './chat-receivers.ts'

const secrets = {
  url: 'https://hooks.example.net/services/T000/B000/SECRETPATH123?sig=SIG%2FSECRET%2099&v=2',
  header: 'Authorization: Bearer HEADERSECRET77\nX-Key: id=7; key="KEY\\SECRET55"',
  token: 'TOKEN"SECRET/ü1',
}
const traces = tracesOf(secrets)
const base64 = (text: string) => Buffer.from(text).toString('base64')

const answers = [
  ...[
    'Cannot POST /services/T000/B000/SECRETPATH123',
    '/services/T000/B000/SECRETPATH123 is not here',
    'no SECRETPATH123',
    'in SIG%2FSECRET%2099',
  ],
  ...[
    'in SIG/SECRET 99',
    'in SIG%2fSECRET%2099',
    'in SIG%2FSECRET+99',
    'bad HEADERSECRET77',
    'Bearer HEADERSECRET77',
  ],
  ...['key KEY\\SECRET55', 'key KEY\\\\SECRET55', 'key KEY%5CSECRET55', 'key KEY%5cSECRET55'],
  ...[
    'TOKEN"SECRET/ü1',
    'TOKEN\\"SECRET\\/\\u00fc1',
    'TOKEN&quot;SECRET/ü1',
    encodeURIComponent(secrets.token),
  ],
  ...['{"path":"\\/services\\/T000\\/B000\\/SECRETPATH123?sig=SIG%2FSECRET%2099&v=2"}'],
  ...['<pre>/services/T000/B000/SECRETPATH123?sig=SIG%2FSECRET%2099&amp;v=2</pre>'],
]
for (const answer of answers) {
  test(`nothing secret is left of ${answer}`, () => {
    const shown = excerpt(answer, traces)
    assert.match(shown, /…/)
    assert.doesNotMatch(shown, /SECRET|TOKEN|KEY|T000|99|55|77|123/)
  })
}

const service = await startService({ 'notify-loopback': 'yes' })

test('secrets in base64, alone and within something longer', () => {
  for (const before of ['', 'a', 'ab', 'abc', 'user:'])
    for (const secret of ['SECRETPATH123', 'HEADERSECRET77', secrets.token]) {
      const shown = excerpt(base64(`${before}${secret} and more`), traces)
      assert.match(shown, /…/)
      assert.doesNotMatch(Buffer.from(shown, 'base64').toString('latin1'), /SECRET/)
      assert.ok(!shown.includes(base64(secret).slice(4, 10)), shown)
    }
})

test('credentials in base64 are a name and a password', () => {
  const basic = tracesOf({ header: `Authorization: Basic ${base64('belfry:PASSWORD42')}` })
  assert.equal(excerpt('PASSWORD42 is wrong', basic), '… is wrong')
  assert.equal(excerpt(`${base64('belfry:PASSWORD42')} is wrong`, basic), '… is wrong')
})

test('words of interfaces stay, and so do placeholders of templates', () => {
  const telegram = tracesOf({
    url: 'https://api.telegram.org/bot{{ token }}/sendMessage',
    token: '123:ABCDEF',
  })
  assert.equal(
    excerpt('Bearer: no webhook in services, {{ token }}, sendMessage /bot123:ABCDEF/', [
      ...traces,
      ...telegram,
    ]),
    'Bearer: no webhook in services, {{ token }}, sendMessage /bot…/',
  )
  const between = tracesOf({ url: 'https://a.example/x{{ address }}SECRETEND?key={{ token }}SECRETKEY' })
  assert.equal(excerpt('/xannSECRETEND?key=SECRETKEY', between), '/xann…?key=…')
})

test('secrets that overlap, and one of which the end is missing', () => {
  assert.equal(blotOut('a 0123456789 b', ['23456789', '01234567']), 'a … b')
  assert.equal(excerpt(`${' '.repeat(4080)}SECRETPATH123456789`, ['SECRETPATH123456789']), '…')
})

test('what is not secret stays as it is, whatever it is', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ minLength: 6 }), (text, secret) => {
      assert.equal(blotOut(text, []), text)
      const shown = blotOut(`${text}${secret}${text}`, tracesOf({ token: secret }))
      assert.ok(secret === 'bearer' || !shown.includes(secret) || secret.includes('…'))
    }),
  )
})

test('many secrets cost little', () => {
  const header = Array.from({ length: 20 }, (_, n) => `X-${n}: ${`aaaaaa${n} `.repeat(20)}`).join('\n')
  const many = tracesOf({ header, url: `https://a.example/${'aaaaaaa/'.repeat(240)}` })
  assert.ok(many.length < 20_000)
  assert.doesNotMatch(excerpt('aaaaaa1'.repeat(10_000), many), /a/)
})

test('the test of a gateway shows nothing secret of a request that the receiver repeats', async () => {
  const { url } = await receiver(({ path, headers }) => ({
    status: 404,
    body: `Cannot POST ${path} with ${headers.authorization}`,
  }))
  const path = '/services/T000/B000/SECRETPATH123?sig=SIGSECRET99'
  const kinds = [
    { kind: 'slackWebhook', url: `${url}${path}` },
    { kind: 'teams', url: `${url}${path}` },
    { kind: 'webhook', url: `${url}${path}`, header: 'Authorization: Bearer HEADERSECRET77' },
    {
      kind: 'webhook',
      url: `${url}${path}{{ change }}`,
      header: 'Authorization: {{ change }}HEADERSECRET77',
    },
  ]
  for (const [n, gateway] of kinds.entries()) {
    const id = idOf(await service.sendJson('POST', '/notify/gateway', { name: `Echo ${n}`, ...gateway }))
    const { text } = await service.sendJson('POST', `/notify/gateway/${id}/test`, { address: '' })
    assert.match(text, /404 Cannot POST … with/)
    assert.doesNotMatch(text, /SECRET|T000/)
  }
})

test('an error in a template that is secret does not repeat it', async () => {
  const fields = {
    url: [
      'http://127.0.0.1/{{ title | URLSECRETJJJ }}',
      'http://127.0.0.1/{% URLSECRETJJJ',
      'http://a/{{ SECRET.x }}',
    ],
    header: ['A: {% HEADSECRETKKK', 'A: {{ title | HEADSECRETKKK }}'],
  }
  for (const [field, values] of Object.entries(fields))
    for (const value of values) {
      const gateway = { name: 'Wrong', kind: 'webhook', url: 'http://127.0.0.1/', [field]: value }
      const { status, text } = await service.sendJson('POST', '/notify/gateway', gateway)
      assert.equal(status, 400)
      assert.match(text, new RegExp(`the template does not work: see line 1, column \\d+.*${field}`, 's'))
      assert.doesNotMatch(text, /SECRET/)
    }
})
