import assert from 'node:assert/strict'
import { test } from 'node:test'
import { challenges, expectedResponse, ha1, isSame, readDigest } from '../../src/access/digest.ts'
import { Nonces } from '../../src/access/nonces.ts'

// RFC 7616, section 3.9.1.
const mufasa = {
  nonce: '7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v',
  cnonce: 'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ',
  nc: '00000001',
  uri: '/dir/index.html',
}
const realm = 'http-auth@example.org'

for (const [algorithm, response] of [
  ['MD5', '8ca523f5e9506fed4657c9700eebdbec'],
  ['SHA-256', '753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1'],
] as const) {
  test(`the response of the standard's example is computed with ${algorithm}`, () => {
    const secret = ha1(algorithm, 'Mufasa', realm, 'Circle of Life')
    assert.equal(expectedResponse(secret, 'GET', { ...mufasa, algorithm }), response)
  })
}

const header = (parts: Record<string, string>) =>
  Object.entries(parts)
    .map(([name, value]) => `${name}=${value}`)
    .join(', ')

const good = {
  username: '"Mufasa"',
  realm: `"${realm}"`,
  uri: '"/dir/index.html"',
  algorithm: 'SHA-256',
  nonce: `"${mufasa.nonce}"`,
  nc: '00000001',
  cnonce: `"${mufasa.cnonce}"`,
  qop: 'auth',
  response: '"753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"',
  opaque: '"FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"',
}

test('a header is read in any order and spacing, quoted or not, names of parameters in any case', () => {
  const read = readDigest(header(good))
  assert.ok(typeof read === 'object')
  assert.deepEqual(
    [read.username, read.algorithm, read.nc, read.uri],
    ['Mufasa', 'SHA-256', '00000001', '/dir/index.html'],
  )
  const turned = Object.fromEntries(Object.entries(good).reverse())
  assert.deepEqual(readDigest(header(turned)), read)
  assert.deepEqual(readDigest(header(good).replaceAll(', ', ' ,').replace('qop=auth', 'QOP = "auth"')), read)
})

test('without an algorithm it is MD5, as it was before there were others', () => {
  const { algorithm: _, ...older } = good
  const read = readDigest(header(older))
  assert.equal(typeof read === 'object' && read.algorithm, 'MD5')
})

test('names come in UTF-8, in Latin-1, escaped, or in the extended form, and are composed', () => {
  const named = (parts: Record<string, string>) => {
    const { username: _, ...rest } = good
    const read = readDigest(header({ ...parts, ...rest }))
    return typeof read === 'object' ? read.username : read
  }
  const wire = (text: string) => Buffer.from(text, 'utf8').toString('latin1')
  assert.equal(named({ username: `"${wire('Jürgen 東')}"` }), 'Jürgen 東')
  assert.equal(named({ username: '"J\u00fcrgen"' }), 'Jürgen')
  assert.equal(named({ username: `"${wire('Ju\u0308rgen')}"` }), 'J\u00fcrgen')
  assert.equal(named({ username: '"a\\"b"' }), 'a"b')
  assert.equal(named({ 'username*': "UTF-8''J%C3%BCrgen" }), 'Jürgen')
  assert.match(String(named({ 'username*': "UTF-8''%E4" })), /lacks username/)
  assert.match(String(named({ username: '"a"', 'username*': "UTF-8''b" })), /twice/)
})

test('what is broken off, repeated, missing or of another kind is refused with a reason', () => {
  const whole = header(good)
  for (let length = 0; length < whole.length; length += 1) {
    const read = readDigest(whole.slice(0, length))
    // Only the last parameter, which nobody needs, may be missing.
    if (length < whole.indexOf(', opaque')) assert.equal(typeof read, 'string', whole.slice(0, length))
  }
  for (const name of Object.keys(good)) {
    if (name === 'opaque' || name === 'algorithm') continue
    const { [name as keyof typeof good]: _, ...rest } = good
    assert.equal(typeof readDigest(header(rest)), 'string', name)
  }
  for (const wrong of [
    `${whole}, nc=00000002`,
    header({ ...good, qop: 'auth-int' }),
    header({ ...good, algorithm: 'SHA-256-sess' }),
    header({ ...good, algorithm: 'SHA-512-256' }),
    header({ ...good, nc: '1' }),
    header({ ...good, nc: '00000000' }),
    header({ ...good, nc: '0000000g' }),
    header({ ...good, userhash: 'true' }),
    header({ ...good, cnonce: `"${'c'.repeat(600)}"` }),
    `${whole} trailing`,
    ','.repeat(5000),
    Array.from({ length: 50 }, (_, index) => `p${index}=1`).join(','),
  ]) {
    assert.equal(typeof readDigest(wrong), 'string', wrong.slice(0, 80))
  }
})

test('both challenges have the same nonce and opaque, the stronger one first', () => {
  const [first = '', second = ''] = challenges({ realm: 'R', nonce: 'n', opaque: 'o', stale: true })
  assert.match(
    first,
    /^Digest realm="R", qop="auth", algorithm=SHA-256, nonce="n", opaque="o".*, stale=true$/,
  )
  assert.equal(second, first.replace('SHA-256', 'MD5'))
})

test('texts are equal only when every character is', () => {
  assert.ok(isSame('abc', 'abc'))
  assert.ok(!isSame('abc', 'abd'))
  assert.ok(!isSame('abc', 'ab'))
})

test('a request is accepted once; requests sent in parallel may arrive in any order', () => {
  const nonces = new Nonces(() => 1000)
  const nonce = nonces.make()
  const use = (count: number) => nonces.use(nonce, count.toString(16).padStart(8, '0'))
  assert.equal(use(1), 'good')
  assert.equal(use(1), 'replayed')
  assert.deepEqual([3, 5, 4, 2].map(use), ['good', 'good', 'good', 'good'])
  assert.deepEqual([2, 3, 4, 5].map(use), ['replayed', 'replayed', 'replayed', 'replayed'])
  assert.equal(use(1000), 'good')
  assert.equal(use(999), 'good')
  assert.equal(use(900), 'good')
  assert.equal(use(6), 'replayed', 'too long ago to know')
  assert.equal(use(0xffffffff), 'good')
  assert.equal(use(1000), 'replayed')
})

test('a nonce is valid for five minutes, and only at the process that made it', () => {
  let now = 1_000_000
  const nonces = new Nonces(() => now)
  const nonce = nonces.make()
  now += 5 * 60_000
  assert.equal(nonces.use(nonce, '00000001'), 'good')
  now += 1
  assert.equal(nonces.use(nonce, '00000002'), 'stale')
  assert.equal(new Nonces(() => now).use(nonces.make(), '00000001'), 'stale')
  const own = nonces.make()
  const later = own.replace(/^[^.]+/, (now + 1e9).toString(36))
  for (const forged of [
    '',
    '.',
    '..',
    'x',
    later,
    `${own}x`,
    own.slice(0, -1),
    `${own}.`,
    own.toUpperCase(),
  ]) {
    assert.equal(nonces.use(forged, '00000001'), 'stale', forged)
  }
})

test('a nonce that had to be forgotten is answered as stale, and never accepted a second time', () => {
  let now = 1000
  const nonces = new Nonces(() => now, 3)
  const made = Array.from({ length: 6 }, () => {
    now += 1
    return nonces.make()
  })
  const never = made[0] as string
  for (const nonce of made.slice(1, 5)) assert.equal(nonces.use(nonce, '00000001'), 'good')
  assert.equal(nonces.use(made[1] as string, '00000001'), 'stale', 'it was forgotten')
  assert.equal(nonces.use(never, '00000001'), 'stale', 'it may have been used and forgotten')
  assert.equal(nonces.use(made[4] as string, '00000001'), 'replayed')
  assert.equal(nonces.use(made[5] as string, '00000001'), 'good')
})
