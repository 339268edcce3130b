// belfry syslog explains messages without a service, and sends test messages.

import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { freePort } from '../free-port.ts'
import { Authority } from '../http/certificates.ts'
import { ledger, sum, until } from '../intake/sending.ts'
import { startService, temporaryFolder } from '../support.ts'
import { fail, succeed } from './here.ts'

test('each message of a file is explained, whichever way it is framed', async () => {
  const file = join(temporaryFolder(), 'messages.log')
  const counted = '<189>May  1 10:20:31 sw1 Cli: %SYS-5-CONFIG_I: Configured from console\nby admin'
  writeFileSync(
    file,
    `<187>45: sw1: *Mar  1 18:46:11: %LINK-3-UPDOWN: Interface Gi0/2, changed state to down\n${counted.length} ${counted}<14>hello\n`,
  )
  const { stdout } = await succeed(['syslog', 'explain', file])
  assert.deepEqual(stdout.split('\n'), [
    'raise linkDown ifDescr=Gi0/2 (ciscoInterfaceState)',
    '    sw1 severity 3 LINK-UPDOWN: Interface Gi0/2, changed state to down',
    'event configurationChanged (configurationChanged)',
    '    sw1 severity 5 SYS-CONFIG_I: Configured from console by admin',
    'unknown',
    '    - severity 6 -: hello',
    'Unknown, what is most likely a fault first:',
    '    1 × severity 6, 0 hosts, -: hello',
    '3 messages: 1 raise, 1 event, 1 unknown',
    '',
  ])
})

test('the definitions of users are applied while a service uses the data folder, and only to the devices they name', async () => {
  const data = temporaryFolder()
  const file = join(data, 'messages.log')
  const lines = ['192.0.2.7', '192.0.2.8'].map((host) => `<187>May  1 10:20:31 ${host} pump: A1 has stopped`)
  writeFileSync(file, `${lines.join('\n')}\n`)
  const explain = async () =>
    (await succeed(['syslog', 'explain', file, '--data', data])).stdout
      .split('\n')
      .filter((line) => /^(?:raise|unknown)/.test(line))
  assert.deepEqual(await explain(), ['unknown', 'unknown'])
  const service = await startService({ data })
  await service.sendJson('POST', '/plat/res/device', {
    ip: '192.0.2.8',
    label: 'pumps',
    typeName: 'Pump house',
  })
  const pump = {
    ...{ name: 'Pump', word: ['pump'], key: ['pump'], alarmLevel: 2 },
    message: [{ pattern: '(?P<pump>\\w+) has stopped', handling: 1 }],
  }
  const created = await service.sendJson('POST', '/fault/messageDefinition', {
    ...pump,
    typeName: ['Pump house'],
  })
  assert.equal(created.status, 201)
  assert.deepEqual(await explain(), ['unknown', 'raise Pump pump=A1 (Pump)'])
  const changed = await service.sendJson(
    'PUT',
    `${new URL(String(created.headers.location), 'http://x').pathname}`,
    {
      ...pump,
      ...{ typeName: [], network: ['192.0.2.0/29'] },
    },
  )
  assert.equal(changed.status, 204)
  assert.deepEqual(await explain(), ['raise Pump pump=A1 (Pump)', 'unknown'])
})

test('what is missing is named', async () => {
  assert.match(await fail(2, ['syslog', 'explain']), /name a file with messages/)
  assert.match(await fail(2, ['syslog', 'explain', '/nowhere/x.log']), /\/nowhere\/x\.log cannot be read/)
  assert.match(await fail(2, ['syslog', 'explian', 'x']), /did you mean explain/)
})

test('messages are sent over UDP, TCP and TLS, and become alarms', async () => {
  const authority = new Authority()
  const [own, ofSender] = [authority.issue(), authority.issue()]
  const service = await startService({
    'syslog-udp': '127.0.0.1:0',
    'syslog-tcp': '127.0.0.1:0',
    'syslog-tls': '127.0.0.1:0',
    'syslog-certificate': own.certificate,
    'syslog-key': own.key,
    'syslog-authority': authority.root,
    'syslog-relays': '127.0.0.1',
  })
  const { udp, tcp, tls } = service.syslogPorts
  const failed = '%FAN-3-FAN_FAILED: Fan {n} had a rotation error reported.'
  const send = (...args: string[]) => succeed(['syslog', 'send', ...args])
  const { stdout } = await send(failed, '--to', `127.0.0.1:${udp}`, '--host', '192.0.2.7')
  assert.equal(stdout, `1 message sent to 127.0.0.1:${udp} over udp\n`)
  await send(failed, '--over', 'tcp', '--syslog-tcp', `127.0.0.1:${tcp}`, '--count', '3', '--rate', '100')
  await send(`<187>${failed}`, '--over', 'tcp', '--counted', '--to', `127.0.0.1:${tcp}`)
  const secured = ['--over', 'tls', '--authority', authority.root, '--to', `127.0.0.1:${tls}`]
  await send(failed, ...secured, '--certificate', ofSender.certificate, '--key', ofSender.key)
  await until('all are counted', async () => sum(await ledger(service)) === 6)
  assert.deepEqual(await ledger(service), {
    'raised no such alarm was open': 4,
    'repeated such an alarm is open': 2,
  })
  assert.match(
    await fail(1, ['syslog', 'send', 'x', '--over', 'tls', '--to', `127.0.0.1:${tls}`]),
    /cannot connect to/,
  )
})

test('what cannot be sent is refused', async () => {
  const refused = (...args: string[]) => fail(2, ['syslog', 'send', ...args])
  assert.match(await refused(), /expected one text to send/)
  assert.match(await refused('x'), /--to host:port, or the setting syslog-udp/)
  assert.match(
    await refused('x', '--priority', '192'),
    /--priority "192": expected a whole number from 0 to 191/,
  )
  assert.match(await refused('x', '--over', 'sctp'), /--over "sctp": expected udp, tcp, tls/)
  assert.match(await refused('x', '--key', 'k.pem'), /--key is for --over tls/)
  const port = await freePort()
  const to = ['--over', 'tcp', '--to', `127.0.0.1:${port}`]
  assert.match(await fail(1, ['syslog', 'send', 'x', ...to]), /nothing listens there/)
})

test('the messages of one device are followed, and unknown shapes are listed', async () => {
  const data = temporaryFolder()
  const service = await startService({ data, 'syslog-udp': '127.0.0.1:0' })
  const send = (text: string, ...more: string[]) =>
    succeed(['syslog', 'send', text, '--to', `127.0.0.1:${service.syslogPorts.udp}`, ...more])
  await send('<187>%FAN-3-FAN_FAILED: Fan 1 had a rotation error reported.')
  await send('<28>doord[{n}]: cabinet {n} door \x1b[31m sensor lost contact', '--count', '2')
  await until('they are counted', async () => sum(await ledger(service)) >= 3)
  const { stdout } = await succeed(['tail', '--raw', '--device', '127.0.0.1', '--count', '3', '--data', data])
  assert.deepEqual(
    stdout.split('\n').map((line) => line.replace(/^[\d-]+ [\d:]+/, 'TIME')),
    [
      'TIME  127.0.0.1  severity 3  raise    FAN-FAN_FAILED: Fan 1 had a rotation error reported.',
      'TIME  127.0.0.1  severity 4  unknown  doord: cabinet 1 door \ufffd[31m sensor lost contact',
      'TIME  127.0.0.1  severity 4  unknown  doord: cabinet 2 door \ufffd[31m sensor lost contact',
      '',
    ],
  )
  const asJson = await succeed(['tail', '--raw', '--json', '--count', '1', '--data', data])
  assert.equal(JSON.parse(asJson.stdout).does, 'raise')
  const listed = await succeed(['syslog', 'shapes', '--data', data])
  assert.equal(
    listed.stdout,
    '2 × severity 4, sounds like a fault, 127.0.0.1, doord: cabinet * door * sensor lost contact\n',
  )
})

test('what does not go together with --raw is refused', async () => {
  assert.match(await fail(2, ['tail', '--raw', '--level', '1']), /--level is not for --raw/)
  assert.match(await fail(1, ['tail', '--raw', '--data', temporaryFolder()]), /no service runs on the folder/)
  assert.match(await fail(2, ['syslog', 'shapes', 'x']), /not expected after shapes/)
})
