import assert from 'node:assert/strict'
import { test } from 'node:test'
import { alarmCategories, type StandardEvent, standardEvents } from '../../src/events/event-file.ts'

const byOid = new Map(standardEvents.map((event) => [event.eventOid, event]))
const recoveries = standardEvents.filter((event) => event.recovers !== undefined)

function named(name: string): StandardEvent {
  const event = standardEvents.find((one) => one.name === name)
  assert.ok(event, `${name} is in the catalogue`)
  return event
}

/** Where the key comes from: a variable's value, or the index of a table's row, whichever of its columns is sent. */
function keySources(event: StandardEvent): readonly string[] {
  return (event.parameter ?? [])
    .filter((one) => one.isKey)
    .map(
      (one) =>
        `${one.name} ${one.fromIndex ? `index of ${one.oid.replace(/\.\d+$/, '')}` : `value of ${one.oid}`}`,
    )
    .sort()
}

test('the catalogue holds at least 60 notifications, each OID once and well-formed', () => {
  assert.ok(standardEvents.length >= 60)
  assert.equal(byOid.size, standardEvents.length)
  const oid = /^[0-2](\.(0|[1-9]\d*))+$/
  for (const event of standardEvents) {
    assert.match(event.eventOid, oid, event.name)
    assert.match(event.name, /^[a-z][A-Za-z0-9]*$/)
    for (const one of event.parameter ?? []) assert.match(one.oid, oid, `${event.name} ${one.name}`)
  }
})

test('what a notification recovers is in the catalogue, makes alarms, and has the same key', () => {
  for (const recovery of recoveries) {
    for (const oid of recovery.recovers ?? []) {
      const fault = byOid.get(oid)
      assert.ok(fault, `${recovery.name} recovers ${oid}, which is not in the catalogue`)
      assert.notEqual(fault.handling, 0, `${recovery.name} recovers ${fault.name}, which makes no alarm`)
      assert.deepEqual(keySources(recovery), keySources(fault), `${recovery.name} and ${fault.name}`)
    }
  }
})

test('a recovery is level 5, but for restarts, which are news by themselves', () => {
  const recovered = new Set(recoveries.flatMap((event) => event.recovers ?? []))
  for (const recovery of recoveries) {
    const restart = ['coldStart', 'warmStart'].includes(recovery.name)
    assert.equal(recovery.alarmLevel, restart ? 4 : 5, recovery.name)
    assert.notEqual(recovery.handling, 0, recovery.name)
    assert.ok(!recovered.has(recovery.eventOid), recovery.name)
    assert.equal(new Set(recovery.recovers).size, recovery.recovers?.length, recovery.name)
  }
  for (const oid of recovered) assert.ok((byOid.get(oid)?.alarmLevel ?? 5) < 5, oid)
})

test('every placeholder of a text is a parameter of the event', () => {
  for (const event of standardEvents) {
    const names = (event.parameter ?? []).map((one) => one.name)
    assert.equal(new Set(names).size, names.length, `${event.name} names a parameter twice`)
    const known = new Set([...names, 'deviceName', 'deviceIp'])
    for (const [, name] of event.alarmDesc.matchAll(/\{([^{}]*)\}/g)) {
      assert.ok(known.has(name ?? ''), `${event.name}: {${name}}`)
    }
    assert.doesNotMatch(event.alarmDesc.replaceAll(/\{\w+\}/g, ''), /[{}]/, event.name)
  }
})

test('labels are number or OID = word, each number once', () => {
  for (const one of standardEvents.flatMap((event) => event.parameter ?? [])) {
    if (one.labels === undefined) continue
    assert.ok(!one.fromIndex, `${one.name}: an index has no labels`)
    const entries = one.labels.split(';')
    for (const entry of entries) assert.match(entry, /^-?\d+(\.\d+)*=[^=;]+$/, one.name)
    assert.equal(new Set(entries.map((entry) => entry.split('=')[0])).size, entries.length, one.name)
  }
})

test('categories exist, each id once, with the names of the interface', () => {
  const names = new Map(alarmCategories.map((one) => [one.id, one.name]))
  assert.equal(names.size, alarmCategories.length)
  assert.equal(names.get(2), 'Device availability')
  assert.equal(names.get(3), 'Interface and link')
  assert.equal(names.get(15), 'Other')
  for (const event of standardEvents) assert.ok(names.has(event.alarmCategory), event.name)
})

test('the notifications everybody sends are as the standards have them', () => {
  const oids: Readonly<Record<string, string>> = {
    coldStart: '1.3.6.1.6.3.1.1.5.1',
    warmStart: '1.3.6.1.6.3.1.1.5.2',
    linkDown: '1.3.6.1.6.3.1.1.5.3',
    linkUp: '1.3.6.1.6.3.1.1.5.4',
    authenticationFailure: '1.3.6.1.6.3.1.1.5.5',
    egpNeighborLoss: '1.3.6.1.6.3.1.1.5.6',
    newRoot: '1.3.6.1.2.1.17.0.1',
    entConfigChange: '1.3.6.1.2.1.47.2.0.1',
    bgpBackwardTransNotification: '1.3.6.1.2.1.15.0.2',
    ospfNbrStateChange: '1.3.6.1.2.1.14.16.2.2',
    upsTrapOnBattery: '1.3.6.1.2.1.33.2.1',
    risingAlarm: '1.3.6.1.2.1.16.0.1',
    nsNotifyShutdown: '1.3.6.1.4.1.8072.4.0.2',
    lldpRemTablesChange: '1.0.8802.1.1.2.0.0.1',
  }
  for (const [name, oid] of Object.entries(oids)) assert.equal(named(name).eventOid, oid)
  assert.deepEqual(keySources(named('linkDown')), ['ifIndex value of 1.3.6.1.2.1.2.2.1.1'])
  assert.deepEqual(named('linkUp').recovers, [named('linkDown').eventOid])
  assert.equal(named('nsNotifyShutdown').alarmCategory, 2)
  assert.equal(named('coldStart').alarmCategory, 4)
})
