// One incident of the demo: chooses who takes part, from the devices that are not part of another, and fills in the steps.

import { type Choice, type IncidentDefinition, type Role, reference } from './incident-file.ts'

export interface StoryDevice {
  readonly ip: string
  readonly label: string
  readonly interfaces: readonly { readonly ifIndex: number; readonly ifDesc: string }[]
  /** Where its neighbours reach it. */
  readonly otherAddress: readonly string[]
  readonly id: string
  /** The devices above it, with the port there. */
  readonly parent: readonly { readonly deviceId: string; readonly parentIfIndex?: number }[]
}

/** A device as the service shows it. */
export interface ShownDevice {
  readonly id: string
  readonly parent: readonly { readonly deviceId: string; readonly parentIfIndex?: string }[]
  readonly ip: string
  readonly label: string
  readonly interfaces: readonly { readonly ifIndex: unknown; readonly ifDesc: string }[]
  readonly otherAddress: readonly { readonly ip: string }[]
}

/** Converts a device to the form that the story uses. */
export const storyDevice = ({
  id = '',
  ip = '',
  label = '',
  interfaces = [],
  otherAddress = [],
  parent = [],
}: Partial<ShownDevice>): StoryDevice => ({
  id,
  ip,
  label,
  interfaces: interfaces.map(({ ifIndex, ifDesc }) => ({ ifIndex: Number(ifIndex), ifDesc })),
  otherAddress: otherAddress.map((other) => other.ip),
  parent: parent.map(({ deviceId, parentIfIndex }) => ({
    deviceId,
    ...(parentIfIndex !== undefined && { parentIfIndex: Number(parentIfIndex) }),
  })),
})

/** One step: a trap that a device sends, with its meaning for people, or planned work on the device. */
export interface Step {
  readonly device: StoryDevice
  readonly event: string
  /** As `belfry trap` takes them. */
  readonly variables: Readonly<Record<string, string>>
  readonly text: string
  /** No trap is sent: a maintenance window begins, or is ended. */
  readonly work?: 'begins' | 'ends'
}

/** Returns a number from 0 up to 1, like Math.random. */
export type Chance = () => number

/** Chooses devices; a device that is part of an incident is not chosen for another one. */
export class Cast {
  readonly #devices: readonly StoryDevice[]
  readonly #busy = new Set<StoryDevice>()
  readonly chance: Chance

  constructor(devices: readonly StoryDevice[], chance: Chance) {
    this.#devices = devices
    this.chance = chance
  }

  /** Labels contain site, role and place: `ham-acc-a1-2`. */
  free(role: Role, { site, not }: { site?: string; not?: StoryDevice } = {}): StoryDevice | undefined {
    const fitting = this.#devices.filter((device) => {
      const [where, what = ''] = device.label.split('-')
      const there = site === undefined || where === site
      return what.startsWith(role) && there && device !== not && !this.#busy.has(device)
    })
    return pick(fitting, this.chance)
  }

  /** The device above another, with its port there; undefined if it is part of an incident already. */
  above({ parent }: StoryDevice): { readonly device: StoryDevice; readonly port: Port } | undefined {
    const [link] = parent
    const device = this.#devices.find(({ id }) => id === link?.deviceId)
    const port = device?.interfaces.find(({ ifIndex }) => ifIndex === link?.parentIfIndex)
    return device && port && !this.#busy.has(device) ? { device, port } : undefined
  }

  hold(devices: readonly StoryDevice[]): void {
    for (const device of devices) this.#busy.add(device)
  }

  release(devices: readonly StoryDevice[]): void {
    for (const device of devices) this.#busy.delete(device)
  }
}

export interface Incident {
  readonly devices: readonly StoryDevice[]
  readonly steps: readonly Step[]
}

export const pick = <T>(from: readonly T[], chance: Chance): T | undefined =>
  from[Math.floor(chance() * from.length)]
export const between = (least: number, most: number, chance: Chance) =>
  least + Math.floor(chance() * (most - least + 1))
const siteOf = ({ label }: StoryDevice) => label.split('-')[0] ?? ''

type Port = StoryDevice['interfaces'][number]

type Value = StoryDevice | Port | readonly Port[] | string | number | boolean

/** What was chosen for an incident, by name. */
class Chosen {
  readonly #values = new Map<string, Value>()
  readonly devices: StoryDevice[] = []

  set(name: string, value: Value): void {
    this.#values.set(name, value)
  }

  device(name: string): StoryDevice | undefined {
    return this.#values.get(name) as StoryDevice | undefined
  }

  ports(name: string): readonly Port[] {
    return [this.#values.get(name) as Port | readonly Port[]].flat()
  }

  number(name: string): number {
    return Number(this.#values.get(name))
  }

  /** Replaces `{name}` and `{name.property}` in a text. */
  fill(text: string): string {
    return text.replaceAll(reference, (_, name: string, property?: string) => {
      const value = this.#values.get(name)
      // Ports have 10 Gbit/s: one percent of that in octets per second.
      if (typeof value === 'number') return String(property === 'octets' ? value * 12_500_000 : value)
      if (typeof value !== 'object') return String(value)
      if ('ifDesc' in value) return String(property === 'ifIndex' ? value.ifIndex : value.ifDesc)
      const device = value as StoryDevice
      return property === 'address' ? (device.otherAddress[0] ?? device.ip) : device.label
    })
  }
}

/**
 * Chooses who takes part in an incident; undefined if somebody is missing. Devices and ports are drawn even if others are
 * missing, the rest only if nobody is, so that the same source of chance always tells the same story.
 */
function chooseCast(choices: readonly Choice[], cast: Cast): Chosen | undefined {
  const chosen = new Chosen()
  let isComplete = true
  for (const choice of choices) {
    const value = choose(choice, chosen, cast, isComplete)
    if (value === undefined) isComplete = false
    else {
      chosen.set(choice.name, value)
      if ('role' in choice && !choice.isOnlyNamed) chosen.devices.push(value as StoryDevice)
    }
  }
  return isComplete ? chosen : undefined
}

function choose(choice: Choice, chosen: Chosen, cast: Cast, isComplete: boolean): Value | undefined {
  const { chance } = cast
  if (choice.kind === 'device') return chooseDevice(choice, chosen, cast)
  if (choice.kind === 'port') {
    const { of, first, index } = choice
    const ports = chosen.device(of)?.interfaces
    return index === undefined ? ports && pick(ports.slice(0, first), chance) : ports?.[index - 1]
  }
  if (!isComplete) return undefined
  switch (choice.kind) {
    case 'parent': {
      const device = chosen.device(choice.of)
      const above = device && cast.above(device)
      if (!above) return undefined
      chosen.set(choice.port, above.port)
      chosen.devices.push(above.device)
      return above.device
    }
    case 'ports':
      return chosen.device(choice.of)?.interfaces.slice(0, between(choice.from, choice.to, chance))
    case 'choice':
      return pick(choice.texts, chance)
    case 'number':
      return between(choice.from, choice.to, chance)
    case 'chance':
      return chance() < choice.percent / 100
  }
}

function chooseDevice(
  { role, sameSiteAs, otherThan }: Extract<Choice, { kind: 'device' }>,
  chosen: Chosen,
  cast: Cast,
): StoryDevice | undefined {
  const neighbour = sameSiteAs === undefined ? undefined : chosen.device(sameSiteAs)
  const not = otherThan === undefined ? undefined : chosen.device(otherThan)
  if ((sameSiteAs !== undefined && !neighbour) || (otherThan !== undefined && !not)) return undefined
  return cast.free(role, { ...(neighbour && { site: siteOf(neighbour) }), ...(not && { not }) })
}

export function beginIncident(
  { cast: choices, steps, repeat }: IncidentDefinition,
  cast: Cast,
): Incident | undefined {
  const chosen = chooseCast(choices, cast)
  if (!chosen) return undefined
  const once = steps.flatMap((step): Step[] => {
    const device = chosen.device(step.at)
    if (!device || (step.condition !== undefined && !chosen.number(step.condition))) return []
    if (step.kind === 'event') {
      const variables = Object.entries(step.variables).map(([name, value]) => [name, chosen.fill(value)])
      const { event } = step
      return [{ device, event, variables: Object.fromEntries(variables), text: chosen.fill(step.text) }]
    }
    if (step.kind === 'work')
      return [{ device, event: 'maintenance', variables: {}, text: chosen.fill(step.text), work: step.work }]
    return chosen.ports(step.port).map(({ ifIndex, ifDesc }) => ({
      device,
      event: step.kind === 'down' ? 'linkDown' : 'linkUp',
      variables: { ifIndex: String(ifIndex), ifDescr: ifDesc, ifAdminStatus: 'up', ifOperStatus: step.kind },
      text:
        step.kind === 'down' ? `${ifDesc} is down: ${chosen.fill(step.because)}` : `${ifDesc} is up again`,
    }))
  })
  const times = repeat === undefined ? 1 : chosen.number(repeat)
  return { devices: chosen.devices, steps: Array.from({ length: times }, () => once).flat() }
}

/** A random generator that yields the same sequence for a seed (mulberry32). */
export function seeded(seed: number): Chance {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
