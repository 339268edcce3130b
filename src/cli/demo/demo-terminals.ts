// Where the terminals of the sample network are: as its switches would report it, in notifications of MAC addresses that they
// have learnt or removed. Most are where they may be; one has been elsewhere before, one has left, and one is a stranger.

import type { TrapSender } from '../../snmp/trap-sender.ts'
import type { Variable } from '../../snmp/variables.ts'

export interface ShownBinding {
  readonly terminalMac: string
  readonly ifInfo: readonly { readonly deviceId: string; readonly ifIndex: string }[]
}

interface Place {
  readonly id: string
  readonly ip: string
}

interface Notice {
  readonly terminalMac: string
  /** The switch that reports it, by its address. */
  readonly agent: string
  readonly ifIndex: number
  readonly isGone?: true
}

const seenCount = 60
const stranger = '02:00:5e:10:00:99'

/** What switches report, in order. With troubles, one terminal was where it may not be, and one is a stranger. */
export function noticesOf(
  bindings: readonly ShownBinding[],
  devices: readonly Place[],
  withTroubles: boolean,
): Notice[] {
  const ipOf = new Map(devices.map(({ id, ip }) => [id, ip]))
  const seen = bindings.slice(0, seenCount).flatMap(({ terminalMac, ifInfo: [port] }): Notice[] => {
    const agent = ipOf.get(port?.deviceId ?? '')
    return port && agent ? [{ terminalMac, agent, ifIndex: Number(port.ifIndex) }] : []
  })
  const [mover, leaver] = seen
  const other = seen.find(({ agent }) => agent !== mover?.agent)
  if (!mover || !leaver || !other) return seen
  const gone: Notice = { ...leaver, isGone: true }
  if (!withTroubles) return [...seen, gone]
  return [{ ...other, terminalMac: mover.terminalMac }, ...seen, { ...other, terminalMac: stranger }, gone]
}

/** HH3C-MAC-INFORMATION-MIB, the form with a cell of 14 octets. */
const module = '1.3.6.1.4.1.25506.2.87.1.4'
const vlan = 10
const learnt = 7

function variablesOf({ terminalMac, ifIndex, isGone }: Notice): Variable[] {
  const cell = Buffer.alloc(14)
  cell[0] = isGone ? 2 : 1
  cell.writeUInt16BE(vlan, 1)
  Buffer.from(terminalMac.replaceAll(':', ''), 'hex').copy(cell, 3)
  cell[9] = learnt
  cell.writeUInt32BE(ifIndex, 10)
  const value = cell.toString('hex').replaceAll(/..(?=.)/g, '$&:')
  return [
    { oid: `${module}.2.3.0`, type: 'Gauge32', value: '1', hex: false },
    { oid: `${module}.2.4.0`, type: 'OctetString', value, hex: true },
  ]
}

export async function sendSightings(sender: TrapSender, notices: readonly Notice[]): Promise<void> {
  for (const notice of notices)
    await sender.send({ oid: `${module}.0.1`, variables: variablesOf(notice), agent: notice.agent })
}
