import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { demo } from '../../src/cli/commands/demo-command.ts'
import { environmentName, readConfig } from '../../src/config/config.ts'
import { removedSettings } from '../../src/config/removed-settings.ts'
import { settings } from '../../src/config/settings.ts'
import { Fault } from '../../src/fault.ts'
import { until } from '../intake/sending.ts'
import { sendRequest, temporaryFolder } from '../support.ts'
import { fail, succeed } from './here.ts'
import { serve, stop } from './running.ts'

function settingsFile(content: string): string {
  const file = join(temporaryFolder(), 'settings.json')
  writeFileSync(file, content)
  return file
}

test('a flag takes precedence over the environment, that over the file, that over the default', () => {
  const config = settingsFile('{"body-limit": 2001, "request-timeout": "21", "log-level": "warn"}')
  const read = readConfig(
    { config, 'body-limit': '2003' },
    { BELFRY_BODY_LIMIT: '2002', BELFRY_REQUEST_TIMEOUT: '22', PATH: '/bin' },
  )
  assert.equal(read['body-limit'], 2003)
  assert.equal(read['request-timeout'], 22)
  assert.equal(read['log-level'], 'warn')
  assert.deepEqual(read.listen, { host: '127.0.0.1', port: 8080 })
  assert.equal(read.data, './data')
  assert(Object.isFrozen(read))
  assert.equal(readConfig({}, { BELFRY_CONFIG: config })['body-limit'], 2001)
})

const bad: Record<keyof typeof settings, string[]> = {
  'ask-seconds': ['-1', '86401', 'often'],
  'ask-rate': ['0', '20001', 'fast'],
  'learn-seconds': ['-1', '604801', 'often'],
  'verify-seconds': ['-1', '86401', 'often'],
  'link-tops': ['10.0.0.0/8', 'core'],
  'cause-wait': ['-1', '3601', 'long'],
  realm: ['a"b', 'a\\b', 'ä', ''],
  'session-hours': ['0', '8761'],
  'openid-token-days': ['0', '3651', 'long'],
  'session-idle-minutes': ['-1', 'long'],
  'openid-issuer': [
    'login.example.net',
    'http://login.example.net',
    'https://x/?q',
    'https://u@x/',
    'ftp://x',
  ],
  'openid-client-id': [],
  'openid-secret-file': [],
  'openid-scopes': ['', 'profile', 'openid "groups"'],
  'openid-group-claim': [],
  'openid-roles': ['noc', 'noc=boss', '=viewer', 'noc=operator,staff=viewer x'],
  'event-clients': ['10.0.0.0/33', 'host'],
  'metrics-clients': ['x'],
  'admin-password-file': [],
  'notify-loopback': ['maybe', ''],
  'notify-private-networks': ['10.0.0.0/33', 'host'],
  'notify-proxy': ['proxy:3128', 'https://proxy', 'http://u@proxy', 'http://proxy/x', 'http://proxy:99999'],
  'notify-proxy-hosts': [],
  listen: ['8080', '127.0.0.1', ':8080', 'host:99999', 'host:x', ''],
  traps: ['1162', 'host:', '', 'host:1162@x', 'host:1162@10000', 'host:1162,host:1163', 'a:1@2,b:1@2'],
  'syslog-udp': ['514', 'host:', 'host:99999', 'host:514@x', 'host:514,host:515'],
  'syslog-tcp': ['514', 'host:', 'host:99999'],
  'syslog-tls': ['6514', 'host:', 'host:99999'],
  'syslog-certificate': [],
  'syslog-key': [],
  'syslog-authority': [],
  'syslog-senders': ['10.0.0.0/33', 'host'],
  'syslog-relays': ['10.0.0.0/33', 'host', '10.0.0.1@x'],
  'syslog-ring': ['-1', '1.5', '5000000000'],
  data: [''],
  store: [
    'sqlite',
    'http://x/y',
    'postgres://host',
    'postgres://u:p@host/db',
    'postgres://host/db?password=p',
  ],
  'store-password-file': [],
  'key-file': [],
  node: ['two words', 'ä', 'x'.repeat(101)],
  installation: ['two words', 'x'.repeat(101)],
  'lease-seconds': ['0', '61', 'x'],
  'public-url': ['ftp://x', 'nms.example.net', 'https://x/?q', 'https://x/#f'],
  // Whether a file can be used is found out when it is opened.
  'tls-certificate': [],
  'tls-key': [],
  'trusted-proxies': ['10.0.0.1,proxy', '10.0.0.0/8'],
  'body-limit': ['1023', '1e6', '-1', '1 MB', ''],
  'request-timeout': ['0', '3601', '1.5'],
  'connections-per-address': ['0', '100001'],
  'log-level': ['loud', 'INFO'],
  'log-form': ['pretty', 'TEXT', ''],
  // Any words are communities, and any text may be the name of a file.
  'trap-communities': [],
  'trap-users': [],
  'trap-senders': ['10.0.0.0/33', 'switch-1', '2001:db8::/129', '10.0.0.1/x'],
  'trap-buffer': ['1000', 'large'],
  'storm-source': ['-1', 'many'],
  'storm-overall': ['10000001'],
  'duplicate-seconds': ['3601'],
  'flap-count': ['101'],
  'unknown-senders': ['ignore'],
  'device-limit': ['-1', 'many'],
  'open-alarms-device': ['-1'],
  'open-alarms': ['all'],
  'unknown-traps': ['alarms'],
  'keep-traps': ['-1'],
  'keep-traps-days': ['0'],
  'keep-alarms': ['all'],
  'keep-alarms-days': ['0'],
  'keep-log': ['1.5'],
  'keep-log-bytes': ['1G'],
  'keep-log-days': ['0'],
  'keep-audit': ['many'],
  'keep-audit-days': ['0'],
  'unknown-terminals': ['drop', ''],
  'keep-terminals': ['-1'],
  'keep-terminals-days': ['-1', 'ever'],
  'heartbeat-seconds': ['0'],
  'heartbeat-form': ['xml'],
  'clean-close': ['', 'yes', 'Trust'],
  'stall-seconds': ['-5'],
  'keep-registrations-days': ['0'],
  'time-zone': ['Mars/Olympus', 'CEST7'],
}

test('a bad value is refused with the setting, the place it came from and what is accepted', () => {
  for (const [name, values] of Object.entries(bad)) {
    for (const value of values) {
      const variable = environmentName(name)
      const accepted = /expected |is not an IP address|is neither an address nor a network/
      for (const [read, where] of [
        [() => readConfig({ [name]: value }, {}), `--${name}: `],
        [() => readConfig({}, { [variable]: value }), `${variable}: `],
      ] as const) {
        assert.throws(read, (error) => {
          assert(error instanceof Fault, `${where}${value}`)
          assert(error.message.startsWith(where), error.message)
          assert.match(error.message, accepted)
          return true
        })
      }
    }
  }
})

test('a removed setting is named with what applies instead, wherever it stands, and its value is not read', () => {
  const config = settingsFile('{"lag-alarm": ["x"], "keep-audit-bytes": 7}')
  const { ignored } = readConfig(
    { config, 'storm-seconds': 'x' },
    { BELFRY_OPEN_HOSTS: '', BELFRY_LAG_ALARM: '1' },
  )
  assert.deepEqual(
    ignored.map(({ name, text }) => `${name}: ${text}`),
    [
      'storm-seconds: --storm-seconds is ignored: it is no longer a setting; it is 30 seconds',
      `keep-audit-bytes: keep-audit-bytes in ${config} is ignored: it is no longer a setting; it follows from keep-audit`,
      'lag-alarm: BELFRY_LAG_ALARM is ignored: it is no longer a setting; it is 10,000',
      'open-hosts: BELFRY_OPEN_HOSTS is ignored: it is no longer a setting; localhost, addresses and the name of public-url are accepted',
    ],
  )
  assert.deepEqual(readConfig({}, {}).ignored, [])
  for (const name of Object.keys(removedSettings)) assert(!Object.hasOwn(settings, name), name)
})

test('a removed setting is no longer meant by a misspelt one', () => {
  assert.throws(
    () => readConfig({ 'lag-alrm': '1' }, {}),
    /^Fault: --lag-alrm is not a setting: (?!.*lag-alarm)/,
  )
})

test('an unknown setting is refused with similar ones, wherever it stands', () => {
  assert.throws(
    () => readConfig({ lsten: 'x' }, {}),
    /^Fault: --lsten is not a setting: did you mean --listen\?$/,
  )
  for (const [given, meant] of [
    ['BELFRY_LSTEN', 'BELFRY_LISTEN'],
    ['BELFRY_KEEP_ALARM_DAYS', 'BELFRY_KEEP_ALARMS_DAYS'],
    ['BELFRY_TOKN', 'BELFRY_TOKEN'],
  ] as const) {
    const message = new RegExp(`^Fault: ${given} is not a setting: did you mean ${meant}[,?]`)
    assert.throws(() => readConfig({}, { [given]: 'x' }), message)
  }
  assert.throws(
    () => readConfig({}, { BELFRY_QQQQQQQQ: 'x' }),
    /^Fault: BELFRY_QQQQQQQQ is not a setting: belfry serve --help lists all settings$/,
  )
  assert.throws(
    () => readConfig({ config: settingsFile('{"lsten":"x"}') }, {}),
    /lsten in .* is not a setting: did you mean listen\?$/,
  )
})

test('a settings file that is none is refused', () => {
  for (const content of [
    '',
    '[]',
    '"x"',
    'null',
    '{',
    '{"data":null}',
    '{"listen":{"port":1}}',
    '{"listen":["a"]}',
  ]) {
    assert.throws(
      () => readConfig({ config: settingsFile(content) }, {}),
      (error) => error instanceof Fault && /the settings file|in .*settings\.json/.test(error.message),
      content,
    )
  }
  assert.throws(
    () => readConfig({ config: '/no/such/file' }, {}),
    /the settings file \/no\/such\/file cannot be read/,
  )
})

test('settings reach a service by flag, environment and file', async () => {
  const [flag, variable, file] = [temporaryFolder(), temporaryFolder(), temporaryFolder()]
  const config = settingsFile(JSON.stringify({ data: file }))
  const env = { BELFRY_DATA: variable, BELFRY_CONFIG: config }
  const services = await Promise.all([
    serve(['--data', flag], { env }),
    serve([], { env }),
    serve(['--config', config]),
  ])
  const used = await Promise.all(
    services.map(async (service) => /data in (.*)\n/.exec((await stop(service)).stdout)?.[1]),
  )
  assert.deepEqual(used, [flag, variable, file])
})

interface ListedAlarm {
  readonly resource: string
  readonly recStatus: string
  readonly isReceoverFault: string
}

/** Resource and state of the alarms about ignored settings: 0 open, 1 over. */
async function ignoredSettings(url: string): Promise<string[]> {
  const path = '/fault/alarm?faultOid=1.3.6.1.4.1.32473.1.63'
  const { json } = await sendRequest(url, 'GET', path, { headers: { Accept: 'application/json' } })
  const { alarm = [] } = json() as { alarm?: ListedAlarm[] }
  return alarm
    .filter(({ isReceoverFault }) => Number(isReceoverFault) === 0)
    .map(({ resource, recStatus }) => `${resource} ${recStatus}`)
    .sort()
}

test('a service that is given removed settings starts, warns of each, and has an alarm until they are gone', async () => {
  const data = temporaryFolder()
  const env = { BELFRY_LAG_ALARM: '7' }
  const first = await serve(['--data', data, '--storm-seconds', '5'], { env })
  const both = ['setting=lag-alarm 0', 'setting=storm-seconds 0']
  await until('there are alarms', async () => (await ignoredSettings(first.url)).length === 2)
  assert.deepEqual(await ignoredSettings(first.url), both)
  const { stderr } = await stop(first)
  for (const place of ['--storm-seconds', 'BELFRY_LAG_ALARM'])
    assert.equal(stderr.split(`"msg":"${place} is ignored: it is no longer a setting; `).length, 2, stderr)
  const second = await serve(['--data', data], { env })
  const left = ['setting=lag-alarm 0', 'setting=storm-seconds 1']
  await until('one is over', async () => (await ignoredSettings(second.url)).join() === left.join())
  await stop(second)
  // A command that starts a service for itself warns, and changes no alarm.
  const { stderr: warned } = await succeed(['export', 'zone', '--data', data, '--rule-alarm', '1'])
  assert.equal(warned, 'belfry: --rule-alarm is ignored: it is no longer a setting; it is 10,000\n')
  const third = await serve(['--data', data])
  const over = ['setting=lag-alarm 1', 'setting=storm-seconds 1']
  await until('both are over', async () => (await ignoredSettings(third.url)).join() === over.join())
  await stop(third)
})

test('a bad setting ends a command with 2', async () => {
  const [value, variable, flag, word, dash] = await Promise.all([
    fail(2, ['serve', '--listen', 'everywhere']),
    fail(2, ['serve'], { env: { BELFRY_LOG_LEVEL: 'loud' } }),
    fail(2, ['serve', '--lsten', 'x']),
    fail(2, ['serve', 'now']),
    fail(2, ['demo', '--pace', '-1']),
  ])
  assert.equal(
    value,
    'belfry: --listen: "everywhere": expected host:port, such as 127.0.0.1:8080 or [::1]:8080',
  )
  assert.match(variable, /^belfry: BELFRY_LOG_LEVEL: "loud": expected one of trace/)
  assert.match(flag, /^belfry: --lsten is not an option: did you mean --listen\?$/)
  assert.equal(word, 'belfry: "now" is not expected here. Try --help')
  assert.equal(
    dash,
    'belfry: --pace has no value; one that begins with a dash is written behind an equals sign, as in --pace=-1. Try --help',
  )
})

test('every command explains what it does, also where settings are wrong', async () => {
  const { stdout } = await succeed(['--help'])
  for (const command of ['serve', 'demo', 'load', 'export', 'trap'])
    assert.match(stdout, new RegExp(`^  ${command} `, 'm'))
  assert.equal((await succeed([])).stdout, stdout)
  const { stdout: load } = await succeed(['load', '--help'], { env: { BELFRY_LISTEN: 'everywhere' } })
  assert.match(load, /^ {2}--data folder$/m)
  assert.match(load, /^Settings \(all others of belfry serve are taken, too\):$/m)
  for (const command of ['serve', 'demo']) {
    const help = await succeed([command, '--help'], { env: { BELFRY_LISTEN: 'everywhere' } })
    assert.equal(help.stderr, '')
    for (const [name, { byDefault }] of Object.entries(settings)) {
      assert(help.stdout.includes(`--${name} `), name)
      assert(help.stdout.includes(environmentName(name)))
      const own = command === 'demo' ? demo.defaults?.[environmentName(name)] : undefined
      assert(help.stdout.includes(own ?? byDefault))
    }
    const folder = command === 'demo' ? './data-demo' : './data'
    assert(help.stdout.includes(`Default ${folder}. [BELFRY_DATA]`))
  }
})

for (const [args, message] of [
  [['begin'], '"begin" is not a command: belfry help lists all'],
  [['operatr', 'list'], '"operatr" is not a command: did you mean operator?'],
  [['helth'], '"helth" is not a command: did you mean health, help?'],
  [['operator', 'paswd', 'x'], '"paswd" is not known: did you mean passwd?'],
  [['mib', 'lod'], '"lod" is not known: did you mean load?'],
  [['load', 'zone.csv', '--replaec'], '--replaec is not an option: did you mean --replace?'],
  [['serve', '--lisen', '1'], '--lisen is not an option: did you mean --listen?'],
  [['serve', '--quite-something-else'], '--quite-something-else is not an option: try --help'],
  [
    ['serve', '--listen', '127.0.0.1:80800'],
    '--listen: "127.0.0.1:80800": port 80800 is too high: expected at most 65535',
  ],
  [
    ['serve', '--traps', '[::1]:65536'],
    '--traps: "[::1]:65536": port 65536 is too high: expected at most 65535',
  ],
  [
    ['serve', '--store', 'postgres://u@a:5432,b:99999/db'],
    '--store: "postgres://u@a:5432,b:99999/db": port 99999 is too high: expected at most 65535',
  ],
  [['trap', 'linkDown', '--to', '127.0.0.1:162000'], 'port 162000 is too high: expected at most 65535'],
] as const) {
  test(`belfry ${args.join(' ')}: the message says what is wrong, and what may have been meant`, async () => {
    const said = await fail(2, args)
    assert.ok(said.endsWith(message), said)
  })
}

test('the version is that of the package', async () => {
  assert.match((await succeed(['--version'])).stdout, /^\d+\.\d+\.\d+\n$/)
})

test("the time zone is an IANA name, and the machine's where none is given", () => {
  const machine = Intl.DateTimeFormat().resolvedOptions().timeZone
  assert.equal(
    readConfig({}, {})['time-zone'],
    new Intl.DateTimeFormat('en', { timeZone: machine }).resolvedOptions().timeZone,
  )
  assert.equal(readConfig({ 'time-zone': 'europe/berlin' }, {})['time-zone'], 'Europe/Berlin')
})
