// Location: the root the caller used, the public URL, and which headers are trusted for it.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startService, type TestService } from '../support.ts'
import { digestHeader, startGuarded } from './credentials.ts'
import { idOf, refused } from './reading.ts'

const service = await startService()
// As long as there is no operator, requests through an unknown proxy are refused.
const guarded = await withDigest()
let count = 0

async function withDigest(flags: Record<string, string> = {}): Promise<TestService> {
  const made = await startGuarded(flags, {}, [])
  return {
    ...made,
    async ask(method, path, { headers = {}, ...more } = {}) {
      const show = { name: 'administrator', method, uri: path }
      const Authorization = digestHeader(await made.challenge(), show)
      return made.ask(method, path, { ...more, headers: { ...headers, Authorization } })
    },
  }
}

async function location(at: TestService, root: string, headers: Record<string, string> = {}) {
  const body = `<zone><name>Zone ${count++}</name></zone>`
  const answer = await at.ask('POST', `${root}/ram/zone`, { body, headers })
  assert.equal(answer.status, 201, answer.text)
  return String(answer.headers.location).replace(/\d+$/, '')
}

test('Location uses the root the caller used, / or /imcrs', async () => {
  assert.equal(await location(service, ''), `${service.url}/ram/zone/`)
  assert.equal(await location(service, '/imcrs'), `${service.url}/imcrs/ram/zone/`)
})

test('Location uses the host the caller used', async () => {
  const url = 'http://192.0.2.8:8443/ram/zone/'
  assert.equal(await location(service, '', { Host: '192.0.2.8:8443' }), url)
})

test('a Location can be followed', async () => {
  for (const root of ['', '/imcrs']) {
    const xml =
      '<assignedIpScope><startIp>10.0.0.1</startIp><endIp>10.0.0.1</endIp><name>S</name></assignedIpScope>'
    const answer = await service.send('POST', `${root}/res/access/assignedIpScope`, xml)
    const { pathname } = new URL(answer.headers.location ?? '')
    assert.ok(pathname.startsWith(`${root}/res/`))
    const followed = await service.get(pathname)
    assert.ok(followed.text.includes(`<id>${idOf(answer)}</id>`))
    await service.ask('DELETE', pathname)
  }
})

const lies = {
  'X-Forwarded-Proto': 'https',
  'X-Forwarded-Host': 'evil.example',
  'X-Forwarded-Port': '666',
  'X-Forwarded-Prefix': '/evil',
  Forwarded: 'host=evil.example;proto=https',
}

test('X-Forwarded-* is not trusted from anyone by default', async () => {
  assert.equal(await location(guarded, '', lies), `${guarded.url}/ram/zone/`)
})

test('X-Forwarded-* is trusted from configured proxy addresses', async () => {
  const behind = await startService({ 'trusted-proxies': '10.9.9.9, 127.0.0.1' })
  const forwarded = { 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': 'nms.example.net' }
  assert.equal(await location(behind, '', forwarded), 'https://nms.example.net/ram/zone/')
  assert.equal(await location(behind, '/imcrs', forwarded), 'https://nms.example.net/imcrs/ram/zone/')
  assert.equal(await location(behind, ''), `${behind.url}/ram/zone/`)
  const chain = { 'X-Forwarded-Proto': 'http, https', 'X-Forwarded-Host': 'forged.example, nms.example.net' }
  assert.equal(await location(behind, '', chain), 'https://nms.example.net/ram/zone/')
})

test('X-Forwarded-* is not trusted from an address that is not configured', async () => {
  const behind = await withDigest({ 'trusted-proxies': '10.9.9.9' })
  assert.equal(await location(behind, '', lies), `${behind.url}/ram/zone/`)
})

test('a setting fixes the public URL, whatever host the caller or a proxy names', async () => {
  const fixed = await withDigest({
    'public-url': 'https://nms.example.net/belfry/',
    'trusted-proxies': '127.0.0.1',
  })
  assert.equal(await location(fixed, ''), 'https://nms.example.net/belfry/ram/zone/')
  assert.equal(await location(fixed, '/imcrs', lies), 'https://nms.example.net/belfry/imcrs/ram/zone/')
})

test('a Host that is no host is refused, so that no header can be smuggled into Location', async () => {
  for (const at of [service, guarded])
    for (const host of ['a b', 'evil/path', 'x@y', '"', 'a\tb']) {
      const answer = await at.ask('POST', '/ram/zone', {
        body: '<zone><name>x</name></zone>',
        headers: { Host: host },
      })
      refused(answer, 400)
    }
})
