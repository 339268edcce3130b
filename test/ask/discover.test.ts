// A discovery finds what answers in its ranges, follows neighbours, and has the same result twice; people accept what it found.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { addressesOf } from '../../src/ask/discover/search-addresses.ts'
import { freePort } from '../free-port.ts'
import { startGuarded } from '../http/credentials.ts'
import { pathOf, refused } from '../http/reading.ts'
import { until } from '../intake/sending.ts'
import { startService } from '../support.ts'
import { Switch, type SwitchFacts } from './know-world.ts'
import { addDevice, addProfile } from './reach-world.ts'

const path = '/plat/discovery'
const json = { Accept: 'application/json' }

test('of a network its own address and that of all hosts are not asked; no address is asked twice', () => {
  assert.deepEqual(addressesOf(['192.0.2.0/30', '192.0.2.2/32', '192.0.2.8/31', '2001:db8::/127']), [
    ...['192.0.2.1', '192.0.2.2', '192.0.2.8', '192.0.2.9', '2001:db8::', '2001:db8::1'],
  ])
})

type Row = Record<string, string>

describe('a discovery', async () => {
  const port = await freePort()
  const service = await startService({ 'ask-seconds': '0', 'ask-rate': '2000' })
  const rowsOf = async (query: string) => {
    const answer = await service.get(`${query}size=100`, json)
    assert.equal(answer.status, 200, answer.text)
    return Object.values(answer.json() as Record<string, Row[]>)[0] ?? []
  }
  const stateOf = async (where: string) => (await service.get(where, json)).json() as Row
  const run = async (where: string) => {
    const started = await service.sendJson('POST', `${where}/start`, {})
    assert.equal(started.status, 204, started.text)
    await until(
      'the run is over',
      async () => !['running', 'stopping'].includes((await stateOf(where)).state ?? ''),
    )
  }
  const foundBy = (where: string) => rowsOf(`/plat/discovered?discoveryId=${where.split('/').at(-1)}&`)
  const ports = [{ index: 1, name: 'Gi0/1' }]
  const facts = (name: string, more: Partial<SwitchFacts> = {}): SwitchFacts => ({
    ...{ name, serial: `SN ${name}`, ports },
    ...more,
  })

  test('finds what answers, follows neighbours in its ranges, and has the same result twice', async () => {
    const addresses = { '192.0.2.1': 1 }
    const neighbours = [
      { port: 1, name: 'far', remotePort: 'Gi0/9', address: '127.0.49.9' },
      { port: 1, name: 'foreign', remotePort: 'Gi0/8', address: '192.0.2.77' },
    ]
    await using one = await Switch.start('127.0.48.2', port, facts('core', { addresses, neighbours }))
    await using again = await Switch.start('127.0.48.5', port, facts('core', { addresses, neighbours }))
    await using known = await Switch.start('127.0.48.3', port, facts('known'))
    await using far = await Switch.start('127.0.49.9', port, facts('far'))
    await using outside = await Switch.start('127.0.50.1', port, facts('outside'))
    await using unnamed = await Switch.start('127.0.49.10', port, facts('unnamed'))
    await addProfile(service, port, '127.0.48.0/22')
    await addDevice(service, known)
    const ranges = { addressRange: ['127.0.48.0/29'], neighbourRange: ['127.0.49.0/24'] }
    const made = await service.sendJson('POST', path, { name: 'Site', ...ranges })
    assert.equal(made.status, 201, made.text)
    const where = pathOf(made)
    assert.equal((await stateOf(where)).state, 'new')
    await run(where)
    const { state, total, asked, answering, refusing, known: before, named, problem } = await stateOf(where)
    assert.deepEqual(
      { state, total, asked, answering, known: before, named, problem: problem ?? '' },
      { state: 'complete', total: '6', asked: '6', answering: '2', known: '1', named: '1', problem: '' },
    )
    const found = await foundBy(where)
    const shown = found.map((row) => `${row.ip} ${row.state} ${row.sysName} ${row.namedBy}`.trim())
    assert.equal(Number(refusing), 3, 'addresses of this machine on which nothing listens')
    assert.deepEqual(
      shown.filter((text) => !text.includes('refusing')),
      [
        '127.0.48.2 answering core',
        '127.0.49.9 answering far core Gi0/1',
        '192.0.2.77 named foreign core Gi0/1',
      ],
    )
    const [core] = found.filter((row) => row.sysName === 'core')
    assert.deepEqual(
      [core?.otherAddress, core?.serialNumber, core?.model],
      [['127.0.48.5'], 'SN core', 'EX-24'],
    )
    assert.deepEqual([known.asked, outside.asked, unnamed.asked], [0, 0, 0])
    assert.ok(one.asked > 0 && again.asked > 0 && far.asked > 0)
    const without = (rows: Row[]) => rows.map(({ lastFound, ...row }) => row)
    await run(where)
    assert.deepEqual(without(await foundBy(where)), without(found), 'twice the same')
    const ids = found.filter((row) => row.state !== 'refusing').map((row) => Number(row.id))
    const accepted = await service.sendJson('POST', `${where}/accept`, { found: [...ids, 4711] })
    assert.equal(accepted.status, 200, accepted.text)
    assert.equal((accepted.json() as Row).added, '3')
    assert.match(String(accepted.headers['belfry-warning']), /found nothing with id 4711/)
    const devices = await rowsOf('/plat/res/device?label=core&')
    assert.deepEqual(
      devices.map((row) => [row.ip, row.label, row.otherAddress]),
      [['127.0.48.2', 'core', [{ ip: '127.0.48.5' }]]],
    )
    assert.equal((await foundBy(where)).find((row) => row.sysName === 'far')?.deviceName, 'far')
    const twice = await service.sendJson('POST', `${where}/accept`, { found: ids })
    assert.equal((twice.json() as Row).added, '0')
    assert.match(String(twice.headers['belfry-warning']), /belongs to device \d+ already/)
    const questions = one.asked
    await run(where)
    assert.equal(one.asked, questions, 'devices of the inventory are not asked')
    assert.deepEqual(
      (await foundBy(where)).map((row) => row.state),
      ['refusing', 'refusing', 'refusing'],
    )
    assert.equal((await service.ask('DELETE', where)).status, 204)
    assert.deepEqual(await service.database.all('select id from discovered'), [])
  })

  test('sends no credentials outside of the ranges of profiles', async () => {
    await using one = await Switch.start('127.0.60.1', port, facts('one'))
    const made = await service.sendJson('POST', path, { name: 'Foreign', addressRange: ['127.0.60.1'] })
    await run(pathOf(made))
    assert.equal(one.asked, 0)
    const [row] = await foundBy(pathOf(made))
    assert.deepEqual([row?.state, row?.reason, row?.profileId], ['refusing', 'closed', '0'])
  })

  test('asks nothing at the port of a profile that asks by TCP', async () => {
    const { id } = (
      await service.sendJson('POST', '/plat/askProfile', {
        ...{ name: 'Machines', version: 'tcp', port, addressRange: ['127.0.61.1'] },
      })
    ).headers.location?.match(/(?<id>\d+)$/)?.groups ?? { id: '' }
    await using one = await Switch.start('127.0.61.1', port, facts('one'))
    const made = await service.sendJson('POST', path, { name: 'Machines', addressRange: ['127.0.61.1'] })
    await run(pathOf(made))
    assert.equal(one.asked, 0)
    const [row] = await foundBy(pathOf(made))
    assert.deepEqual([row?.state, row?.reason, row?.profileId], ['refusing', 'closed', id])
    assert.match(String(row?.problem), /nothing listens on 127\.0\.61\.1:161/)
  })

  test('has one run at a time, which can be stopped and is not modified meanwhile', async () => {
    await addProfile(service, port, '192.0.2.0/24')
    const made = await service.sendJson('POST', path, { name: 'Large', addressRange: ['127.1.0.0/16'] })
    const where = pathOf(made)
    assert.equal((await service.sendJson('POST', `${where}/start`, {})).status, 204)
    refused(await service.sendJson('POST', `${where}/start`, {}), 409)
    refused(await service.sendJson('PUT', where, { name: 'Larger' }), 409)
    assert.equal((await service.sendJson('POST', `${where}/stop`, {})).status, 204)
    await until('it is stopped', async () => (await stateOf(where)).state === 'stopped')
    const { total, asked } = await stateOf(where)
    assert.equal(total, '65534')
    assert.ok(Number(asked) < 65_534)
    refused(await service.sendJson('POST', `${where}/stop`, {}), 409)
    const renamed = await service.sendJson('PUT', where, { name: 'Larger' })
    assert.equal(renamed.status, 204, renamed.text)
    assert.equal((await stateOf(where)).state, 'stopped')
  })

  test('refuses ranges that are too large', async () => {
    const given = { name: 'World', addressRange: ['10.0.0.0/8'] }
    const answer = await service.sendJson('POST', path, given)
    refused(answer, 400, 'addressRange')
    assert.match(answer.text, /16777214 addresses: expected 65536 at most/)
    refused(await service.sendJson('POST', path, { name: 'Nowhere' }), 400, 'addressRange')
    refused(
      await service.sendJson('POST', path, { ...given, addressRange: ['::1'], zoneId: 99 }),
      409,
      'zoneId',
    )
  })
})

test('administrators name ranges; operators start runs and accept; viewers look', async () => {
  const service = await startGuarded({ 'ask-seconds': '0' })
  const body = { name: 'Lab', addressRange: ['127.0.61.1'] }
  refused(await service.asJson('operator', 'POST', path, body), 403)
  const where = pathOf(await service.asJson('administrator', 'POST', path, body))
  refused(await service.asJson('operator', 'PUT', where, { name: 'Mine' }), 403)
  refused(await service.asJson('viewer', 'POST', `${where}/start`, {}), 403)
  assert.equal((await service.asJson('operator', 'POST', `${where}/start`, {})).status, 204)
  const read = async () => (await service.as('viewer', 'GET', where, { headers: json })).json() as Row
  await until('it is complete', async () => (await read()).state === 'complete')
  refused(await service.asJson('viewer', 'POST', `${where}/accept`, { found: [1] }), 403)
  const audit = await service.as('administrator', 'GET', '/plat/audit?resource=discovery', { headers: json })
  const actions = (audit.json() as { audit: Row[] }).audit.map((row) => `${row.name} ${row.action}`)
  assert.deepEqual(actions.toSorted(), ['administrator create', 'operator start'])
})
