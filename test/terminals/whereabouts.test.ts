// Where terminals are: from accounting and from notifications, with their earlier places, and the alarms that follow.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { deleteAlarm } from '../../src/alarms/actions/alarm-actions.ts'
import { create, erase, modify } from '../../src/resources/collection.ts'
import { assignedIps } from '../../src/resources/inventory/assigned-ip-info.ts'
import { assignedIpScopes } from '../../src/resources/inventory/assigned-ip-scope.ts'
import { devices } from '../../src/resources/inventory/device.ts'
import { macAccessBinds } from '../../src/resources/inventory/mac-access-bind.ts'
import {
  type Terminal,
  type TerminalStay,
  terminalStays,
  terminals,
} from '../../src/resources/inventory/terminal.ts'
import { readTally } from '../../src/store/tally.ts'
import { type AccessRequest, type TerminalSettings, Terminals } from '../../src/terminals/terminals.ts'
import { observeMacTraps } from '../../src/terminals/trap-sightings.ts'
import { onEveryStore, variable, type World } from '../alarms/world.ts'

const cisco = '1.3.6.1.4.1.9.9.215'
const learnt = 1
const removed = 2
const switchIp = '10.8.0.2'
const hour = 3_600_000
const mac = (n: number) => `00:1b:44:00:00:${n.toString(16).padStart(2, '0')}`

const usual: TerminalSettings = { unknownTerminals: 'reject', alarmHours: 24, keep: 1000, keepDays: 30 }

interface Access {
  readonly seen: Terminals
  readonly deviceId: bigint
  trap(operation: number, n: number, basePort: number): Promise<void>
  account(status: string, n: number, port: string, framedIp?: string | null): Promise<void>
  claim(n: number, port: string): AccessRequest
  ask(n: number, port: string): Promise<string>
  one(n: number): Promise<Terminal | undefined>
  stays(n: number): Promise<string[]>
  /** Of open alarms about terminals: the last number of the event, and its text. */
  open(): Promise<string[]>
}

async function access(
  w: World,
  settings: Partial<TerminalSettings> = {},
  waitingLimit = 20_000,
): Promise<Access> {
  for (const table of [
    'terminal',
    'terminal_stay',
    'terminal_alarm',
    'mac_access_bind',
    'alarm',
    'assigned_ip',
    'ip_scope',
  ])
    await w.database.transaction((tx) => tx.run(`delete from ${table}`))
  await w.database.transaction((tx) =>
    tx.run("delete from tally where table_name like 'terminal%' or table_name = 'alarm'"),
  )
  const terminalSettings = { ...usual, ...settings }
  const engine = w.another({}, { observer: observeMacTraps(terminalSettings) })
  const [known] = await w.database.all('select device_id from device_address where ip = ?', [switchIp])
  const deviceId =
    (known?.device_id as bigint | undefined) ??
    (await create(w.database, devices, {
      ip: switchIp,
      label: 'sw-8',
      interfaces: [3, 7, 9].map((n) => ({
        ifIndex: BigInt(10100 + n),
        ifDesc: `GigabitEthernet1/0/${n}`,
        basePort: BigInt(n),
      })),
    }))
  const parts = { database: w.database, engine, log: pino({ level: 'silent' }), clock: () => w.time.now }
  const seen = new Terminals({ ...parts, waitingLimit }, terminalSettings)
  const octets = (operation: number, n: number, port: number) =>
    [operation, 0, 20, 0x00, 0x1b, 0x44, 0, 0, n, 0, port]
      .map((one) => one.toString(16).padStart(2, '0'))
      .join(':')
  const claim = (n: number, port: string, framedIp: string | null) => ({
    ...{
      sourceIp: switchIp,
      userName: mac(n),
      callingStationId: mac(n),
      nasPort: null,
      nasPortId: port,
      framedIp,
    },
  })
  const rows = async (sql: string, value: string) => w.database.all(sql, [value])
  return {
    seen,
    deviceId,
    async trap(operation, n, port) {
      const message = variable(`${cisco}.1.1.8.1.2.1`, octets(operation, n, port), 'OctetString')
      assert.deepEqual(await engine.handle([w.trap(`${cisco}.2.0.1`, switchIp, [message])]), ['stored-only'])
    },
    account: (status, n, port, framedIp = null) => seen.account(claim(n, port, framedIp), status),
    claim: (n, port) => claim(n, port, null),
    async ask(n, port) {
      const { reason } = await seen.authorize(claim(n, port, null))
      await seen.stop()
      return reason
    },
    async one(n) {
      const [row] = await rows(
        `select ${terminals.table.form.shown} from terminal where terminal_mac = ?`,
        mac(n),
      )
      return row && (terminals.table.form.toRecord(row) as Terminal)
    },
    async stays(n) {
      const found = await rows(
        `select ${terminalStays.table.form.shown} from terminal_stay where terminal_mac = ? order by id`,
        mac(n),
      )
      return found.map((row) => {
        const { port, since, lastTime } = terminalStays.table.form.toRecord(row) as TerminalStay
        return `${port} ${(lastTime - since) / hour} h`
      })
    },
    async open() {
      const found = await w.database.all(
        'select alarm_type, alarm_desc from alarm where rec_status = 0 order by id',
      )
      return found.map((row) => `${String(row.alarm_type).split('.').at(-1)} ${row.alarm_desc}`)
    },
  }
}

await onEveryStore((w) => {
  const bind = (a: Access, n: number, ...ports: number[]) =>
    create(w.database, macAccessBinds, {
      terminalMac: mac(n),
      terminalName: 'Till',
      maintainer: 'Ann',
      bindType: ports.length === 0 ? 1 : 2,
      ifInfo: ports.map((port) => ({ deviceId: a.deviceId, ifIndex: BigInt(10100 + port) })),
    })

  test('start, interim and stop keep where a terminal is and where it was', async () => {
    const a = await access(w)
    const began = w.time.now
    await a.account('Start', 1, 'Gi1/0/3', '10.8.1.1')
    w.time.now += hour
    await a.account('Interim-Update', 1, 'Gi1/0/3')
    const { since, lastTime, ip, port, ifIndex, present, source, bound, violation } =
      (await a.one(1)) ?? assert.fail()
    assert.deepEqual(
      { since, lastTime, ip, port, ifIndex, present, source, bound, violation },
      {
        ...{
          since: began,
          lastTime: began + hour,
          ip: '10.8.1.1',
          port: 'GigabitEthernet1/0/3',
          ifIndex: 10103n,
        },
        ...{ present: true, source: 'accounting', bound: false, violation: false },
      },
    )
    w.time.now += hour
    await a.account('Start', 1, 'Gi1/0/7')
    // Late, of the port that it has left.
    await a.account('Stop', 1, 'Gi1/0/3')
    assert.equal((await a.one(1))?.present, true)
    assert.deepEqual(await a.stays(1), ['GigabitEthernet1/0/3 1 h'])
    w.time.now += hour
    await a.account('Stop', 1, 'Gi1/0/7')
    assert.equal((await a.one(1))?.present, false)
    assert.deepEqual(await a.stays(1), ['GigabitEthernet1/0/3 1 h', 'GigabitEthernet1/0/7 1 h'])
    // Close together, they are processed together, in their order.
    await Promise.all([a.account('Start', 2, 'Gi1/0/3'), a.account('Stop', 2, 'Gi1/0/3')])
    assert.equal((await a.one(2))?.present, false)
    await Promise.all([a.seen.authorize(a.claim(2, 'Gi1/0/3')), a.account('Start', 2, 'Gi1/0/3')])
    const { present: isBack, reason } = (await a.one(2)) ?? assert.fail()
    assert.deepEqual({ isBack, reason }, { isBack: true, reason: 'unknown-terminal' })
    await a.account('Accounting-On', 9, '')
    assert.equal((await a.one(2))?.present, false)
    assert.equal(await readTally(w.database, terminals.table, '', ''), 2)
    assert.equal(await readTally(w.database, terminalStays.table, '', ''), 4)
  })

  test('beyond the limit of waiting sightings, requests are answered, accounting is refused, and what is lost is counted', async () => {
    const full = await access(w, {}, 0)
    for (let n = 1; n <= 5; n += 1) {
      const { reason } = await full.seen.authorize(full.claim(n, 'Gi1/0/3'))
      assert.equal(reason, 'unknown-terminal')
    }
    await assert.rejects(full.account('Start', 6, 'Gi1/0/3'), { code: 'unavailable' })
    assert.equal(full.seen.lost, 6)
    await full.seen.stop()
    assert.deepEqual([await full.one(1), await full.one(6)], [undefined, undefined])
    const a = await access(w, {}, 1)
    await a.account('Start', 6, 'Gi1/0/3')
    assert.equal((await a.one(6))?.present, true)
    assert.equal(a.seen.lost, 0)
  })

  test('notifications do the same, by the port of the bridge; no alarm of their own comes of them', async () => {
    const a = await access(w)
    await a.trap(learnt, 3, 7)
    const { port, ifIndex, vlan, source } = (await a.one(3)) ?? assert.fail()
    assert.deepEqual(
      { port, ifIndex, vlan, source },
      { port: 'GigabitEthernet1/0/7', ifIndex: 10107n, vlan: 20, source: 'trap' },
    )
    await a.trap(learnt, 3, 30)
    assert.deepEqual([(await a.one(3))?.port, (await a.one(3))?.ifIndex], ['bridge port 30', null])
    await a.trap(removed, 3, 30)
    assert.equal((await a.one(3))?.present, false)
    assert.equal((await a.stays(3)).length, 2)
    assert.deepEqual(await a.open(), [])
  })

  test('seen where its binding does not allow it, it is an alarm without RADIUS, until it is where it may be', async () => {
    const a = await access(w)
    await bind(a, 4, 3)
    await a.trap(learnt, 4, 3)
    assert.deepEqual(await a.open(), [])
    await a.trap(learnt, 4, 7)
    assert.equal((await a.one(4))?.violation, true)
    assert.deepEqual(await a.open(), [
      `40 Terminal ${mac(4)} (Till, maintained by Ann) was seen at GigabitEthernet1/0/7 of sw-8 (${switchIp}): it may be at GigabitEthernet1/0/3 of sw-8; before, it was at GigabitEthernet1/0/3 of sw-8 (${switchIp})`,
    ])
    await a.trap(learnt, 4, 7)
    assert.equal((await a.open()).length, 1)
    // Which interface it is cannot be determined: that is neither one nor the other.
    await a.trap(learnt, 4, 30)
    assert.equal((await a.open()).length, 1)
    await a.trap(learnt, 4, 3)
    assert.deepEqual(await a.open(), [])
    assert.equal((await a.one(4))?.violation, false)
  })

  test('a binding that comes to allow the place ends the alarm, and one that goes makes it unbound', async () => {
    const a = await access(w)
    const id = await bind(a, 5, 3)
    await a.account('Start', 5, 'Gi1/0/7')
    assert.equal((await a.open()).length, 1)
    await modify(w.database, macAccessBinds, id, { bindType: 1, ifInfo: [] })
    const { bound, violation } = (await a.one(5)) ?? assert.fail()
    assert.deepEqual({ bound, violation }, { bound: true, violation: false })
    await a.seen.endOldAlarms()
    assert.deepEqual(await a.open(), [])
    await erase(w.database, macAccessBinds, id)
    assert.equal((await a.one(5))?.bound, false)
  })

  test('alarms age out, and one that an operator has ended leaves room at the port', async () => {
    const a = await access(w)
    for (let n = 100; n < 125; n += 1) assert.equal(await a.ask(n, 'Gi1/0/9'), 'unknown-terminal')
    assert.equal((await a.open()).length, 21)
    const [first] = await w.database.all('select id from alarm where rec_status = 0 order by id limit 1')
    await deleteAlarm(w.engine, first?.id as bigint, 'ann')
    await a.ask(130, 'Gi1/0/9')
    assert.equal((await a.open()).length, 21)
    w.time.now += 23 * hour
    await a.ask(101, 'Gi1/0/9')
    w.time.now += 2 * hour
    await a.seen.endOldAlarms()
    assert.equal((await a.open()).length, 1)
    w.time.now += 24 * hour
    await a.seen.endOldAlarms()
    assert.deepEqual(await a.open(), [])
    assert.deepEqual(await w.database.all('select alarm_id from terminal_alarm'), [])
  })

  test('an address seen with another terminal than its owner raises an alarm until that terminal no longer uses it', async () => {
    const a = await access(w)
    const parentId = await create(w.database, assignedIpScopes, {
      startIp: '10.8.1.0',
      endIp: '10.8.1.255',
      name: 'S',
    })
    const ofTerminal = { parentId, name: 'Bob', terminalMac: mac(6) }
    await create(w.database, assignedIps, { ...ofTerminal, ip: '10.8.1.5' })
    await a.account('Start', 6, 'Gi1/0/3', '10.8.1.5')
    assert.deepEqual(await a.open(), [])
    await a.account('Start', 7, 'Gi1/0/7', '10.8.1.5')
    assert.deepEqual(await a.open(), [
      `43 10.8.1.5 belongs to ${mac(6)} (Bob) and is used by ${mac(7)} at GigabitEthernet1/0/7 of sw-8 (${switchIp})`,
    ])
    await a.account('Interim-Update', 7, 'Gi1/0/7', '10.8.1.5')
    assert.equal((await a.open()).length, 1)
    await a.account('Interim-Update', 7, 'Gi1/0/7', '10.8.1.6')
    assert.deepEqual(await a.open(), [])
    await a.account('Interim-Update', 7, 'Gi1/0/7', '10.8.1.5')
    await a.account('Interim-Update', 6, 'Gi1/0/3', '10.8.1.5')
    assert.deepEqual(await a.open(), [])
    await a.account('Start', 7, 'Gi1/0/7', '10.8.1.5')
    await a.account('Stop', 7, 'Gi1/0/7')
    assert.deepEqual(await a.open(), [])
  })

  test('old stays are removed; where the history is switched off, there is none', async () => {
    const a = await access(w, { keepDays: 2, keep: 3 })
    await a.account('Start', 1, 'Gi1/0/3')
    await a.account('Start', 1, 'Gi1/0/7')
    w.time.now += 3 * 24 * hour
    for (const n of [2, 3, 4, 5]) {
      w.time.now += 1000
      await a.account('Start', n, 'Gi1/0/3')
    }
    await a.seen.forgetOld(() => false)
    assert.deepEqual(await a.stays(1), [])
    const left = await w.database.all('select terminal_mac from terminal order by id')
    assert.deepEqual(
      left.map((row) => row.terminal_mac),
      [mac(3), mac(4), mac(5)],
    )
    assert.equal(await readTally(w.database, terminals.table, '', ''), 3)

    const none = await access(w, { keepDays: 0 })
    await none.account('Start', 1, 'Gi1/0/3')
    await none.account('Start', 1, 'Gi1/0/7')
    assert.deepEqual(await none.stays(1), [])
    assert.equal((await none.one(1))?.port, 'GigabitEthernet1/0/7')
    await none.account('Stop', 1, 'Gi1/0/7')
    assert.equal(await none.one(1), undefined)
    await none.account('Start', 2, 'Gi1/0/3')
    w.time.now += 25 * hour
    await none.seen.forgetOld(() => false)
    assert.equal(await none.one(2), undefined)
  })
})
