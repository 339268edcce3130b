// From a trap to a definition: proposals for stored traps, tests of definitions, and alarms that are relabelled.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { device as sender, until, v2c } from '../intake/sending.ts'
import { startService } from '../support.ts'
import { listeningTo } from './listening.ts'
import { refused } from './reading.ts'

const service = await startService()
const device = await sender(service.trapPort)
const vendor = '1.3.6.1.4.1.32473'
type Row = Record<string, string> & { recovers?: readonly string[]; alarm?: readonly string[] }
const json = async (where: string) =>
  (await service.get(where, { Accept: 'application/json' })).json() as Record<string, Row[]>
const text = (oid: string, value: string) => ({ oid, type: 'OctetString' as const, value, hex: false })

/** Sends a trap; returns the id under which it is stored. */
async function sent(oid: string, variables: Parameters<typeof v2c>[1], more = {}): Promise<string> {
  const list = async () => (await json('/fault/trap?desc=true&size=1')).trap ?? []
  const before = (await list())[0]?.id
  await device.send(v2c(oid, variables, more))
  await until('it is stored', async () => (await list())[0]?.id !== before)
  return (await list())[0]?.id ?? ''
}

const alarmsOf = async (oid: string, query = '') =>
  (await json(`/fault/alarm?faultOid=${oid}&isReceoverFault=0&orderBy=id${query}`)).alarm ?? []

test('a trap that nothing describes: its row is the key, and its severity variable says what it does', async () => {
  const oid = `${vendor}.61.0.4`
  const row = [text(`${vendor}.61.1.1.2.17`, 'rack 4'), text(`${vendor}.61.1.1.3.17`, 'Major')]
  const id = await sent(oid, row, { requestId: 2 })
  const [proposal, ...more] = (await json(`/fault/trap/${id}/event`)).trapProposal ?? []
  assert.ok(proposal && more.length === 0)
  const { basis, confidence, reason = '', ...definition } = proposal
  assert.deepEqual([basis, confidence], ['trap', 'low'])
  assert.match(reason, /no module .* is loaded.*named by the row.*severity is in value2/)
  assert.equal(definition.alarmDesc, `${definition.name} at {deviceName}: value1 {value1}, value2 {value2}`)
  // What it proposes, tried on the trap and on two that were never sent, and then saved.
  const other = (severity: string, instance: number) => ({
    OID: oid,
    sourceIp: '127.0.0.1',
    variables: [
      { oid: `${vendor}.61.1.1.2.${instance}`, value: 'rack' },
      { oid: `${vendor}.61.1.1.3.${instance}`, value: severity },
    ],
  })
  const asked = {
    trapEvent: [definition],
    trap: [other('CLEARED', 18), other('critical', 18), other('cleared', 18)],
    trapId: [id],
  }
  const tested = await service.sendJson('POST', '/fault/trapEvent/test', asked)
  assert.equal(tested.status, 200, tested.text)
  const { testedTrap = [] } = tested.json() as Record<string, Row[]>
  assert.deepEqual(
    testedTrap.map((one) => [one.trapId, one.outcome, one.alarmLevel, one.resource, one.alarm]),
    [
      [id, 'raises', '2', 'row=17', []],
      ['0', 'ends nothing', '5', 'row=18', []],
      ['0', 'raises', '1', 'row=18', []],
      ['0', 'ends', '5', 'row=18', ['3']],
    ],
  )
  assert.equal(testedTrap[0]?.alarmDesc, `${definition.name} at 127.0.0.1: value1 rack 4, value2 Major`)
  const { trapEvent } = await json(`/fault/trapEvent?eventOid=${oid}`)
  assert.deepEqual(trapEvent, [], 'nothing was saved')
  const made = await service.sendJson('POST', '/fault/trapEvent', definition)
  assert.equal(made.status, 201, made.text)
  const next = [text(`${vendor}.61.1.1.2.19`, 'rack 5'), text(`${vendor}.61.1.1.3.19`, 'minor')]
  await sent(oid, next, { requestId: 3 })
  assert.deepEqual(
    (await alarmsOf(oid)).map(({ alarmLevel, resource }) => [alarmLevel, resource ?? '']),
    [
      ['5', ''],
      ['3', 'row=19'],
    ],
  )
  const again = await json(`/fault/trap/${id}/event`)
  assert.equal(again.trapProposal?.[0]?.basis, 'definition')
})

test('a trap of the catalogue, and one of a loaded module with its end', async () => {
  // upsOnBattery of APC, which nobody has loaded anything for.
  const shipped = '1.3.6.1.4.1.318.0.5'
  const id = await sent(shipped, [], { requestId: 4 })
  assert.equal(
    (await json(`/fault/trap/${id}/event`)).trapProposal?.[0]?.basis,
    'definition',
    'its trap kept it',
  )
  const module = `ACME-GATE-MIB DEFINITIONS ::= BEGIN
IMPORTS MODULE-IDENTITY, NOTIFICATION-TYPE, OBJECT-TYPE, Integer32, enterprises FROM SNMPv2-SMI;
acmeGate MODULE-IDENTITY LAST-UPDATED "202601010000Z" ORGANIZATION "x" CONTACT-INFO "x" DESCRIPTION "x"
  ::= { enterprises 32473 62 }
gateIndex OBJECT-TYPE SYNTAX Integer32 MAX-ACCESS accessible-for-notify STATUS current DESCRIPTION "x" ::= { acmeGate 1 }
acmeGateEvents OBJECT IDENTIFIER ::= { acmeGate 0 }
gateFailed NOTIFICATION-TYPE OBJECTS { gateIndex } STATUS current DESCRIPTION "A gate has failed." ::= { acmeGateEvents 1 }
gateRestored NOTIFICATION-TYPE OBJECTS { gateIndex } STATUS current DESCRIPTION "A gate works again." ::= { acmeGateEvents 2 }
END`
  const headers = { 'Content-Type': 'text/plain' }
  const loaded = await service.ask('POST', '/fault/mibModule?file=gate.mib', { body: module, headers })
  assert.equal(loaded.status, 200, loaded.text)
  const gate = await sent(`${vendor}.62.0.1`, [text(`${vendor}.62.1.0`, '3')], { requestId: 5 })
  const { trapProposal = [] } = await json(`/fault/trap/${gate}/event`)
  assert.deepEqual(
    trapProposal.map(({ basis, name, recovers }) => [basis, name, recovers]),
    [
      ['module', 'gateFailed', []],
      ['module', 'gateRestored', [`${vendor}.62.0.1`]],
    ],
  )
})

test('a test names what it lacks, and takes no more than it can', async () => {
  const tried = (body: object) => service.sendJson('POST', '/fault/trapEvent/test', body)
  refused(await tried({ trapId: ['999999'] }), 400)
  assert.match((await tried({ trapId: ['999999'] })).text, /trap 999999 is not stored/)
  refused(await tried({ newest: 1001 }), 400)
  const many = Array.from({ length: 1001 }, () => ({ OID: `${vendor}.1` }))
  assert.match((await tried({ trap: many })).text, /1001 are too many: expected 1000 at most/)
  const wrong = { eventOid: `${vendor}.1`, name: 'x', alarmLevel: 1, alarmCategory: 1 }
  const state = [{ parameter: 'none', values: '1', handling: 2 }]
  assert.match((await tried({ trapEvent: [{ ...wrong, state }] })).text, /none.* is not a parameter/)
  assert.equal(((await tried({ newest: 1 })).json() as Record<string, Row[]>).testedTrap?.length, 1)
})

test('open alarms without a definition are relabelled: they end, and are raised anew with their past', async () => {
  const oid = `${vendor}.63.0.1`
  const fan = (index: number, requestId: number) =>
    sent(oid, [text(`${vendor}.63.1.${index}`, 'broken')], { requestId })
  await fan(7, 6)
  await fan(7, 7)
  const [before] = await alarmsOf(oid)
  assert.deepEqual([before?.alarmLevel, before?.repeats], ['5', '2'])
  await service.sendJson('PUT', `/fault/alarm/acknowledge/${before?.id}`, { note: 'seen by me' })
  const definition = {
    ...{ eventOid: oid, name: 'fanBroken', alarmLevel: 2, alarmCategory: 5 },
    alarmDesc: 'Fan {fan} is broken',
    parameter: [{ oid: `${vendor}.63.1`, name: 'fan', isKey: true, fromIndex: true }],
  }
  const made = await service.sendJson('POST', '/fault/trapEvent', definition)
  const id = String(made.headers.location).split('/').at(-1)
  const reader = await listeningTo(service).listen()
  const relabel = () =>
    service.ask('PUT', `/fault/trapEvent/relabel/${id}`, { headers: { Accept: 'application/json' } })
  assert.deepEqual((await relabel()).json(), { raised: '1', ended: '0', left: '0' })
  const [old, now] = await alarmsOf(oid)
  assert.deepEqual([old?.id, old?.recStatus], [before?.id, '1'])
  const fields = ['alarmLevel', 'alarmDesc', 'resource', 'repeats', 'faultTime', 'ackStatus', 'recStatus']
  assert.deepEqual(
    fields.map((field) => now?.[field]),
    ['2', 'Fan 7 is broken', 'fan=7', '2', before?.faultTime, '1', '0'],
  )
  const pushed = await reader.take(2)
  assert.match(pushed[0] ?? '', new RegExp(`<recoverFaultIdList>.*${before?.id}`, 's'))
  assert.match(pushed[1] ?? '', /Fan 7 is broken/)
  reader.close()
  const { audit = [] } = await json('/plat/audit?action=relabel')
  assert.deepEqual(
    audit.map(({ resource, resourceId }) => [resource, resourceId]),
    [['alarm', before?.id]],
  )
  assert.deepEqual((await relabel()).json(), { raised: '0', ended: '0', left: '0' }, 'once')
  const [unknown] = await service.database.all('select count(*) as n from unknown_alarm where alarm_id = ?', [
    BigInt(before?.id ?? 0),
  ])
  assert.equal(unknown?.n, 0n, 'it no longer counts as unknown')
  refused(await service.ask('PUT', '/fault/trapEvent/relabel/999999'), 404)
})

test('relabelling ends what the definition only stores', async () => {
  const oid = `${vendor}.64.0.1`
  await sent(oid, [], { requestId: 8 })
  const made = await service.sendJson('POST', '/fault/trapEvent', {
    ...{ eventOid: oid, name: 'chatter', alarmLevel: 5, alarmCategory: 15, handling: 0 },
  })
  const id = String(made.headers.location).split('/').at(-1)
  const { text: answer } = await service.ask('PUT', `/fault/trapEvent/relabel/${id}`)
  assert.match(answer, /<raised>0<\/raised>\s*<ended>1<\/ended>/)
  assert.deepEqual(
    (await alarmsOf(oid)).map(({ recStatus }) => recStatus),
    ['1'],
  )
})
