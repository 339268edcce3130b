// What a device says about itself and its ports: the system group (SNMPv2-MIB) and its interfaces (IF-MIB).

import type { DeviceSession } from './device-session.ts'
import { askTable, choiceOf, macOf, numberOf, type TableAnswer, textOf } from './device-table.ts'
import { defaultWalkLimits, type WalkLimits } from './walk.ts'

export interface SystemFacts {
  readonly description: string | undefined
  readonly objectId: string | undefined
  /** Hundredths of a second since the agent started. */
  readonly uptime: number | undefined
  readonly contact: string | undefined
  readonly name: string | undefined
  readonly location: string | undefined
}

export interface InterfaceFacts {
  readonly index: number
  readonly description: string | undefined
  readonly name: string | undefined
  readonly alias: string | undefined
  /** IANAifType. */
  readonly type: number | undefined
  /** Bits a second. */
  readonly speed: number | undefined
  readonly mac: string | undefined
  /** 1 up, 2 down, 3 testing. */
  readonly adminStatus: number | undefined
  /** 1 up, 2 down, 3 testing, 4 unknown, 5 dormant, 6 notPresent, 7 lowerLayerDown. */
  readonly operStatus: number | undefined
  /** When its state last changed, in hundredths of a second since the agent started. */
  readonly lastChange: number | undefined
}

const system = '1.3.6.1.2.1.1'

export async function askSystem(session: DeviceSession): Promise<SystemFacts> {
  const values = await session.get([1, 2, 3, 4, 5, 6].map((column) => `${system}.${column}.0`))
  const [description, objectId, uptime, contact, name, location] = values
  return {
    description: textOf(description),
    objectId: objectId?.type === 'ObjectIdentifier' ? objectId.value : undefined,
    uptime: numberOf(uptime),
    contact: textOf(contact),
    name: textOf(name),
    location: textOf(location),
  }
}

const ifEntry = '1.3.6.1.2.1.2.2.1'
const ifXEntry = '1.3.6.1.2.1.31.1.1.1'
const interfaceColumns = {
  index: `${ifEntry}.1`,
  description: `${ifEntry}.2`,
  type: `${ifEntry}.3`,
  speed: `${ifEntry}.5`,
  mac: `${ifEntry}.6`,
  adminStatus: `${ifEntry}.7`,
  operStatus: `${ifEntry}.8`,
  lastChange: `${ifEntry}.9`,
  name: `${ifXEntry}.1`,
  highSpeed: `${ifXEntry}.15`,
  alias: `${ifXEntry}.18`,
} as const

/** ifSpeed cannot say more; a faster interface has ifHighSpeed, in millions. */
const MAX_IF_SPEED = 4_294_967_295

export async function askInterfaces(
  session: DeviceSession,
  limits: WalkLimits = defaultWalkLimits,
): Promise<TableAnswer<InterfaceFacts>> {
  const { rows, problem } = await askTable(session, interfaceColumns, limits)
  const facts = [...rows].flatMap(([row, values]): InterfaceFacts[] => {
    if (!/^\d+$/.test(row)) return []
    const speed = numberOf(values.speed)
    const highSpeed = numberOf(values.highSpeed)
    return [
      {
        index: Number(row),
        description: textOf(values.description),
        name: textOf(values.name),
        alias: textOf(values.alias),
        type: numberOf(values.type),
        speed: highSpeed && (speed === undefined || speed === MAX_IF_SPEED) ? highSpeed * 1e6 : speed,
        mac: macOf(values.mac),
        adminStatus: choiceOf(values.adminStatus),
        operStatus: choiceOf(values.operStatus),
        lastChange: numberOf(values.lastChange),
      },
    ]
  })
  return { rows: facts.toSorted((a, b) => a.index - b.index), problem }
}
