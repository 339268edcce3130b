// Traps as devices of many vendors send them, by the commands of net-snmp: each raises an alarm that can be read without
// knowing the module, and its end ends it. Nothing is loaded.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { withoutZero } from '../../src/resources/alarms/trap-event.ts'
import { until } from '../intake/sending.ts'
import { startService, temporaryFolder } from '../support.ts'
import { withoutTool } from '../tools.ts'

interface VendorTrap {
  readonly vendor: string
  readonly name: string
  readonly level: number
  readonly text: string
  /** The OID of the event, and its variables: OID, type and value, as the command takes them. */
  readonly fault: readonly string[]
  readonly end: readonly string[]
}

interface SentAlarm {
  readonly OID: string
  readonly alarmLevel: string
  readonly alarmDesc: string
  readonly recStatus: string
}

const traps: readonly VendorTrap[] = JSON.parse(
  readFileSync(new URL('vendor-traps.json', import.meta.url), 'utf8'),
)
const run = promisify(execFile)
const service = await startService()
const folder = temporaryFolder()

/** Version 1 has the enterprise and the number in place of the OID. */
async function send([oid = '', ...variables]: readonly string[], version: '1' | '2c'): Promise<void> {
  const words = variables.flatMap((one) => {
    const [name = '', type = '', ...value] = one.split(' ')
    return [name, type, value.join(' ')]
  })
  const [, enterprise = '', specific = ''] = /^(.*?)(?:\.0)?\.(\d+)$/.exec(oid) ?? []
  const head = version === '2c' ? ['', oid] : [enterprise, '127.0.0.1', '6', specific, '']
  const environment = { ...process.env, HOME: folder, SNMP_PERSISTENT_DIR: folder, MIBS: '' }
  const target = `127.0.0.1:${service.trapPort}`
  await run('snmptrap', ['-v', version, '-c', 'public', target, ...head, ...words], { env: environment })
}

/** The alarm of an event, in either spelling of its OID; `moduleDown` is the name of two. */
async function alarmOf(oid: string): Promise<SentAlarm | undefined> {
  const { text } = await service.get('/fault/alarm?size=1000', { Accept: 'application/json' })
  return (JSON.parse(text).alarm as SentAlarm[]).find(({ OID }) => withoutZero(OID) === withoutZero(oid))
}

test('there are at least sixty notifications of twenty vendors', () => {
  assert(traps.length * 2 >= 60)
  assert(new Set(traps.map(({ vendor }) => vendor)).size >= 20)
})

for (const [index, { vendor, name, level, text, fault, end }] of traps.entries()) {
  test(`${vendor}: ${name}`, withoutTool('snmptrap', 'snmp'), async () => {
    const version = index % 2 === 0 ? '2c' : '1'
    const [oid = ''] = fault
    await send(fault, version)
    await until('the fault raises an alarm', async () => (await alarmOf(oid)) !== undefined)
    const alarm = await alarmOf(oid)
    assert.deepEqual([alarm?.alarmLevel, alarm?.alarmDesc], [String(level), text])
    await send(end, version)
    await until('the end ends it', async () => (await alarmOf(oid))?.recStatus === '1')
  })
}
