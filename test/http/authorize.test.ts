// What a RADIUS server asks: whether a terminal is admitted, by which token, and which alarms follow.

import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { until } from '../intake/sending.ts'
import { stores } from '../support.ts'
import { bearer, startGuarded, tokenOf } from './credentials.ts'
import { idOf, refused } from './reading.ts'

const mac = (n: number) =>
  `00:1b:44:00:${(n >> 8).toString(16).padStart(2, '0')}:${(n & 255).toString(16).padStart(2, '0')}`
const switchIp = '10.9.0.2'

type Alarm = Record<string, string>

for (const store of stores) {
  describe(`bindings decide, on ${store.name}`, async () => {
    const open = store.name === 'SQLite' ? {} : { open: () => store.open() }
    const service = await startGuarded({}, open)
    after(() => service.stop())
    const token = await tokenOf(service, 'operator', { scope: 'access' })
    const as = (method: string, path: string, body?: unknown) =>
      body === undefined
        ? service.as('administrator', method, path, { headers: { Accept: 'application/json' } })
        : service.asJson('administrator', method, path, body)
    const device = idOf(
      await as('POST', '/plat/res/device', {
        ip: switchIp,
        label: 'sw-2',
        interfaces: [
          { ifIndex: 3, ifDesc: 'GigabitEthernet1/0/3' },
          { ifIndex: 7, ifDesc: 'GigabitEthernet1/0/7' },
        ],
      }),
    )
    const bind = (n: number, more: object) =>
      as('POST', '/res/access/macAccessBind', { terminalMac: mac(n), bindType: 1, ...more })
    const ask = async (n: number, port: string, more: object = {}, query = '') => {
      const body = {
        sourceIp: switchIp,
        userName: mac(n).replaceAll(':', ''),
        callingStationId: mac(n),
        nasPortId: port,
        ...more,
      }
      const answer = await service.ask('POST', `/res/access/authorize${query}`, {
        headers: { ...bearer(token), 'Content-Type': 'application/json', Accept: 'application/json' },
        body: JSON.stringify(body),
      })
      assert.equal(answer.status, 200, answer.text)
      return answer.json() as Record<string, string>
    }
    const alarms = async (query = ''): Promise<Alarm[]> => {
      const answer = await as('GET', `/fault/alarm?size=200&deviceId=${device}${query}`)
      return answer.json().alarm as Alarm[]
    }
    /** Alarms are raised a moment after the answer. */
    const eventually = async (query: string, isThere: (found: Alarm[]) => boolean): Promise<Alarm[]> => {
      let found: Alarm[] = []
      await until(`alarms ${query} are as expected`, async () => {
        found = await alarms(query)
        return isThere(found)
      })
      return found
    }

    test('a terminal bound to nothing else is admitted anywhere, with its VLAN', async () => {
      await bind(1, { vlan: 42, terminalName: 'Printer' })
      const said = await ask(1, 'Gi1/0/7')
      assert.deepEqual(
        [said.decision, said.reason, said.vlan, said.terminalName, said.ifIndex],
        ['accept', 'bound-anywhere', '42', 'Printer', '7'],
      )
      assert.equal((await ask(1, 'nowhere', { sourceIp: '10.1.1.1' })).decision, 'accept')
      assert.deepEqual(await ask(1, 'Gi1/0/7', {}, '?as=radius'), {
        'control:Auth-Type': 'Accept',
        'reply:Reply-Message': 'bound-anywhere',
        'reply:Tunnel-Type': 'VLAN',
        'reply:Tunnel-Medium-Type': 'IEEE-802',
        'reply:Tunnel-Private-Group-Id': '42',
      })
    })

    test('a terminal bound to an interface is admitted there alone, and its refusal is one alarm until it is admitted', async () => {
      await bind(2, {
        bindType: 2,
        terminalName: 'Till',
        maintainer: 'Ann',
        ifInfo: [{ deviceId: device, ifIndex: 3 }],
      })
      assert.equal((await ask(2, 'GigabitEthernet1/0/3')).reason, 'bound-here')
      const refusedThere = await ask(2, 'GigabitEthernet1/0/7', {}, '?as=radius')
      assert.deepEqual(refusedThere, {
        'control:Auth-Type': 'Reject',
        'reply:Reply-Message': 'bound-elsewhere',
      })
      await ask(2, 'GigabitEthernet1/0/7')
      assert.equal((await ask(2, 'Gi1/0/3', { sourceIp: '10.1.1.1' })).reason, 'unknown-device')
      assert.equal((await ask(2, 'Gi1/0/9')).reason, 'unknown-interface')
      const [alarm] = await eventually('&recStatus=0', (found) =>
        found.some(({ ifIndex }) => ifIndex === '7'),
      ).then((found) => found.filter(({ ifIndex }) => ifIndex === '7'))
      assert.equal(
        alarm?.alarmDesc,
        `Terminal ${mac(2)} (Till, maintained by Ann) was refused (bound-elsewhere) at GigabitEthernet1/0/7 of sw-2 (${switchIp}): it may be at GigabitEthernet1/0/3 of sw-2; before, it was at GigabitEthernet1/0/3 of sw-2 (${switchIp})`,
      )
      assert.equal(alarm?.OID, '1.3.6.1.4.1.32473.1.40')
      await ask(2, 'GigabitEthernet1/0/3')
      await eventually('&recStatus=0', (found) => found.length === 0)
      const [ended] = (await alarms('&recStatus=1')).filter(({ id }) => id === alarm?.id)
      assert.equal(ended?.recUserName, '$SYSTEM')
    })

    test('an unknown terminal is refused; an operator ends its alarm, and the next refusal raises another', async () => {
      assert.equal((await ask(3, 'Gi1/0/7')).reason, 'unknown-terminal')
      const [alarm] = await eventually('&recStatus=0', (found) => found.length === 1)
      assert.match(alarm?.alarmDesc ?? '', /it is bound nowhere/)
      assert.equal((await as('PUT', `/fault/alarm/recover/${alarm?.id}`)).status, 204)
      await ask(3, 'Gi1/0/7')
      const [again] = await eventually('&recStatus=0', (found) => found.length === 1)
      assert.notEqual(again?.id, alarm?.id)
      await as('PUT', `/fault/alarm/recover/${again?.id}`)
    })

    test('at most twenty at a port have an alarm of their own, and one stands for the rest', async () => {
      for (let n = 100; n < 130; n += 1) await ask(n, 'Gi1/0/3')
      const found = await eventually('&recStatus=0', (now) => now.length === 21)
      await pause(200)
      assert.equal((await alarms('&recStatus=0')).length, 21)
      const [many] = found.filter(({ OID }) => OID === '1.3.6.1.4.1.32473.1.42')
      assert.match(many?.alarmDesc ?? '', /^More than 20 terminals .* at GigabitEthernet1\/0\/3 of sw-2/)
    })

    test('User-Name must be the Calling-Station-Id; every content is answered with a decision', async () => {
      assert.equal((await ask(1, '', { userName: mac(2) })).reason, 'user-name-differs')
      for (const userName of ['ann', '', 'x'.repeat(3000), '%{NAS-Port}', '\u0000"\\']) {
        const said = await ask(1, '', { userName }, '?as=radius')
        assert.deepEqual(said, { 'control:Auth-Type': 'Reject', 'reply:Reply-Message': 'no-mac-address' })
      }
      assert.equal((await ask(1, '\u0007'.repeat(300), { nasPort: 'x', framedIp: 'y' })).decision, 'accept')
    })

    test('only a token with access in its scope may ask, and it may ask nothing else', async () => {
      const body = JSON.stringify({ sourceIp: switchIp })
      const json = { 'Content-Type': 'application/json' }
      for (const scope of ['administrator', 'viewer', 'events', 'operators,tokens']) {
        const other = await tokenOf(service, 'administrator', { scope })
        refused(
          await service.ask('POST', '/res/access/authorize', {
            headers: { ...json, ...bearer(other) },
            body,
          }),
          403,
        )
      }
      refused(await as('POST', '/res/access/authorize', { sourceIp: switchIp }), 403)
      for (const path of ['/', '/res/access/macAccessBind', '/events?type=11', '/plat/token', '/metrics'])
        refused(await service.get(path, bearer(token)), 403)
      for (const scope of ['access,viewer', 'access,events'])
        refused(await as('POST', '/plat/token', { scope }), 400)
      refused(await service.asJson('viewer', 'POST', '/plat/token', { scope: 'access' }), 400)
    })

    test('a request with a wrong sourceIp is refused with the name of the field', async () => {
      const send = (body: unknown) =>
        service.ask('POST', '/res/access/authorize', {
          headers: { ...bearer(token), 'Content-Type': 'application/json' },
          body: JSON.stringify(body),
        })
      refused(await send({ userName: mac(1) }), 400)
      refused(await send({ sourceIp: 'switch' }), 400)
      refused(await send({ sourceIp: switchIp, nasIpAddress: '10.9.0.3' }), 400)
    })

    test('a binding without a VLAN is shown as before', async () => {
      const made = await bind(9, { terminalName: 'Plain' })
      const { text } = await service.as(
        'administrator',
        'GET',
        new URL(String(made.headers.location)).pathname,
      )
      assert.equal(
        text,
        `<?xml version="1.0" encoding="UTF-8" standalone="yes"?><macAccessBind><id>${idOf(made)}</id><terminalMac>${mac(9)}</terminalMac><terminalName>Plain</terminalName><bindType>1</bindType><maintainer/></macAccessBind>`,
      )
      const json = { Accept: 'application/json' }
      const path = new URL(String(made.headers.location)).pathname
      assert.equal(
        (await service.as('administrator', 'GET', path, { headers: json })).text,
        `{"id":"${idOf(made)}","terminalMac":"${mac(9)}","terminalName":"Plain","bindType":"1","maintainer":"","ifInfo":[]}`,
      )
      // Creating it answers the address alone.
      assert.deepEqual([made.status, made.text, made.headers.location], [201, '', service.url + path])
      for (const vlan of [0, 4095, -1, 'voice']) refused(await bind(10, { vlan }), 400)
    })
  })
}

describe('where unknown terminals are admitted', async () => {
  const service = await startGuarded({ 'unknown-terminals': 'admit' })
  const token = await tokenOf(service, 'operator', { scope: 'access' })

  test('that is reported by an alarm, which its binding ends when it is seen again', async () => {
    const ask = () =>
      service.ask('POST', '/res/access/authorize', {
        headers: { ...bearer(token), 'Content-Type': 'application/json' },
        body: JSON.stringify({
          sourceIp: '10.9.0.9',
          userName: mac(1),
          callingStationId: mac(1),
          nasPort: '5',
        }),
      })
    const open = async () => {
      const answer = await service.as(
        'administrator',
        'GET',
        '/fault/alarm?recStatus=0&faultOid=1.3.6.1.4.1.32473.1.41',
      )
      return Number(answer.headers.total)
    }
    const become = (n: number) => until(`${n} are open`, async () => (await open()) === n)
    assert.match((await ask()).text, /<decision>accept<\/decision><reason>unknown-admitted/)
    await become(1)
    await service.asJson('administrator', 'POST', '/res/access/macAccessBind', {
      terminalMac: mac(1),
      bindType: 1,
    })
    assert.match((await ask()).text, /bound-anywhere/)
    await become(0)
  })
})
