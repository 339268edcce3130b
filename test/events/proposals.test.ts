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
  assert.equal(event.alarmDesc, 'Bell failed: name {bellName}, health {bellHealth}')
  assert.equal(event.parameter?.at(-1)?.labels, '1=fine;2=limping;3=broken')
  assert.equal(
    of('temperatureHigh').event.alarmDesc,
    'Temperature high: tower temperature {towerTemperature} celsius',
  )
})

test('one end may be that of several faults', () => {
  const { event } = of('temperatureNormal')
  assert.deepEqual(event.recovers, [`${acme}.700.1.0.3`, `${acme}.700.1.0.4`])
  assert.deepEqual([of('temperatureHigh').event.alarmLevel, of('temperatureLow').event.alarmLevel], [3, 3])
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

describe('the level', () => {
  const levelled = (name: string, { says = '', severity = '' } = {}) => {
    const remark = severity === '' ? '' : `--#SEVERITY ${severity}\n`
    const source = `L DEFINITIONS ::= BEGIN\n${name} NOTIFICATION-TYPE STATUS current DESCRIPTION "${says}"\n${remark}::= { iso 96 1 }\nEND`
    return of(name, proposals([source])).event.alarmLevel
  }

  test('is not what the vendor remarks where the name says something else altogether', () => {
    assert.equal(levelled('cardMissing', { severity: 'CRITICAL' }), 3)
    assert.equal(levelled('cardFailed', { severity: 'CRITICAL' }), 1)
    assert.equal(levelled('cardThing', { severity: 'CRITICAL' }), 1)
  })

  test('depends on what has failed, or is too high', () => {
    assert.equal(levelled('temperatureSensorFail'), 3)
    assert.equal(levelled('fanFail'), 2)
    assert.equal(levelled('boardTemperatureHigh'), 3)
    assert.equal(levelled('boardTemperatureHighWarning'), 4)
    assert.equal(levelled('serverNotResponding'), 2)
  })

  test('is that of the description where the name says only that something has changed', () => {
    assert.equal(levelled('boardStateChange', { says: 'A failed board has been found.' }), 2)
    assert.equal(levelled('memberJoin', { says: 'The controller has failed.' }), 2)
    assert.equal(levelled('configChange', { says: 'The limit of sessions was changed.' }), 5)
  })

  test('is what the vendor says at the beginning of the description', () => {
    assert.equal(levelled('fanFailed', { says: 'WARNING: The fan has failed.' }), 4)
    assert.equal(levelled('thing', { says: 'Severity: major: the thing.' }), 2)
    assert.equal(
      levelled('humidityHigh', { says: 'CRITICAL: The humidity is high.' }),
      4,
      'the name knows better',
    )
    assert.equal(
      levelled('fanFailed', { says: 'INFORMATIONAL: The fan has failed.' }),
      2,
      'also faults are called so',
    )
    assert.equal(levelled('thing', { says: 'Description: the thing is critical.' }), 2)
  })

  test('of what was added, is present or is guarded against is that of information', () => {
    for (const name of ['memberAdded', 'memberJoin', 'userCreate', 'loopGuardEnabled'])
      assert.equal(levelled(name), 5, name)
    for (const name of ['memberNotPresent', 'noChannelAvailable', 'loopDetected', 'configMismatch'])
      assert.equal(levelled(name), 3, name)
  })
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
      'lowBattery returnFromLowBattery',
    ],
    ...['acme-link-down acme-link-up', 'trapLinkDownEvent trapLinkUpEvent', 'risingAlarm fallingAlarm'],
    ...[
      'cpuExceed cpuExceedResume',
      'lineAlmSet lineAlmClr',
      'psuDn psuUp',
      'utilAbove utilBelow',
      'Fanfailed FanOk',
    ],
    ...['rxPowerHiAlrm rxPowerOK', 'xThresholdExceeded xThresholdBackToNormal', 'portLOS portNoLOS'],
    ...['fuseErrExcd fuseErrRcvrd', 'jitterExcessive jitterOK', 'syncFailure syncFailureResume'],
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
    'callDisconnected callConnected',
    'authFail authSuccess',
    'programStop programStart',
    'diskWarning diskCriticalCleared',
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

describe('pairs that descriptions name', () => {
  const module = (first: string, second: string) => `ACME-X-MIB DEFINITIONS ::= BEGIN
    acme OBJECT IDENTIFIER ::= { 1 3 6 1 4 1 32473 900 }
    onReserve NOTIFICATION-TYPE STATUS current DESCRIPTION "${first}" ::= { acme 1 }
    lineBack NOTIFICATION-TYPE STATUS current DESCRIPTION "${second}" ::= { acme 2 }
    END`
  const ends = (first: string, second: string) => {
    const found = proposals([module(first, second)])
    return (found.get('lineBack')?.event.recovers ?? []).length === 1
  }
  for (const [first, second] of [
    ['The reserve is in use.', 'The line is back. This clears onReserve.'],
    ['The reserve is in use. It is cleared by lineBack.', 'The line is back.'],
    ['The reserve is in use.', 'The line is back: clears the alarm of trap 1.'],
    ['Raised on reserve, and cancelled by trap number 2.', 'The line is back.'],
  ] as const)
    test(`${first} ${second}`, () => assert.ok(ends(first, second)))
  for (const [first, second] of [
    ['The reserve is in use.', 'The line is back. See onReserve.'],
    ['The reserve is in use.', 'It does not clear onReserve.'],
    ['The reserve is in use.', 'An operator clears the log. Then onReserve may come.'],
    ['The reserve is in use.', 'Sent 1 minute after it clears.'],
  ] as const)
    test(`nothing follows from: ${second}`, () => assert.ok(!ends(first, second)))
})

describe('a state in a variable', () => {
  const withObject = (name: string, values: string, notification = 'sensorStatusChange') =>
    of(
      notification,
      proposals([
        `S DEFINITIONS ::= BEGIN\n${name} OBJECT-TYPE SYNTAX INTEGER { ${values} } MAX-ACCESS read-only ::= { iso 97 1 }\n${notification} NOTIFICATION-TYPE OBJECTS { ${name} } STATUS current DESCRIPTION "" ::= { iso 97 0 1 }\nEND`,
      ]),
    ).event.state?.map(({ values: given, handling, alarmLevel }) =>
      `${given} ${handling} ${alarmLevel ?? ''}`.trim(),
    )

  test('raises and ends by the names of its values, each at its level', () => {
    assert.deepEqual(
      withObject('sensorStatus', 'good(1), lowWarning(2), lowCritical(3), highWarning(4), unknown(9)'),
      ['1 2', '3 1 1', '2;4 1 4'],
    )
    assert.deepEqual(
      withObject('alarmSeverity', 'cleared(0), indeterminate(1), minor(3), major(4), critical(5)'),
      ['0 2', '5 1 1', '4 1 2', '3 1 3', '1 1 4'],
    )
    assert.deepEqual(withObject('linkAlarm', 'off(0), on(1)'), ['0 2', '1 1 3'])
    assert.deepEqual(withObject('peerUp', 'true(1), false(2)'), ['1 2', '2 1 3'])
  })

  test('is not what somebody has set, and not an enumeration without an end', () => {
    for (const [name, values] of [
      ['portAdminStatus', 'up(1), down(2)'],
      ['alarmType', 'ok(1), critical(2)'],
      ['threshType', 'low(1), high(2)'],
      ['direction', 'in(1), out(2)'],
    ] as const)
      assert.equal(withObject(name, values), undefined, name)
    assert.equal(withObject('linkStatus', 'up(1), down(2)', 'peerKeepAlive'), undefined, 'a sign of life')
  })
})

describe('keys of variables outside of tables', () => {
  const keysOfObjects = (...names: readonly string[]) =>
    keys(
      of(
        'boardFailed',
        proposals([
          `K DEFINITIONS ::= BEGIN\n${names.map((name, at) => `${name} OBJECT-TYPE SYNTAX INTEGER MAX-ACCESS read-only ::= { iso 96 ${at + 1} }`).join('\n')}\nboardFailed NOTIFICATION-TYPE OBJECTS { ${names.join(', ')} } STATUS current DESCRIPTION "" ::= { iso 96 0 1 }\nEND`,
        ]),
      ),
    )?.map(([name]) => name)

  test('are numbers of parts, and of two names of one thing the surer', () => {
    assert.deepEqual(keysOfObjects('acmeBoardNumber', 'acmeBoardName', 'acmeTemperature'), [
      'acmeBoardNumber',
    ])
    assert.deepEqual(keysOfObjects('acmeEventAPMacAddr', 'acmeEventAPName'), ['acmeEventAPMacAddr'])
    assert.deepEqual(keysOfObjects('alarmSource'), ['alarmSource'])
  })

  test('are not counts, names of the device, or numbers of messages', () => {
    assert.deepEqual(
      keysOfObjects('sysName', 'serialNumber', 'currentPortNumber', 'eventIndex', 'sequenceNumber'),
      [],
    )
  })
})

describe('texts are for people', () => {
  test('what a module writes in capitals is an acronym, and abbreviations are spelled out', () => {
    const [text] = [
      ...proposals([
        'A DEFINITIONS ::= BEGIN\nxdslAtucLof NOTIFICATION-TYPE STATUS current DESCRIPTION "The ATUC of an XDSL line lost its frame. Set by the line" ::= { iso 95 0 1 }\nEND',
      ]).values(),
    ].map(({ event }) => event.alarmDesc)
    assert.equal(text, 'XDSL ATUC loss of frame')
  })

  const titles = (...names: readonly string[]) => {
    const source = names.map(
      (name, at) => `${name} NOTIFICATION-TYPE STATUS current DESCRIPTION "" ::= { iso 95 0 ${at + 1} }`,
    )
    return [...proposals([`T DEFINITIONS ::= BEGIN\n${source.join('\n')}\nEND`]).values()].map(
      ({ event }) => event.alarmDesc,
    )
  }

  test('titles have no prefix of the vendor, and acronyms whole', () => {
    assert.deepEqual(
      titles(
        'acmeRackPDUOverloadTrap',
        'acmeRackCpuUtilizationRising',
        'acmeRackRxPowerHiAlrm',
        'acmeRackTrapBgpDown',
      ),
      ['PDU overload', 'CPU utilization rising', 'RX power high alarm', 'BGP down'],
    )
    assert.deepEqual(titles('fanFailed'), ['Fan failed'], 'of a single one nobody knows the prefix')
    assert.deepEqual(titles('acmeFanfailed'), ['Acme fan failed'], 'words that were written as one')
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
