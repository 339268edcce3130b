// Alarms are verified by asking Debian's snmpd: agents in network namespaces, whose interfaces go down and up, are renamed and
// get other indexes; agents on loopback that are killed and start again.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { after, test } from 'node:test'
import { freePort } from '../free-port.ts'
import { until } from '../intake/sending.ts'
import { startService } from '../support.ts'
import { withoutTool } from '../tools.ts'
import { addDevice, addProfile, community, openAlarms, untilOpen } from './reach-world.ts'
import { Snmpd, userLines } from './snmpd.ts'

const ip = (...words: string[]) => spawnSync('ip', words, { stdio: 'ignore' }).status === 0

/** A machine of its own: a namespace with an agent and two ports, `p1` and `p2`, each with a cable to another one. */
class Machine {
  readonly name: string
  readonly host: string
  readonly #snmpd: Snmpd
  id = ''

  private constructor(name: string, host: string, snmpd: Snmpd) {
    this.name = name
    this.host = host
    this.#snmpd = snmpd
  }

  /** Undefined where namespaces cannot be made. */
  static start(number: number, port: number, lines: string): Machine | undefined {
    const name = `bv${process.pid}${number}`.slice(-13)
    if (!ip('netns', 'add', name)) return undefined
    after(() => ip('netns', 'delete', name))
    // Addresses that are reserved for tests of networks.
    const [outer, host] = [`198.18.${number}.1`, `198.18.${number}.2`]
    if (!ip('link', 'add', `${name}o`, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name))
      return undefined
    ip('address', 'add', `${outer}/30`, 'dev', `${name}o`)
    ip('link', 'set', `${name}o`, 'up')
    const machine = new Machine(
      name,
      host,
      new Snmpd(`${host}:${port}`, lines, ['ip', 'netns', 'exec', name]),
    )
    machine.ip('address', 'add', `${host}/30`, 'dev', 'eth0')
    for (const device of ['lo', 'eth0']) machine.ip('link', 'set', device, 'up')
    for (const device of ['p1', 'p2']) machine.plug(device)
    after(() => machine.#snmpd.stop('SIGKILL'))
    machine.#snmpd.start()
    return machine
  }

  ip(...words: string[]): void {
    assert(ip('-n', this.name, ...words), words.join(' '))
  }

  plug(device: string): void {
    this.ip('link', 'add', device, 'type', 'veth', 'peer', 'name', `${device}far`)
    this.switchBoth(device, 'up')
  }

  /** Both ends of its cable: each is a port. */
  switchBoth(device: string, how: 'down' | 'up'): void {
    for (const end of [device, `${device}far`]) this.ip('link', 'set', end, how)
  }

  /** As if the cable were pulled. */
  cut(device: string, how: 'down' | 'up'): void {
    this.ip('link', 'set', `${device}far`, how)
  }

  indexOf(device: string): number {
    const { stdout } = spawnSync('ip', ['-n', this.name, '-o', 'link', 'show', device], { encoding: 'utf8' })
    return Number.parseInt(stdout, 10)
  }

  async restart(): Promise<void> {
    await this.#snmpd.stop('SIGKILL')
    this.#snmpd.start()
  }
}

const lines = [`rocommunity "${community}"`, userLines('sha2', 'SHA-256', 'AES-256')].join('\n')
const versions = [
  { how: 'version 2c', more: {} },
  {
    how: 'version 3',
    more: {
      ...{ version: '3', userName: 'sha2', authAlgorithm: 'sha256', authPassword: 'authentication' },
      ...{ privAlgorithm: 'aes256', privPassword: 'private words', community: undefined },
    },
  },
]

for (const [at, { how, more }] of versions.entries())
  test(`snmpd, ${how}: what is alarmed is what is true`, withoutTool('snmpd', 'snmpd'), async (t) => {
    const port = await freePort()
    const machine = Machine.start(20 + at, port, lines)
    if (!machine) return t.skip('network namespaces cannot be made here')
    const service = await startService(
      { 'ask-seconds': '1', 'learn-seconds': '2', 'verify-seconds': '2' },
      { limits: { verifyQuietSeconds: 0, verifyAgainSeconds: 1 } },
    )
    await addProfile(service, port, `${machine.host}/32`, { timeoutSeconds: 10, tries: 3, ...more })
    await addDevice(service, machine)
    const seen = async () =>
      String((await service.database.all('select parts from seen_state'))[0]?.parts ?? '')
    const isGood = (name: string) =>
      until(`${name} was seen up`, async () => (await seen()).includes(`["${name}"]`))
    const open = async () => {
      const rows = await service.database.all(
        "select resource, alarm_desc from alarm where rec_status = 0 and event_name = 'linkDown' order by resource",
      )
      return rows.map((row) => String(row.resource))
    }
    const untilDown = (...devices: string[]) => {
      const expected = devices
        .map((device) => `ifIndex=${machine.indexOf(device)}`)
        .sort()
        .join()
      return until(`down: ${devices.join() || 'none'}`, async () => (await open()).sort().join() === expected)
    }
    await isGood('p1')
    await isGood('p2')
    machine.cut('p1', 'down')
    await untilDown('p1')
    machine.cut('p1', 'up')
    await untilDown()
    await isGood('p1')

    // A port that is switched off is no fault, and neither is one that was never up.
    machine.ip('link', 'add', 'p3', 'type', 'veth', 'peer', 'name', 'p3far')
    machine.ip('link', 'set', 'p3', 'up')
    machine.switchBoth('p2', 'down')
    machine.cut('p1', 'down')
    await untilDown('p1')
    machine.switchBoth('p2', 'up')

    // Another index and another name, with a restart of the agent: the alarm of the port goes where its name is.
    machine.ip('link', 'delete', 'p1')
    machine.plug('p1')
    machine.cut('p1', 'down')
    await service.database.transaction((tx) =>
      tx.run('update alarm set last_time = last_time - 600000 where rec_status = 0'),
    )
    await machine.restart()
    await untilDown('p1')
    machine.cut('p1', 'up')
    await untilDown()
    await isGood('p2')
    machine.switchBoth('p2', 'down')
    machine.ip('link', 'set', 'p2', 'name', 'uplink')
    for (const end of ['uplink', 'p2far']) machine.ip('link', 'set', end, 'up')
    assert.deepEqual(await open(), [])
    machine.ip('link', 'set', 'p2far', 'down')
    await untilDown('uplink')
    machine.ip('link', 'set', 'p2far', 'up')
    await untilDown()
    await untilOpen(service, [`deviceRestarted at ${machine.host}`])
    assert.deepEqual(await openAlarms(service), [`deviceRestarted at ${machine.host}`])
  })
