// Debian's snmptrap and snmpinform against the whole service: what they send is an alarm, or refused with its reason.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { promisify } from 'node:util'
import { values } from '../http/reading.ts'
import { startService, temporaryFolder } from '../support.ts'
import { withoutTool } from '../tools.ts'
import { ledger, linkDown, sum, until } from './sending.ts'

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
const service = await startService({ 'trap-users': users })
const target = `127.0.0.1:${service.trapPort}`
const raised = 'raised no such alarm was open'

const secure = (user = 'ops', password = 'authentication password') => [
  ...['-v', '3', '-l', 'authPriv', '-u', user, '-a', 'SHA-512', '-A', password],
  ...['-x', 'AES-256', '-X', 'privacy password'],
]
const link = (index: number) => ['99', linkDown, `1.3.6.1.2.1.2.2.1.1.${index}`, 'i', String(index)]

/** Runs a tool; returns what the ledger gained, of the lines that are not part of a discovery. */
async function send(tool: 'snmptrap' | 'snmpinform', options: string[], parameters: string[]) {
  const before = await ledger(service)
  const patience = tool === 'snmpinform' ? ['-r', '0', '-t', '20'] : []
  const env = { ...process.env, HOME: folder, SNMP_PERSISTENT_DIR: folder, MIBS: '' }
  await run(tool, [...options, ...patience, target, ...parameters], { env })
  await until('it is processed', async () => sum(await ledger(service)) > sum(before))
  const after = Object.entries(await ledger(service))
  return after
    .filter(([line, n]) => n > (before[line] ?? 0) && !/unknown-engine/.test(line))
    .map(([line]) => line)
}

describe('the tools of net-snmp', { ...withoutTool('snmptrap', 'snmp'), timeout: 300_000 }, () => {
  test('traps of version 1, 2c and 3 become alarms', async () => {
    const v1 = ['1.3.6.1.4.1.8072', '10.1.2.3', '2', '0', '99', '1.3.6.1.2.1.2.2.1.1.1', 'i', '1']
    assert.deepEqual(await send('snmptrap', ['-v', '1', '-c', 'public'], v1), [raised])
    assert.deepEqual(await send('snmptrap', ['-v', '2c', '-c', 'public'], link(2)), [raised])
    assert.deepEqual(await send('snmptrap', [...secure(), '-e', '0x8000000001020304'], link(3)), [raised])
    const { text } = await service.get(`/fault/alarm?faultOid=${linkDown}`)
    assert.deepEqual(values(text, 'deviceIp'), ['10.1.2.3', '127.0.0.1', '127.0.0.1'])
    assert.deepEqual(values(text, 'paras'), ['*ifIndex=1', '*ifIndex=2', '*ifIndex=3'])
  })

  test('informs of version 2c and 3 are satisfied with their answer', async () => {
    assert.deepEqual(await send('snmpinform', ['-v', '2c', '-c', 'public'], link(4)), [raised])
    assert.ok((await send('snmpinform', secure(), link(5))).includes(raised))
  })

  test('a wrong community, user or key is refused with its reason', async () => {
    const engine = ['-e', '0x8000000001020304']
    assert.deepEqual(await send('snmptrap', ['-v', '2c', '-c', 'guess'], link(6)), ['refused community'])
    assert.deepEqual(await send('snmptrap', [...secure('nobody'), ...engine], link(6)), [
      'refused unknown-user',
    ])
    const wrongKey = [...secure('ops', 'not the password'), ...engine]
    assert.deepEqual(await send('snmptrap', wrongKey, link(6)), ['refused wrong-digest'])
  })
})
