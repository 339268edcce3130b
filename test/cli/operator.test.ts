import assert from 'node:assert/strict'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { runCommand } from '../../src/cli/command.ts'
import { operator } from '../../src/cli/commands/operator-command.ts'
import { Fault } from '../../src/fault.ts'
import { challengeOf, digestHeader } from '../http/credentials.ts'
import { sendRequest, startService, temporaryFolder } from '../support.ts'
import { belfry, fail, succeed } from './here.ts'
import { serve, stop } from './running.ts'

const folder = temporaryFolder()
const password = 'correct horse staple'

function file(name: string, content: string): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

const first = file('first', `${password}\n`)

const login = async (url: string, name: string, given = password) => {
  const challenge = challengeOf(await sendRequest(url, 'GET', '/', {}))
  const header = digestHeader(challenge, { name, password: given, uri: '/plat/operator/self' })
  return (await sendRequest(url, 'GET', '/plat/operator/self', { headers: { Authorization: header } })).status
}

test('operators are made and listed without a service, and are there when one starts', async () => {
  const data = temporaryFolder()
  const on = ['--data', data]
  assert.match(await fail(2, ['operator', 'list', ...on]), /there is no store in/)
  assert.equal(readdirSync(data).length, 0, 'a question makes no store')
  const refused = await belfry([
    'operator',
    'add',
    'bob',
    '--role',
    'viewer',
    '--password-file',
    first,
    ...on,
  ])
  assert.match(refused.stderr, /^belfry: [^\n]*the first operator must be an enabled administrator[^\n]*\n$/)
  assert.equal(readdirSync(data).length, 0, 'nor does an operator who was refused')
  await succeed(['operator', 'add', 'alice', '--role', 'administrator', '--password-file', first, ...on])
  const service = await serve(on)
  assert.equal(await login(service.url, 'alice'), 200)
  // While the service runs, and without credentials: the user who can open the data folder needs none.
  await succeed([
    'operator',
    'add',
    'bob',
    '--role',
    'viewer',
    '--password-file',
    first,
    '--no-digest',
    ...on,
  ])
  const { stdout } = await succeed(['operator', 'list', ...on])
  assert.match(
    stdout,
    /^alice {2}administrator {2}enabled {2}Digest {5}\d{4}-.*\nbob {4}viewer {9}enabled {2}no Digest {2}never/,
  )
  const second = file('second', 'another horse staple')
  const tokens = async () => (await succeed(['operator', 'tokens', ...on])).stdout
  await succeed(['operator', 'token', 'alice', '--scope', 'viewer,backup', ...on])
  await succeed(['operator', 'passwd', 'alice', '--password-file', first, '--keep-tokens', ...on])
  assert.match(await tokens(), /alice {2}viewer,backup {2}until /)
  await succeed(['operator', 'passwd', 'alice', '--password-file', second, ...on])
  assert.equal(await tokens(), '')
  assert.equal(await login(service.url, 'alice'), 401)
  assert.equal(await login(service.url, 'alice', 'another horse staple'), 200)
  await succeed(['operator', 'remove', 'bob', ...on])
  assert.match(await fail(2, ['operator', 'remove', 'alice', ...on]), /last enabled administrator/)
  await stop(service)
})

test('commands work beside a service that asks for credentials; a token opens it to others', async () => {
  const data = temporaryFolder()
  const on = ['--data', data]
  const service = await serve([...on, '--admin-password-file', first])
  await succeed(['load', file('zone.csv', 'name\nNorth\n'), ...on])
  assert.match((await succeed(['export', 'zone', ...on])).stdout, /North/)
  const { stdout, stderr } = await succeed([
    'operator',
    'token',
    'admin',
    '--scope',
    'events',
    '--days',
    '7',
    ...on,
  ])
  assert.match(stdout, /^bfy_[\w-]{43}\n$/)
  assert.match(stderr, /scope events, good for 7 days/)
  const token = stdout.trim()
  const listed = await succeed(['operator', 'tokens', ...on])
  assert.match(listed.stdout, /^1 {2}bfy_\S{8}… {2}admin {2}events {2}until /)
  assert.ok(!listed.stdout.includes(token))
  const king = await fail(2, ['operator', 'token', 'admin', '--scope', 'king', ...on])
  assert.match(king, /scope: "king" is not accepted: expected one or more of events,/)
  const tail = ['tail', '--url', service.url, '--count', '1', '--snapshot']
  const secure = ['tail', '--url', service.url.replace('http:', 'https:')]
  assert.match(await fail(1, secure), /cannot be reached: it does not speak TLS/)
  assert.match(await fail(1, tail), /credentials are needed/)
  const alarm = { OID: '1.3.6.1.4.1.32473.9.1', alarmLevel: 1, alarmDesc: 'Smoke' }
  const challenge = challengeOf(await sendRequest(service.url, 'GET', '/', {}))
  const raise = { name: 'admin', password, method: 'POST', uri: '/fault/alarm' }
  const headers = { Authorization: digestHeader(challenge, raise), 'Content-Type': 'application/json' }
  await sendRequest(service.url, 'POST', '/fault/alarm', { headers, body: JSON.stringify(alarm) })
  for (const [more, env] of [
    [['--token-file', file('token', `${token}\n`)], {}],
    [[], { BELFRY_USER: 'admin', BELFRY_PASSWORD: password }],
  ] as const) {
    assert.match((await succeed([...tail, ...more], { env })).stdout, /Smoke/)
  }
  assert.match((await succeed(['tail', '--count', '1', '--snapshot', ...on])).stdout, /Smoke/)
  await succeed(['operator', 'revoke', '1', ...on])
  assert.match(await fail(1, tail.concat('--token-file', join(folder, 'token'))), /the token is not known/)
  await stop(service)
})

test('a password comes from standard input, and must come', async () => {
  const data = temporaryFolder()
  const asked = ['operator', 'add', 'alice', '--role', 'administrator', '--data', data]
  assert.match(await fail(2, asked), /no password on standard input/)
  assert.equal(readdirSync(data).length, 0, 'no store was made for it')
})

test('wrong arguments are reported in one sentence', async () => {
  const data = temporaryFolder()
  await (await startService({ data, store: '' })).stop()
  const on = ['--data', data]
  for (const [args, reported] of [
    [[], /^say what is to be done: expected add, list/],
    [['make'], /^"make" is not known/],
    [['add'], /^expected belfry operator add NAME$/],
    [['add', 'a', 'b'], /^expected belfry operator add NAME$/],
    [['list', 'a'], /^expected belfry operator list$/],
    [['add', 'alice'], /^--role is missing: expected viewer, operator, administrator$/],
    [['add', 'alice', '--role', 'king'], /^--role "king" is not known/],
    [
      ['add', 'a', '--role', 'viewer', '--password-file', '/nowhere'],
      /^--password-file: \/nowhere cannot be read/,
    ],
    [['passwd', 'bob'], /^there is no operator "bob"$/],
    [['revoke', 'x'], /^"x" is not the id of a token$/],
  ] as const) {
    await assert.rejects(runCommand(operator, [...args, ...on], {}), (error) => {
      assert(error instanceof Fault)
      assert.match(error.message, reported)
      return true
    })
  }
})
