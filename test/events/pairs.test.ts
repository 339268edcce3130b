// Which end belongs to which fault. A wrong pair is worse than none: the end of one part's fault would end that of another.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Proposal, propose } from '../../src/events/mib-proposals.ts'
import { libraryOf } from '../mibs/modules.ts'
import { requireCheap } from '../processor-time.ts'

interface Notification {
  readonly name: string
  readonly carries?: string
  readonly says?: string
  readonly severity?: string
}

const objects = (names: string) => names.split(' ').filter((name) => name !== '')

/** A module whose objects are texts, unless their name ends with `Number`, `Index` or `Integer`. */
function moduleOf(notifications: readonly Notification[]): string {
  const names = [...new Set(notifications.flatMap(({ carries = '' }) => objects(carries)))]
  const variables = names.map((name, at) => {
    const type = /(?:Number|Index|Integer)$/.test(name)
      ? 'INTEGER'
      : name.endsWith('Status')
        ? 'INTEGER { ok(1), failed(2) }'
        : 'OCTET STRING'
    return `${name} OBJECT-TYPE SYNTAX ${type} MAX-ACCESS read-only ::= { iso 94 ${at + 1} }`
  })
  const traps = notifications.map(({ name, carries = '', says = '', severity }, at) => {
    const list = objects(carries)
    const sent = list.length > 0 ? `OBJECTS { ${list.join(', ')} }` : ''
    const remark = severity === undefined ? '' : `--#SEVERITY ${severity}\n`
    return `${name} NOTIFICATION-TYPE ${sent} STATUS current DESCRIPTION "${says}"\n${remark}::= { iso 94 0 ${at + 1} }`
  })
  return `P DEFINITIONS ::= BEGIN\n${[...variables, ...traps].join('\n')}\nEND`
}

function proposed(...notifications: readonly Notification[]) {
  const all = propose(libraryOf(moduleOf(notifications)), () => false)
  const of = (name: string): Proposal =>
    all.find(({ event }) => event.name === name) ?? assert.fail(`${name} is not proposed`)
  const nameOf = new Map(all.map(({ event }) => [event.eventOid, event.name]))
  return {
    of,
    ends: (name: string) => (of(name).event.recovers ?? []).map((oid) => nameOf.get(oid)),
    keys: (name: string) =>
      (of(name).event.parameter ?? []).filter(({ isKey }) => isKey).map((one) => one.name),
  }
}

/** A fault and its end that carry the same. */
const pair = (fault: string, end: string, carries = '', says = '') =>
  proposed({ name: fault, carries, says }, { name: end, carries, says })

describe('an end belongs to a fault', () => {
  test('where both name the same part, in whatever words', () => {
    for (const [carries, key] of [
      ['acmeFanNumber acmeText', 'acmeFanNumber'],
      ['acmeMessage acmeSlotStr', 'acmeSlotStr'],
      ['acmeAlertMessage acmeFQDD', 'acmeFQDD'],
      ['acmeSystemObject acmeText', 'acmeSystemObject'],
      ['objectNameEvent descriptionEvent', 'objectNameEvent'],
    ] as const) {
      const found = pair('fanFailed', 'fanOk', carries)
      assert.deepEqual([found.ends('fanOk'), found.keys('fanFailed')], [['fanFailed'], [key]], carries)
    }
  })

  test('where the description says which of the variables names the part', () => {
    const says =
      'A sensor is too hot. The first argument is the host device serial number. The second argument is the sensor number. The third argument is the sensor name.'
    const found = pair('sensorHot', 'sensorHotCleared', 'argsString argsInteger argsString02', says)
    assert.deepEqual(
      [found.ends('sensorHotCleared'), found.keys('sensorHot')],
      [['sensorHot'], ['argsInteger']],
    )
    assert.equal(
      found.of('sensorHot').event.alarmDesc,
      'Sensor hot: sensor number {argsInteger}, sensor name {argsString02}',
    )
  })

  test('where a device has one, or nothing that is sent could name a part', () => {
    for (const [fault, end, carries] of [
      ['onBattery', 'onBatteryCleared', 'acmeMessage'],
      ['fanFailed', 'fanOk', ''],
      ['fanFailed', 'fanOk', 'acmeSerialNumber acmeFanStatus'],
      ['fan1Failed', 'fan1Ok', 'acmeMessage'],
    ] as const)
      assert.deepEqual(pair(fault, end, carries).ends(end), [fault], `${fault} ${carries}`)
  })

  test('not where only people can tell which part is well again', () => {
    for (const carries of ['acmeMessage', 'acmeSerialNumber acmeInfo', 'trapArgsInteger trapArgsString']) {
      const found = pair('fanFailed', 'fanFailedCleared', carries)
      assert.deepEqual([found.ends('fanFailedCleared'), found.keys('fanFailed')], [[], []], carries)
      assert.equal(found.of('fanFailedCleared').event.alarmLevel, 5, 'it is no fault either')
      assert.match(
        found.of('fanFailed').reason,
        /fanFailedCleared seems to end it, but does not say which one/,
      )
    }
  })

  test('not where the fault names a part and the end names none', () => {
    const found = proposed(
      { name: 'diskFailed', carries: 'acmeDiskNumber' },
      { name: 'diskOk', carries: 'acmeMessage' },
      { name: 'diskRestored', carries: 'acmeDiskNumber' },
    )
    assert.deepEqual(
      [found.ends('diskOk'), found.ends('diskRestored'), found.keys('diskFailed')],
      [[], ['diskFailed'], ['acmeDiskNumber']],
    )
  })

  test('where a text is all that tells it from others, and no message', () => {
    const found = pair('memberDown', 'memberUp', 'acmeMessage acmeTrunkMember')
    assert.deepEqual(
      [found.ends('memberUp'), found.keys('memberDown')],
      [['memberDown'], ['acmeTrunkMember']],
    )
    assert.deepEqual(found.keys('memberUp'), ['acmeTrunkMember'])
    assert.deepEqual(pair('memberDown', 'memberUp', 'acmeMessage').ends('memberUp'), [])
    assert.deepEqual(pair('fuelLow', 'fuelNormal', 'acmeTrunkMember').keys('fuelLow'), [], 'a device has one')
  })

  test('in time that grows with the number of pairs only', () => {
    const names = Array.from({ length: 3000 }, (_, at) => `clears n${at}Failed`)
    const chain = names.map((says, at) => ({ name: `n${at + 1}Failed`, says }))
    requireCheap(() => proposed({ name: 'n0Failed' }, ...chain), 600)
  })
})

test('a state that nothing tells from that of another part ends no alarm', () => {
  const handling = (carries: string) =>
    proposed({ name: 'fanStateChange', carries })
      .of('fanStateChange')
      .event.state?.map((one) => one.handling)
  assert.deepEqual(handling('acmeStatus acmeFanNumber'), [2, 1])
  assert.deepEqual(handling('acmeStatus'), [2, 1], 'nothing else is sent')
  assert.deepEqual(handling('acmeStatus acmeMessage'), [0, 1])
})

describe('an end belongs to the fault that its name resembles', () => {
  for (const [fault, end, other] of [
    ['lowOnFlashSpace', 'flashSpaceOk', 'flashReplaced'],
    ['bwThrshldCrossed', 'bwThresholdCrossCleared', 'bwMeasured'],
    ['bcastStormAlarmFire', 'bcastStormAlarmClear', 'bcastStormTcApply'],
    ['voltageOutOfRange', 'voltageNormal', 'fanOutOfRange'],
    ['invNotRespond', 'returnFromInvNotRespond', 'invRespond'],
    ['signalDegradedRaise', 'signalDegradeClear', 'signalClockRaise'],
    ['splitProtection', 'splitRecovery', 'slotRemoved'],
  ] as const)
    test(`${end}: ${fault}`, () => {
      const found = proposed({ name: fault }, { name: end }, { name: other })
      assert.deepEqual([found.ends(end), found.ends(fault)], [[fault], []])
    })

  for (const [one, end] of [
    ['logFileFull', 'logFileCleared'],
    ['vlanMemberChanged', 'vlanMemberCleared'],
    ['alarmCutoffEnable', 'alarmClearEnable'],
    ['servicesNotRunning', 'servicesNotHealthy'],
    ['pumpFailed', 'systemNormal'],
  ] as const)
    test(`not ${end}: ${one}`, () => assert.deepEqual(pair(one, end).ends(end), []))

  test('all that it ends, but not what has an end of its own', () => {
    const found = proposed(
      ...['osnrTooHigh', 'osnrTooLow', 'osnrOk', 'linkTooSlow', 'linkTooSlowCleared', 'linkOk'].map(
        (name) => ({
          name,
        }),
      ),
    )
    assert.deepEqual(found.ends('osnrOk').toSorted(), ['osnrTooHigh', 'osnrTooLow'])
    assert.deepEqual([found.ends('linkOk'), found.ends('linkTooSlowCleared')], [[], ['linkTooSlow']])
  })

  test('nothing, where a module has too many names to compare', () => {
    const names = Array.from(
      { length: 4000 },
      (_, at) => `thing${at % 7}Alpha${at}Beta${at}Gamma${at % 2 ? 'Ok' : ''}`,
    )
    const examined = () => propose(libraryOf(moduleOf(names.map((name) => ({ name })))), () => false).length
    assert.equal(requireCheap(examined, 1000), 4000)
  })
})

describe('an end is told from what sounds like one', () => {
  test('where the word for it is denied', () => {
    for (const [fault, end] of [
      ['acmeRaidStatusNotOk', 'acmeRaidStatusOk'],
      ['acmePoolUnhealthy', 'acmePoolHealthy'],
      ['acmeVoltageOutOfRange', 'acmeVoltageInRange'],
      ['acmeCpuBusy', 'acmeCpuUnbusy'],
    ] as const) {
      const { ends, of } = pair(fault, end)
      assert.deepEqual([ends(end), ends(fault)], [[fault], []], end)
      assert.ok(Number(of(fault).event.alarmLevel) < 5, fault)
    }
    const alone = proposed({ name: 'acmeSiteNotNormal' }, { name: 'acmeDriveCannotRecover' })
    for (const name of ['acmeSiteNotNormal', 'acmeDriveCannotRecover'])
      assert.equal(alone.of(name).event.alarmLevel, 3, name)
  })

  test('where words are written in capitals, or with a number', () => {
    for (const [fault, end] of [
      ['acmeCurrentANOTIFY', 'acmeCurrentACLEAR'],
      ['acmeSwitchAlarm4-x', 'acmeSwitchClear4-x'],
      ['acmeBypassabnormal', 'acmeBypassnormal'],
      ['acmeBoardTemperatureAlarm', 'acmeBoardTemperatureReturnNormal'],
      ['acmeFanPlugout', 'acmeFanPlugin'],
      ['acmeWatchdogFailure', 'acmeWatchdogUp'],
    ] as const)
      assert.deepEqual(pair(fault, end).ends(end), [fault], end)
    const others = proposed({ name: 'acmeSwitchAlarm1-x' }, { name: 'acmeSwitchClear2-x' })
    assert.deepEqual(others.ends('acmeSwitchClear2-x'), [])
    assert.equal(
      pair('acmeCurrentANOTIFY', 'acmeCurrentACLEAR').of('acmeCurrentANOTIFY').event.alarmDesc,
      'Acme current A',
    )
  })

  test('where only the descriptions say which is which', () => {
    const says = (number: number, what: string) =>
      `Sent when input ${number} of the unit ${what}, if traps are on.`
    const { ends } = proposed(
      { name: 'acmeInput1', says: says(1, 'was triggered') },
      { name: 'acmeInput2', says: says(2, 'was triggered') },
      { name: 'acmeInput3', says: says(1, 'was cleared') },
      { name: 'acmeInput4', says: says(2, 'was cleared') },
    )
    assert.deepEqual([ends('acmeInput3'), ends('acmeInput4')], [['acmeInput1'], ['acmeInput2']])
    // A text that was copied says nothing, and options are set and cleared on purpose.
    for (const texts of [
      [says(1, 'was triggered'), says(1, 'was triggered'), says(1, 'was cleared')],
      ['', says(1, 'was set'), says(1, 'was cleared')],
    ]) {
      const all = proposed(...texts.map((text, at) => ({ name: `acmeInput${at}`, says: text })))
      assert.deepEqual(all.ends('acmeInput2'), [])
    }
  })

  test('where names differ in a letter that many of the module have', () => {
    const names = ['Door', 'Key', 'Lamp', 'Bell', 'Rope', 'Clock', 'Stair', 'Roof', 'Wall', 'Gate']
    const { ends } = proposed(
      ...names.map((name) => ({ name: `acmeN${name}Thing` })),
      { name: 'acmeNFanFailure' },
      { name: 'acmeFanOK' },
    )
    assert.deepEqual(ends('acmeFanOK'), ['acmeNFanFailure'])
  })
})

describe('which of two is the fault', () => {
  for (const [fault, end] of [
    ['outletTurnedOff', 'outletTurnedOn'],
    ['mainPowerUsageOn', 'mainPowerUsageOff'],
    ['rxPowerLowThreshAlarmOn', 'rxPowerLowThreshAlarmOff'],
    ['powerOffAlarm', 'powerOnAlarm'],
    ['aggPortInactive', 'aggPortActive'],
    ['contact1Active', 'contact1Inactive'],
    ['ntpNotSync', 'ntpSync'],
    ['inletTooHigh', 'inletNotTooHigh'],
    ['upsOnBattery', 'upsNotOnBattery'],
    ['emdAlarm1Active', 'emdAlarm1NotActive'],
    ['majorAlarmAdded', 'majorAlarmRemoved'],
    ['fanTrayRemoved', 'fanTrayAdded'],
    ['bcastStormStart', 'bcastStormEnd'],
    ['heartbeatStopped', 'heartbeatResumed'],
    ['rxPowerLoss', 'rxPowerDetected'],
    ['uplinkLinkdown', 'uplinkLinkup'],
    ['freeMemBelowThreshold', 'freeMemAboveThreshold'],
    ['cpuUtilAboveThreshold', 'cpuUtilBelowThreshold'],
  ] as const)
    test(`${fault}, which ${end} ends`, () => {
      const found = pair(fault, end)
      assert.deepEqual([found.ends(end), found.ends(fault)], [[fault], []])
    })

  test('is said by the vendor where the words may mean both', () => {
    const found = proposed(
      { name: 'thingOn', severity: 'INFORMATIONAL' },
      { name: 'thingOff', severity: 'WARNING' },
    )
    assert.deepEqual([found.ends('thingOn'), found.ends('thingOff')], [['thingOff'], []])
  })

  for (const [one, other] of [
    ['serviceStopFailed', 'serviceStartFailed'],
    ['crcDownErrCleared', 'crcUpErrCleared'],
    ['outletOnCommand', 'outletOffCommand'],
    ['userAdded', 'userRemoved'],
    ['replicationStarted', 'replicationResumed'],
    ['serverShutdown', 'serverResumed'],
    ['typeAtPort', 'typeNotAtPort'],
    ['humidityAboveSafe', 'humidityBelowSafe'],
    ['trafficGroupActive', 'trafficGroupInactive'],
  ] as const)
    test(`neither: ${one}, ${other}`, () => {
      const found = pair(one, other)
      assert.deepEqual([found.ends(one), found.ends(other)], [[], []])
    })

  test('not one that is ended itself', () => {
    const found = proposed(
      ...['tempRisingAlarm', 'tempRisingResume', 'tempFallingAlarm', 'tempFallingResume'].map((name) => ({
        name,
      })),
    )
    assert.deepEqual(found.ends('tempFallingAlarm'), [])
    assert.deepEqual([...found.ends('tempRisingResume')], ['tempRisingAlarm'])
  })
})
