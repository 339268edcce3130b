// The command of docs/security.md for an identity provider, as it is printed, with a real provider.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { clientSecret, enterAs, startProvider } from '../access/provider.ts'
import { serve, stop } from '../cli/running.ts'
import { Browser } from '../http/browsing.ts'
import { temporaryFolder } from '../support.ts'
import { commandsOf } from './document.ts'

const path = '/console/session/openid'

/** What a shell makes of the command. */
function argumentsOf(command: string): string[] {
  const script = `npx() { printf '%s\\0' "$@"; }\n${command}`
  // Without what the shell of whoever runs this is set up to do.
  const said = execFileSync('bash', ['-c', script], { encoding: 'utf8', env: {} })
  const [program, verb, ...args] = said.split('\0')
  assert.deepEqual([program, verb], ['belfry', 'serve'])
  return args.slice(0, -1)
}

test('security.md: people sign in through the provider, with the roles of their groups', async () => {
  const folder = temporaryFolder()
  const files = { secret: join(folder, 'secret'), password: join(folder, 'password') }
  writeFileSync(files.secret, clientSecret, { mode: 0o600 })
  writeFileSync(files.password, 'correct horse staple 9', { mode: 0o600 })
  const provider = await startProvider()
  const [command = ''] = commandsOf('docs/security.md', 'OpenID Connect')
  const args = argumentsOf(
    command
      .replace('https://login.example.net/realms/staff', provider.issuer)
      .replace('/etc/belfry/openid-secret', files.secret),
  )
  const at = args[args.indexOf('--public-url') + 1] ?? ''
  assert.equal(at, 'https://nms.example.net')
  provider.serve(`${at}/console/openid`)
  provider.people.set('u-1', { preferred_username: 'alice', groups: ['noc'] })
  provider.people.set('u-2', { preferred_username: 'boss', groups: ['admins', 'noc'] })
  provider.people.set('u-3', { preferred_username: 'guest', groups: [] })
  const data = join(folder, 'data')
  const service = await serve([...args, '--data', data, '--admin-password-file', files.password])
  for (const [who, role] of [
    ['u-1', 'operator'],
    ['u-2', 'administrator'],
    ['u-3', 'viewer'],
  ] as const) {
    const browser = new Browser(service.url, { Host: 'nms.example.net' })
    const own = { headers: { Origin: at } }
    const begun = await browser.ask('POST', path, own)
    assert.equal(begun.status, 200, begun.text)
    const query = await enterAs(String(begun.json().address), who)
    const came = await browser.json('PUT', path, { query }, { Origin: at })
    assert.equal(came.status, 201, came.text)
    assert.equal(came.json().role, role)
  }
  await stop(service)
})
