// FreeRADIUS as Debian packages it, with the configuration of packaging/freeradius, asked by radclient: every decision,
// and
// what becomes of terminals while Belfry is stopped, restarted or slow.

import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Service, serve, stop, succeed } from '../cli/running.ts'
import { freePort } from '../free-port.ts'
import { challengeOf, digestHeader } from '../http/credentials.ts'
import { type Answer, sendRequest, temporaryFolder } from '../support.ts'

const script = fileURLToPath(new URL('../../packaging/freeradius/try', import.meta.url))
const missing = ['freeradius', 'radclient'].some((one) => spawnSync(one, ['-v'], { stdio: 'ignore' }).error)
const skip =
  missing &&
  process.env.CI !== 'true' &&
  'install the Debian packages freeradius, freeradius-rest and freeradius-utils'

const password = 'correct-horse-staple-9'
const secret = 'a secret of this test'.replaceAll(' ', '-')
const mac = (n: number) =>
  `00:1b:44:${[n >> 16, n >> 8, n].map((one) => (one & 255).toString(16).padStart(2, '0')).join(':')}`

interface Said {
  readonly answer: string
  readonly reason: string
  readonly vlan: string
}

/** Asks as a switch does. */
async function radclient(
  port: number,
  kind: 'auth' | 'acct',
  lines: string,
  args: readonly string[] = [],
): Promise<string> {
  const child = spawn('radclient', ['-x', '-r', '1', '-t', '8', ...args, `127.0.0.1:${port}`, kind, secret])
  let said = ''
  child.stdout.on('data', (chunk) => {
    said += chunk
  })
  child.stderr.on('data', (chunk) => {
    said += chunk
  })
  child.stdin.end(lines)
  await once(child, 'close')
  return said
}

const attributes = (terminal: string, more: Record<string, string | number>) =>
  Object.entries({
    'User-Name': terminal.replaceAll(':', ''),
    'Calling-Station-Id': terminal.replaceAll(':', '-').toUpperCase(),
    ...more,
  })
    .map(([name, value]) => `${name} = ${typeof value === 'number' ? value : JSON.stringify(value)}`)
    .join(', ')

async function askFor(
  port: number,
  terminal: string,
  more: Record<string, string | number> = {},
): Promise<Said> {
  const said = await radclient(port, 'auth', attributes(terminal, more))
  const found = (pattern: RegExp) => pattern.exec(said)?.[1] ?? ''
  return {
    answer: found(/Received (Access-\w+)/),
    reason: found(/Reply-Message = "([^"]*)"/),
    vlan: found(/Tunnel-Private-Group-Id:0 = "([^"]*)"/),
  }
}

describe('FreeRADIUS asks Belfry', { skip }, async () => {
  // The body runs also where all of it is skipped.
  if (skip) return
  const folder = temporaryFolder()
  const data = join(folder, 'data')
  const tokenFile = join(folder, 'token')
  let url = ''
  let listen = ''
  let service: Service
  let radius = 0
  let open = 0

  const startBelfry = async (...more: string[]) => {
    const passwordFile = join(folder, 'password')
    const flags = ['--data', data, '--listen', listen, '--admin-password-file', passwordFile]
    service = await serve([...flags, ...more])
  }

  const startRadius = async (whenUnreachable: string, token = tokenFile): Promise<number> => {
    // One for questions, and the one above it for accounting.
    const port = await freePort(2)
    const child = spawn(script, [token, '--serve', String(port)], {
      env: { ...process.env, BELFRY_URL: url, WHEN_UNREACHABLE: whenUnreachable, RADIUS_SECRET: secret },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const closed = once(child, 'close')
    after(async () => {
      child.kill('SIGTERM')
      await closed
    })
    await Promise.race([once(child.stdout, 'data'), closed.then(() => assert.fail('it did not start'))])
    return port
  }

  const as = async (method: string, path: string, body?: unknown): Promise<Answer> => {
    const challenge = challengeOf(await sendRequest(url, 'GET', '/', {}))
    const Authorization = digestHeader(challenge, { name: 'admin', password, method, uri: path })
    const headers = { Authorization, 'Content-Type': 'application/json', Accept: 'application/json' }
    return sendRequest(url, method, path, {
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  }
  const make = async (path: string, body: unknown) => assert.equal((await as('POST', path, body)).status, 201)

  const prepare = async () => {
    listen = `127.0.0.1:${await freePort()}`
    url = `http://${listen}`
    writeFileSync(join(folder, 'password'), password)
    await startBelfry()
    const made = await succeed(['operator', 'token', 'admin', '--scope', 'access', '--data', data])
    writeFileSync(tokenFile, /bfy_[\w-]+/.exec(made.stdout)?.[0] ?? '')
    // Packets of this test come from here.
    await make('/plat/res/device', {
      id: 1,
      ip: '127.0.0.1',
      label: 'here',
      interfaces: [
        { ifIndex: 3, ifDesc: 'GigabitEthernet1/0/3' },
        { ifIndex: 7, ifDesc: 'GigabitEthernet1/0/7' },
      ],
    })
    await make('/plat/res/device', {
      ip: '10.0.0.2',
      label: 'there',
      interfaces: [{ ifIndex: 3, ifDesc: 'GigabitEthernet1/0/3' }],
    })
    await make('/res/access/macAccessBind', { terminalMac: mac(1), bindType: 1, vlan: 42 })
    const { device } = (await as('GET', '/plat/res/device')).json() as {
      device: { id: string; label: string }[]
    }
    const idOf = (label: string) => device.find((one) => one.label === label)?.id
    await make('/res/access/macAccessBind', {
      terminalMac: mac(2),
      bindType: 2,
      ifInfo: [{ deviceId: idOf('here'), ifIndex: 3 }],
    })
    await make('/res/access/macAccessBind', {
      terminalMac: mac(3),
      bindType: 2,
      ifInfo: [{ deviceId: idOf('there'), ifIndex: 3 }],
    })
    radius = await startRadius('reject')
    open = await startRadius('accept')
  }
  await prepare()

  test('every case has its answer and its reason', async () => {
    const at = { 'NAS-Port-Id': 'GigabitEthernet1/0/3' }
    assert.deepEqual(await askFor(radius, mac(1), at), {
      answer: 'Access-Accept',
      reason: 'bound-anywhere',
      vlan: '42',
    })
    assert.deepEqual(await askFor(radius, mac(2), at), {
      answer: 'Access-Accept',
      reason: 'bound-here',
      vlan: '',
    })
    assert.equal((await askFor(radius, mac(2), { 'NAS-Port': 50103 })).reason, 'bound-here')
    assert.equal(
      (await askFor(radius, mac(2), { 'NAS-Port-Id': 'slot=1;subslot=0;port=3;vlanid=1' })).reason,
      'bound-here',
    )
    const rejected = async (terminal: string, more: Record<string, string | number>) => {
      const { answer, reason } = await askFor(radius, terminal, more)
      assert.equal(answer, 'Access-Reject')
      return reason
    }
    assert.equal(await rejected(mac(2), { 'NAS-Port-Id': 'GigabitEthernet1/0/7' }), 'bound-elsewhere')
    assert.equal(await rejected(mac(2), { 'NAS-Port-Id': 'Gi9/9' }), 'unknown-interface')
    assert.equal(await rejected(mac(9), at), 'unknown-terminal')
    assert.equal(await rejected(mac(2), { ...at, 'User-Name': mac(1) }), 'user-name-differs')
    for (const name of ['ann', '%{exec:/bin/id}', 'a"b\\c', '\u0001\u00ff'])
      assert.equal(await rejected(mac(1), { ...at, 'User-Name': name }), 'no-mac-address', name)
  })

  test('the device is where the packet came from, not what it claims to be', async () => {
    const claimed = {
      'NAS-IP-Address': '10.0.0.2',
      'NAS-Identifier': 'there',
      'NAS-Port-Id': 'GigabitEthernet1/0/3',
    }
    const packet = attributes(mac(3), claimed).replace('"10.0.0.2"', '10.0.0.2')
    assert.match(await radclient(radius, 'auth', packet), /Access-Reject[\s\S]*bound-elsewhere/)
  })

  test('a packet from an address that no device has is from no switch of ours', async () => {
    const packet = `${attributes(mac(2), { 'NAS-Port-Id': 'GigabitEthernet1/0/3' })}, Packet-Src-IP-Address = 127.0.0.9`
    assert.match(await radclient(radius, 'auth', packet), /Access-Reject[\s\S]*unknown-device/)
    const anywhere = `${attributes(mac(1), {})}, Packet-Src-IP-Address = 127.0.0.9`
    assert.match(await radclient(radius, 'auth', anywhere), /Access-Accept[\s\S]*bound-anywhere/)
  })

  test('the name of a port cannot break the request', async () => {
    for (const port of ['Gi"1/0/3\\', '%{User-Name}', '","userName":"', 'ü \u0007', 'x'.repeat(240)])
      assert.equal((await askFor(radius, mac(1), { 'NAS-Port-Id': port })).reason, 'bound-anywhere', port)
  })

  test('refusals are alarms, and accounting reports where a terminal is', async () => {
    const place = { 'NAS-Port-Id': 'GigabitEthernet1/0/7', 'Acct-Session-Id': '1' }
    const account = (status: string) => {
      const packet = `${attributes(mac(1), place)}, Acct-Status-Type = ${status}, Framed-IP-Address = 10.0.0.77`
      return radclient(radius + 1, 'acct', packet)
    }
    const seen = async () =>
      (
        (await as('GET', `/res/access/terminal?terminalMac=${mac(1)}`)).json().terminal as Record<
          string,
          string
        >[]
      )[0] ?? {}
    assert.match(await account('Start'), /Received Accounting-Response/)
    const { port, ip, present, source, bound, violation } = await seen()
    assert.deepEqual(
      { port, ip, present, source, bound, violation },
      {
        port: 'GigabitEthernet1/0/7',
        ip: '10.0.0.77',
        present: 'true',
        source: 'accounting',
        bound: 'true',
        violation: 'false',
      },
    )
    assert.match(await account('Interim-Update'), /Received Accounting-Response/)
    assert.match(await account('Stop'), /Received Accounting-Response/)
    assert.equal((await seen()).present, 'false')
    const alarms = (await as('GET', '/fault/alarm?recStatus=0&size=100')).json().alarm as {
      alarmDesc: string
    }[]
    assert.ok(alarms.some(({ alarmDesc }) => alarmDesc.includes(`${mac(2)} was refused (bound-elsewhere)`)))
  })

  test('a revoked token locks nobody out where the setting is accept, and admits nobody where it is reject', async () => {
    const made = await succeed(['operator', 'token', 'admin', '--scope', 'access', '--data', data])
    const other = join(folder, 'other-token')
    writeFileSync(other, /bfy_[\w-]+/.exec(made.stdout)?.[0] ?? '')
    const [closed, opened] = [await startRadius('reject', other), await startRadius('accept', other)]
    assert.equal((await askFor(opened, mac(9))).answer, 'Access-Reject')
    assert.equal((await as('DELETE', '/plat/token/2')).status, 204)
    assert.deepEqual(await askFor(opened, mac(1)), { answer: 'Access-Accept', reason: 'not-asked', vlan: '' })
    assert.deepEqual(await askFor(closed, mac(1)), { answer: 'Access-Reject', reason: 'not-asked', vlan: '' })
  })

  test('the same holds for an expired token', async () => {
    const expiryTime = Math.floor(Date.now() / 1000) + 8
    const made = (await as('POST', '/plat/token', { scope: 'access', expiryTime })).json()
    const token = String(made.token)
    const ask = () =>
      sendRequest(url, 'POST', '/res/access/authorize', {
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ sourceIp: '127.0.0.1', userName: mac(1), callingStationId: mac(1) }),
      })
    assert.equal((await ask()).status, 200)
    const file = join(folder, 'short-token')
    writeFileSync(file, token)
    const [closed, opened] = [await startRadius('reject', file), await startRadius('accept', file)]
    while (Date.now() < (expiryTime + 1) * 1000) await pause(100)
    assert.equal((await ask()).status, 401)
    assert.deepEqual(await askFor(opened, mac(1)), { answer: 'Access-Accept', reason: 'not-asked', vlan: '' })
    assert.deepEqual(await askFor(closed, mac(1)), { answer: 'Access-Reject', reason: 'not-asked', vlan: '' })
  })

  test('a thousand terminals that come back at once are all answered, also while Belfry is restarted', async () => {
    const terminals = Array.from({ length: 1000 }, (_, n) => mac(10_000 + n))
    const packets = terminals
      .map((one) => attributes(one, { 'NAS-Port-Id': 'GigabitEthernet1/0/7' }))
      .join('\n\n')
    const counted = async (port: number) => {
      const said = await radclient(port, 'auth', `${packets}\n`, [
        '-r',
        '5',
        '-t',
        '5',
        '-p',
        '1000',
        '-q',
        '-s',
      ])
      const sum = (pattern: RegExp) => Number(pattern.exec(said)?.[1] ?? Number.NaN)
      return {
        accepted: sum(/Accepted\s*:\s*(\d+)/),
        rejected: sum(/Rejected\s*:\s*(\d+)/),
        lost: sum(/Lost\s*:\s*(\d+)/),
        said,
      }
    }
    const { said, ...calm } = await counted(radius)
    assert.deepEqual(calm, { accepted: 0, rejected: 1000, lost: 0 }, said)
    const storm = counted(open)
    await pause(100)
    await stop(service)
    await startBelfry()
    const { accepted, rejected, lost } = await storm
    assert.equal(lost, 0)
    assert.equal(accepted + rejected, 1000)
    // The first question after the restart is answered by Belfry again.
    assert.equal((await askFor(radius, mac(1))).reason, 'bound-anywhere')
    // What a test has started ends with it.
    await stop(service)
  })

  test('while Belfry is stopped or hangs, FreeRADIUS decides as it was configured, before the switch times out', async () => {
    const quick = async (port: number, answer: string) => {
      const began = performance.now()
      assert.deepEqual(await askFor(port, mac(1)), { answer, reason: 'not-asked', vlan: '' })
      assert.ok(performance.now() - began < 5000)
    }
    await startBelfry()
    service.signal('SIGSTOP')
    await quick(radius, 'Access-Reject')
    await quick(open, 'Access-Accept')
    service.signal('SIGCONT')
    assert.equal((await askFor(radius, mac(1))).reason, 'bound-anywhere')
    // Slow, but not too slow: the answer is that of Belfry.
    service.signal('SIGSTOP')
    const slow = askFor(radius, mac(1))
    await pause(600)
    service.signal('SIGCONT')
    assert.equal((await slow).reason, 'bound-anywhere')
    await stop(service)
    await quick(radius, 'Access-Reject')
    await quick(open, 'Access-Accept')
    await startBelfry()
    assert.equal((await askFor(open, mac(1))).reason, 'bound-anywhere')
    assert.equal((await askFor(open, mac(9))).reason, 'unknown-terminal')
    await stop(service)
  })

  test('where unknown terminals are admitted, an alarm reports each', async () => {
    await startBelfry('--unknown-terminals', 'admit')
    const at = { 'NAS-Port-Id': 'GigabitEthernet1/0/3' }
    const admitted = { answer: 'Access-Accept', reason: 'unknown-admitted', vlan: '' }
    for (const port of [radius, open]) assert.deepEqual(await askFor(port, mac(77), at), admitted)
    const reported = async () =>
      ((await as('GET', '/fault/alarm?recStatus=0&size=100')).json().alarm as { alarmDesc: string }[]).filter(
        ({ alarmDesc }) => alarmDesc.includes(mac(77)),
      )
    while ((await reported()).length === 0) await pause(50)
    assert.equal((await reported()).length, 1)
    // A binding that does not allow the place still applies.
    assert.equal((await askFor(radius, mac(3), at)).reason, 'bound-elsewhere')
  })
})
