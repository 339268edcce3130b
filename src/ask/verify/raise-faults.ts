// The leader's part: raises the alarms of faults that devices, asked twice, were found to have.

import { endMoved } from '../../alarms/actions/asked-ends.ts'
import type { AlarmEngine, FoundReport } from '../../alarms/engine/engine.ts'
import type { IncomingTrap } from '../../alarms/engine/incoming-trap.ts'
import { hasEndedSince } from '../../alarms/open/reported-alarms.ts'
import { addressesOfDevice } from '../../resources/inventory/device.ts'
import { instanceOf } from './checks.ts'
import { removeFaults, type StoredFault, waitingFaults } from './seen-states.ts'

/** A batch in one transaction: an alarm that was raised or ended since the device was asked counts more than its answer. */
export const raiseFaults = (engine: Pick<AlarmEngine, 'raiseFound'>, batch: number): Promise<void> =>
  engine.raiseFound(async (changes, tx) => {
    const faults = await waitingFaults(tx, batch)
    await removeFaults(tx, faults)
    const found: FoundReport[] = []
    for (const fault of faults) {
      const [address] = await addressesOfDevice(tx, fault.deviceId)
      // It has been deleted meanwhile.
      if (address === undefined) continue
      if (fault.moved !== undefined) await endMoved(changes, fault.moved, fault.asked, tx.now)
      found.push({
        report: reportOf(fault, address, tx.now),
        isMeant: async (identity) =>
          instanceOf(identity.resource, fault.key) === fault.instance &&
          !(await hasEndedSince(tx, identity, fault.asked)),
      })
    }
    return found
  })

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
