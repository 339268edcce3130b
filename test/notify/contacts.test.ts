// Gateways, contacts, teams and channels over HTTP: who sees and changes what, and that no secret is ever shown.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { bearer, passwordOf, startGuarded, tokenOf } from '../http/credentials.ts'
import { idOf, refused } from '../http/reading.ts'
import { stores } from '../support.ts'

const mail = {
  name: 'Mail',
  kind: 'mail',
  host: 'mail.example.net',
  sender: 'alarms@example.net',
  userName: 'belfry',
  password: 'secret-of-mail',
}
const hook = {
  name: 'Hook',
  kind: 'webhook',
  url: 'https://hooks.example.net/secret-path/{{ address }}',
  header: 'Authorization: Bearer secret-of-hook',
  signingSecret: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
}

const bot = { name: 'Bot', kind: 'slack', token: 'secret-of-bot' }

const plainMail = { name: 'Mail', kind: 'mail' }
const plainHook = { name: 'Hook', kind: 'webhook' }

for (const store of stores) {
  describe(`notify on ${store.name}`, async () => {
    const service = await startGuarded({}, store.name === 'SQLite' ? {} : { open: () => store.open() }, [])
    const send = (method: string, path: string, body?: unknown, name = 'administrator') =>
      body === undefined ? service.as(name, method, path) : service.asJson(name, method, path, body)
    const get = async (path: string, name = 'administrator') =>
      service.as(name, 'GET', path, { headers: { Accept: 'application/json' } })
    for (const [name, role] of [
      ['ann', 'operator'],
      ['bob', 'viewer'],
    ] as const)
      assert.equal(
        (await send('POST', '/plat/operator', { name, role, password: passwordOf(name) })).status,
        201,
      )
    const ids = { ann: '2', bob: '3' }

    test('a gateway shows which secrets it has, and never what they are', async () => {
      const id = idOf(await send('POST', '/notify/gateway', hook))
      const path = `/notify/gateway/${id}`
      const { text } = await get(path)
      assert.deepEqual(JSON.parse(text).secretSet, ['url', 'header', 'signingSecret'])
      const shown = [text, (await get('/notify/gateway')).text, (await get('/plat/audit?size=100')).text]
      for (const one of shown) assert.doesNotMatch(one, /secret-path|secret-of-hook|whsec/)
      const rows = await service.database.all('select sealed from secret where name = ?', [`gateway ${id}`])
      assert.equal(rows.length, 1)
      assert.doesNotMatch(String(rows[0]?.sealed), /secret-path/)
      assert.match(shown[2] ?? '', /"signingSecret\\":\\"\(not shown\)/)
      assert.equal((await send('DELETE', path)).status, 204)
      assert.deepEqual(
        await service.database.all('select name from secret where name = ?', [`gateway ${id}`]),
        [],
      )
    })

    test('a secret stays where it is not mentioned, and is removed where it is empty', async () => {
      const id = idOf(await send('POST', '/notify/gateway', hook))
      const set = async () => JSON.parse((await get(`/notify/gateway/${id}`)).text).secretSet
      assert.equal(
        (await send('PUT', `/notify/gateway/${id}`, { ...plainHook, description: 'x' })).status,
        204,
      )
      assert.deepEqual(await set(), ['url', 'header', 'signingSecret'])
      assert.equal((await send('PUT', `/notify/gateway/${id}`, { ...plainHook, header: '' })).status, 204)
      assert.deepEqual(await set(), ['url', 'signingSecret'])
      refused(await send('PUT', `/notify/gateway/${id}`, { ...plainHook, url: '' }), 409)
      await send('DELETE', `/notify/gateway/${id}`)
    })

    test('a stored secret is not sent to another place: it must be given again', async () => {
      const id = idOf(await send('POST', '/notify/gateway', mail))
      const path = `/notify/gateway/${id}`
      refused(await send('PUT', path, { ...plainMail, host: 'evil.example.net' }), 409, 'password')
      refused(await send('PUT', path, { ...plainMail, security: 'none' }), 409, 'password')
      assert.equal((await send('PUT', path, { ...plainMail, sender: 'b@example.net' })).status, 204)
      const again = { ...plainMail, host: 'other.example.net', password: 'again' }
      assert.equal((await send('PUT', path, again)).status, 204)
      const hookId = idOf(await send('POST', '/notify/gateway', hook))
      const moved = { ...plainHook, url: 'https://evil.example.net/' }
      refused(await send('PUT', `/notify/gateway/${hookId}`, moved), 409, 'header')
      await send('DELETE', path)
      await send('DELETE', `/notify/gateway/${hookId}`)
    })

    test('a gateway has what its kind needs, and nothing of another', async () => {
      const wrong: [object, string][] = [
        [{ ...mail, host: undefined }, 'host'],
        [{ ...mail, password: undefined }, 'password'],
        [{ ...mail, body: 'x' }, 'body'],
        [{ ...mail, sender: 'nobody' }, 'sender'],
        [{ name: 'x', kind: 'fax' }, 'kind'],
        [{ ...hook, url: 'ftp://a/' }, 'url'],
        [{ ...hook, url: 'https://{{ address }}/' }, 'url'],
        [{ ...hook, url: 'https://user:pass@a.example/' }, 'url'],
        [{ ...hook, header: 'no colon' }, 'header'],
        [{ ...hook, signingSecret: 'whsec_c2hvcnQ=' }, 'signingSecret'],
        [{ ...hook, body: '{{ title | raw }}' }, 'body'],
        [{ name: 'x', kind: 'slack' }, 'token'],
        [{ name: 'x', kind: 'snmp', host: 'a' }, 'community'],
        [{ name: 'x', kind: 'snmp', host: 'a', version: '3', community: 'public' }, 'community'],
        [
          { name: 'x', kind: 'snmp', host: 'a', version: '3', userName: 'u', privAlgorithm: 'aes128' },
          'privPassword',
        ],
        [{ ...hook, template: 'nothing' }, 'template'],
        [{ name: 'x', kind: 'webhook', template: 'sms', url: 'https://a.example/' }, 'token'],
        [{ name: 'x', kind: 'webhook', template: 'telegram' }, 'token'],
        [{ ...hook, body: '{"key": "{{- token }}"}' }, 'token'],
      ]
      for (const [body, field] of wrong) {
        const answer = await send('POST', '/notify/gateway', body)
        refused(answer, 400, field)
        assert.doesNotMatch(answer.text, /user:pass|c2hvcnQ/)
      }
    })

    test('a gateway is tried with what can be an address on it', async () => {
      const [relay, chat] = [
        await send('POST', '/notify/gateway', mail),
        await send('POST', '/notify/gateway', bot),
      ]
      for (const address of ['no address', 'ann@example.net, ben@example.net', '', 'ann@example.net\r\nX: y'])
        refused(await send('POST', `/notify/gateway/${idOf(relay)}/test`, { address }), 400, 'address')
      refused(await send('POST', `/notify/gateway/${idOf(chat)}/test`, {}), 400, 'address')
      for (const made of [relay, chat]) await send('DELETE', `/notify/gateway/${idOf(made)}`)
    })

    test('a template gives what the caller does not', async () => {
      const listed = JSON.parse((await get('/notify/gateway/template')).text).gatewayTemplate
      assert.deepEqual(
        listed.map(({ name }: { name: string }) => name),
        ['mattermost', 'ntfy', 'pagerduty', 'pushover', 'sms', 'telegram'],
      )
      const made = await send('POST', '/notify/gateway', {
        name: 'Phones',
        template: 'ntfy',
        kind: 'webhook',
      })
      const shown = JSON.parse((await get(`/notify/gateway/${idOf(made)}`)).text)
      assert.equal(shown.kind, 'webhook')
      assert.match(shown.body, /"topic": "\{\{ address \}\}"/)
      assert.deepEqual(shown.secretSet, ['url'])
      await send('DELETE', `/notify/gateway/${idOf(made)}`)
    })

    test('others than administrators see the names of gateways, and no more', async () => {
      const id = idOf(await send('POST', '/notify/gateway', mail))
      for (const path of ['/notify/gateway', `/notify/gateway/${id}`]) refused(await get(path, 'ann'), 403)
      const names = JSON.parse((await get('/notify/gateway/name', 'bob')).text).gatewayName
      assert.deepEqual(names, [{ id, name: 'Mail', kind: 'mail', enabled: 'true' }])
      await send('DELETE', `/notify/gateway/${id}`)
    })

    test('people enter themselves, and change nobody else', async () => {
      const made = await send('POST', '/notify/contact', { name: 'Ann', timeZone: 'Europe/Berlin' }, 'ann')
      const own = `/notify/contact/${idOf(made)}`
      const shown = JSON.parse((await get(own, 'bob')).text)
      assert.deepEqual([shown.operatorId, shown.operatorName], [ids.ann, 'ann'])
      refused(await send('POST', '/notify/contact', { name: 'Ann 2' }, 'ann'), 409, 'operatorId')
      refused(await send('POST', '/notify/contact', { name: 'Bob', operatorId: ids.bob }, 'ann'), 403)
      const quiet = { name: 'Ann', quietFrom: '22:00', quietTo: '06:30' }
      assert.equal((await send('PUT', own, quiet, 'ann')).status, 204)
      assert.equal(JSON.parse((await get(own)).text).quietLevel, '1')
      refused(await send('PUT', own, quiet, 'bob'), 403)
      refused(await send('PUT', own, { name: 'Ann', operatorId: ids.bob }, 'ann'), 403)
      refused(await send('DELETE', own, undefined, 'ann'), 403)
      const wrong: [object, string][] = [
        [{ name: 'Ann', quietFrom: '22:00', quietTo: '' }, 'quietTo'],
        [{ name: 'Ann', quietFrom: '22:00', quietTo: '22:00' }, 'quietTo'],
        [{ name: 'Ann', quietFrom: '25:00' }, 'quietFrom'],
        [{ name: 'Ann', timeZone: 'Mars/Olympus' }, 'timeZone'],
        [{ name: 'Ann', quietFrom: '', quietTo: '', quietLevel: 2 }, 'quietLevel'],
      ]
      for (const [body, field] of wrong) refused(await send('PUT', own, body), 400, field)
      const loud = { name: 'Ann', quietFrom: '', quietTo: '' }
      assert.equal((await send('PUT', own, loud, 'ann')).status, 204, 'their level goes with them')
      assert.equal(JSON.parse((await get(own)).text).quietLevel, undefined)
      refused(await send('PUT', own, { name: 'Ann', quietLevel: 2 }), 400, 'quietLevel')
    })

    test('addresses are seen by their contact and by administrators alone', async () => {
      const gatewayId = idOf(await send('POST', '/notify/gateway', { ...mail, name: 'People' }))
      const made = await send('POST', '/notify/channel', { gatewayId, address: 'ann@example.net' }, 'ann')
      const path = `/notify/channel/${idOf(made)}`
      const room = await send('POST', '/notify/channel', { gatewayId, address: 'noc@example.net' })
      const seen = async (name: string) =>
        JSON.parse((await get('/notify/channel', name)).text).channel.length
      assert.deepEqual([await seen('administrator'), await seen('ann'), await seen('bob')], [2, 1, 0])
      assert.equal((await get(path, 'ann')).status, 200)
      refused(await get(path, 'bob'), 404)
      refused(await get(`/notify/channel/${idOf(room)}`, 'ann'), 404)
      refused(await send('PUT', path, { gatewayId, address: 'bob@example.net' }, 'bob'), 404)
      refused(await send('DELETE', path, undefined, 'bob'), 410)
      refused(
        await send('POST', '/notify/channel', { gatewayId, address: 'b@example.net' }, 'bob'),
        409,
        'contactId',
      )
      refused(await send('POST', '/notify/channel', { gatewayId, address: 'nobody' }, 'ann'), 400, 'address')
      refused(await send('POST', '/notify/channel', { gatewayId }, 'ann'), 400, 'address')
      refused(
        await send('POST', '/notify/channel', { gatewayId: '999', address: 'a@b' }, 'ann'),
        409,
        'gatewayId',
      )
      refused(await send('DELETE', `/notify/gateway/${gatewayId}`), 409)
      const shown = JSON.parse((await get(path)).text)
      assert.deepEqual([shown.position, shown.delay, shown.confirmed], ['1', '0', 'false'])
    })

    test('a deleted contact takes its channels along, and leaves its teams', async () => {
      const [contact] = JSON.parse((await get('/notify/contact?name=ann')).text).contact
      const team = { name: 'Night', contactId: [contact.id, contact.id] }
      const teamId = idOf(await send('POST', '/notify/team', team))
      refused(await send('POST', '/notify/team', { name: 'x', contactId: ['999'] }), 409, 'contactId[1]')
      refused(await send('POST', '/notify/team', team, 'ann'), 403)
      assert.deepEqual(JSON.parse((await get(`/notify/team/${teamId}`, 'bob')).text).contactId, [contact.id])
      assert.equal((await send('DELETE', `/notify/contact/${contact.id}`)).status, 204)
      assert.deepEqual(JSON.parse((await get(`/notify/team/${teamId}`)).text).contactId, [])
      assert.equal(JSON.parse((await get('/notify/channel')).text).channel.length, 1)
    })

    test('a deleted operator is still a contact, who can no longer sign in', async () => {
      const made = await send('POST', '/notify/contact', { name: 'Bob' }, 'bob')
      await send('DELETE', `/plat/operator/${ids.bob}`)
      const shown = JSON.parse((await get(`/notify/contact/${idOf(made)}`)).text)
      assert.equal(shown.operatorId, undefined)
    })

    test('a new key opens the secrets of gateways', async () => {
      const token = await tokenOf(service, 'administrator', { scope: 'administrator' })
      const made = await send('POST', '/notify/gateway', { ...mail, name: 'Kept' })
      assert.equal((await service.ask('POST', '/plat/key/rotation', { headers: bearer(token) })).status, 200)
      assert.equal(
        (await send('PUT', `/notify/gateway/${idOf(made)}`, { ...plainMail, name: 'Kept 2' })).status,
        204,
      )
      assert.deepEqual(JSON.parse((await get(`/notify/gateway/${idOf(made)}`)).text).secretSet, ['password'])
    })
  })
}
