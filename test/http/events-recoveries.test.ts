// The end of an alarm goes to everyone to whom the alarm could have been delivered, going by what was pushed.

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { type EventReader, field } from '../push/reader.ts'
import { startService } from '../support.ts'
import { linkDown, listeningTo } from './listening.ts'

const service = await startService()
const { raise, listen, gone } = listeningTo(service)

/** Of each document: what was done, and the alarm it is about. */
const seen = (reader: EventReader) =>
  reader.documents.map((document) => {
    const action = field(document, 'nAction')
    return `${action} ${field(document, action === 'Recover' ? 'recoverFaultIdList' : 'id')}`
  })

const idOf = (answer: { headers: Record<string, unknown> }) =>
  String(answer.headers.location).split('/').at(-1) ?? ''

async function device(ip: string): Promise<string> {
  return idOf(await service.sendJson('POST', '/plat/res/device', { ip, label: ip }))
}

async function view(name: string, ...member: string[]): Promise<string> {
  return idOf(await service.sendJson('POST', '/plat/res/view/custom', { name, member }))
}

async function setMembers(symbolId: string, ...member: string[]): Promise<void> {
  const { status } = await service.sendJson('PUT', `/plat/res/view/custom/${symbolId}`, { member })
  assert.equal(status, 204)
}

async function rise(fields: Record<string, string>): Promise<void> {
  const { status } = await service.sendJson('POST', '/fault/alarm', { OID: linkDown, ...fields })
  assert.equal(status, 200)
}

const recover = (id: string) => service.ask('PUT', `/fault/alarm/recover/${id}`)

suite('an alarm whose level rose', () => {
  const rose = async (deviceIp: string) => {
    const id = await raise({ deviceIp, alarmLevel: '4', resource: 'one' })
    await rise({ deviceIp, alarmLevel: '2', resource: 'one' })
    await rise({ deviceIp, alarmLevel: '1', resource: 'one' })
    return id
  }

  test('ends for those who asked for any of the levels it had, and for nobody else', async () => {
    const where = 'deviceIp=192.0.2.1'
    const readers = await Promise.all([4, 2, 1, 3].map((level) => listen(`${where}&alarmLevel=${level}`)))
    const id = await rose('192.0.2.1')
    await recover(id)
    const last = await raise({ deviceIp: '192.0.2.1', alarmLevel: '3' })
    const [warning, major, critical, minor] = readers
    assert(warning && major && critical && minor)
    for (const reader of [warning, major, critical]) {
      await reader.take(2)
      assert.deepEqual(seen(reader), [`Push ${id}`, `Recover ${id}`])
    }
    await minor.take(1)
    assert.deepEqual(seen(minor), [`Push ${last}`])
    for (const reader of readers) reader.close()
  })

  test('ends in a replay as it did live', async () => {
    const where = 'deviceIp=192.0.2.2&alarmLevel=4&uuid=rose'
    const before = await listen(where)
    const id = await raise({ deviceIp: '192.0.2.2', alarmLevel: '4', resource: 'one' })
    await before.take(1)
    before.reset()
    await gone('rose')
    await rise({ deviceIp: '192.0.2.2', alarmLevel: '1', resource: 'one' })
    await recover(id)
    const after = await listen(where)
    await after.until(() => seen(after).includes(`Recover ${id}`), 'the end')
    after.close()
  })

  test('is in the snapshot of those who were given it', async () => {
    const id = await rose('192.0.2.3')
    const reader = await listen('deviceIp=192.0.2.3&alarmLevel=4&snapshot=true')
    await reader.take(1)
    assert.equal(field(reader.documents[0] ?? '', 'alarmLevel'), '1', 'as it is now')
    await recover(id)
    await reader.take(2)
    assert.deepEqual(seen(reader), [`Push ${id}`, `Recover ${id}`])
    reader.close()
  })
})

suite('an alarm of a device that left a view', () => {
  test('ends for those who asked for the view, live and in a replay', async () => {
    const deviceIp = '192.0.2.11'
    const id = await device(deviceIp)
    const left = await view('left', id)
    const readers = [await listen(`customView=${left}`), await listen(`customView=${left}&uuid=left`)]
    const alarm = await raise({ deviceIp })
    for (const reader of readers) await reader.take(1)
    readers[1]?.reset()
    await gone('left')
    await setMembers(left)
    const later = await raise({ deviceIp })
    await recover(alarm)
    await readers[0]?.take(2)
    readers[1] = await listen(`customView=${left}&uuid=left`)
    await readers[1].take(2)
    for (const reader of readers) {
      assert.deepEqual(seen(reader), [`Push ${alarm}`, `Recover ${alarm}`], `and nothing of ${later}`)
      reader.close()
    }
  })

  test('does not end for those who asked for a view that the device joined later', async () => {
    const deviceIp = '192.0.2.12'
    const id = await device(deviceIp)
    const joined = await view('joined')
    const reader = await listen(`customView=${joined}`)
    const before = await raise({ deviceIp, resource: 'before' })
    await setMembers(joined, id)
    await recover(before)
    const within = await raise({ deviceIp })
    await reader.take(2)
    // The recovery is an alarm of its own, of a device that is in the view by then.
    assert.deepEqual(seen(reader), [`Recover ${before}`, `Push ${within}`])
    const shown = await listen(`customView=${joined}&snapshot=true`)
    await shown.take(1)
    assert.deepEqual(seen(shown), [`Push ${within}`])
    for (const one of [reader, shown]) one.close()
  })

  test('rises into the view that the device is in then', async () => {
    const deviceIp = '192.0.2.13'
    const id = await device(deviceIp)
    const [first, second] = [await view('first', id), await view('second')]
    const readers = [await listen(`customView=${first}`), await listen(`customView=${second}`)]
    const alarm = await raise({ deviceIp, resource: 'one', alarmLevel: '4' })
    await setMembers(first)
    await setMembers(second, id)
    await rise({ deviceIp, resource: 'one', alarmLevel: '1' })
    await setMembers(second)
    await recover(alarm)
    for (const reader of readers) {
      await reader.take(2)
      assert.deepEqual(seen(reader), [`Push ${alarm}`, `Recover ${alarm}`])
      reader.close()
    }
  })
})
