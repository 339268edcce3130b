// Devices that are reached through another, and alarms of programs about them.

import { raiseByProgram } from '../../src/alarms/actions/program-alarms.ts'
import { trapEvents } from '../../src/resources/alarms/trap-event.ts'
import { create } from '../../src/resources/collection.ts'
import { devices } from '../../src/resources/inventory/device.ts'
import type { Town } from './town.ts'

export const gone = '1.3.6.1.4.1.32473.60.1'
export const hot = '1.3.6.1.4.1.32473.60.2'

/** A core device and three that are reached through it. */
export async function network(town: Town): Promise<readonly [core: bigint, ...bigint[]]> {
  const { database } = town
  const level = { alarmLevel: 2, alarmCategory: 2 }
  await create(database, trapEvents, { eventOid: gone, name: 'gone', ...level, outOfReach: true })
  const core = await create(database, devices, { ip: '10.9.0.1', label: 'core' })
  const parent = [{ deviceId: core, ifIndex: null, parentIfIndex: null }]
  const below: bigint[] = []
  for (const host of [2, 3, 4])
    below.push(await create(database, devices, { ip: `10.9.0.${host}`, label: `edge ${host}`, parent }))
  return [core, ...below]
}

export const raise = async (town: Town, deviceId: bigint, OID = hot, more: object = {}) =>
  (await raiseByProgram(town.world.engine, { OID, alarmLevel: 2, deviceId, alarmCategory: 2, ...more })).id
