// The tables of what was learnt of devices by asking them. They belong to their devices and go with them.

import { bulk, type Transaction } from '../../store/database.ts'
import { addToTally } from '../../store/tally.ts'

const byDevice = ['port', 'neighbour', 'device_change', 'mac_entry', 'arp_entry'] as const

/** Whatever was learnt of a device. */
export async function forgetLearnt(tx: Transaction, id: bigint): Promise<void> {
  for (const name of byDevice) {
    const removed = await tx.run(`delete from ${name} where device_id = ?`, [id])
    addToTally(tx, { name }, '', '', -removed)
  }
  const facts = await tx.run('delete from device_facts where id = ?', [id])
  addToTally(tx, { name: 'device_facts' }, '', '', -facts)
  await tx.run('delete from device_port_names where id = ?', [id])
  await tx.run('delete from reach_day where device_id = ?', [id])
}

const namesOf = bulk('select id, interfaces from device_port_names where id = ?', ['bigint'])

/** The texts of the interfaces that devices name themselves, as `interfacesIn` reads them. */
export async function learntInterfaces(
  tx: Transaction,
  ids: readonly bigint[],
): Promise<Map<bigint, string>> {
  const rows = await tx.allEach(
    namesOf,
    ids.map((id) => [id]),
  )
  return new Map(rows.map((row) => [row.id as bigint, String(row.interfaces)]))
}
