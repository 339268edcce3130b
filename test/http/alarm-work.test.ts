// What people do with an alarm between its beginning and its end: acknowledge, withdraw, assign, note, shelve.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { until } from '../intake/sending.ts'
import { EventReader, field } from '../push/reader.ts'
import { startService, stores } from '../support.ts'
import { startGuarded } from './credentials.ts'
import { idOf, refused, value, values } from './reading.ts'

const minute = 60_000

for (const engine of stores) {
  describe(`working with alarms on ${engine.name}`, async () => {
    let now = Date.UTC(2027, 0, 12, 10)
    const service = await startService(
      { 'time-zone': 'UTC' },
      { clock: () => now, ...(engine.name !== 'SQLite' && { open: () => engine.open(() => now) }) },
    )
    let n = 0
    const raise = async (alarmLevel = 3, resource = `r${++n}`) =>
      idOf(
        await service.sendJson('POST', '/fault/alarm', {
          OID: '1.3.6.1.4.1.32473.1',
          alarmLevel,
          deviceIp: '10.0.0.1',
          resource,
        }),
      )
    const put = (action: string, id: string, body?: object) =>
      body
        ? service.sendJson('PUT', `/fault/alarm/${action}/${id}`, body)
        : service.ask('PUT', `/fault/alarm/${action}/${id}`)
    const done = async (action: string, id: string, body?: object) => {
      const { status, text } = await put(action, id, body)
      assert.equal(status, 204, text)
    }
    const read = async (id: string) => (await service.get(`/fault/alarm/${id}`)).text
    const shown = async (id: string, ...names: string[]) => {
      const text = await read(id)
      return names.map((name) => value(text, name) ?? '')
    }
    const listen = (query = '') => EventReader.open(service.url, `type=11${query}`)
    /** How often an alarm was pushed to a reader, up to a mark. */
    const pushes = async (reader: EventReader, id: string) => {
      const mark = await raise(5)
      await reader.until(() => reader.documents.some((one) => field(one, 'id') === mark), 'the mark')
      return reader.documents.filter((one) => field(one, 'id') === id).length
    }

    test('an acknowledgement has a note and an end, at which it is withdrawn', async () => {
      const id = await raise()
      const ackUntil = now / 1000 + 600
      await done('acknowledge', id, { note: 'The spare part comes at five', ackUntil })
      assert.deepEqual(await shown(id, 'ackStatus', 'ackUntil', 'note'), [
        '1',
        String(ackUntil),
        'The spare part comes at five',
      ])
      now += 11 * minute
      await until('it is over', async () => value(await read(id), 'ackStatus') === '0')
      assert.deepEqual(await shown(id, 'ackUntil', 'ackUserName', 'note'), [
        '0',
        '',
        'The spare part comes at five',
      ])
    })

    test('an existing acknowledgement is given another end, or none; without a body it stays as it is', async () => {
      const id = await raise()
      const end = now / 1000 + 600
      await done('acknowledge', id, { ackUntil: end })
      await done('acknowledge', id)
      assert.deepEqual(await shown(id, 'ackUntil'), [String(end)])
      await done('acknowledge', id, { ackUntil: end + 60 })
      assert.deepEqual(await shown(id, 'ackUntil'), [String(end + 60)])
      await done('acknowledge', id, { ackUntil: 0 })
      assert.deepEqual(await shown(id, 'ackUntil', 'ackStatus'), ['0', '1'])
      refused(await put('acknowledge', id, { ackUntil: now / 1000 }), 400, 'ackUntil')
      refused(await put('acknowledge', id, { until: 5 }), 400, 'until')
      refused(await put('acknowledge', id, { note: 'x'.repeat(2001) }), 400, 'note')
      refused(await put('acknowledge', '999999', { note: 'x' }), 404)
    })

    test('an acknowledgement is withdrawn, and given again', async () => {
      const id = await raise()
      await done('acknowledge', id)
      await done('unacknowledge', id)
      assert.deepEqual(await shown(id, 'ackStatus', 'ackTime', 'ackUserName'), ['0', '0', ''])
      await done('unacknowledge', id)
      await done('acknowledge', id)
      assert.deepEqual(await shown(id, 'ackStatus'), ['1'])
      refused(await put('unacknowledge', '999999'), 404)
    })

    test('an alarm is assigned, found by its owner, and given back', async () => {
      const id = await raise()
      await done('assign', id, { owner: 'berta', note: 'Her site' })
      assert.deepEqual(await shown(id, 'owner', 'note'), ['berta', 'Her site'])
      assert.deepEqual(values((await service.get('/fault/alarm?owner=berta')).text, 'id'), [id])
      await done('assign', id, { owner: '' })
      assert.deepEqual(await shown(id, 'owner'), [''])
      refused(await put('assign', id, { note: 'To whom?' }), 400, 'owner')
      refused(await put('assign', '999999', { owner: 'berta' }), 404)
    })

    test('an alarm takes any number of notes, and shows the last', async () => {
      const id = await raise()
      for (const note of ['first', 'second', 'third']) {
        const answer = await service.ask('POST', `/fault/alarm/${id}/note`, {
          headers: { 'Content-Type': 'application/xml' },
          body: `<alarmNote><note>${note}</note></alarmNote>`,
        })
        assert.equal(answer.status, 204, answer.text)
      }
      assert.deepEqual(await shown(id, 'note'), ['third'])
      refused(await service.sendJson('POST', `/fault/alarm/${id}/note`, {}), 400, 'note')
      refused(await service.sendJson('POST', '/fault/alarm/999999/note', { note: 'x' }), 404)
    })

    test('a shelved alarm is held back until its time is over, and pushed to clients that have not received it with its level', async () => {
      const reader = await listen()
      const id = await raise(3, 'shelved')
      assert.equal(await pushes(reader, id), 1)
      await done('shelve', id, { minutes: 30, note: 'After lunch' })
      const text = await read(id)
      assert.deepEqual(
        [value(text, 'suppressed'), values(text, 'suppressedBy'), value(text, 'shelvedUntil')],
        ['true', ['shelf'], String(now / 1000 + 1800)],
      )
      await raise(2, 'shelved')
      assert.equal(await pushes(reader, id), 1, 'its rise is held back')
      now += 31 * minute
      await reader.until(
        () => reader.documents.some((one) => field(one, 'id') === id && field(one, 'alarmLevel') === '2'),
        'the release',
      )
      assert.deepEqual(await shown(id, 'suppressed', 'shelvedUntil'), ['false', '0'])
      assert.equal(await pushes(reader, id), 2)
      reader.close()
    })

    test('a client that has received an alarm with its level is not sent it again at the end of a shelf', async () => {
      const reader = await listen()
      const id = await raise()
      await done('shelve', id, { shelvedUntil: now / 1000 + 60 })
      await done('unshelve', id)
      assert.deepEqual(await shown(id, 'suppressed', 'shelvedUntil'), ['false', '0'])
      await done('unshelve', id)
      assert.equal(await pushes(reader, id), 1)
      reader.close()
    })

    test('a shelf until it gets worse ends when it does, and not before', async () => {
      const reader = await listen()
      const id = await raise(3, 'worsens')
      await done('shelve', id, { untilWorse: true })
      await raise(3, 'worsens')
      now += 400 * 24 * 60 * minute
      assert.deepEqual(await shown(id, 'suppressed'), ['true'])
      assert.equal(await pushes(reader, id), 1)
      await raise(1, 'worsens')
      assert.deepEqual(await shown(id, 'suppressed', 'alarmLevel'), ['false', '1'])
      assert.equal(await pushes(reader, id), 2)
      reader.close()
    })

    test('the end of a shelved alarm is pushed to clients that have received it', async () => {
      const reader = await listen()
      const id = await raise()
      await done('shelve', id, { minutes: 10 })
      await done('recover', id)
      await reader.until(
        () => reader.documents.some((one) => one.includes(`<recoverFaultIdList>${id}<`)),
        'its end',
      )
      await done('unshelve', id)
      assert.equal(await pushes(reader, id), 1, 'what is over is not released')
      refused(await put('shelve', id, { minutes: 10 }), 409)
      reader.close()
    })

    test('a shelf without an end, or with a wrong one, is refused', async () => {
      const id = await raise(1)
      refused(await put('shelve', id, {}), 400, 'shelvedUntil')
      refused(await put('shelve', id, { minutes: 5, shelvedUntil: now / 1000 + 60 }), 400, 'minutes')
      refused(await put('shelve', id, { shelvedUntil: now / 1000 - 60 }), 400, 'shelvedUntil')
      refused(await put('shelve', id, { shelvedUntil: now / 1000 + 400 * 86_400 }), 400, 'shelvedUntil')
      refused(await put('shelve', id, { minutes: 0 }), 400, 'minutes')
      refused(await put('shelve', id, { untilWorse: true }), 409, 'untilWorse')
      refused(await put('shelve', '999999', { minutes: 5 }), 404)
      assert.deepEqual(await shown(id, 'suppressed'), ['false'])
    })

    test('a suppressed alarm can be acknowledged, and stays suppressed', async () => {
      const id = await raise()
      await done('shelve', id, { minutes: 10 })
      await done('acknowledge', id)
      assert.deepEqual(await shown(id, 'suppressed', 'ackStatus'), ['true', '1'])
    })

    test('clients that ask for changes are informed of each; others and the iMC interface see nothing new', async () => {
      const [asking, old] = [await listen('&changes=true'), await listen()]
      const id = await raise()
      await done('acknowledge', id, { note: 'Seen' })
      await done('assign', id, { owner: 'berta' })
      await done('shelve', id, { minutes: 5 })
      await done('unacknowledge', id)
      assert.equal(await pushes(old, id), 1)
      assert.equal(await pushes(asking, id), 5)
      const reported = asking.documents.filter((one) => field(one, 'id') === id)
      assert.deepEqual(
        reported.map((one) => field(one, 'nAction')),
        ['Push', 'Acknowledge', 'Assign', 'Shelve', 'Unacknowledge'],
      )
      assert.match(reported[1] ?? '', /<note>Seen<\/note>/)
      const fields = /<(owner|note|ackUntil|suppressed|suppressedBy|shelvedUntil)>/
      assert.doesNotMatch(old.documents.join(''), fields)
      for (const path of [`/imcrs/fault/alarm?id=${id}`, `/imcrs/fault/alarm/${id}`]) {
        const { text } = await service.get(path)
        assert.match(text, new RegExp(`<id>${id}</id>`))
        assert.doesNotMatch(text, fields)
      }
      assert.match((await service.get(`/fault/alarm?id=${id}`)).text, fields)
      const nonsense = await service.ask('PUT', `/imcrs/fault/alarm/acknowledge/${id}`, { body: 'x=y' })
      assert.equal(nonsense.status, 204, 'a body was never read there')
      asking.close()
      old.close()
    })
  })
}

test('where there are operators, an alarm is assigned to one of them', async () => {
  const service = await startGuarded({}, {}, [])
  const send = (method: string, path: string, body: object) =>
    service.asJson('administrator', method, path, body)
  const id = idOf(await send('POST', '/fault/alarm', { OID: '1.3.6.1.4.1.32473.1', alarmLevel: 2 }))
  refused(await send('PUT', `/fault/alarm/assign/${id}`, { owner: 'nobody known' }), 400, 'owner')
  const { status } = await send('PUT', `/fault/alarm/assign/${id}`, { owner: 'administrator' })
  assert.equal(status, 204)
})

test('a public address that ends in /imcrs makes no caller an iMC-compatible client', async () => {
  const service = await startService({ 'public-url': 'https://nms.example.net/imcrs' })
  const raised = await service.sendJson('POST', '/fault/alarm', {
    OID: '1.3.6.1.4.1.32473.1',
    alarmLevel: 3,
    deviceIp: '10.0.0.1',
  })
  const id = idOf(raised)
  const ackUntil = String(Math.floor(Date.now() / 1000) + 600)
  await service.sendJson('PUT', `/fault/alarm/acknowledge/${id}`, { note: 'The spare part comes', ackUntil })
  const { text } = await service.get(`/fault/alarm/${id}`)
  assert.equal(value(text, 'note'), 'The spare part comes')
  assert.equal(value(text, 'ackUntil'), ackUntil)
  const imc = await service.get(`/imcrs/fault/alarm/${id}`)
  assert.equal(value(imc.text, 'note'), undefined)
})
