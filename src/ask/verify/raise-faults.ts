// The leader's part: raises the alarms of faults that devices, asked twice, were found to have.

import type { AlarmEngine } from '../../alarms/engine/engine.ts'
import type { FoundReport } from '../../alarms/engine/found-faults.ts'
import type { IncomingTrap } from '../../alarms/engine/incoming-trap.ts'
import { addressesOfDevice } from '../../resources/inventory/device.ts'
import type { Transaction } from '../../store/database.ts'
import { instanceOf } from './checks.ts'
import { type StoredFault, settleFaults, waitingFaults } from './seen-states.ts'

/** A batch in one transaction: an alarm that was raised or ended since the device was asked counts more than its answer. */
export const raiseFaults = (engine: Pick<AlarmEngine, 'raiseFound'>, batch: number): Promise<void> =>
  engine.raiseFound(async (tx) => {
    const faults = await waitingFaults(tx, batch)
    const byReport = new Map<FoundReport, StoredFault>()
    for (const fault of faults) {
      const report = await foundReport(tx, fault)
      if (report) byReport.set(report, fault)
    }
    return {
      found: [...byReport.keys()],
      recordRefused: (refused) =>
        settleFaults(tx, faults, new Set(refused.flatMap((one) => byReport.get(one) ?? []))),
    }
  })

/** Undefined where its device has been deleted meanwhile. */
async function foundReport(tx: Transaction, fault: StoredFault): Promise<FoundReport | undefined> {
  const { deviceId, instance, key, asked, moved, own } = fault
  const [address] = await addressesOfDevice(tx, deviceId)
  if (address === undefined) return undefined
  return {
    report: reportOf(fault, address, tx.now),
    ...{ asked, moved, own },
    isAbout: ({ resource }) => instanceOf(resource, key) === instance,
  }
}

const reportOf = ({ event, variables, value }: StoredFault, address: string, now: number): IncomingTrap => ({
  kind: 'trap',
  receivedAt: now,
  sourceIp: address,
  agentIp: undefined,
  version: '',
  oid: event,
  variables,
  found: value,
})
