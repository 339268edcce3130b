// Every route, every method, every role, and those without one: what the routes say is what a running service does.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operations } from '../../src/http/operations.ts'
import { mayAct, roles } from '../../src/resources/access/role.ts'
import { scopes } from '../../src/resources/access/token.ts'
import { sendRequest } from '../support.ts'
import { bearer, digestHeader, startGuarded, tokenOf } from './credentials.ts'

const service = await startGuarded()
/** Ids that do not exist, so that nothing is changed. */
const pathOf = (template: string) => template.replace('{id}', '999999').replace('{name}', 'nobody')

test('every operation has a role', () => {
  assert.ok(operations.length > 60)
  for (const { path, method, needs } of operations) {
    assert.ok(needs === 'anyone' || roles.includes(needs), `${method} ${path}`)
  }
  const open = operations.filter(({ needs }) => needs === 'anyone').map(({ path }) => path)
  const signIn = '/console/session'
  assert.deepEqual(open, [
    '/health',
    '/health/traps',
    // By the secret in the address, or the link in the body.
    '/notify/calendar/{name}',
    '/notify/action/show',
    '/notify/action',
    signIn,
    signIn,
    signIn,
    `${signIn}/openid`,
    `${signIn}/openid`,
  ])
})

test('whatever changes something needs more than a viewer, but for what is their own', () => {
  const own = new Set([
    'POST /fault/trapRule/dryRun',
    'POST /fault/trapEvent/dryRun',
    'POST /fault/trapEvent/test',
    'POST /fault/trapEvent/translate',
    'POST /fault/messageDefinition/dryRun',
    'POST /fault/messageDefinition/proposal',
    'POST /fault/maintenance/dryRun',
    'POST /notify/dryRun',
    'POST /notify/route/dryRun',
    // A report; what it finds is kept, and nothing is changed.
    'POST /report/reportTemplate/{id}/run',
    'DELETE /events/registrations/{name}',
    'POST /events/registrations/{name}/test',
    'PUT /plat/operator/self',
    'POST /plat/token',
    'DELETE /plat/token/{id}',
    'DELETE /plat/session/{id}',
    // Their own contact, its addresses, and their calendars.
    'POST /notify/contact',
    'PUT /notify/contact/{id}',
    'POST /notify/channel',
    'PUT /notify/channel/{id}',
    'DELETE /notify/channel/{id}',
    'POST /notify/channel/{id}/test',
    'POST /notify/channel/{id}/code',
    'PUT /notify/channel/{id}/confirm',
    'POST /notify/calendarFeed',
    'DELETE /notify/calendarFeed/{id}',
  ])
  const loose = operations
    .filter(({ method, needs }) => method !== 'GET' && needs === 'viewer')
    .map(({ method, path }) => `${method} ${path}`)
  assert.deepEqual(new Set(loose), own)
})

for (const role of roles) {
  test(`a running service lets the ${role} do what the routes say, and nothing else`, async () => {
    const token = await tokenOf(service, role, { description: 'by another way' })
    // A password rather than a token: what tokens may not do is another matter.
    const challenge = await service.challenge()
    let count = 0
    for (const { path: template, method, needs, scope } of operations) {
      const path = pathOf(template)
      count += 1
      const nc = count.toString(16).padStart(8, '0')
      const Authorization = digestHeader(challenge, { name: role, method, uri: path, nc })
      const { status } = await service.ask(method, path, { headers: { Authorization } })
      // The operations of a RADIUS server need a token with its scope, whatever the role.
      const allowed = needs === 'anyone' || (mayAct(role, needs) && scope !== 'access')
      assert.notEqual(status, 401, `${method} ${path}`)
      assert.equal(status !== 403, allowed, `${method} ${path}: ${status}`)
      if (method === 'GET' && !allowed) {
        const head = await service.ask('HEAD', path, { headers: bearer(token) })
        assert.equal(head.status, 403, `HEAD ${path}`)
      }
    }
  })
}

for (const scope of scopes) {
  test(`a token with the scope ${scope} allows what the table says, and nothing else`, async () => {
    const headers = bearer(await tokenOf(service, 'administrator', { scope }))
    const role = roles.find((known) => known === scope)
    for (const { path: template, method, needs, scope: named } of operations) {
      const path = pathOf(template)
      const { status } = await service.ask(method, path, { headers })
      const byRole = role !== undefined && (named === undefined || named === 'events')
      const allowed = needs === 'anyone' || named === scope || (byRole && mayAct(role, needs))
      assert.equal(status !== 403, allowed, `${method} ${path}: ${status}`)
    }
  })
}

test('without credentials, or with wrong ones, only /health and the sign-in are available', async () => {
  const challenge = await service.challenge()
  for (const { path: template, method, needs } of operations) {
    const path = pathOf(template)
    const nothing = await service.ask(method, path)
    assert.equal(nothing.status === 401, needs !== 'anyone', `${method} ${path}`)
    if (needs === 'anyone') continue
    const none = await service.ask(method, path, { headers: bearer('bfy_wrong') })
    assert.equal(none.status, 401, `${method} ${path}`)
  }
  const wrong = { name: 'administrator', password: 'wrong-password-1', uri: '/ram/zone' }
  const answer = await sendRequest(service.url, 'GET', '/ram/zone', {
    headers: { Authorization: digestHeader(challenge, wrong) },
  })
  assert.equal(answer.status, 401)
})
