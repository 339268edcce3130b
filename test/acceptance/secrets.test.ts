// Secrets everywhere, and everything that may go wrong with them: none appears in logs, answers, the audit log or
// metrics.

import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import { test } from 'node:test'
import { pino } from 'pino'
import { belfry } from '../cli/running.ts'
import { Authority, settingsOf } from '../http/certificates.ts'
import { eventually } from '../push/station.ts'
import { startService, temporaryFolder } from '../support.ts'
import { withoutTool } from '../tools.ts'

/** Texts that occur nowhere else. */
const secrets = {
  community: 'Zq-community-7391',
  strangeCommunity: 'Zq-stranger-5520',
  authentication: 'Zq-auth-phrase-1184',
  privacy: 'Zq-priv-phrase-6607',
  basic: 'Zq-basic-password-2043',
  digest: 'Zq-digest-response-3315',
  wrong: 'Zq-wrong-password-8806',
}

/** Every kind of credential, good or bad. */
const credentials = (token: string) => [
  `Basic ${base64(`admin:${secrets.basic}`)}`,
  `Basic ${base64(`admin:${secrets.wrong}`)}`,
  `Bearer ${token}`,
  `Bearer bfy_${secrets.wrong}`,
  `Digest username="admin", realm="Belfry", nonce="x", uri="/", response="${secrets.digest}"`,
  `Basic ${secrets.basic}`,
  token,
]

const base64 = (text: string) => Buffer.from(text).toString('base64')

/** The texts that would reveal a secret: itself, and its encoded forms. */
const signs = (key: string, token: string): string[] => [
  token,
  ...Object.values(secrets).flatMap((secret) => [
    secret,
    base64(secret),
    Buffer.from(secret).toString('hex'),
  ]),
  base64(`admin:${secrets.basic}`),
  ...key.split('\n').filter((line) => line.length > 20 && !line.startsWith('-----')),
]

test('no secret is disclosed', withoutTool('openssl', 'openssl'), async () => {
  const lines: string[] = []
  const log = pino({ level: 'trace' }, { write: (line: string) => lines.push(line) })
  const pair = new Authority().issue()
  const folder = temporaryFolder()
  const users = join(folder, 'users.json')
  const user = {
    name: 'nms',
    auth: { algorithm: 'sha256', password: secrets.authentication },
    priv: { algorithm: 'aes128', password: secrets.privacy },
  }
  writeFileSync(users, JSON.stringify([user]))
  const admin = join(folder, 'admin')
  writeFileSync(admin, secrets.basic, { mode: 0o600 })
  const service = await startService(
    {
      ...settingsOf(pair),
      'admin-password-file': admin,
      'trap-communities': secrets.community,
      'trap-users': users,
      'log-level': 'trace',
    },
    { log },
  )
  const reported: string[] = []
  const known = { Authorization: credentials('')[0] ?? '' }
  const plainly = (method: string, path: string, headers: Record<string, string>, body?: string) => {
    const { hostname, port } = new URL(service.url)
    const options = {
      hostname,
      port,
      method,
      path,
      headers,
      rejectUnauthorized: false,
      agent: false as const,
    }
    return new Promise<string>((resolve, reject) => {
      const asked = request(options, (response) => {
        let text = JSON.stringify(response.rawHeaders)
        response.setEncoding('utf8').on('data', (piece) => {
          text += piece
        })
        response.on('end', () => resolve(text)).on('error', reject)
      })
      asked.on('error', reject).end(body)
    })
  }

  const ask = async (...asked: Parameters<typeof plainly>) => {
    reported.push(await plainly(...asked))
  }
  // The one answer that contains a token is the one that makes it.
  const made = await plainly('POST', '/plat/token', known, '<token><operatorId>1</operatorId></token>')
  const token = /<token>(bfy_[\w-]+)</.exec(made)?.[1] ?? assert.fail(made)
  const operator = (password: string) =>
    `<operator><name>anna</name><role>viewer</role><password>${password}</password></operator>`
  for (const password of [secrets.wrong, 'x', secrets.digest, secrets.digest])
    await ask('POST', '/plat/operator', known, operator(password))

  for (const authorization of credentials(token)) {
    const headers = { Authorization: authorization, Cookie: `session=${secrets.wrong}` }
    await ask('GET', '/ram/zone', headers)
    await ask('GET', '/nowhere', headers)
    await ask('POST', '/ram/zone', headers, '<zone><name>')
    await ask('POST', '/ram/zone', headers, '<zone><name>Zone</name></zone>')
    await ask('PUT', '/fault/alarm/acknowledge/1', headers)
    await ask('GET', '/ram/zone?size=x', { ...headers, Accept: 'text/html' })
  }

  const [host, port] = ['127.0.0.1', String(service.trapPort)]
  const send = (...args: string[]) => belfry(['trap', 'coldStart', '--to', `${host}:${port}`, ...args])
  const commands = [
    await send('--community', secrets.community),
    await send('--community', secrets.strangeCommunity),
  ]
  for (const { stdout, stderr } of commands) reported.push(stdout, stderr)

  // A bug: the store fails under a request that carries credentials.
  await service.database.transaction((tx) => tx.run('drop table zone'))
  await ask('GET', '/ram/zone/1', known)
  await eventually(() => lines.some((line) => line.includes('a request failed')), 'the bug is logged')

  // What the service keeps and shows.
  for (const path of [
    '/plat/data/audit',
    '/metrics',
    '/fault/trap?size=100',
    '/fault/trapLedger',
    '/events/registrations',
  ])
    await ask('GET', path, known)

  // Files that cannot be used are reported by name alone.
  const broken = join(folder, 'broken.json')
  writeFileSync(broken, JSON.stringify([user]).slice(0, -3))
  const flags = ['--listen', '127.0.0.1:0', '--traps', '127.0.0.1:0', '--data', temporaryFolder()]
  for (const args of [
    ['--trap-users', broken],
    ['--tls-certificate', pair.key, '--tls-key', pair.key],
    ['--tls-certificate', pair.certificate, '--tls-key', users],
  ]) {
    const ended = await belfry(['serve', ...flags, ...args])
    assert.notEqual(ended.code, 0)
    reported.push(ended.stdout, ended.stderr)
  }

  const everything = { 'an answer or a command': reported.join('\n'), 'the log': lines.join('\n') }
  assert.ok(everything['the log'].length > 1000 && reported.length > 30)
  for (const [place, text] of Object.entries(everything)) {
    for (const sign of signs(readFileSync(pair.key, 'utf8'), token)) {
      const at = text.indexOf(sign)
      assert.equal(at, -1, `${place} contains ${sign}: …${text.slice(Math.max(0, at - 200), at + 60)}`)
    }
  }
})
