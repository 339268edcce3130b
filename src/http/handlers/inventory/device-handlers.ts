// Handlers for devices: warnings when one is saved, and removal of what belongs to a deleted one.

import { deleteDevice } from '../../../alarms/actions/alarm-actions.ts'
import { read } from '../../../resources/collection.ts'
import { type Device, devices, lookUpDevices } from '../../../resources/inventory/device.ts'
import { references } from '../../../resources/references.ts'
import type { Handler } from '../../call.ts'
import { imcDeviceQuery } from '../../imc/imc-devices.ts'
import { isImcRoot } from '../../imc/imc-root.ts'
import { sendEmpty, warningHeaders } from '../../responses.ts'
import { answerList } from '../list-handlers.ts'
import type { RecordOptions } from '../record-handlers.ts'

/** A file may bring a device before the one it hangs behind: parents need not exist. */
export const deviceOptions: RecordOptions = {
  async warnings({ database }, id) {
    const { parent } = (await read(database, devices, id)) as Device
    const { remarks } = await lookUpDevices(
      database,
      parent.map((link) => link.deviceId),
    )
    return remarks
  },
}

export const listDevices: Handler = (call) => {
  if (!isImcRoot(call)) return answerList(call, devices)
  const { parameters, conditions } = imcDeviceQuery(call.parameters)
  return answerList({ ...call, parameters }, devices, devices.rules.show, conditions)
}

export const removeDevice: Handler = async ({ engine, database, id, caller, response }) => {
  await deleteDevice(engine, id, caller.name)
  sendEmpty(response, 204, warningHeaders(await references(database, 'device', id)))
}
