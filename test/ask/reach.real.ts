// Reachability of Debian's snmpd: stopped, killed and started again, asked in versions 2c and 3.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { freePort } from '../free-port.ts'
import { startService } from '../support.ts'
import { withoutTool } from '../tools.ts'
import { addProfile, community, idFrom, openAlarms, reachOf, untilOpen, untilState } from './reach-world.ts'
import { Snmpd, userLines } from './snmpd.ts'

const user = (userName: string, authAlgorithm: string, privAlgorithm: string) => ({
  ...{ version: '3', userName, authAlgorithm, authPassword: 'authentication' },
  ...{ privAlgorithm, privPassword: 'private words', community: undefined },
})
const agents = [
  { host: '127.0.44.1', more: {} },
  { host: '127.0.44.2', more: user('sha1', 'sha1', 'aes128') },
  { host: '127.0.44.3', more: user('sha2', 'sha256', 'aes256') },
]

for (const { host, more } of agents) {
  const how = 'userName' in more ? `version 3 as ${more.userName}` : 'version 2c'
  test(`snmpd, ${how}: silent, killed, started again`, withoutTool('snmpd', 'snmpd'), async () => {
    const port = await freePort()
    const lines = [
      `rocommunity "${community}" 127.0.0.1`,
      userLines('sha1', 'SHA', 'AES'),
      userLines('sha2', 'SHA-256', 'AES-256'),
    ]
    const snmpd = new Snmpd(`${host}:${port}`, lines.join('\n'))
    after(() => snmpd.stop('SIGKILL'))
    snmpd.start()
    const service = await startService({ 'ask-seconds': '1' })
    await addProfile(service, port, `${host}/32`, more)
    const id = await idFrom(
      await service.sendJson('POST', '/plat/res/device', { ip: host, label: `at ${host}` }),
    )
    const device = { id, host }
    await untilState(service, device, 'answering')
    snmpd.signal('SIGSTOP')
    await untilState(service, device, 'unreachable')
    await untilOpen(service, [`deviceUnreachable at ${host}`])
    snmpd.signal('SIGCONT')
    await untilState(service, device, 'answering')
    await untilOpen(service, [])
    await snmpd.stop('SIGKILL')
    await untilState(service, device, 'refusing')
    await untilOpen(service, [`agentRefusing at ${host}`])
    assert.equal((await reachOf(service, id))?.reason, 'closed')
    snmpd.start()
    await untilState(service, device, 'answering')
    // Its trap has nowhere to go: the restart is told because its clock begins anew.
    await untilOpen(service, [`deviceRestarted at ${host}`])
    assert.deepEqual(await openAlarms(service), [`deviceRestarted at ${host}`])
  })
}
