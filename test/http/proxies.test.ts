// The address of a caller: headers are trusted from proxies that the settings name, and from nobody else.

import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { freePort } from '../free-port.ts'
import { eventually } from '../push/station.ts'
import { temporaryFolder } from '../support.ts'
import { bearer, digestHeader, startGuarded, tokenOf } from './credentials.ts'
import { refused } from './reading.ts'

const proxies = '127.0.0.1, 10.0.0.5,10.0.0.6, 2001:DB8:0::5'
const settings = { 'trusted-proxies': proxies, 'connections-per-address': '20' }
// Without operators only this machine would be served, and the others would learn so.
const service = await startGuarded(settings, {}, [])
const authorized = bearer(await tokenOf(service, 'administrator'))
const { port } = new URL(service.url)
let made = 0

interface Seen {
  /** As the audit log has it. */
  readonly address: string
  readonly location: string
}

/** Creates a zone from a local address with headers, and looks at what the service made of the caller. */
async function seenFrom(
  localAddress: string,
  headers: Record<string, string | string[]>,
  at = port,
): Promise<Seen> {
  made += 1
  const body = `<zone><name>${made}</name></zone>`
  const asked = request({
    port: at,
    host: '127.0.0.1',
    localAddress,
    method: 'POST',
    path: '/ram/zone',
    // From the network, a token is not accepted without encryption.
    headers: { 'X-Forwarded-Proto': 'https', ...authorized, ...headers },
    agent: false,
  })
  asked.end(body)
  const [response] = await once(asked, 'response')
  response.resume()
  await once(response, 'end')
  assert.equal(response.statusCode, 201)
  const { location = '' } = response.headers
  const query = `/plat/audit?resource=zone&resourceId=${location.split('/').at(-1)}`
  const [entry] = JSON.parse(
    (await service.get(query, { Accept: 'application/json', ...authorized })).text,
  ).audit
  return { address: entry.address, location }
}

const proxy = '127.0.0.1'
const stranger = '127.0.0.2'

test('the caller behind a proxy is the last address that no proxy of ours has', async () => {
  for (const [header, address] of [
    ['192.0.2.7', '192.0.2.7'],
    ['198.51.100.1, 192.0.2.7', '192.0.2.7'],
    ['192.0.2.7, 10.0.0.5', '192.0.2.7'],
    ['192.0.2.7, 10.0.0.6, 10.0.0.5', '192.0.2.7'],
    ['10.0.0.5, 192.0.2.7, 10.0.0.6', '192.0.2.7'],
    ['2001:db8::7', '2001:db8::7'],
    ['2001:DB8:0:0::7,2001:db8:0:0:0::5', '2001:db8::7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['::FFFF:192.0.2.7 , ::ffff:10.0.0.5', '192.0.2.7'],
    ['  192.0.2.7  ', '192.0.2.7'],
    ['10.0.0.5', '10.0.0.5'],
    ['10.0.0.6, 10.0.0.5', '10.0.0.6'],
  ] as const) {
    assert.equal((await seenFrom(proxy, { 'X-Forwarded-For': header })).address, address, header)
  }
  const twice = await seenFrom(proxy, { 'X-Forwarded-For': ['198.51.100.1', '192.0.2.7'] })
  assert.equal(twice.address, '192.0.2.7', 'a header given twice is one chain')
})

test('something that is not an address ends the chain: nothing before it is trusted', async () => {
  for (const [header, address] of [
    ['', proxy],
    ['unknown', proxy],
    ['192.0.2.7, unknown', proxy],
    ['unknown, 192.0.2.7', '192.0.2.7'],
    ['192.0.2.7, , 10.0.0.5', '10.0.0.5'],
    ['192.0.2.7:4711', proxy],
    ['[2001:db8::7]', proxy],
    ['fe80::1%eth0', proxy],
    ['0300.0.2.7', proxy],
    ['192.0.2', proxy],
    ['3221225991', proxy],
    ['192.0.2.7; drop table audit', proxy],
    [`${'192.0.2.1,'.repeat(500)}192.0.2.7`, '192.0.2.7'],
    [','.repeat(5000), proxy],
  ] as const) {
    assert.equal((await seenFrom(proxy, { 'X-Forwarded-For': header })).address, address, header.slice(0, 60))
  }
})

test('headers of others are not trusted', async () => {
  for (const headers of [
    { 'X-Forwarded-For': '192.0.2.7' },
    { 'X-Forwarded-For': proxy },
    { 'X-Forwarded-For': `192.0.2.7, ${proxy}` },
    { Forwarded: 'for=192.0.2.7;proto=https' },
    { 'X-Real-IP': '192.0.2.7' },
    { 'X-Forwarded-For': '192.0.2.7', 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': 'evil.example' },
  ]) {
    // Nor is a token accepted from them.
    const show = { name: 'administrator', method: 'POST', uri: '/ram/zone' }
    const Authorization = digestHeader(await service.challenge(), show)
    const { address, location } = await seenFrom(stranger, { ...headers, Authorization } as Record<
      string,
      string
    >)
    assert.equal(address, stranger)
    assert.match(location, new RegExp(`^http://127\\.0\\.0\\.1:${port}/`))
  }
})

test('a token that came unencrypted through a proxy of others is refused, though the proxy is on this machine', async () => {
  const direct = await startGuarded({}, {}, [])
  const token = bearer(await tokenOf(direct, 'administrator'))
  assert.equal((await direct.get('/ram/zone', token)).status, 200)
  for (const headers of [
    { Via: '1.1 proxy' },
    { 'X-Forwarded-For': '192.0.2.7' },
    { 'X-Forwarded-For': '127.0.0.1' },
    { Forwarded: 'for=192.0.2.7' },
    { Via: '1.1 proxy', 'X-Forwarded-Proto': 'https' },
  ]) {
    refused(await direct.get('/ram/zone', { ...token, ...(headers as Record<string, string>) }), 401)
  }
  const named = { 'X-Forwarded-For': '127.0.0.1' }
  assert.equal((await service.get('/ram/zone', { ...authorized, ...named })).status, 200)
  refused(await service.get('/ram/zone', { ...authorized, Via: '1.1 proxy' }), 401)
})

test('a proxy says under which address its callers know the service', async () => {
  const { location } = await seenFrom(proxy, {
    'X-Forwarded-Proto': 'https',
    'X-Forwarded-Host': 'nms.example.net',
  })
  assert.match(location, /^https:\/\/nms\.example\.net\/ram\/zone\/\d+$/)
})

test("of several values the last is what the proxy itself wrote: those before it may be the caller's", async () => {
  const forged = { 'X-Forwarded-Proto': 'http, https', 'X-Forwarded-Host': 'evil.example, nms.example.net' }
  const { location } = await seenFrom(proxy, forged)
  assert.match(location, /^https:\/\/nms\.example\.net\/ram\/zone\/\d+$/)
  const asked = { 'X-Forwarded-Proto': 'https, http', ...authorized, 'X-Forwarded-For': '192.0.2.7' }
  assert.equal((await service.get('/ram/zone', asked)).status, 401, 'a token is not taken without encryption')
})

test('a chain of proxies is followed up to a limit', async () => {
  const chain = (hops: number) => `192.0.2.7${', 10.0.0.5'.repeat(hops)}`
  assert.equal((await seenFrom(proxy, { 'X-Forwarded-For': chain(15) })).address, '192.0.2.7')
  assert.equal((await seenFrom(proxy, { 'X-Forwarded-For': chain(16) })).address, '10.0.0.5')
})

test('the limit of connections is for callers, not for proxies', async () => {
  const many = Array.from({ length: 40 }, () => seenFrom(proxy, { Connection: 'close' }))
  assert.equal((await Promise.all(many)).length, 40)
})

const missing = spawnSync('nginx', ['-v'], { stdio: 'ignore' }).error !== undefined

test('nginx in front: callers, links and the event stream come through', {
  skip: missing && 'nginx is missing',
}, async () => {
  const front = await nginxBefore(service.url)
  const { address, location } = await seenFrom(
    '127.0.0.3',
    { 'X-Forwarded-For': '192.0.2.66' },
    String(front),
  )
  assert.equal(address, '127.0.0.3', 'what the caller forged stands before what nginx saw')
  assert.equal(new URL(location).port, String(front))
  const asked = request({
    port: front,
    host: '127.0.0.1',
    path: '/events?type=11',
    headers: authorized,
    agent: false,
  })
  asked.on('error', () => undefined).end()
  const [response] = await once(asked, 'response')
  assert.equal(response.statusCode, 202)
  let text = ''
  response.setEncoding('utf8').on('data', (piece: string) => {
    text += piece
  })
  response.on('error', () => undefined)
  await service.asJson('administrator', 'POST', '/fault/alarm', {
    OID: '1.3.6.1.4.1.32473.8.2',
    alarmLevel: 1,
  })
  await eventually(async () => text.includes('1.3.6.1.4.1.32473.8.2'), 'the alarm, not held back')
  asked.destroy()
})

/** The settings that docs/security.md gives. */
async function nginxBefore(url: string): Promise<number> {
  const folder = temporaryFolder()
  const front = await freePort()
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  )
  writeFileSync(
    join(folder, 'nginx.conf'),
    `pid ${folder}/pid; error_log ${folder}/error.log; daemon off; worker_processes 1; events {}
http {
  access_log off; ${paths.join(' ')}
  server {
    listen 127.0.0.1:${front};
    location / {
      proxy_pass ${url};
      proxy_http_version 1.1;
      proxy_set_header Host $http_host;
      proxy_set_header X-Forwarded-Host $http_host;
      proxy_set_header X-Forwarded-Proto $scheme;
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
      proxy_read_timeout 1h;
    }
  }
}
`,
  )
  const nginx = spawn('nginx', ['-c', join(folder, 'nginx.conf'), '-p', folder], { stdio: 'ignore' })
  after(async () => {
    nginx.kill('SIGTERM')
    if (nginx.exitCode === null) await once(nginx, 'exit')
  })
  await eventually(
    () =>
      fetch(`http://127.0.0.1:${front}/health`).then(
        ({ ok }) => ok,
        () => false,
      ),
    'nginx answers',
  )
  return front
}
