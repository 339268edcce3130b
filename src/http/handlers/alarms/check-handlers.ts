// Handlers for the question whether an alarm is still so: an operator asks it, and sees what the device said.

import { alarmCheck, checkOf, requestCheck } from '../../../ask/verify/alarm-checks.ts'
import { whyNotAsked } from '../../../ask/verify/requests.ts'
import { Fault } from '../../../fault.ts'
import { audit } from '../../../resources/access/audit-entry.ts'
import { type Alarm, alarm, alarms } from '../../../resources/alarms/alarm.ts'
import { read } from '../../../resources/collection.ts'
import type { Call, Handler } from '../../call.ts'
import { sendEmpty, sendRecord } from '../../responses.ts'

const obstacle = async ({ database, engine }: Call, one: Alarm) =>
  whyNotAsked(database, await engine.definitions(), one)

/** The answer comes later: `showCheck` has it. */
export const verifyAlarm: Handler = async (call) => {
  const one = (await read(call.database, alarms, call.id)) as Alarm
  const why = await obstacle(call, one)
  if (why !== undefined) throw new Fault('conflict', `alarm ${one.id} cannot be verified: ${why}`)
  await call.database.transaction(async (tx) => {
    await requestCheck(tx, one.id, one.deviceId ?? 0n)
    await audit(tx, { action: 'verify', resource: alarm.name, id: one.id })
  })
  sendEmpty(call.response, 204)
}

export const showCheck: Handler = async (call) => {
  const one = (await read(call.database, alarms, call.id)) as Alarm
  const why = await obstacle(call, one)
  const said = await checkOf(call.database, one.id)
  const shown = { alarmId: one.id, deviceId: one.deviceId, askable: why === undefined, reason: why ?? '' }
  sendRecord(call.response, call.form, alarmCheck, { ...shown, ...said })
}
