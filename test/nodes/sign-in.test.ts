// Several nodes on one store: a sign-in through a provider that was begun at one node is finished at any, and once.

import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { clientId, clientSecret, startLiar } from '../access/provider.ts'
import { Browser } from '../http/browsing.ts'
import { passwordOf } from '../http/credentials.ts'
import { refused } from '../http/reading.ts'
import { temporaryFolder } from '../support.ts'
import { startNodes } from './several.ts'

const path = '/console/session/openid'
const secret = join(temporaryFolder(), 'secret')
writeFileSync(secret, clientSecret)

// It takes a code as often as it is shown one, and so prevents nothing.
const provider = await startLiar()
const { services } = await startNodes(2, {
  'openid-issuer': provider.issuer,
  'openid-client-id': clientId,
  'openid-secret-file': secret,
  'openid-roles': 'noc=operator',
})
const [a, b] = services.map(({ url }) => url) as [string, string]
const admin = { name: 'admin', role: 'administrator', password: passwordOf('admin') }
assert.equal((await services[0]?.sendJson('POST', '/plat/operator', admin))?.status, 201)

async function begunAt(url: string) {
  const browser = new Browser(url)
  const answer = await browser.ask('POST', path)
  assert.equal(answer.status, 200, answer.text)
  const { searchParams } = new URL(String(answer.json().address))
  provider.lie = { nonce: searchParams.get('nonce') }
  const cookie = browser.cookies.get('belfry-openid')
  assert(cookie)
  return { cookie, query: `code=1&state=${searchParams.get('state')}` }
}

function finishAt(url: string, { cookie, query }: Awaited<ReturnType<typeof begunAt>>) {
  const browser = new Browser(url)
  browser.cookies.set('belfry-openid', cookie)
  return browser.json('PUT', path, { query })
}

test('nodes, sign-in: begun at one, finished at the other, and good once at all of them', async () => {
  const begun = await begunAt(a)
  const first = await finishAt(b, begun)
  assert.equal(first.status, 201, first.text)
  for (const url of [a, b]) {
    const again = await finishAt(url, begun)
    refused(again, 401)
    assert.match(again.text, /used before/)
  }
})

test('nodes, sign-in: of several copies that come at the same time, one is accepted', async () => {
  const begun = await begunAt(b)
  const answers = await Promise.all([a, b, a, b].map((url) => finishAt(url, begun)))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 401, 401, 401])
})

test('nodes, sign-in: what the browser keeps of it cannot be made or changed by others', async () => {
  const { cookie, query } = await begunAt(a)
  const { value } = cookie
  const cut = value.indexOf('.')
  const sealed = Buffer.from(value.slice(cut + 1), 'base64url')
  sealed[sealed.length - 1] = (sealed.at(-1) ?? 0) ^ 1
  const forged = [
    `${value.slice(0, cut)}.${sealed.toString('base64url')}`,
    `0123456789abcdef${value.slice(cut)}`,
    value.slice(cut + 1),
    'x',
    '',
  ]
  for (const one of forged) refused(await finishAt(b, { cookie: { ...cookie, value: one }, query }), 401)
  assert.equal((await finishAt(b, { cookie, query })).status, 201)
})
