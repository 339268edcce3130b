// Modules are loaded, replaced and removed while traps arrive: none is lost, and each has one definition.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { counted, device, ifIndex, linkDown, until, v2c } from '../intake/sending.ts'
import { smi, tower } from '../mibs/modules.ts'
import { startService } from '../support.ts'

const service = await startService()
const path = '/fault/mibModule'
const acme = '1.3.6.1.4.1.32473'
const bellFailed = `${acme}.700.1.0.1`

const bellName = (bell: number) => ({
  oid: `${acme}.700.1.1.10.1.2.${bell}`,
  type: 'OctetString' as const,
  value: `bell ${bell}`,
  hex: false,
})

/** Larger than what is built before the next traps are read. */
const large = [
  'LARGE-MIB DEFINITIONS ::= BEGIN',
  ...Array.from({ length: 6000 }, (_, n) => `big${n} OBJECT-TYPE SYNTAX INTEGER ::= { iso 93 ${n + 1} }`),
  'END',
].join('\n')

async function load(body: string): Promise<void> {
  const answer = await service.ask('POST', path, { body, headers: { 'Content-Type': 'text/plain' } })
  assert.equal(answer.status, 200, answer.text)
}

async function remove(name: string): Promise<void> {
  const answer = await service.ask('DELETE', `${path}/${name}`)
  assert.equal(answer.status, 204, answer.text)
}

async function rows<Row>(kind: 'trap' | 'alarm'): Promise<Row[]> {
  const answer = await service.get(`/fault/${kind}?size=100000`, { Accept: 'application/json' })
  return answer.json()[kind] as Row[]
}

test('every trap is answered, counted once, and has one definition', async () => {
  const bell = await device(service.trapPort)
  let over = false
  let sent = 0
  const sending = (async () => {
    while (!over) {
      sent += 1
      const oid = sent % 2 === 0 ? linkDown : bellFailed
      const variables = sent % 2 === 0 ? [ifIndex(sent)] : [bellName(sent)]
      await bell.send(v2c(oid, variables, { inform: true, requestId: sent, uptime: sent }))
      // Not faster than they are answered: what the socket cannot hold would be lost by the system.
      await until('answers keep up', () => sent - bell.heard.length < 100)
    }
  })()
  try {
    for (let round = 0; round < 2; round += 1) {
      const before = sent
      await load(smi)
      await load(tower)
      await load(large)
      await load(tower)
      if (round === 0) {
        const body = '<mibAccept><choice>ACME-TOWER-MIB</choice></mibAccept>'
        assert.equal((await service.send('POST', '/fault/mibProposal/accept', body)).status, 200)
      }
      await until('traps arrive meanwhile', () => sent > before + 50)
      await remove('LARGE-MIB')
      await remove('ACME-TOWER-MIB')
      await remove('ACME-SMI')
    }
  } finally {
    over = true
    await sending
  }
  await until('every inform is answered', () => bell.heard.length === sent)
  const answered = bell.answers().map(({ requestId }) => requestId)
  assert.equal(new Set(answered).size, sent, 'each is answered once')
  const { received, binned, drops } = await counted(service)
  assert.deepEqual([received, binned, drops], [sent, sent, 0])

  const traps = await rows<{ id: string; OID: string; alarmId: string }>('trap')
  assert.equal(traps.length, sent)
  const bells = traps.filter(({ OID }) => OID === bellFailed)
  // Without a definition all are one alarm, that of the first; with one, each bell has its own.
  const [first] = bells
  const unknown = bells.filter(({ alarmId }) => alarmId === first?.alarmId)
  const defined = bells.filter(({ alarmId }) => alarmId !== first?.alarmId)
  assert.ok(unknown.length > 1 && defined.length > 1, 'some came before the definition, some after it')
  const last = Math.max(...unknown.map(({ id }) => Number(id)))
  assert.ok(
    defined.every(({ id }) => Number(id) > last),
    'once it is accepted, the definition holds for each, with and without its module',
  )
  const alarms = await rows<{ OID: string; alarmLevel: string; resource: string }>('alarm')
  const failed = alarms.filter(({ OID, alarmLevel }) => OID === bellFailed && alarmLevel === '2')
  assert.equal(failed.length, defined.length)
  assert.equal(new Set(failed.map(({ resource }) => resource)).size, failed.length)
  assert.equal(alarms.filter(({ OID }) => OID === linkDown).length, traps.length - bells.length)
})
