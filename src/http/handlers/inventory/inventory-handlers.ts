// Handlers for devices: warnings when one is saved, and removal of what belongs to a deleted one.

import { deleteDevice } from '../../../alarms/actions/alarm-actions.ts'
import { Fault } from '../../../fault.ts'
import { read } from '../../../resources/collection.ts'
import { type Device, devices, lookUpDevices } from '../../../resources/inventory/device.ts'
import {
  type Binding,
  bindingWarnings,
  macAccessBinds,
} from '../../../resources/inventory/mac-access-bind.ts'
import { topologyDocument, topologyIn } from '../../../resources/inventory/topology.ts'
import { deleteZone } from '../../../resources/inventory/zone.ts'
import { references } from '../../../resources/references.ts'
import { oneScalar } from '../../../schema/list.ts'
import { derived, empty, type RecordOf } from '../../../schema/resource.ts'
import { int, long, text } from '../../../schema/scalar.ts'
import type { Call, Handler } from '../../call.ts'
import { withParameters } from '../../calls.ts'
import { imcDeviceQuery } from '../../imc/imc-devices.ts'
import { isImcRoot } from '../../imc/imc-root.ts'
import { sendEmpty, sendRecord, warningHeaders } from '../../responses.ts'
import { answerList, answerRows } from '../list-handlers.ts'
import type { RecordOptions } from '../record-handlers.ts'

/** A file may contain a device before its parent, so parents need not exist. */
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
  return answerList(withParameters(call, parameters), devices, devices.rules.show, conditions)
}

export const showTopology: Handler = async (call) =>
  sendRecord(
    call.response,
    call.form,
    topologyDocument,
    await topologyIn(call.database, oneScalar(call.parameters, 'deviceId', long)),
  )

export const removeDevice: Handler = async ({ engine, database, id, caller, response }) => {
  await deleteDevice(engine, id, caller.name)
  sendEmpty(response, 204, warningHeaders(await references(database, 'device', id)))
}

// Handlers for terminal access bindings: warnings when one is saved.

export const bindingOptions: RecordOptions = {
  async warnings({ database }, id) {
    return bindingWarnings(database, (await read(database, macAccessBinds, id)) as Binding)
  },
}

// Handler for deleting a zone: its content moves to another zone if the caller names one.

export const removeZone: Handler = async (call) => {
  await deleteZone(call.database, call.id, oneScalar(call.parameters, 'moveTo', long))
  sendEmpty(call.response, 204, warningHeaders(await references(call.database, 'zone', call.id)))
}

// Handler for the interfaces of a device as iMC-compatible clients read them: from the inventory, with iMC's value
// for "unknown" where it has none.

const unsaid = derived(text(), empty)

export const interfaceDocument = {
  name: 'interface',
  fields: {
    ifIndex: derived(long),
    ifType: unsaid,
    ifTypeDesc: unsaid,
    ifDescription: derived(text()),
    adminStatus: unsaid,
    adminStatusDesc: unsaid,
    operationStatus: derived(int()),
    operationStatusDesc: derived(text()),
    showStatus: derived(int()),
    statusDesc: derived(text()),
    ifspeed: unsaid,
    appointedSpeed: unsaid,
    ifAlias: unsaid,
    phyAddress: unsaid,
    mtu: unsaid,
    lastChange: unsaid,
    lastChangeTime: unsaid,
    filterTrapStatus: derived(int()),
  },
}

type Interface = Partial<RecordOf<typeof interfaceDocument.fields>>

/** The states of iMC: 1 up, 2 down, 4 unknown. */
const unknown = 4
const unknownWord = 'Unknown'

const documentOf = ({ ifIndex, ifDesc }: Device['interfaces'][number]): Interface => ({
  ifIndex,
  ifDescription: ifDesc,
  operationStatus: unknown,
  operationStatusDesc: unknownWord,
  showStatus: unknown,
  statusDesc: unknownWord,
  filterTrapStatus: 0,
})

async function interfacesOf({ database, id }: Call): Promise<Interface[]> {
  const { interfaces } = (await read(database, devices, id)) as Device
  return interfaces.map(documentOf)
}

export const listInterfaces: Handler = async (call) =>
  answerRows(call, interfaceDocument, await interfacesOf(call))

export const readInterface: Handler = async (call) => {
  const ifIndex = readIndex(call.name)
  const found = (await interfacesOf(call)).find((one) => one.ifIndex === ifIndex)
  if (!found) throw new Fault('not-found', `device ${call.id} has no interface ${ifIndex}`)
  sendRecord(call.response, call.form, interfaceDocument, found)
}

function readIndex(text: string): bigint {
  try {
    return long.read(text)
  } catch (error) {
    throw error instanceof Fault ? error.inside('ifIndex') : error
  }
}
