// What people do with many alarms at once, by the filter of the list.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { AlarmBatches } from '../../src/alarms/actions/alarm-batches.ts'
import { serviceDraft } from '../../src/alarms/service/service-alarms.ts'
import { serviceEvents } from '../../src/events/service-events.ts'
import { until } from '../intake/sending.ts'
import { EventReader, field } from '../push/reader.ts'
import { startService, stores } from '../support.ts'
import { idOf, refused, value, values } from './reading.ts'

for (const engine of stores) {
  describe(`many alarms at once on ${engine.name}`, async () => {
    let now = Date.UTC(2027, 0, 12, 10)
    const service = await startService(
      { 'time-zone': 'UTC' },
      { clock: () => now, ...(engine.name !== 'SQLite' && { open: () => engine.open(() => now) }) },
    )
    let host = 0
    /** Alarms of a host of their own; returns its address. */
    const raise = async (count: number, alarmLevel = 3) => {
      const deviceIp = `10.9.0.${++host}`
      const ids: string[] = []
      for (let n = 0; n < count; n += 1) {
        const body = { OID: '1.3.6.1.4.1.32473.1', alarmLevel, deviceIp, resource: `r${n}` }
        ids.push(idOf(await service.sendJson('POST', '/fault/alarm', body)))
      }
      return { deviceIp, ids }
    }
    const put = (action: string, query: string, body?: object) =>
      body
        ? service.sendJson('PUT', `/fault/alarm/${action}?${query}`, body)
        : service.ask('PUT', `/fault/alarm/${action}?${query}`)
    /** How many were found, and how many changed. */
    const counts = (text: string) => [value(text, 'found'), value(text, 'changed')]
    const list = async (query: string, name: string) =>
      values((await service.get(`/fault/alarm?${query}&size=1000`)).text, name)
    const audit = async () =>
      JSON.parse((await service.get('/plat/audit?desc=true&size=20', { Accept: 'application/json' })).text)
        .audit as Record<string, string>[]

    test('what the list shows with a filter is acknowledged with the same filter, and how many is answered', async () => {
      const { deviceIp } = await raise(12)
      const other = await raise(2)
      const answer = await put('acknowledge', `deviceIp=${deviceIp}`)
      assert.equal(answer.status, 200, answer.text)
      assert.deepEqual(counts(answer.text), ['12', '12'])
      assert.equal(value(answer.text, 'action'), 'acknowledge')
      assert.deepEqual(new Set(await list(`deviceIp=${deviceIp}`, 'ackStatus')), new Set(['1']))
      assert.deepEqual(new Set(await list(`deviceIp=${other.deviceIp}`, 'ackStatus')), new Set(['0']))
      const again = await put('acknowledge', `deviceIp=${deviceIp}`)
      assert.deepEqual(counts(again.text), ['12', '0'])
    })

    test('every action works by filter: note, assign, shelve, unshelve, withdraw, recover', async () => {
      const { deviceIp } = await raise(3)
      const by = `deviceIp=${deviceIp}&recStatus=0`
      const json = (answer: { json(): Record<string, unknown> }) => answer.json()
      const changed = { found: '3', changed: '3' }
      const until = String(now / 1000 + 600)
      assert.deepEqual(json(await put('acknowledge', by, { note: 'Seen', ackUntil: until })), {
        action: 'acknowledge',
        ...changed,
      })
      assert.deepEqual(new Set(await list(by, 'ackUntil')), new Set([until]))
      assert.deepEqual(json(await put('assign', by, { owner: 'berta' })), { action: 'assign', ...changed })
      assert.deepEqual(new Set(await list(by, 'owner')), new Set(['berta']))
      const noted = await service.sendJson('POST', `/fault/alarm/note?${by}`, { note: 'All of rack 4' })
      assert.deepEqual(json(noted), { action: 'note', ...changed })
      assert.deepEqual(new Set(await list(by, 'note')), new Set(['All of rack 4']))
      assert.deepEqual(json(await put('shelve', by, { minutes: 5 })), { action: 'shelve', ...changed })
      assert.deepEqual(new Set(await list(by, 'suppressed')), new Set(['true']))
      assert.deepEqual(counts((await put('unshelve', by)).text), ['3', '3'])
      assert.deepEqual(new Set(await list(by, 'suppressed')), new Set(['false']))
      assert.deepEqual(counts((await put('unacknowledge', by)).text), ['3', '3'])
      assert.deepEqual(counts((await put('recover', by)).text), ['3', '3'])
      assert.deepEqual(await list(by, 'id'), [])
      // Three that are over, and the three recoveries.
      assert.deepEqual(counts((await put('recover', `deviceIp=${deviceIp}`)).text), ['6', '0'])
      refused(await put('shelve', by, {}), 400, 'shelvedUntil')
      refused(await put('assign', by, {}), 400, 'owner')
    })

    test('alarms that cannot be shelved are skipped', async () => {
      const { deviceIp } = await raise(2, 1)
      const by = `deviceIp=${deviceIp}`
      assert.deepEqual((await put('shelve', by, { untilWorse: true })).json(), {
        action: 'shelve',
        found: '2',
        changed: '0',
      })
    })

    test('a misspelt filter, or none, is refused: it would apply to all alarms', async () => {
      assert.match(refused(await put('acknowledge', 'deviceid=5'), 400, 'deviceid').message, /deviceId/)
      refused(await put('acknowledge', 'deviceId=5&size=10'), 400, 'size')
      refused(await put('recover', ''), 400)
      refused(await put('recover', 'timeRange=0'), 400)
      refused(await put('recover', 'confirm=true'), 400)
      refused(await put('acknowledge', 'deviceId=x'), 400, 'deviceId')
      refused(await put('acknowledge', 'deviceId=5&confirm=perhaps'), 400, 'confirm')
    })

    test('one entry of the audit log records all of it, with the filter', async () => {
      const { deviceIp } = await raise(5)
      const before = (await audit())[0]?.id
      await put('acknowledge', `deviceIp=${deviceIp}&recStatus=0`)
      const [entry, previous] = await audit()
      assert.equal(previous?.id, before)
      assert.deepEqual(
        [entry?.action, entry?.resource, entry?.count, entry?.detail],
        ['acknowledge', 'alarm', '5', `deviceIp=${deviceIp}&recStatus=0`],
      )
    })

    test('clients that ask for changes are pushed each; others see nothing', async () => {
      const asking = await EventReader.open(service.url, 'type=11&changes=true')
      const old = await EventReader.open(service.url, 'type=11')
      const { deviceIp, ids } = await raise(4)
      await put('acknowledge', `deviceIp=${deviceIp}`)
      const mark = (await raise(1)).ids[0]
      const of = async (reader: EventReader) => {
        await reader.until(() => reader.documents.some((one) => field(one, 'id') === mark), 'the mark')
        const reported = reader.documents.filter((one) => field(one, 'nAction') === 'Acknowledge')
        return reported.map((one) => field(one, 'id'))
      }
      assert.deepEqual(await of(asking), ids)
      assert.deepEqual(await of(old), [])
      asking.close()
      old.close()
    })

    test('programs of the iMC interface change nothing that they are not shown', async () => {
      const body = { name: `Quiet ${engine.name}`, minutes: 60, event: ['1.3.6.1.4.1.32473.77'] }
      assert.equal((await service.sendJson('POST', '/fault/maintenance', body)).status, 201)
      const hidden = { OID: '1.3.6.1.4.1.32473.77', alarmLevel: 3, deviceIp: '10.8.0.1', resource: 'h' }
      await service.sendJson('POST', '/fault/alarm', hidden)
      const seen = { ...hidden, OID: '1.3.6.1.4.1.32473.78' }
      await service.sendJson('POST', '/fault/alarm', seen)
      const answer = await service.ask('PUT', '/imcrs/fault/alarm/acknowledge?deviceIp=10.8.0.1')
      assert.deepEqual(counts(answer.text), ['1', '1'])
    })

    test('more than a thousand are changed only where that is confirmed', async () => {
      const { engine: alarms } = service
      await alarms.change(async (changes, tx) => {
        const drafts = Array.from({ length: 1001 }, (_, n) =>
          serviceDraft('trapStorm', `r${n}`, 'One of many', tx.now),
        )
        await changes.gather(drafts)
        for (const draft of drafts) changes.raise(draft)
      })
      const by = `faultOid=${serviceEvents.trapStorm.eventOid}`
      assert.match(refused(await put('acknowledge', by), 409, 'confirm').message, /^1001 alarms/)
      assert.deepEqual(await list(`${by}&ackStatus=1`, 'id'), [])
      assert.deepEqual(counts((await put('acknowledge', `${by}&confirm=true`)).text), ['1001', '1001'])
      assert.deepEqual(await list(`${by}&ackStatus=0`, 'id'), [])
    })

    test('interrupted work is continued, and no alarm is changed twice', async () => {
      const { deviceIp, ids } = await raise(60)
      const { database } = service
      // As if the service had died after the first transaction.
      const stopping = new AlarmBatches(database, service.engine)
      const filter = new Map([['deviceIp', [deviceIp]]])
      const action = { action: 'note', note: 'once' } as const
      const request = { action, filter, pushedOnly: false, userName: 'anna', matched: 60 }
      const id = await stopping.start(database, request)
      void stopping.stop()
      await assert.rejects(stopping.finish(id), /goes on with the rest/)
      const [broken] = await database.all('select found, ended_at from alarm_batch where id = ?', [id])
      assert(Number(broken?.found) > 0 && Number(broken?.found) < 60, 'some are done, not all')
      assert.equal(broken?.ended_at, 0n)
      const late = await raise(1)
      now += 10_000
      await until('it is done', async () => {
        const [row] = await database.all('select ended_at from alarm_batch where id = ?', [id])
        return row?.ended_at !== 0n
      })
      const notes = async (one: string) =>
        values((await service.get(`/fault/alarm/${one}/history`)).text, 'action').filter(
          (action) => action === 'note',
        )
      for (const one of ids) assert.equal((await notes(one)).length, 1)
      assert.equal((await notes(late.ids[0] ?? '')).length, 0)
      now += 3_700_000
      await until('it is forgotten', async () => {
        const [row] = await database.all('select count(*) as n from alarm_batch')
        return row?.n === 0n
      })
    })
  })
}
