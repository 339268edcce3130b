// Clients that ask for causes alone: one uplink that goes down is one document for them, however many devices are
// behind it.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { EventReader, field } from '../push/reader.ts'
import { startService, stores } from '../support.ts'
import { idOf, load, values } from './reading.ts'

const linkDown = '1.3.6.1.6.3.1.1.5.3'
const noAnswer = '1.3.6.1.4.1.32473.61.1'

for (const engine of stores) {
  describe(`causes on ${engine.name}`, async () => {
    let now = Date.UTC(2027, 0, 12, 10)
    const service = await startService(
      { 'time-zone': 'UTC', 'cause-wait': '15' },
      { clock: () => now, ...(engine.name !== 'SQLite' && { open: () => engine.open(() => now) }) },
    )
    const count = 100
    const first = 1000
    // In chains of ten: each is behind the one before, the first of each behind port 24 of the switch.
    const leaves = Array.from({ length: count }, (_, n) => ({
      id: first + n,
      ip: `10.50.1.${n + 1}`,
      parent: n % 10 === 0 ? 1 : first + n - 1,
      port: n % 10 === 0 ? '24' : '',
    }))
    await load(service, 'device', [
      'id,ip,label,parent[1]/deviceId,parent[1]/parentIfIndex',
      '1,10.50.0.1,switch,,',
      '2,10.50.0.2,elsewhere,1,25',
      ...leaves.map(({ id, ip, parent, port }) => `${id},${ip},leaf${id},${parent},${port}`),
    ])
    const raise = async (deviceId: number, OID = noAnswer, more: object = {}) => {
      const body = { OID, alarmLevel: 2, alarmCategory: 2, deviceId: String(deviceId), ...more }
      return idOf(await service.sendJson('POST', '/fault/alarm', body))
    }
    const portDown = () => raise(1, linkDown, { alarmCategory: 3, ifIndex: '24', resource: 'ifIndex=24' })
    const listen = (query = '') => EventReader.open(service.url, `type=11${query}`)
    const ids = (reader: EventReader) => reader.documents.map((one) => field(one, 'id'))
    const recover = (id: string) => service.ask('PUT', `/fault/alarm/recover/${id}`)
    /** Lets the wait pass; the mark comes after all that is due. */
    const catchUp = async (...readers: EventReader[]) => {
      now += 16_000
      await service.engine.releaseSuppressed(now)
      const mark = await raise(1, '1.3.6.1.4.1.32473.61.9', { resource: String(now) })
      for (const reader of readers) await reader.until(() => ids(reader).includes(mark), 'the mark')
      return mark
    }

    test('a hundred devices behind an uplink that goes down are one document for a client that asks for causes', async () => {
      const [causes, all] = [await listen('&causes=true'), await listen()]
      const raiseAll = (some: typeof leaves) => Promise.all(some.map(({ id }) => raise(id)))
      const early = await raiseAll(leaves.slice(0, 50))
      now += 5000
      const cause = await portDown()
      const children = [...early, ...(await raiseAll(leaves.slice(50)))]
      const mark = await catchUp(causes, all)
      assert.deepEqual(ids(causes), [cause, mark])
      assert.deepEqual(ids(all).sort(), [cause, mark, ...children].sort(), 'others get all')
      const { headers } = await service.get(`/fault/alarm?parentId=${cause}&recStatus=0&total=true`)
      assert.equal(headers.total, String(count), 'what follows from it can be counted')
      const beside = await raise(2)
      const next = await catchUp(causes)
      assert.deepEqual(ids(causes).slice(2).sort(), [beside, next].sort(), 'beside it, nothing is held back')

      // The uplink is back, and most of the devices behind it.
      await recover(cause)
      const [stays = '', ...back] = children
      await service.ask('PUT', `/fault/alarm/recover?id=${back.join(',')}`)
      await catchUp(causes)
      await catchUp(causes)
      const ended = causes.documents.filter((one) => field(one, 'nAction') === 'Recover')
      assert.deepEqual(
        ended.map((one) => values(one, 'recoverFaultIdList')),
        [[cause]],
      )
      assert.deepEqual(
        ids(causes).filter((id) => children.includes(id)),
        [stays],
        'what outlasts it comes, once',
      )
      causes.close()
      all.close()
    })

    test('a snapshot for one that asks for causes has causes alone', async () => {
      const cause = await portDown()
      const child = await raise(1005, noAnswer, { resource: 'snapshot' })
      await catchUp()
      const causes = await listen('&causes=true&snapshot=true')
      const all = await listen('&snapshot=true')
      const mark = await raise(1, '1.3.6.1.4.1.32473.61.9', { resource: 'mark' })
      for (const reader of [causes, all]) await reader.until(() => ids(reader).includes(mark), 'the mark')
      assert.deepEqual([ids(causes).includes(cause), ids(causes).includes(child)], [true, false])
      assert.deepEqual([ids(all).includes(cause), ids(all).includes(child)], [true, true])
      causes.close()
      all.close()
      await recover(child)
      await recover(cause)
    })

    test('a registered client that asks for causes gets the same when it comes back later', async () => {
      const before = await listen('&causes=true&uuid=noc')
      before.close()
      const child = await raise(1007, noAnswer, { resource: 'away' })
      const cause = await portDown()
      await catchUp()
      const back = await listen('&causes=true&uuid=noc')
      const mark = await catchUp(back)
      assert.deepEqual([ids(back).includes(cause), ids(back).includes(child)], [true, false])
      assert.equal(ids(back).at(-1), mark)
      back.close()
    })

    test('clients that ask for changes learn what an alarm follows from', async () => {
      const reader = await listen('&changes=true')
      const child = await raise(2, noAnswer, { resource: 'reported' })
      const cause = await raise(1, linkDown, { alarmCategory: 3, ifIndex: '25', resource: 'ifIndex=25' })
      await catchUp(reader)
      const reported = reader.documents.filter((one) => field(one, 'nAction') === 'Cause')
      assert.deepEqual(
        reported.map((one) => [field(one, 'id'), field(one, 'parentId')]),
        [[child, cause]],
      )
      reader.close()
    })
  })
}
