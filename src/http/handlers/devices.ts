// Devices over HTTP: what is worth a remark when one is saved.

import { read } from '../../resources/collection.ts'
import { type Device, devices } from '../../resources/device.ts'
import { find } from '../../store/table.ts'
import type { RecordOptions } from './records.ts'

/** A file may bring a device before the one it hangs behind: parents need not exist. */
export const deviceOptions: RecordOptions = {
  async remarks({ database }, id) {
    const { parent } = (await read(database, devices, id)) as Device
    const said: string[] = []
    for (const deviceId of new Set(parent.map((link) => link.deviceId))) {
      if (!(await find(database, devices.table, deviceId))) said.push(`device ${deviceId} does not exist`)
    }
    return said
  },
}
