// Debian's snmptrap and snmpinform with a wrong community, user, password and engine against the whole service: each is
// an alarm that says what to change, and ends with the next trap that is accepted.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { promisify } from 'node:util'
import { startService, temporaryFolder } from '../support.ts'
import { withoutTool } from '../tools.ts'
import { linkDown, until } from './sending.ts'

const run = promisify(execFile)
const folder = temporaryFolder()
const users = join(folder, 'users.json')
writeFileSync(
  users,
  JSON.stringify([
    {
      name: 'ops',
      auth: { algorithm: 'sha512', password: 'authentication password' },
      priv: { algorithm: 'aes256', password: 'privacy password' },
    },
  ]),
)
const service = await startService({ 'trap-users': users }, { limits: { refusalSeconds: 1 } })

async function send(tool: 'snmptrap' | 'snmpinform', options: string[], index = 1): Promise<void> {
  const env = { ...process.env, HOME: folder, SNMP_PERSISTENT_DIR: folder, MIBS: '' }
  const link = ['99', linkDown, `1.3.6.1.2.1.2.2.1.1.${index}`, 'i', String(index)]
  const sent = run(tool, [...options, `127.0.0.1:${service.trapPort}`, ...link], { env })
  // An inform that is refused is not answered.
  if (tool === 'snmpinform') await sent.catch(() => undefined)
  else await sent
}

const v3 = (user: string, auth: string, priv: string, level = 'authPriv') => [
  ...['-v', '3', '-l', level, '-u', user, '-a', 'SHA-512', '-A', auth, '-x', 'AES-256', '-X', priv],
  ...['-e', '0x8000000001020304'],
]
const [auth, priv] = ['authentication password', 'privacy password']

/** The texts of open alarms about refused senders. */
async function open(): Promise<string[]> {
  const { json } = await service.get('/fault/alarm?faultOid=1.3.6.1.4.1.32473.1.72&recStatus=0', {
    Accept: 'application/json',
  })
  const { alarm = [] } = json() as { alarm?: { alarmDesc: string } | { alarmDesc: string }[] }
  return [alarm].flat().map(({ alarmDesc }) => alarmDesc)
}

describe('a device whose traps are refused', { ...withoutTool('snmptrap', 'snmp'), timeout: 300_000 }, () => {
  const accepted = () => send('snmptrap', ['-v', '2c', '-c', 'public'])
  const cases: readonly [string, () => Promise<void>, RegExp][] = [
    ['community', () => send('snmptrap', ['-v', '2c', '-c', 'guess']), /none of those in trap-communities/],
    ['user', () => send('snmptrap', v3('nobody', auth, priv)), /the user "nobody" is not in the file/],
    [
      'security level',
      () => send('snmptrap', v3('ops', auth, priv, 'authNoPriv')),
      /the user "ops" sends at another security level/,
    ],
    [
      'auth password',
      () => send('snmptrap', v3('ops', 'another password', priv)),
      /auth password .* of the user "ops"/,
    ],
    [
      'priv password',
      () => send('snmptrap', v3('ops', auth, 'another password')),
      /priv password .* of the user "ops"/,
    ],
    [
      'engine',
      () => send('snmpinform', [...v3('ops', auth, priv), '-r', '0', '-t', '1']),
      /another SNMP engine than this service/,
    ],
  ]
  for (const [what, refuse, text] of cases) {
    test(`by its ${what}`, async () => {
      await accepted()
      await until('nothing is open', async () => (await open()).length === 0)
      await refuse()
      await until('it is an alarm', async () => (await open()).length === 1)
      const [found = ''] = await open()
      assert.match(found, text)
      assert.match(found, /^Traps of 127\.0\.0\.1 \(127\.0\.0\.1\) are refused: /)
      assert.doesNotMatch(found, /another password|guess/)
      await accepted()
      await until('it is over', async () => (await open()).length === 0)
    })
  }

  test('a proper inform of version 3, whose sender asks for the engine first, is no news', async () => {
    const options = v3('ops', auth, priv).slice(0, -2)
    await send('snmpinform', [...options, '-r', '0', '-t', '20'], 9)
    assert.deepEqual(await open(), [])
  })

  test('senders that nobody knows have one alarm together', async () => {
    for (const from of ['127.0.0.7', '127.0.0.8'])
      await send('snmptrap', ['-v', '2c', '-c', 'guess', `--clientaddr=${from}`])
    await until('it is an alarm', async () => (await open()).length > 0)
    const [text = '', ...more] = await open()
    assert.match(text, /^Traps of unknown senders, .* The last came from 127\.0\.0\.[78]: the community/)
    assert.deepEqual(more, [])
  })
})
