// Schedules over HTTP: who is on call now and next, gaps, overrides, handing over by hand, and calendar feeds.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create, erase } from '../../src/resources/collection.ts'
import { contacts } from '../../src/resources/notify/contact.ts'
import { startGuarded } from '../http/credentials.ts'
import { idOf, pathOf, refused } from '../http/reading.ts'

/** A Wednesday; clocks in Berlin go forward on the next Sunday. */
const now = Date.parse('2026-03-25T12:00:00Z')
let passed = 0
const service = await startGuarded({}, { clock: () => now + passed })
const json = { Accept: 'application/json' }
const asAdmin = (method: string, path: string, body: unknown) =>
  service.asJson('administrator', method, path, body)
const read = async (path: string) => (await service.as('viewer', 'GET', path, { headers: json })).json()
const seconds = (time: string) => String(Date.parse(time) / 1000)

const addContact = async (name: string, operatorId: bigint | null = null) =>
  String(await create(service.database, contacts, { name, operatorId }))

const anna = await addContact('Anna', 3n)
const bert = await addContact('Bert')
const base = {
  name: 'base',
  rotation: 'weekly',
  handOver: '08:00',
  startDay: '2026-03-02',
  contact: [anna, bert],
}
const plan = { name: 'Network', timeZone: 'Europe/Berlin', layer: [base] }
const made = await asAdmin('POST', '/notify/schedule', plan)
const path = pathOf(made)
const scheduleId = idOf(made)

test('a schedule shows who is on call now, until when, and who is next', async () => {
  assert.equal(made.status, 201, made.text)
  const shown = await read(path)
  assert.deepEqual(shown, {
    ...{ id: scheduleId, name: 'Network', description: '', timeZone: 'Europe/Berlin' },
    layer: [{ ...base, every: '1', onCall: '', startTime: '', endTime: '', selectedWeekDay: '' }],
    // The fourth week; it is handed over after the night in which the clock goes forward.
    ...{ onCallId: bert, onCallName: 'Bert', onCallUntil: seconds('2026-03-30T06:00Z') },
    ...{ nextId: anna, nextName: 'Anna', gapFrom: '0', gapUntil: '0' },
  })
})

test('a layer is written the same in XML, and what was read can be sent back', async () => {
  const { text } = await service.as('viewer', 'GET', path)
  assert.match(text, new RegExp(`<contact>${anna}</contact><contact>${bert}</contact>`))
  const back = { headers: { 'Content-Type': 'application/xml' }, body: text }
  assert.equal((await service.as('administrator', 'PUT', path, back)).status, 204)
  assert.equal((await service.as('viewer', 'GET', path)).text, text)
})

test('a mistake is refused with the name of its field', async () => {
  const wrong = async (layer: object, field: string, status = 400) =>
    refused(
      await asAdmin('POST', '/notify/schedule', { ...plan, name: 'Wrong', layer: [layer] }),
      status,
      field,
    )
  await wrong({ ...base, contact: [] }, 'layer[1]/contact')
  await wrong({ ...base, contact: ['999'] }, 'layer[1]/contact[1]', 409)
  await wrong({ ...base, handOver: '' }, 'layer[1]/handOver')
  await wrong({ ...base, handOver: '24:00' }, 'layer[1]/handOver')
  await wrong({ ...base, startDay: '2026-02-30' }, 'layer[1]/startDay')
  await wrong({ ...base, rotation: 'yearly' }, 'layer[1]/rotation')
  await wrong({ ...base, every: '0' }, 'layer[1]/every')
  await wrong({ ...base, onCall: anna }, 'layer[1]/onCall')
  await wrong({ ...base, rotation: 'byHand' }, 'layer[1]/handOver')
  await wrong({ name: 'x', rotation: 'byHand', contact: [anna], onCall: bert }, 'layer[1]/onCall')
  await wrong({ ...base, selectedWeekDay: '7' }, 'layer[1]/selectedWeekDay')
  refused(
    await asAdmin('POST', '/notify/schedule', { ...plan, name: 'W', layer: [base, base] }),
    400,
    'layer[2]/name',
  )
  refused(await asAdmin('POST', '/notify/schedule', { ...plan, timeZone: 'Mars/Base' }), 400, 'timeZone')
  refused(await asAdmin('POST', '/notify/schedule', plan), 409, 'name')
  const many = Array.from({ length: 11 }, (_, index) => ({ ...base, name: `layer ${index}` }))
  refused(await asAdmin('POST', '/notify/schedule', { ...plan, name: 'Many', layer: many }), 400, 'layer')
})

test('only administrators change schedules', async () => {
  refused(await service.asJson('operator', 'POST', '/notify/schedule', { ...plan, name: 'Mine' }), 403)
  refused(await service.asJson('operator', 'PUT', path, plan), 403)
  refused(await service.as('operator', 'DELETE', path), 403)
})

test('a gap is shown before it happens: when the schedule is saved, in it, and among the shifts', async () => {
  const office = {
    ...base,
    rotation: 'daily',
    startTime: '08:00',
    endTime: '18:00',
    selectedWeekDay: '1,2,3,4,5',
  }
  const saved = await asAdmin('POST', '/notify/schedule', { ...plan, name: 'Office', layer: [office] })
  const gap = 'nobody is on call from 2026-03-25 18:00:00 to 2026-03-26 08:00:00, Europe/Berlin'
  assert.equal(saved.headers['belfry-warning'], gap)
  const { gapFrom, gapUntil, nextId } = await read(pathOf(saved))
  assert.deepEqual([gapFrom, gapUntil], [seconds('2026-03-25T17:00Z'), seconds('2026-03-26T07:00Z')])
  assert.equal(nextId, undefined)
  const query = `scheduleId=${idOf(saved)}&toTime=${seconds('2026-03-30T09:00Z')}`
  const { shift } = (await read(`/notify/shift?${query}`)) as { shift: Record<string, string>[] }
  const rows = shift.map(({ fromTime, contactName }) => [
    new Date(Number(fromTime) * 1000).toISOString(),
    contactName,
  ])
  assert.deepEqual(rows, [
    ['2026-03-25T12:00:00.000Z', 'Bert'],
    ['2026-03-25T17:00:00.000Z', ''],
    ['2026-03-26T07:00:00.000Z', 'Anna'],
    ['2026-03-26T17:00:00.000Z', ''],
    ['2026-03-27T07:00:00.000Z', 'Bert'],
    ['2026-03-27T17:00:00.000Z', ''],
    ['2026-03-30T06:00:00.000Z', 'Anna'],
  ])
  const own = (await read(`/notify/shift?${query}&contactId=${anna}`)) as { shift: unknown[] }
  assert.equal(own.shift.length, 2)
  assert.equal((await service.as('administrator', 'DELETE', pathOf(saved))).status, 204)
})

test('shifts are listed for a quarter of a year at most', async () => {
  const until = (time: string) => service.as('viewer', 'GET', `/notify/shift?toTime=${seconds(time)}`)
  refused(await until('2026-03-25T12:00Z'), 400, 'toTime')
  refused(await until('2026-06-26T12:00Z'), 400, 'toTime')
  assert.equal((await until('2026-06-25T12:00Z')).status, 200)
  refused(await service.as('viewer', 'GET', '/notify/shift?scheduleId=999'), 404)
})

test('people take over shifts for themselves; administrators give them to others', async () => {
  const times = { fromTime: seconds('2026-03-25T11:00Z'), toTime: seconds('2026-03-25T20:00Z') }
  const override = { scheduleId, ...times, contactId: anna, reason: 'swapped' }
  const taken = await service.asJson('operator', 'POST', '/notify/override', override)
  assert.equal(taken.status, 201, taken.text)
  const { onCallName, onCallUntil, nextName } = await read(path)
  assert.deepEqual([onCallName, onCallUntil, nextName], ['Anna', seconds('2026-03-25T20:00Z'), 'Bert'])
  const { override: listed } = (await read(`/notify/override?scheduleId=${scheduleId}`)) as {
    override: object[]
  }
  assert.deepEqual(listed, [{ id: idOf(taken), ...override, contactName: 'Anna', createdBy: 'operator' }])
  refused(await service.asJson('operator', 'POST', '/notify/override', { ...override, contactId: bert }), 403)
  refused(await service.asJson('operator', 'PUT', pathOf(taken), { ...override, contactId: bert }), 403)
  const given = await asAdmin('POST', '/notify/override', { ...override, contactId: bert })
  assert.equal((await read(path)).onCallName, 'Bert', 'of several overrides the newest counts')
  refused(await service.as('operator', 'DELETE', pathOf(given)), 403)
  for (const one of [given, taken])
    assert.equal((await service.as('administrator', 'DELETE', pathOf(one))).status, 204)
  refused(await service.as('operator', 'DELETE', pathOf(taken)), 410)
})

test('an override that ends before it begins, is too long, or is of nothing is refused', async () => {
  const send = (body: object) =>
    asAdmin('POST', '/notify/override', {
      scheduleId,
      contactId: anna,
      fromTime: '1000',
      toTime: '2000',
      ...body,
    })
  refused(await send({ toTime: '1000' }), 400, 'toTime')
  refused(await send({ toTime: String(1000 + 367 * 24 * 3600) }), 400, 'toTime')
  refused(await send({ scheduleId: '999' }), 409, 'scheduleId')
  refused(await send({ contactId: '999' }), 409, 'contactId')
})

test('a layer by hand is handed over to the next, or to whoever is named', async () => {
  const byHand = { name: 'by hand', rotation: 'byHand', contact: [anna, bert] }
  const saved = await asAdmin('POST', '/notify/schedule', { ...plan, name: 'By hand', layer: [base, byHand] })
  const handOver = (who: string, body: object) =>
    service.asJson(who, 'PUT', `${pathOf(saved)}/handOver`, body)
  const onCall = async () => (await read(pathOf(saved))).onCallName
  assert.equal(await onCall(), 'Anna')
  assert.equal((await handOver('operator', { layer: 'by hand' })).status, 204)
  assert.equal(await onCall(), 'Bert')
  assert.equal((await handOver('administrator', { layer: 'by hand', contactId: bert })).status, 204)
  assert.equal(await onCall(), 'Bert')
  assert.equal(
    (await handOver('operator', { layer: 'by hand', contactId: anna })).status,
    204,
    'takes it back',
  )
  refused(await handOver('administrator', { layer: 'by hand', contactId: '999' }), 400, 'layer[2]/onCall')
  refused(await handOver('administrator', { layer: 'base' }), 409, 'layer')
  refused(await handOver('viewer', { layer: 'by hand' }), 403)
  await service.as('administrator', 'DELETE', pathOf(saved))
})

test('a contact that is on call by a schedule or an override cannot be deleted', async () => {
  const remove = (id: string) => erase(service.database, contacts, BigInt(id))
  await assert.rejects(remove(bert), /contact \d+ is in schedule \d+: take it out first/)
  const carl = await addContact('Carl')
  const times = { fromTime: seconds('2026-04-01T00:00Z'), toTime: seconds('2026-04-02T00:00Z') }
  const given = await asAdmin('POST', '/notify/override', { scheduleId, contactId: carl, ...times })
  await assert.rejects(remove(carl), /contact \d+ is in override \d+: delete it first/)
  await service.as('administrator', 'DELETE', pathOf(given))
  await remove(carl)
})

/** The fields of the events in a calendar, read as RFC 5545 has it. */
function eventsOf(text: string): Record<string, string>[] {
  assert.ok(text.endsWith('\r\n'))
  const physical = text.split('\r\n')
  for (const line of physical) assert.ok(Buffer.byteLength(line) <= 75, line)
  const lines = text.replaceAll('\r\n ', '').split('\r\n').slice(0, -1)
  assert.equal(lines[0], 'BEGIN:VCALENDAR')
  assert.equal(lines.at(-1), 'END:VCALENDAR')
  const events: Record<string, string>[] = []
  for (const line of lines) {
    const [, name = '', value = ''] = /^([^:;]+)[^:]*:(.*)$/.exec(line) ?? []
    if (line === 'BEGIN:VEVENT') events.push({})
    else if (name !== 'END' && events.length > 0) Object.assign(events.at(-1) ?? {}, { [name]: value })
  }
  return events
}

test('a feed is read by its address alone, shown once, and is gone when it is revoked', async () => {
  const long = `Weeks; of "Anna", ${'ü'.repeat(60)}`
  const created = await service.asJson('operator', 'POST', '/notify/calendarFeed', {
    scheduleId,
    contactId: anna,
    description: long,
  })
  assert.equal(created.status, 201, created.text)
  const { address, ...rest } = created.json() as Record<string, string>
  assert.match(address ?? '', /\/notify\/calendar\/[\w-]{43}\.ics$/)
  const feed = new URL(address ?? '').pathname
  const answer = await service.get(feed)
  assert.equal(answer.status, 200)
  assert.equal(answer.headers['content-type'], 'text/calendar; charset=UTF-8')
  const events = eventsOf(answer.text)
  assert.match(answer.text.replaceAll('\r\n ', ''), /X-WR-CALNAME:Weeks\\; of "Anna"\\, ü{60}\r\n/)
  assert.deepEqual(events[0], {
    // It began before what a calendar shows.
    UID: `shift-${scheduleId}-${seconds('2026-03-16T07:00Z')}@${new URL(address ?? '').host}`,
    ...{ DTSTAMP: '20260325T120000Z', DTSTART: '20260316T070000Z', DTEND: '20260323T070000Z' },
    ...{ SUMMARY: 'Network: Anna', TRANSP: 'TRANSPARENT' },
  })
  assert.equal(events[1]?.DTSTART, '20260330T060000Z')
  assert.deepEqual(
    await service.as('operator', 'GET', pathOf(created), { headers: json }).then((one) => one.json()),
    rest,
  )
  refused(await service.as('viewer', 'GET', pathOf(created)), 404)
  refused(await service.as('viewer', 'DELETE', pathOf(created)), 410)
  refused(await service.get(feed.replace(/.{6}\.ics$/, 'aaaaaa.ics')), 404)
  refused(await service.get('/notify/calendar/x.ics'), 404)
  refused(await service.get('/notify/shift'), 401)
  assert.equal((await service.as('operator', 'DELETE', pathOf(created))).status, 204)
  refused(await service.get(feed), 404)
  const audit = await service.as('administrator', 'GET', '/plat/audit?resource=calendarFeed&size=50')
  assert.ok(!audit.text.includes(feed.slice(-20, -4)), 'the secret is in no entry')
})

test('an event of a calendar keeps its id, whenever the calendar is read', async () => {
  const always = { name: 'desk', rotation: 'byHand', contact: [bert], onCall: bert }
  const byHand = await asAdmin('POST', '/notify/schedule', { name: 'Desk', timeZone: 'UTC', layer: [always] })
  const created = await service.asJson('operator', 'POST', '/notify/calendarFeed', {})
  const feed = new URL(String(created.json().address)).pathname
  const read = async () => eventsOf((await service.get(feed)).text)
  const before = await read()
  passed = 3600_000
  const later = await read()
  passed = 0
  assert.deepEqual(
    later.map(({ UID }) => UID),
    before.map(({ UID }) => UID),
  )
  assert.deepEqual(
    before.map(({ UID }) => UID).filter((one) => one?.startsWith(`shift-${idOf(byHand)}-always@`)).length,
    1,
  )
  assert.deepEqual(
    later.filter(({ UID }) => !UID?.includes('-always@')).map(({ DTSTART }) => DTSTART),
    before.filter(({ UID }) => !UID?.includes('-always@')).map(({ DTSTART }) => DTSTART),
  )
  await service.as('administrator', 'DELETE', pathOf(byHand))
  await service.as('operator', 'DELETE', pathOf(created))
})

test('a feed ends with its operator', async () => {
  const password = 'correct-horse-staple-9'
  const role = { name: 'leaver', role: 'operator', password }
  const leaver = pathOf(await asAdmin('POST', '/plat/operator', role))
  const token = await asAdmin('POST', '/plat/token', {
    operatorId: leaver.split('/').at(-1),
    scope: 'operator,tokens',
  })
  const { token: secret } = token.json() as { token: string }
  const sent = {
    body: '{}',
    headers: { ...json, 'Content-Type': 'application/json', Authorization: `Bearer ${secret}` },
  }
  const created = await service.ask('POST', '/notify/calendarFeed', sent)
  const feed = new URL(String(created.json().address)).pathname
  assert.equal((await service.get(feed)).status, 200)
  assert.equal(
    (await asAdmin('PUT', leaver, { enabled: 'false', name: 'leaver', role: 'operator' })).status,
    204,
  )
  refused(await service.get(feed), 404)
  assert.equal((await service.as('administrator', 'DELETE', leaver)).status, 204)
  assert.equal((await service.database.all('select id from calendar_feed')).length, 0)
})
