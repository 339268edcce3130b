// Mail through a real server: Postfix keeps what it accepts in a folder.

import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { freePort } from '../free-port.ts'
import { idOf } from '../http/reading.ts'
import { until as arrived } from '../intake/sending.ts'
import { temporaryFolder } from '../support.ts'
import { withoutTool } from '../tools.ts'
import { makeGateway, message, run, sendTo, service, settled, until } from './real-programs.ts'

const nobody = 65_534
const skip = withoutTool('postfix', 'postfix')

const password = 'rings at noon'

/**
 * Where Cyrus SASL, by which Postfix authenticates, asks for passwords: each request is user, password, service and realm,
 * each with its length before it.
 */
function startPasswords(path: string): void {
  const server = createServer((socket) => {
    let asked = Buffer.alloc(0)
    socket.on('data', (part) => {
      asked = Buffer.concat([asked, part])
      const words: string[] = []
      for (let at = 0; at + 2 <= asked.length; ) {
        const end = at + 2 + asked.readUInt16BE(at)
        if (end > asked.length) break
        words.push(asked.toString('utf8', at + 2, end))
        at = end
      }
      if (words.length < 4) return
      const isRight = words[0] === 'belfry' && words[1] === password
      socket.end(isRight ? '\0\x02OK' : '\0\x02NO')
    })
  })
  server.listen(path, () => chmodSync(path, 0o777))
  after(() => server.close())
}

/** A relay that wants encryption, and knows one address; at further ports it wants a user who signs in. */
async function startMail() {
  const folder = temporaryFolder()
  chmodSync(folder, 0o755)
  const inFolder = (name: string) => join(folder, name)
  for (const name of ['queue', 'data', 'box', 'settings', 'settings/sasl']) mkdirSync(inFolder(name))
  execFileSync('chown', ['postfix', inFolder('data')])
  chownSync(inFolder('box'), nobody, nobody)
  const [certificate, key] = [inFolder('cert.pem'), inFolder('key.pem')]
  const request = `req -x509 -newkey rsa:2048 -nodes -keyout ${key} -out ${certificate} -days 9 -subj /CN=localhost`
  const names = ['-addext', 'subjectAltName=DNS:localhost']
  execFileSync('openssl', [...request.split(' '), ...names], { stdio: 'ignore' })
  setDefaultCACertificates([...getCACertificates('default'), readFileSync(certificate, 'utf8')])
  const [port, plainPort, loginPort] = [await freePort(), await freePort(), await freePort()]
  startPasswords(inFolder('mux'))
  for (const mechanism of ['PLAIN', 'LOGIN'])
    writeFileSync(
      inFolder(`settings/sasl/${mechanism}.conf`),
      `pwcheck_method: saslauthd\nsaslauthd_path: ${inFolder('mux')}\nmech_list: ${mechanism}\n`,
    )
  writeFileSync(
    inFolder('settings/main.cf'),
    `compatibility_level = 3.6
queue_directory = ${inFolder('queue')}
data_directory = ${inFolder('data')}
maillog_file_prefixes = ${folder}
maillog_file = ${inFolder('mail.log')}
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
myhostname = relay.example.net
mydestination =
virtual_mailbox_domains = example.net
virtual_mailbox_base = ${inFolder('box')}
virtual_mailbox_maps = inline:{ann@example.net=ann/}
virtual_minimum_uid = 1
virtual_uid_maps = static:${nobody}
virtual_gid_maps = static:${nobody}
smtpd_tls_cert_file = ${certificate}
smtpd_tls_key_file = ${key}
smtpd_tls_security_level = encrypt
smtpd_tls_auth_only = yes
smtpd_recipient_restrictions = reject_unlisted_recipient, permit_mynetworks, reject
`,
  )
  const signIn =
    '-o smtpd_sasl_auth_enable=yes -o smtpd_recipient_restrictions=reject_unlisted_recipient,permit_sasl_authenticated,reject'
  const services = [
    `127.0.0.1:${port} inet n - n - - smtpd`,
    `127.0.0.1:${plainPort} inet n - n - - smtpd ${signIn} -o smtpd_sasl_path=PLAIN`,
    `127.0.0.1:${loginPort} inet n - n - - smtpd ${signIn} -o smtpd_sasl_path=LOGIN -o smtpd_tls_wrappermode=yes`,
    ...['cleanup unix n - n - 0 cleanup', 'qmgr unix n - n 300 1 qmgr', 'tlsmgr unix - - n 1000? 1 tlsmgr'],
    ...['rewrite unix - - n - - trivial-rewrite', 'bounce unix - - n - 0 bounce'],
    ...['defer unix - - n - 0 bounce', 'trace unix - - n - 0 bounce', 'error unix - - n - - error'],
    ...['retry unix - - n - - error', 'virtual unix - n n - - virtual', 'anvil unix - - n - 1 anvil'],
    ...['postlog unix-dgram n - n - 1 postlogd', 'proxymap unix - - n - - proxymap'],
  ]
  writeFileSync(inFolder('settings/master.cf'), `${services.join('\n')}\n`)
  after(() => spawnSync('postfix', ['-c', inFolder('settings'), 'stop'], { stdio: 'ignore' }))
  await run('postfix', ['-c', inFolder('settings'), 'start-fg'], /^/)
  const mails = () => globSync(inFolder('box/ann/new/*')).map((path) => readFileSync(path, 'utf8'))
  return { port, plainPort, loginPort, mails }
}

/** For the whole file: what a test starts ends with it. */
const relay = skip.skip === false ? await startMail() : undefined
const started = () => relay ?? assert.fail('there is no relay')

test('a mail arrives encrypted, and the next one is in its thread', skip, async () => {
  const { port, mails } = started()
  const mail = { kind: 'mail', host: 'localhost', port, sender: 'alarms@example.net' }
  const id = await makeGateway({ name: 'Mail', ...mail })
  const first = await until(await settled(() => sendTo(id, 'ann@example.net', message)))
  assert.ok(first.outcome === 'delivered', JSON.stringify(first))
  assert.match(first.answer, /^250 /)
  assert.equal(first.reference, '<msg-1@example.net>')
  const [one = ''] = await until(() => (mails().length === 1 ? mails() : undefined))
  assert.match(one, /^Subject: Link Gi0\/1 ist ausgefallen Bcc: eve@example\.net$/m)
  assert.doesNotMatch(one, /^Bcc:/m)
  assert.match(one, /^Message-ID: <msg-1@example\.net>$/im)
  assert.match(one, /^Auto-Submitted: auto-generated$/m)
  assert.match(one, /^To: ann@example\.net$/m)
  assert.match(one, /file:\/\/\/etc\/passwd/)
  const later = {
    ...message,
    id: 'msg-2',
    change: 'recovered',
    title: 'Over',
    earlier: first.reference,
  } as const
  assert.equal((await sendTo(id, 'ann@example.net', later)).outcome, 'delivered')
  const two = (await until(() => (mails().length === 2 ? mails() : undefined))).find((text) =>
    /^Subject: Over/m.test(text),
  )
  assert.match(two ?? '', /^In-Reply-To: <msg-1@example\.net>$/m)
  assert.match(two ?? '', /^References: <incident-1@example\.net>\s+<msg-1@example\.net>$/m)
  const refused = await sendTo(id, 'eve@example.net', message)
  assert.ok(refused.outcome === 'failed' && !refused.retry, 'an address that the server does not know')
  const plain = await makeGateway({ name: 'Plain', ...mail, security: 'none' })
  const open = await sendTo(plain, 'ann@example.net', message)
  assert.ok(open.outcome === 'failed', 'the server wants encryption')
  const elsewhere = await makeGateway({ name: 'Elsewhere', ...mail, host: '127.0.0.1' })
  const wrong = await sendTo(elsewhere, 'ann@example.net', message)
  assert.ok(wrong.outcome === 'failed')
  assert.match(wrong.reason, /certificate of the server is not accepted/)
})

const signedIn = { kind: 'mail', host: 'localhost', sender: 'alarms@example.net', userName: 'belfry' }

test('the server accepts user and password, by PLAIN and by LOGIN', skip, async () => {
  const { plainPort, loginPort, mails } = started()
  for (const [mechanism, own] of Object.entries({
    PLAIN: { port: plainPort },
    LOGIN: { port: loginPort, security: 'tls' },
  })) {
    const title = `Signed in by ${mechanism}`
    const id = await makeGateway({ name: `By ${mechanism}`, ...signedIn, ...own, password })
    const result = await until(
      await settled(() => sendTo(id, 'ann@example.net', { ...message, id: mechanism, title })),
    )
    assert.ok(result.outcome === 'delivered', JSON.stringify(result))
    await until(() => mails().find((text) => text.includes(`Subject: ${title}`)))
    const nameless = { ...signedIn, userName: undefined, ...own }
    const stranger = await makeGateway({ name: `Without a user at ${mechanism}`, ...nameless })
    const refused = await sendTo(stranger, 'ann@example.net', message)
    assert.ok(refused.outcome === 'failed' && !refused.retry, 'the server wants a user')
  }
})

const json = { Accept: 'application/json' }

async function testOf(gatewayId: bigint): Promise<{ outcome: string; reason: string; answer: string }> {
  const answer = await service.ask('POST', `/notify/gateway/${gatewayId}/test`, {
    headers: { ...json, 'Content-Type': 'application/json' },
    body: JSON.stringify({ address: 'ann@example.net' }),
  })
  return JSON.parse(answer.text)
}

test(
  'a wrong password is named by a test and in the ledger, raises an alarm, and is shown nowhere',
  skip,
  async () => {
    const { plainPort, loginPort } = started()
    const wrong = 'rings at midnight'
    for (const [name, own] of Object.entries({
      'Wrong at PLAIN': { port: plainPort },
      'Wrong at LOGIN': { port: loginPort, security: 'tls' },
    })) {
      const id = await makeGateway({ name, ...signedIn, ...own, password: wrong })
      const answer = await until(await settled(() => testOf(id)))
      assert.equal(answer.reason, 'the server does not accept user and password: 535')
      assert.match(answer.answer, /^535 5\.7\.8 /)
      const channel = { gatewayId: String(id), address: 'ann@example.net' }
      const room = idOf(await service.sendJson('POST', '/notify/channel', channel))
      await service.sendJson('PUT', `/notify/channel/${room}/confirm`, {})
      const OID = `1.3.6.1.4.1.32473.7.${id}`
      const route = { name, filter: `eventOid=${OID}`, step: [{ target: `channel:${room}` }] }
      await service.sendJson('POST', '/notify/route', route)
      const alarm = { OID, alarmLevel: 1, alarmDesc: 'The bell is cracked' }
      const alarmId = idOf(await service.sendJson('POST', '/fault/alarm', alarm))
      const [found, failures] = ['/notify/notification', '/fault/alarm'].map(
        (path) => async (query: string) => (await service.get(`${path}?${query}`, json)).text,
      )
      await arrived('the ledger says why', async () =>
        /"outcome":"givenUp"[^}]*user and password: 535/.test((await found?.(`alarmId=${alarmId}`)) ?? ''),
      )
      await arrived('an alarm names it', async () =>
        ((await failures?.('recStatus=0&size=100')) ?? '').includes(`gateway ${name}`),
      )
    }
    for (const path of ['/notify/gateway', '/notify/notification', '/fault/alarm', '/plat/audit'])
      assert(!(await service.get(`${path}?size=500`, json)).text.includes(wrong), path)
  },
)
