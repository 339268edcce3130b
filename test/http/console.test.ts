// The console as it is served: the page, its files, and the way to it.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { build } from 'esbuild'
import { startService } from '../support.ts'

const service = await startService()

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8'
const links = (page: string) => [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, link = '']) => link)

async function fetched(
  path: string,
  encoding: string,
): Promise<{ type: string; size: number; text: string }> {
  const response = await fetch(service.url + path, { headers: { 'Accept-Encoding': encoding } })
  assert.equal(response.status, 200, path)
  const text = await response.text()
  return {
    type: response.headers.get('content-type') ?? '',
    size: Number(response.headers.get('content-length')),
    text,
  }
}

test('the root leads to the console for a caller that ranks HTML highest, and for no other', async () => {
  const { status, headers } = await service.get('/', { Accept: browser })
  assert.deepEqual([status, headers.location], [303, '/console'])
  assert.equal((await service.get('/imcrs', { Accept: 'text/html' })).headers.location, '/imcrs/console')
  for (const Accept of ['*/*', 'application/xml', 'text/html;q=0.5,application/xml', 'application/json'])
    assert.equal((await service.get('/', { Accept })).status, 200, Accept)
  assert.equal((await service.get('/')).status, 200)
})

test('the page runs nothing but scripts of the service, and nobody frames it', async () => {
  const { headers, text } = await service.get('/console', { Accept: browser })
  const policy = String(headers['content-security-policy'])
  assert.match(policy, /default-src 'none'/)
  assert.match(policy, /script-src 'self'(;|$)/)
  assert.match(policy, /frame-ancestors 'none'/)
  assert.doesNotMatch(policy, /unsafe|https?:|\*/)
  assert.equal(headers['x-content-type-options'], 'nosniff')
  assert.equal(headers['cross-origin-opener-policy'], 'same-origin')
  assert.doesNotMatch(text, /<script(?![^>]*\bsrc=)|\bstyle=|\bon\w+=/)
})

test('every page of the console is the same document, and is asked for again only when it has changed', async () => {
  const { text, headers } = await service.get('/console/alarm/7?x=1')
  assert.match(text, /<title>Belfry<\/title>/)
  const again = await service.get('/console', { 'If-None-Match': String(headers.etag) })
  assert.deepEqual([again.status, again.text], [304, ''])
})

test('all files that the page names are there, compressed, and kept for good', async () => {
  const { text } = await service.get('/console')
  for (const link of links(text)) {
    const plain = await fetched(link, 'identity')
    const [br, gzip] = [await fetched(link, 'br'), await fetched(link, 'gzip')]
    assert.equal(br.text, plain.text, link)
    assert.equal(gzip.text, plain.text, link)
    assert.match(plain.type, /javascript|css|svg|woff2/)
    const { headers } = await service.get(link)
    assert.match(String(headers['cache-control']), /immutable/)
  }
})

for (const language of ['en', 'de'])
  test(`the first page is less than 65 kB, and less than 115 kB with its font: ${language}`, async () => {
    const { text } = await service.get('/console', { 'Accept-Language': language })
    const sizes = await Promise.all(
      links(text).map(async (link) => ({ link, size: (await fetched(link, 'br')).size })),
    )
    const sum = (of: typeof sizes) => of.reduce((bytes, { size }) => bytes + size, text.length)
    const own = sum(sizes.filter(({ link }) => !link.endsWith('.woff2')))
    assert(own < 65_000, `${own} bytes`)
    assert(sum(sizes) < 115_000, `${sum(sizes)} bytes`)
  })

test('the page is in the language that was chosen in it, or else in the first of the browser that it has', async () => {
  const langOf = async (accepted: string, cookie = '') => {
    const { text, headers } = await service.get('/console', { 'Accept-Language': accepted, Cookie: cookie })
    assert.match(String(headers.vary), /Accept-Language.*Cookie/)
    return /<html lang="(\w+)"/.exec(text)?.[1]
  }
  assert.equal(await langOf('de-CH,de;q=0.9,en;q=0.8'), 'de')
  assert.equal(await langOf('fr,en-GB;q=0.5,de;q=0.7'), 'de')
  for (const accepted of ['', '*', 'fr', 'en-US,en;q=0.9,de;q=0.8', 'de;q=0'])
    assert.equal(await langOf(accepted), 'en', accepted)
  assert.equal(await langOf('en', 'other=1; belfry-language=de'), 'de')
  assert.equal(await langOf('de', 'belfry-language=en'), 'en')
  assert.equal(await langOf('de', 'belfry-language=xx'), 'de')
})

test('a font is compressed by itself, and is sent as it is', async () => {
  const { text } = await service.get('/console')
  const fonts = links(text).filter((link) => link.endsWith('.woff2'))
  assert.equal(fonts.length, 1)
  const { headers } = await service.get(fonts[0] ?? '', { 'Accept-Encoding': 'br, gzip' })
  assert.equal(headers['content-encoding'], undefined)
  assert.equal(headers['content-type'], 'font/woff2')
})

/** What a script imports. esbuild reads it, because texts in it may look like imports. */
async function importsOf(script: string): Promise<string[]> {
  const { metafile } = await build({
    stdin: { contents: script, loader: 'js' },
    bundle: true,
    external: ['*'],
    format: 'esm',
    metafile: true,
    write: false,
  })
  return Object.values(metafile.inputs).flatMap((input) => input.imports.map((one) => one.path))
}

test('scripts are plain JavaScript, and import by path alone', async () => {
  const { text } = await service.get('/console')
  for (const link of links(text).filter((one) => /\.[jt]s$/.test(one))) {
    const script = (await fetched(link, 'identity')).text
    for (const target of await importsOf(script))
      assert.match(target, /^\.{1,2}\//, `${link} imports ${target}`)
  }
})

test('no path leads out of the folder, and nothing but its files is served', async () => {
  const { text } = await service.get('/console')
  const [version] = /files\/(\w+\/\w+)/.exec(text)?.slice(1) ?? []
  for (const path of [
    `/console/files/${version}/../../../package.json`,
    `/console/files/${version}/%2e%2e/package.json`,
    `/console/files/${version}/..%2fpackage.json`,
    `/console/files/${version}/tsconfig.json`,
    `/console/files/${version}//etc/passwd`,
    '/console/files/en/0000000000000000/main.ts',
  ])
    assert.equal((await service.get(path)).status, 404, path)
})

test('the page is only read', async () => {
  assert.equal((await service.ask('POST', '/console')).status, 405)
  assert.equal((await service.ask('HEAD', '/console')).text, '')
  assert.equal((await service.get('/console', { Accept: 'application/json' })).status, 406)
})

test('where operators exist the page is served to everyone, but its data is not', async () => {
  const closed = await startService({}, { adminPassword: 'correct horse battery' })
  assert.equal((await closed.get('/console')).status, 200)
  assert.equal((await closed.get('/', { Accept: browser })).status, 303)
  assert.equal((await closed.get('/fault/alarm')).status, 401)
  assert.equal((await closed.get('/', { Accept: 'application/json' })).status, 401)
})
