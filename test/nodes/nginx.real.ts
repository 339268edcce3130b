// The site for nginx in front of two nodes: Digest, imports, and a node that stops.

import assert from 'node:assert/strict'
import { execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { freePort } from '../free-port.ts'
import { eventually } from '../push/station.ts'
import { temporaryFolder } from '../support.ts'
import { withoutTool } from '../tools.ts'
import { startNodes } from './several.ts'

const site = readFileSync(fileURLToPath(new URL('../../packaging/nginx.conf', import.meta.url)), 'utf8')
const password = 'correct horse staple 9'
const folder = temporaryFolder()
const certificate = join(folder, 'tls.crt')

/** The shipped site, with ports and files of this test. */
function configuration(port: number, nodes: readonly string[]): string {
  const servers = nodes.map((url) => `server ${new URL(url).host};`).join('\n')
  const own = site
    .replace('server 127.0.0.1:8080;', servers)
    .replace('listen 443 ssl;', `listen 127.0.0.1:${port} ssl;`)
    .replace('listen [::]:443 ssl;', '')
    .replace(/ssl_certificate \S+;/, `ssl_certificate ${certificate};`)
    .replace(/ssl_certificate_key \S+;/, `ssl_certificate_key ${join(folder, 'tls.key')};`)
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${join(folder, name)};`)
    .join(' ')
  return `daemon off; pid ${join(folder, 'pid')}; error_log ${join(folder, 'error.log')};
events {}
http { access_log off; ${places}
${own}
}`
}

async function startNginx(nodes: readonly string[]): Promise<number> {
  execFileSync(
    'openssl',
    ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'].concat(
      ['-subj', '/CN=nms.example.net', '-addext', 'subjectAltName=DNS:nms.example.net'],
      ['-keyout', join(folder, 'tls.key'), '-out', certificate],
    ),
    { stdio: 'ignore' },
  )
  const port = await freePort()
  mkdirSync(join(folder, 'logs'))
  writeFileSync(join(folder, 'nginx.conf'), configuration(port, nodes))
  const nginx = spawn('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf')], { stdio: 'inherit' })
  const ended = once(nginx, 'exit')
  after(async () => {
    nginx.kill('SIGTERM')
    await ended
  })
  return port
}

test(
  'nodes, nginx: Digest and imports pass, whichever node gets a request, and one node may stop',
  withoutTool('nginx', 'nginx'),
  async () => {
    const { services: nodes } = await startNodes(2, {
      'trusted-proxies': '127.0.0.1',
      'admin-password-file': passwordFile(),
    })
    const port = await startNginx(nodes.map(({ url }) => url))
    const address = `https://nms.example.net:${port}`
    const curl = async (path: string, ...more: string[]) => {
      const args = ['-sS', '--digest', '-u', `admin:${password}`, '--cacert', certificate, '--resolve']
      const how = [`nms.example.net:${port}:127.0.0.1`, '-w', '\n%{http_code}', ...more, `${address}${path}`]
      const { stdout } = await promisify(execFile)('curl', [...args, ...how], { encoding: 'utf8' })
      const end = stdout.lastIndexOf('\n')
      return { status: Number(stdout.slice(end + 1)), text: stdout.slice(0, end) }
    }
    await eventually(
      async () => (await curl('/health').catch(() => undefined))?.status === 200,
      'nginx answers',
    )

    for (let n = 0; n < 10; n += 1) assert.equal((await curl('/ram/zone?size=1')).status, 200, `GET ${n}`)
    for (let n = 0; n < 6; n += 1) {
      const body = [
        '-H',
        'Content-Type: application/json',
        '-d',
        JSON.stringify({ name: `Zone of request ${n}` }),
      ]
      assert.equal((await curl('/ram/zone', ...body)).status, 201, `POST ${n}`)
    }
    const rows = Array.from({ length: 4_000 }, (_, n) => `${n + 1000},Zone ${n},${'x'.repeat(300)}`)
    const file = join(folder, 'zone.csv')
    writeFileSync(file, `zoneId,name,description\n${rows.join('\n')}\n`)
    const imported = await curl(
      '/plat/data/zone',
      '-H',
      'Content-Type: text/csv',
      '--data-binary',
      `@${file}`,
    )
    assert.equal(imported.status, 200, imported.text)

    const [first] = nodes
    await first?.stop()
    for (let n = 0; n < 10; n += 1)
      assert.equal((await curl('/ram/zone?size=1')).status, 200, `GET ${n} with one node`)
  },
)

function passwordFile(): string {
  const file = join(folder, 'password')
  writeFileSync(file, `${password}\n`)
  return file
}
