// Programs that send syslog: logger of util-linux, and rsyslog as a relay (on Debian the packages bsdutils, rsyslog and
// rsyslog-gnutls), over UDP, TCP with both framings, and TLS. And what no program should send, over TCP.

import assert from 'node:assert/strict'
import { execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { globSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { readShippedDefinitions } from '../../src/syslog/syslog-definitions.ts'
import { freePort } from '../free-port.ts'
import { Authority } from '../http/certificates.ts'
import { startService, type TestService, temporaryFolder } from '../support.ts'
import { relays, requireRelayed } from './relaying.ts'
import { ledger, sum, until } from './sending.ts'

const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` }

/** Why a test is skipped; on a build machine it fails instead. */
function missing(isThere: boolean, what: string, packageName: string): string | false {
  if (isThere) return false
  if (process.env.CI === 'true') throw new Error(`CI needs ${what}: install ${packageName}`)
  return `${what} is not installed (on Debian: apt-get install ${packageName})`
}

const runs = (program: string, flag: string) => !spawnSync(program, [flag], { env }).error
const noLogger = missing(runs('logger', '--version'), 'logger', 'bsdutils')
const noRelay = missing(runs('rsyslogd', '-v'), 'rsyslogd', 'rsyslog')
const hasTls = globSync('/usr/lib/*/rsyslog/lmnsd_gtls.so').length > 0
const noTls = missing(hasTls, 'lmnsd_gtls.so', 'rsyslog-gnutls')

const run = promisify(execFile)
const fault = '%FAN-3-FAN_FAILED: Fan 1 had a rotation error reported.'
const end = '%FAN-3-FAN_OK: Fan 1 had earlier reported a rotation error. It is ok now'

const whenCounted = (service: TestService, n: number) =>
  until(`${n} are counted`, async () => sum(await ledger(service)) >= n)

const ways = {
  UDP: { setting: 'syslog-udp', way: 'udp', flags: ['--udp'] },
  'TCP, with line feeds': { setting: 'syslog-tcp', way: 'tcp', flags: ['--tcp'] },
  'TCP, with counts': { setting: 'syslog-tcp', way: 'tcp', flags: ['--tcp', '--octet-count'] },
} as const

for (const [name, { setting, way, flags }] of Object.entries(ways)) {
  test(`logger of util-linux over ${name}, in both forms`, { skip: noLogger }, async () => {
    const service = await startService({ [setting]: '127.0.0.1:0' })
    const to = [...flags, '--server', '127.0.0.1', '--port', String(service.syslogPorts[way])]
    const log = (...args: string[]) => run('logger', [...to, '--priority', 'local7.err', ...args])
    await log('--rfc3164', '--tag', 'fand', fault)
    await whenCounted(service, 1)
    await log('--rfc5424', '--tag', 'fand', end)
    await log('--rfc5424', '--tag', 'app', 'served a request in 3 ms')
    await whenCounted(service, 3)
    assert.deepEqual(await ledger(service), {
      'raised no such alarm was open': 1,
      'recovered it ends an open alarm': 1,
      'filtered message without a definition': 1,
    })
  })
}

/** Sends a message to an rsyslog that forwards it to the service. */
async function relay(service: TestService, head: string, action: string): Promise<void> {
  const folder = temporaryFolder()
  const port = await freePort()
  const settings = join(folder, 'rsyslog.conf')
  writeFileSync(
    settings,
    `global(workDirectory="${folder}" ${head})
module(load="imudp")
input(type="imudp" address="127.0.0.1" port="${port}")
*.* action(type="omfwd" target="127.0.0.1" template="RSYSLOG_SyslogProtocol23Format" ${action})
`,
  )
  const process = spawn('rsyslogd', ['-n', '-f', settings, '-i', join(folder, 'pid')], {
    env,
    stdio: 'ignore',
  })
  after(async () => {
    process.kill()
    if (process.exitCode === null) await once(process, 'exit')
  })
  await requireRelayed(service, port, '--rfc5424=notq')
}

test('rsyslog as a relay over UDP', { skip: noRelay }, async () => {
  const service = await startService({ ...relays, 'syslog-udp': '127.0.0.1:0' })
  await relay(service, '', `port="${service.syslogPorts.udp}" protocol="udp"`)
})

for (const framing of ['traditional', 'octet-counted']) {
  test(`rsyslog as a relay over TCP, ${framing}`, { skip: noRelay }, async () => {
    const service = await startService({ ...relays, 'syslog-tcp': '127.0.0.1:0' })
    const action = `port="${service.syslogPorts.tcp}" protocol="tcp" TCP_Framing="${framing}"`
    await relay(service, '', action)
  })
}

test('rsyslog as a relay over TLS, with a certificate of its own', { skip: noRelay || noTls }, async () => {
  const authority = new Authority()
  const [own, ofRelay] = [authority.issue(), authority.issue({ name: 'relay' })]
  const service = await startService({
    ...relays,
    'syslog-tls': '127.0.0.1:0',
    'syslog-certificate': own.certificate,
    'syslog-key': own.key,
    'syslog-authority': authority.root,
  })
  await relay(
    service,
    `defaultNetstreamDriverCAFile="${authority.root}" defaultNetstreamDriverCertFile="${ofRelay.certificate}" defaultNetstreamDriverKeyFile="${ofRelay.key}"`,
    `port="${service.syslogPorts.tls}" protocol="tcp" StreamDriver="gtls" StreamDriverMode="1" StreamDriverAuthMode="x509/name" StreamDriverPermittedPeers="localhost"`,
  )
})

/** The same numbers in each run, so that a failure can be repeated. */
function generator(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

test('ten thousand mutated messages have an outcome each, and those after them are heard', async () => {
  const service = await startService(
    { 'syslog-tcp': '127.0.0.1:0', 'storm-source': '0', 'storm-overall': '0' },
    { limits: { syslogMessageSeconds: 2 } },
  )
  const below = generator(7)
  const examples = readShippedDefinitions().definitions.flatMap((one) =>
    one.examples.map(({ message }) => message),
  )
  const pieces = [
    '\0',
    '\x1b[2J',
    '\u202e',
    '\ufffe',
    '<',
    '>',
    '%',
    '\xff',
    '9999999 <',
    '{',
    '"',
    '\\',
    ' '.repeat(900),
  ]
  const mutated = () => {
    const text = examples[below(examples.length)] ?? ''
    const at = below(text.length)
    const kinds = [
      () => text.slice(at),
      () => text.slice(0, at) + (pieces[below(pieces.length)] ?? '') + text.slice(at),
      () => text.slice(0, at) + String.fromCharCode(below(256)) + text.slice(at + 1),
      () => text.slice(0, at) + text,
    ]
    // A line that looks like a count, or has line feeds in it, would be another number of messages.
    const line = (kinds[below(kinds.length)]?.() ?? '').replaceAll('\n', ' ')
    return `<${below(250)}>${line}\n`
  }
  const number = 10_000
  const connections = Array.from({ length: 10 }, () => connect(service.syslogPorts.tcp ?? 0, '127.0.0.1'))
  for (const socket of connections) after(() => socket.destroy())
  for (let n = 0; n < number; n += 1) {
    const socket = connections[n % 10]
    if (!socket?.write(Buffer.from(mutated(), 'latin1'))) await once(socket ?? assert.fail(), 'drain')
  }
  await whenCounted(service, number)
  assert.equal(sum(await ledger(service)), number)
  const hostile = [
    '8388607 <13>x',
    '<13>no end',
    '12',
    '\0\n\0\n',
    `7 <13>abc${'y'.repeat(200_000)}`,
    '<13>',
    '1 <',
  ]
  for (const [index, text] of hostile.entries()) connections[index]?.write(text)
  const last = connect(service.syslogPorts.tcp ?? 0, '127.0.0.1')
  after(() => last.destroy())
  const before = (await ledger(service))['raised no such alarm was open'] ?? 0
  last.write(`<187>%FAN-3-FAN_FAILED: Fan 4711 had a rotation error reported.\n`)
  await until(
    'it is heard',
    async () => (await ledger(service))['raised no such alarm was open'] === before + 1,
  )
  assert.equal((await service.get('/health')).status, 200)
})
