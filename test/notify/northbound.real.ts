// Notifications to net-snmp's snmptrapd, which prints them.

import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { freePort } from '../free-port.ts'
import { temporaryFolder } from '../support.ts'
import { withoutTool } from '../tools.ts'
import { makeGateway, message, run, sendTo, settled, until } from './real-programs.ts'

const versions = {
  'version 2c, a trap': { community: 'north' },
  'version 2c, an inform': { community: 'north', inform: true },
  'version 3, a trap': {
    version: '3',
    userName: 'north',
    authAlgorithm: 'sha256',
    privAlgorithm: 'aes128',
    authPassword: 'auth-password',
    privPassword: 'priv-password',
    engineId: '80007ed9050102030405060708',
  },
  'version 3, an inform': {
    version: '3',
    userName: 'north',
    authAlgorithm: 'sha256',
    privAlgorithm: 'aes128',
    authPassword: 'auth-password',
    privPassword: 'priv-password',
    inform: true,
  },
}

test('snmptrapd understands what is sent', withoutTool('snmptrapd', 'snmptrapd'), async (t) => {
  const port = await freePort()
  const folder = temporaryFolder()
  const file = join(folder, 'snmptrapd.conf')
  const user = 'north SHA-256 auth-password AES priv-password'
  writeFileSync(
    file,
    `authCommunity log north
createUser -e 0x80007ed9050102030405060708 ${user}
createUser ${user}
authUser log north
format2 %v\\n
`,
  )
  process.env.SNMP_PERSISTENT_DIR = folder
  const said = await run(
    'snmptrapd',
    ['-f', '-Lo', '-On', '-C', '-c', file, `udp:127.0.0.1:${port}`],
    /NET-SNMP|^/,
  )
  for (const [name, options] of Object.entries(versions)) {
    await t.test(name, async () => {
      const id = await makeGateway({ name, kind: 'snmp', host: '127.0.0.1', port, ...options })
      const title = `Title of ${name}`
      const result = await until(await settled(() => sendTo(id, 'desk', { ...message, title })))
      assert.equal(result.outcome, 'delivered', JSON.stringify(result))
      await until(() => (said().includes(title) ? true : undefined))
      assert.match(said(), /\.1\.3\.6\.1\.4\.1\.32473\.2\.0\.1/)
    })
  }
})

const modules = ['../../packaging/mibs', '../material/modules-npm'].map((path) =>
  fileURLToPath(new URL(path, import.meta.url)),
)

test(
  'with the module of the program, snmptrapd shows names',
  withoutTool('snmptrapd', 'snmptrapd'),
  async () => {
    const port = await freePort()
    const folder = temporaryFolder()
    const file = join(folder, 'snmptrapd.conf')
    writeFileSync(file, 'authCommunity log north\nformat2 %v\\n\n')
    process.env.SNMP_PERSISTENT_DIR = folder
    const said = await run(
      'snmptrapd',
      [
        ...['-f', '-Lo', '-C', '-c', file, '-M', modules.join(':'), '-m', 'BELFRY-NOTIFY-MIB'],
        `udp:127.0.0.1:${port}`,
      ],
      /NET-SNMP|^/,
    )
    const gateway = { name: 'Named', kind: 'snmp', host: '127.0.0.1', port, community: 'north', inform: true }
    const id = await makeGateway(gateway)
    const result = await until(
      await settled(() => sendTo(id, 'desk', { ...message, title: 'The bell is cracked' })),
    )
    assert.equal(result.outcome, 'delivered', JSON.stringify(result))
    await until(() => (/belfryChildren/.test(said()) ? true : undefined))
    assert.match(said(), /BELFRY-NOTIFY-MIB::belfryMessage/)
    assert.match(said(), /BELFRY-NOTIFY-MIB::belfryTitle\.0 = STRING: "?The bell is cracked"?/)
    assert.match(said(), /BELFRY-NOTIFY-MIB::belfryAddress\.0 = STRING: "?desk"?/)
  },
)
