// Digest through nginx, which gives the requests of one caller to two nodes in turn: curl, and Python's requests.

import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { freePort } from '../free-port.ts'
import { digestHeader, guard, passwordOf } from '../http/credentials.ts'
import { eventually } from '../push/station.ts'
import { sendRequest, temporaryFolder } from '../support.ts'
import { pythonWith, withoutTool } from '../tools.ts'
import { startNodes } from './several.ts'

// The nodes run in this process, which must not wait for a program.
const run = promisify(execFile)
const nginx = withoutTool('nginx', 'nginx')
const python = pythonWith('requests', 'python3-requests')
const password = passwordOf('alice')

async function startBalanced() {
  const { services } = await startNodes(2, { 'trusted-proxies': '127.0.0.1' })
  const [a, b] = services.map(guard) as [ReturnType<typeof guard>, ReturnType<typeof guard>]
  const alice = { name: 'alice', role: 'administrator', password }
  assert.equal((await a.sendJson('POST', '/plat/operator', alice)).status, 201)
  const folder = temporaryFolder()
  // Its workers are another user where it is started by root.
  chmodSync(folder, 0o777)
  mkdirSync(join(folder, 'temp'), { mode: 0o777 })
  const port = await freePort()
  const log = join(folder, 'access.log')
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  const servers = [a, b].map(({ url }) => `server ${new URL(url).host};`)
  const settings = `daemon off; worker_processes 1; pid ${folder}/pid; error_log ${folder}/error.log;
    events { worker_connections 100; }
    http {
      ${paths.map((path) => `${path}_temp_path ${folder}/temp/${path};`).join(' ')}
      log_format turns '$upstream_addr $status';
      upstream nodes { ${servers.join(' ')} }
      server {
        listen 127.0.0.1:${port};
        access_log ${log} turns;
        location / {
          proxy_pass http://nodes;
          proxy_http_version 1.1;
          proxy_set_header Host $http_host;
          proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
          proxy_set_header X-Forwarded-Proto $scheme;
        }
      }
    }`
  writeFileSync(join(folder, 'nginx.conf'), settings)
  const child = spawn('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf')], { stdio: 'ignore' })
  after(async () => {
    if (child.exitCode !== null) return
    child.kill('SIGTERM')
    await once(child, 'exit')
  })
  const url = `http://127.0.0.1:${port}`
  await eventually(
    async () => (await sendRequest(url, 'GET', '/health', {}).catch(() => undefined))?.status === 200,
    'nginx passes requests on',
  )
  const turns = () =>
    readFileSync(log, 'utf8')
      .trim()
      .split('\n')
      .map((line) => line.split(' '))
  return { a, b, url, turns }
}

test('nodes, Digest through nginx in round robin: curl and requests are let in, and a captured request at no node', {
  skip: nginx.skip || python.skip,
}, async () => {
  const { a, b, url, turns } = await startBalanced()
  const before = turns().length
  const credentials = ['--digest', '-u', `alice:${password}`]
  const curl = async (...args: string[]) => {
    const quietly = ['-s', '-w', '%{http_code} ']
    return (await run('curl', [...quietly, ...credentials, ...args])).stdout.trim()
  }
  for (let round = 0; round < 14; round += 1)
    assert.equal(await curl('-o', '/dev/null', `${url}/ram/zone`), '200', `round ${round}`)
  const five = Array.from({ length: 5 }, () => ['-o', '/dev/null', `${url}/ram/zone`]).flat()
  assert.equal(await curl(...five), '200 200 200 200 200')
  const zone = ['-H', 'Content-Type: application/json', '-d', '{"name":"Lyon"}']
  assert.equal(await curl('-o', '/dev/null', ...zone, `${url}/ram/zone`), '201')

  const script = `
import sys, requests
from requests.auth import HTTPDigestAuth
session = requests.Session()
session.auth = HTTPDigestAuth('alice', sys.argv[2])
codes = [session.get(sys.argv[1] + '/ram/zone').status_code for _ in range(14)]
codes.append(session.post(sys.argv[1] + '/ram/zone', json={'name': 'Turin'}).status_code)
print(*codes)`
  const { stdout, stderr } = await run(python.program, ['-c', script, url, password])
  assert.equal(stdout.trim(), [...Array(14).fill(200), 201].join(' '), stderr)

  const passed = turns().slice(before)
  const well = passed.filter(([, status]) => status === '200').map(([node]) => node)
  for (const { url: node } of [a, b]) {
    assert.ok(well.filter((one) => one === new URL(node).host).length > 5, 'both nodes have let them in')
  }
  // Each command of curl asks once for each address, a session in Python once: no nonce was stale.
  const refused = passed.filter(([, status]) => status === '401').length
  assert.ok(refused <= 14 + 5 + 1 + 1, `${refused} times asked for the password`)

  const uri = '/ram/zone'
  const Authorization = digestHeader(await a.challenge(), { name: 'alice', uri })
  const repeat = (at: string) => sendRequest(at, 'GET', uri, { headers: { Authorization } })
  assert.equal((await repeat(url)).status, 200)
  for (const at of [a.url, b.url, url, url]) {
    const { status, headers } = await repeat(at)
    assert.equal(status, 401)
    assert.match(String(headers['www-authenticate']), /stale=true/)
  }
})
