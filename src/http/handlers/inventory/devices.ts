// Devices over HTTP: what is worth a remark when one is saved, and what goes with one that is deleted.

import { deleteDevice } from '../../../alarms/work/operations.ts'
import { read } from '../../../resources/collection.ts'
import { type Device, devices, lookUpDevices } from '../../../resources/inventory/device.ts'
import { references } from '../../../resources/references.ts'
import { sendEmpty, warnings } from '../../answers.ts'
import type { Handler } from '../../call.ts'
import type { RecordOptions } from '../records.ts'

/** A file may bring a device before the one it hangs behind: parents need not exist. */
export const deviceOptions: RecordOptions = {
  async remarks({ database }, id) {
    const { parent } = (await read(database, devices, id)) as Device
    const { remarks } = await lookUpDevices(
      database,
      parent.map((link) => link.deviceId),
    )
    return remarks
  },
}

export const removeDevice: Handler = async ({ engine, database, id, caller, response }) => {
  await deleteDevice(engine, id, caller.name)
  sendEmpty(response, 204, warnings(await references(database, 'device', id)))
}
