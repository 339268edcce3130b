// GET /fault/alarm/{id}/history: how an alarm began, what happened to it, which clients have received it, how it ended.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { startService, stores } from '../support.ts'
import { listeningTo } from './listening.ts'
import { idOf, refused } from './reading.ts'

interface History {
  trapId: string
  reason: string
  recoveredBy: string
  complete: string
  happening: { time: string; action: string; userName: string; detail: string; pushed: string }[]
  repeat: { from: string; until: string; times: string }[]
  client: { uuid: string; connected: string; past?: string }[]
}

for (const engine of stores) {
  describe(`the history of an alarm on ${engine.name}`, async () => {
    let now = Date.UTC(2027, 0, 12, 10)
    const service = await startService(
      { 'time-zone': 'UTC' },
      { clock: () => now, ...(engine.name !== 'SQLite' && { open: () => engine.open(() => now) }) },
    )
    const { listen, gone } = listeningTo(service)
    const raise = async (resource: string, alarmLevel: number, deviceId = '7') =>
      idOf(
        await service.sendJson('POST', '/fault/alarm', {
          OID: '1.3.6.1.4.1.32473.1',
          alarmLevel,
          deviceId,
          resource,
        }),
      )
    const put = async (path: string, body: object = {}) => {
      const { status, text } = await service.sendJson('PUT', path, body)
      assert.equal(status, 204, text)
    }
    const history = async (id: string): Promise<History> => {
      // The XML is checked against the published schema.
      assert.equal((await service.get(`/fault/alarm/${id}/history`)).status, 200)
      const answer = await service.get(`/fault/alarm/${id}/history`, { Accept: 'application/json' })
      return answer.json() as unknown as History
    }
    const actions = ({ happening }: History) => happening.map(({ action, pushed }) => `${action} ${pushed}`)

    test('it lists rises, acknowledgements, notes, shelves and the end, in their order', async () => {
      const id = await raise('a', 4)
      const began = now
      now += 90_000
      await raise('a', 4)
      await raise('a', 2)
      await put(`/fault/alarm/acknowledge/${id}`, { note: 'Seen' })
      await service.sendJson('POST', `/fault/alarm/${id}/note`, { note: 'A fan' })
      await put(`/fault/alarm/assign/${id}`, { owner: 'berta' })
      await put(`/fault/alarm/shelve/${id}`, { minutes: 5 })
      await put(`/fault/alarm/unshelve/${id}`)
      await put(`/fault/alarm/unacknowledge/${id}`)
      await put(`/fault/alarm/recover/${id}`)
      const reported = await history(id)
      assert.deepEqual(actions(reported), [
        'raise true',
        'rise true',
        'acknowledge true',
        'note true',
        'assign true',
        'shelve true',
        'unshelve true',
        'release true',
        'unacknowledge true',
        'recover true',
      ])
      assert.equal(reported.happening[0]?.time, String(began / 1000))
      assert.equal(reported.happening[1]?.detail, 'from level 4 to 2')
      assert.equal(reported.happening[3]?.detail, 'A fan')
      assert.equal(reported.happening.at(-1)?.userName, 'anonymous')
      assert.notEqual(reported.recoveredBy, '0')
      assert.equal(reported.complete, 'true')
      assert.deepEqual(
        reported.repeat.map(({ times }) => times),
        ['2'],
      )
    })

    test('what was held back by a window is shown, and when it was released', async () => {
      const window = idOf(
        await service.sendJson('POST', '/fault/maintenance', { name: 'Work', minutes: 60, device: ['8'] }),
      )
      const silent = await raise('silent', 3, '8')
      await put(`/fault/alarm/recover/${silent}`)
      const id = await raise('b', 3, '8')
      const reported = await history(id)
      assert.deepEqual(actions(reported), ['raise false', 'suppress false'])
      assert.equal(reported.happening[1]?.detail, `maintenance ${window}`)
      assert.deepEqual(actions(await history(silent)), ['raise false', 'suppress false', 'recover false'])
      await put(`/fault/maintenance/end/${window}`)
      await service.engine.releaseSuppressed(now)
      assert.deepEqual(actions(await history(id)), ['raise false', 'suppress false', 'release true'])
    })

    test('it shows which trap raised it, and why', async () => {
      await service.engine.handle([
        {
          kind: 'trap',
          receivedAt: now,
          sourceIp: '10.0.0.1',
          agentIp: undefined,
          version: '2c',
          oid: '1.3.6.1.4.1.32473.3.1',
          variables: [],
        },
      ])
      const { trap } = (await service.get('/fault/trap?size=1', { Accept: 'application/json' })).json()
      const [{ id, alarmId, reason } = {}] = trap as unknown as Record<string, string>[]
      const reported = await history(alarmId ?? '')
      assert.deepEqual([reported.trapId, reported.reason], [id, reason])
    })

    test('it shows which registered clients have received the log up to it', async () => {
      const reader = await listen('uuid=desk')
      const id = await raise('c', 3)
      await reader.until(() => reader.documents.length === 1, 'the alarm')
      assert.deepEqual((await history(id)).client, [{ uuid: 'desk', connected: 'true', past: 'true' }])
      reader.close()
      await gone('desk')
      const later = await raise('d', 3)
      assert.deepEqual((await history(later)).client, [{ uuid: 'desk', connected: 'false', past: 'false' }])
    })

    test('an alarm that does not exist has no history', async () => {
      refused(await service.get('/fault/alarm/999999/history'), 404)
    })
  })
}
