// Secrets of gateways, heartbeats and calendars: wherever the service shows, stores or logs something, they are not in it.

import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { operations } from '../../src/http/operations.ts'
import { startGuarded } from '../http/credentials.ts'
import { idOf, pathOf } from '../http/reading.ts'

/** Repeats everything that it is sent, and refuses it. */
const receiver = createServer((request, response) => {
  let body = ''
  request.on('data', (chunk) => {
    body += chunk
  })
  request.on('end', () => {
    response.statusCode = 400
    response.end(`${request.url} ${JSON.stringify(request.headers)} ${body}`)
  })
})
after(() => receiver.close())
await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`

let logged = ''
const log = pino({ level: 'trace' }, { write: (line: string) => (logged += line) })
const flags = { 'notify-loopback': 'yes', 'public-url': 'https://nms.example.net' }
const service = await startGuarded(flags, { log })
const asAdmin = (method: string, path: string, body: unknown) =>
  service.asJson('administrator', method, path, body)

const secrets = {
  password: 'quartz-4711-password',
  token: 'quartz-4712-token',
  path: 'quartz-4713-path',
  header: 'quartz-4714-header',
  signing: Buffer.from('quartz-4715-signing-secret-of-32').toString('base64'),
  community: 'quartz-4716-community',
  authPassword: 'quartz-4717-authentication',
  privPassword: 'quartz-4718-privacy',
  heartbeat: 'quartz-4719-heartbeat',
}
const user = { version: '3', userName: 'u', authAlgorithm: 'sha256', privAlgorithm: 'aes128' }
const gateways = [
  { kind: 'mail', host: '127.0.0.1', port: '1', security: 'starttls', sender: 'a@b.example', userName: 'u' },
  {
    kind: 'webhook',
    url: `${url}/${secrets.path}`,
    header: `X-Key: ${secrets.header}`,
    token: secrets.token,
  },
  { kind: 'slack', url, token: secrets.token },
  { kind: 'slackWebhook', url: `${url}/${secrets.path}` },
  { kind: 'teams', url: `${url}/${secrets.path}` },
  { kind: 'snmp', host: '127.0.0.1', port: '1', version: '2c', community: secrets.community },
  { kind: 'snmp', host: '127.0.0.1', port: '1', ...user, inform: 'true' },
].map((gateway, index) => ({ ...gateway, name: `Gateway ${index}` }))
const more = [
  { password: secrets.password },
  { signingSecret: `whsec_${secrets.signing}` },
  ...[{}, {}, {}, {}],
  { authPassword: secrets.authPassword, privPassword: secrets.privPassword },
]

const answers: string[] = []
const keep = <T extends { text: string }>(answer: T): T => {
  answers.push(answer.text)
  return answer
}

/** Everything that can be read without an id, and what these lists name. */
async function readAll(paths: readonly string[]): Promise<void> {
  const lists = operations
    .filter(({ method, path }) => method === 'GET' && !path.includes('{'))
    .map(({ path }) => path)
    // A stream has no end.
    .filter((path) => path !== '/events')
  for (const path of [...lists, ...paths])
    for (const Accept of ['application/xml', 'application/json'])
      keep(await service.as('administrator', 'GET', path, { headers: { Accept } }))
}

test('secrets are in no list, audit entry, export, error, log or file of the store', async () => {
  const paths: string[] = []
  const contact = keep(await asAdmin('POST', '/notify/contact', { name: 'Ann' }))
  for (const [index, gateway] of gateways.entries()) {
    const made = keep(await asAdmin('POST', '/notify/gateway', { ...gateway, ...more[index] }))
    assert.equal(made.status, 201, made.text)
    paths.push(pathOf(made))
    // What is refused is not repeated either, and what is changed is in the audit log.
    keep(await asAdmin('POST', '/notify/gateway', { ...gateway, ...more[index] }))
    keep(await asAdmin('PUT', pathOf(made), { ...gateway, ...more[index], port: 'none', kind: 'none' }))
    keep(await asAdmin('PUT', pathOf(made), { ...gateway, ...more[index], description: 'changed' }))
    const address = gateway.kind === 'mail' ? 'ann@example.net' : 'C1'
    keep(await asAdmin('POST', `${pathOf(made)}/test`, { address }))
    const channel = await asAdmin('POST', '/notify/channel', { gatewayId: idOf(made), address })
    paths.push(pathOf(keep(channel)))
    await service.database.transaction((tx) =>
      tx.run('update channel set confirmed = 1 where id = ?', [BigInt(idOf(channel))]),
    )
    keep(await asAdmin('POST', `${pathOf(channel)}/test`, {}))
  }
  const beat = { name: 'Beat', everySeconds: 30, url: `${url}/${secrets.heartbeat}` }
  paths.push(pathOf(keep(await asAdmin('POST', '/notify/outgoingHeartbeat', beat))))
  const feed = await asAdmin('POST', '/notify/calendarFeed', { contactId: idOf(contact) })
  const feedSecret = String(feed.json().address).split('/').at(-1)?.replace('.ics', '') ?? ''
  assert.ok(feedSecret.length > 20)
  paths.push(pathOf(feed))
  await service.as('viewer', 'GET', `/notify/calendar/${feedSecret}.ics`)
  const target = paths
    .filter((path) => path.startsWith('/notify/channel/'))
    .map((path) => `channel:${path.split('/').at(-1)}`)
  keep(await asAdmin('POST', '/notify/route', { name: 'All', step: [{ target: target.join() }] }))
  const OID = '1.3.6.1.4.1.32473.9.1'
  const raised = keep(await asAdmin('POST', '/fault/alarm', { OID, alarmLevel: 1, alarmDesc: 'Trouble' }))
  // All but those that cannot be reached are refused at once, and given up.
  const ended = "select count(*) as n from notification where outcome = 'givenUp' or attempts > 0"
  while (Number((await service.database.all(ended))[0]?.n) < gateways.length) await sleep(50)
  while ((await service.database.all('select 1 from outgoing_heartbeat where attempt_time > 0')).length === 0)
    await sleep(50)
  paths.push(pathOf(raised), `${pathOf(raised)}/notification`, '/plat/audit?size=1000')
  await readAll(paths)
  const { data } = service.config
  const stored = globSync(join(data, '**'), { withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.key'))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
  assert.ok(logged.length > 0 && answers.length > 100)
  // What the receiver repeated is shown, without them.
  assert.ok(answers.some((text) => text.includes('400 …')))
  for (const secret of [...Object.values(secrets), feedSecret])
    for (const [place, texts] of [
      ['answer', answers],
      ['log', [logged]],
      ['file', stored],
    ] as const)
      for (const text of texts) {
        const at = text.indexOf(secret)
        assert.ok(at < 0, `${place}: ${text.slice(Math.max(0, at - 200), at + 40)}`)
      }
})
