// Definitions of four other programs, written for this test: imported, they raise and end alarms of real traps as the
// documents of those programs say.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { belfry } from '../cli/running.ts'
import { until } from '../intake/sending.ts'
import { startService, temporaryFolder } from '../support.ts'
import { withoutTool } from '../tools.ts'

interface SentAlarm {
  readonly OID: string
  readonly alarmLevel: string
  readonly alarmDesc: string
  readonly recStatus: string
}

const run = promisify(execFile)
const service = await startService()
const folder = temporaryFolder()
const data = ['--data', service.config.data]
const acme = '1.3.6.1.4.1.32473'
const files = fileURLToPath(new URL('foreign', import.meta.url))

async function send(oid: string, ...variables: readonly string[]): Promise<void> {
  const environment = { ...process.env, HOME: folder, SNMP_PERSISTENT_DIR: folder, MIBS: '' }
  const words = variables.flatMap((one) => {
    const [name = '', type = '', ...value] = one.split(' ')
    return [name, type, value.join(' ')]
  })
  const target = `127.0.0.1:${service.trapPort}`
  await run('snmptrap', ['-v', '2c', '-c', 'public', target, '', oid, ...words], { env: environment })
}

/** Level, whether it is ended, and text of every alarm of an event; what only ends others is left out. */
async function alarmsOf(oid: string): Promise<string[]> {
  const { text } = await service.get('/fault/alarm?size=1000&isReceoverFault=0', {
    Accept: 'application/json',
  })
  return (JSON.parse(text).alarm as SentAlarm[])
    .filter((one) => one.OID === oid)
    .map(
      ({ alarmLevel, alarmDesc, recStatus }) =>
        `${alarmLevel} ${recStatus === '1' ? 'ended' : 'open'} ${alarmDesc}`,
    )
    .sort()
}

async function become(oid: string, expected: readonly string[]): Promise<void> {
  await until(`${oid} has ${expected.join(' | ')}`, async () => {
    const found = await alarmsOf(oid)
    return found.join('\n') === expected.join('\n')
  }).catch(async () => assert.deepEqual(await alarmsOf(oid), expected))
}

const trapCount = async (oid: string) =>
  JSON.parse((await service.get(`/fault/trap?OID=${oid}`, { Accept: 'application/json' })).text).trap.length

async function staysStored(oid: string, ...variables: readonly string[]): Promise<void> {
  await send(oid, ...variables)
  await until('the trap is stored', async () => (await trapCount(oid)) > 0)
  assert.deepEqual(await alarmsOf(oid), [])
}

test('the files are imported, and what cannot be taken over is reported with its reason', async () => {
  const { code, stdout, stderr } = await belfry(['event', 'import', files, ...data])
  assert.equal(stderr, `${reported.join('\n')}\n`)
  assert.equal(
    stdout,
    '16 definitions made, 0 replaced, 0 kept as they are, 6 events of the files left out\n',
  )
  assert.equal(code, 1)
})

const noc = 'noc.json:1: Acme | Forest |'
const reported: readonly string[] = [
  `${noc} Link | Link Down (SNMP) left out: entry 6: its event class "Network | Link | Link Down", which says what it does, is not among the files`,
  `${noc} Chassis | Tree Fallen (SNMP) differs: entry 1: it was for devices of "^Acme\\.Forest$" only: a definition holds for all`,
  `${noc} Environment | Fire (SNMP) left out: entry 3: "^[12]$|^(?:burning|hot)$" is no list of values`,
  `${noc} Login (SYSLOG) left out: entry 7: it is about "^syslog$", not about traps`,
  'opennms.xml:76: anything left out: "1.3.6.1.4.1.32473.811.%" stands for several OIDs: a definition is of one',
  'snmptt.conf:10: lakePumpFailed differs: EXEC runs a program, which is not taken over: see routes and channels',
  'snmptt.conf:22: lakeAnything left out: ".1.3.6.1.4.1.32473.821.*" is not one OID in numbers: a definition is of one',
  'snmptt.conf:25: lakeHot left out: MATCH "$1: >40" is no list of values',
  'netdata.yaml:18: ACME-GATE-MIB::gateJammed differs: its text has alternatives, of which the first is taken',
  'snmptt.conf:10: lakePumpFailed differs: the resource is named by value1, which all its texts name',
]

test(
  'OpenNMS: alarm-type 2 ends the alarm that its clear-key names',
  withoutTool('snmptrap', 'snmp'),
  async () => {
    const [failed, restored] = [`${acme}.810.0.1`, `${acme}.810.0.2`]
    const port = (number: number) => `${acme}.810.9.1.0 i ${number}`
    const reason = `${acme}.810.9.2.0 i 2`
    await send(failed, port(4), reason)
    await send(failed, port(5), reason)
    const text = (number: number) => `Port ${number} of 127.0.0.1 failed, reason noLight`
    await become(failed, [`2 open ${text(4)}`, `2 open ${text(5)}`])
    await send(restored, reason, port(5))
    await become(failed, [`2 ended ${text(5)}`, `2 open ${text(4)}`])
    assert.deepEqual(await alarmsOf(restored), [])
  },
)

test(
  'OpenNMS: a mask with varbinds says by a value whether a fault begins or ends',
  withoutTool('snmptrap', 'snmp'),
  async () => {
    const fan = `${acme}.810.0.3`
    const sent = (number: number, state: number) =>
      send(fan, `${acme}.810.9.3.0 i ${number}`, `${acme}.810.9.4.0 i ${state}`)
    await sent(1, 2)
    await sent(2, 4)
    await sent(3, 9)
    await become(fan, ['1 open Fan 1 failed', '1 open Fan 2 failed'])
    await sent(1, 1)
    await become(fan, ['1 ended Fan 1 failed', '1 open Fan 2 failed'])
  },
)

test('OpenNMS: without alarm-data, an event makes no alarm', withoutTool('snmptrap', 'snmp'), async () => {
  await staysStored(`${acme}.810.0.4`, `${acme}.810.9.5.0 s me`)
})

test('SNMPTT: an event of its severity, with its text', withoutTool('snmptrap', 'snmp'), async () => {
  const leak = `${acme}.820.0.1`
  await send(leak, `${acme}.820.9.1.0 s shore`, `${acme}.820.9.2.0 i 70`)
  await become(leak, ['1 open Leak at shore of 127.0.0.1: 70 litres'])
  await staysStored(`${acme}.820.0.3`, `${acme}.820.9.3.0 i 1`)
})

test(
  'SNMPTT: MATCH chooses among events of one OID, and Normal ends the others',
  withoutTool('snmptrap', 'snmp'),
  async () => {
    const pump = `${acme}.820.0.2`
    const sent = (name: string, state: string) =>
      send(pump, `${acme}.820.9.4.0 s ${name}`, `${acme}.820.9.5.0 s ${state}`)
    await sent('north', 'failed')
    await sent('south', 'stopped')
    await sent('west', 'unknown')
    await become(pump, [
      '2 open Pump north failed (state failed)',
      '2 open Pump south failed (state stopped)',
    ])
    await sent('north', 'running')
    await become(pump, [
      '2 ended Pump north failed (state failed)',
      '2 open Pump south failed (state stopped)',
    ])
  },
)

test(
  'NOC: the event class says what ends what, the alarm class what names the resource',
  withoutTool('snmptrap', 'snmp'),
  async () => {
    const [fallen, raised] = [`${acme}.830.0.1`, `${acme}.830.0.2`]
    const tree = (name: string, row: number) => `${acme}.830.1.1.7 s tree ${name} in row ${row}`
    await send(fallen, tree('oak', 3))
    await send(fallen, tree('elm', 4))
    await become(fallen, ['2 open Tree elm fell in row 4', '2 open Tree oak fell in row 3'])
    await send(raised, tree('elm', 9))
    await become(fallen, ['2 ended Tree elm fell in row 4', '2 open Tree oak fell in row 3'])
  },
)

test(
  'NOC: rules of one trap differ by a value, and the row names the place',
  withoutTool('snmptrap', 'snmp'),
  async () => {
    const fire = `${acme}.830.0.4`
    await send(fire, `${acme}.830.2.1.12 s hot`)
    await send(fire, `${acme}.830.2.1.13 s burning`)
    await send(fire, `${acme}.830.2.1.14 s wet`)
    await become(fire, ['1 open Fire at 12', '1 open Fire at 13'])
    await send(fire, `${acme}.830.2.1.12 s cold`)
    await become(fire, ['1 ended Fire at 12', '1 open Fire at 13'])
  },
)

test(
  'Netdata: rules of the kind state say which trap clears which',
  withoutTool('snmptrap', 'snmp'),
  async () => {
    const [jammed, freed, changed] = [`${acme}.840.0.1`, `${acme}.840.0.2`, `${acme}.840.0.3`]
    const gate = (number: number) => `${acme}.840.1.1.${number} i ${number}`
    await send(jammed, gate(6), `${acme}.840.1.3.6 s ice`)
    await become(jammed, ['2 open Gate 6 on 127.0.0.1 is jammed: ice'])
    await send(freed, gate(7))
    await send(changed, gate(6), `${acme}.840.1.2.6 i 2`)
    await become(changed, ['4 open Gate 6 is stuck'])
    await become(jammed, ['2 open Gate 6 on 127.0.0.1 is jammed: ice'])
    await send(freed, gate(6))
    await send(changed, gate(6), `${acme}.840.1.2.6 i 3`)
    await become(jammed, ['2 ended Gate 6 on 127.0.0.1 is jammed: ice'])
    await become(changed, ['4 ended Gate 6 is stuck'])
  },
)

test('Netdata: other traps raise by their severity', withoutTool('snmptrap', 'snmp'), async () => {
  await send(`${acme}.840.0.4`)
  await become(`${acme}.840.0.4`, ['1 open ACME-GATE-MIB::gateBroken'])
  await staysStored(`${acme}.840.0.5`)
})
