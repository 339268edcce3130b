import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Proposal, propose } from '../../src/events/mib-proposals.ts'
import { clock, libraryOf, smi, tower } from '../mibs/modules.ts'
import { requireCheap } from '../processor-time.ts'

const acme = '1.3.6.1.4.1.32473'

function proposals(sources: readonly string[], defined: readonly string[] = []): Map<string, Proposal> {
  const all = propose(libraryOf(...sources), (oid) => defined.includes(oid))
  return new Map(all.map((one) => [one.event.name, one]))
}

const towers = proposals([smi, tower])
const of = (name: string, from = towers) => from.get(name) ?? assert.fail(`${name} is not proposed`)
const keys = ({ event }: Proposal) =>
  event.parameter
    ?.filter(({ isKey }) => isKey)
    .map(({ name, oid, fromIndex }) => [name, oid, fromIndex === true])

test('a fault and its end are found by their names, and share the key', () => {
  const [failed, restored] = [of('bellFailed'), of('bellRestored')]
  assert.deepEqual([failed.event.alarmLevel, failed.event.recovers], [2, []])
  assert.deepEqual([restored.event.alarmLevel, restored.event.recovers], [5, [`${acme}.700.1.0.1`]])
  for (const one of [failed, restored]) {
    assert.equal(one.confidence, 'high')
    assert.deepEqual(keys(one), [['bellIndex', `${acme}.700.1.1.10.1.2`, true]])
  }
  assert.match(
    failed.reason,
    /^Level 2: "failed" in its name; bellRestored ends it: .*carry the same objects; the resource/,
  )
  assert.deepEqual(failed.partners, [`${acme}.700.1.0.2`])
})

test('the text names what the notification carries, with labels and units', () => {
  const { event } = of('bellFailed')
  assert.equal(
    event.alarmDesc,
    'Bell failed: bellIndex {bellIndex}, bellName {bellName}, bellHealth {bellHealth}',
  )
  assert.equal(event.parameter?.at(-1)?.labels, '1=fine;2=limping;3=broken')
  assert.equal(
    of('temperatureHigh').event.alarmDesc,
    'Temperature high: towerTemperature {towerTemperature} celsius',
  )
})

test('one end may be that of several faults', () => {
  const { event } = of('temperatureNormal')
  assert.deepEqual(event.recovers, [`${acme}.700.1.0.3`, `${acme}.700.1.0.4`])
  assert.deepEqual([of('temperatureHigh').event.alarmLevel, of('temperatureLow').event.alarmLevel], [4, 4])
})

test('rows with several numbers are distinguished by all of them', () => {
  assert.deepEqual(keys(of('ropeLost')), [
    ['rope', `${acme}.700.1.1.11.1.2`, true],
    ['bellIndex', `${acme}.700.1.1.12.1.1`, true],
  ])
  assert.equal(of('ropeLost').confidence, 'medium', 'nothing ends it')
})

test('an index that is sent is a key by its value, and so is what exists for notifications alone', () => {
  assert.deepEqual(keys(of('doorNotification')), [
    ['towerAlarmSlot', `${acme}.700.1.1.5`, false],
    ['ifIndex', '1.3.6.1.2.1.2.2.1.1', false],
  ])
  assert.equal(of('doorNotification').confidence, 'low')
})

test('a heartbeat makes no alarm', () => assert.equal(of('towerHeartbeat').event.handling, 0))

test('a severity that the vendor states takes precedence over words in the name', () => {
  const clocks = proposals([clock])
  const { event, reason } = of('clockStopped', clocks)
  assert.equal(event.alarmLevel, 1)
  assert.match(reason, /the module says critical; clockStarted ends it/)
  assert.equal(of('clockStarted', clocks).event.alarmLevel, 5)
})

test('what has a definition, in either spelling, is not proposed, and its partner only with doubts', () => {
  const some = proposals([smi, tower, clock], [`${acme}.700.1.0.1`, `${acme}.800.1`, `${acme}.800.0.2`])
  assert.equal(some.has('bellFailed'), false)
  assert.equal(some.has('clockStopped'), false)
  assert.deepEqual(
    [of('bellRestored', some).confidence, of('bellRestored', some).event.recovers],
    ['low', [`${acme}.700.1.0.1`]],
  )
  assert.match(of('bellRestored', some).reason, /bellFailed has a definition of its own already/)
})

describe('pairs of words', () => {
  const notifications = (...names: readonly string[]) =>
    `W DEFINITIONS ::= BEGIN\nv OBJECT-TYPE SYNTAX INTEGER MAX-ACCESS read-only ::= { iso 99 1 }\n${names
      .map(
        (name, at) =>
          `${name} NOTIFICATION-TYPE OBJECTS { v } STATUS current DESCRIPTION "" ::= { iso 99 0 ${at + 1} }`,
      )
      .join('\n')}\nEND`
  const recovers = (fault: string, end: string) => {
    const found = proposals([notifications(fault, end)])
    return of(end, found).event.recovers?.length === 1 && of(fault, found).event.recovers?.length === 0
  }
  const pairs = [
    ...['portDown portUp', 'psuFail psuOK', 'diskFailed diskRestored', 'losSet losClear', 'aRaised aCleared'],
    ...[
      'overheatOn overheatOff',
      'peerLost peerEstablished',
      'cpuHigh cpuNormal',
      'failsafeEnter failsafeExit',
    ],
    ...['xAlarm xAlarmCleared', 'cpuThreshold cpuThresholdRecovered', 'apOffline apOnline', 'fanOff fanOn'],
    ...[
      'cardRemoved cardInserted',
      'svcStopped svcStarted',
      'hostUnreachable hostReachable',
      'xFAULT xFAULT-CLEAR',
    ],
    ...['acme-link-down acme-link-up', 'trapLinkDownEvent trapLinkUpEvent', 'risingAlarm fallingAlarm'],
    ...['bfdSessDown bfdSessUp', 'raidDegraded raidOk', 'tunnelDownNotification tunnelUpNotification'],
  ]
  for (const pair of pairs) {
    const [fault = '', end = ''] = pair.split(' ')
    test(`${end} ends ${fault}`, () => assert.ok(recovers(fault, end)))
  }
  for (const pair of [
    'portDown cardUp',
    'configChanged configSaved',
    'fanFailed psuOk',
    'startUp startDownload',
  ]) {
    const [first = '', second = ''] = pair.split(' ')
    test(`${first} and ${second} have nothing to do with each other`, () => {
      const found = proposals([notifications(first, second)])
      assert.deepEqual(
        [...found.values()].flatMap(({ event }) => event.recovers),
        [],
      )
    })
  }

  test('a fault and an end that carry different things are paired with doubts', () => {
    const source = notifications('fanFailed', 'fanOk').replace(
      'fanOk NOTIFICATION-TYPE OBJECTS { v }',
      'fanOk NOTIFICATION-TYPE',
    )
    assert.equal(of('fanOk', proposals([source])).confidence, 'low')
  })
})

test('a module made of thousands of names that pair with each other is examined quickly', () => {
  const noise = ['Trap', 'Event', 'Alarm', 'Alert', 'Notify', 'Status', 'State', 'Condition']
  const names = Array.from({ length: 4000 }, (_, at) =>
    [...at.toString(8)].map((digit) => noise[Number(digit)]).join(''),
  )
  const source = names
    .flatMap((name) => [`x${name}Down`, `x${name}Up`])
    .map((name, at) => `${name} NOTIFICATION-TYPE STATUS current ::= { iso 98 ${at} }`)
  const examined = () => proposals([`N DEFINITIONS ::= BEGIN\n${source.join('\n')}\nEND`]).size
  assert.equal(requireCheap(examined, 400), 8000)
})
