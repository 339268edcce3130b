// Handler for the interfaces of a device as iMC-compatible clients read them: from the inventory, with iMC's value
// for "unknown" where it has none.

import { Fault } from '../../../fault.ts'
import { read } from '../../../resources/collection.ts'
import { type Device, devices } from '../../../resources/inventory/device.ts'
import { derived, empty, type RecordOf } from '../../../schema/resource.ts'
import { int, long, text } from '../../../schema/scalar.ts'
import type { Call, Handler } from '../../call.ts'
import { sendRecord } from '../../responses.ts'
import { answerRows } from '../list-handlers.ts'

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

function readIndex(given: string): bigint {
  try {
    return long.read(given)
  } catch (error) {
    throw error instanceof Fault ? error.inside('ifIndex') : error
  }
}
