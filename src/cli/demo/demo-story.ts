// What happens in the sample network while the demo runs: small incidents, as the traps that devices would send. Who
// and when is random, by a source of chance that comes in as an argument; each incident ends as it would in reality.

export interface StoryDevice {
  readonly ip: string
  readonly label: string
  readonly interfaces: readonly { readonly ifIndex: number; readonly ifDesc: string }[]
  /** Where its neighbours reach it. */
  readonly otherAddress: readonly string[]
  readonly id: string
  /** What it hangs behind, and by which port there. */
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

/** The same, prepared for taking part. */
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

/** A number from 0 up to 1, as of Math.random. */
export type Chance = () => number

type Role = 'rtr' | 'fw' | 'core' | 'dist' | 'acc' | 'ups'

/** Chooses devices; one that is part of an incident is not chosen for another meanwhile. */
class Cast {
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

  /** The device that one hangs behind, and its port there; undefined where it is part of an incident already. */
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

interface Incident {
  readonly devices: readonly StoryDevice[]
  readonly steps: readonly Step[]
}

const pick = <T>(from: readonly T[], chance: Chance): T | undefined =>
  from[Math.floor(chance() * from.length)]
const between = (least: number, most: number, chance: Chance) =>
  least + Math.floor(chance() * (most - least + 1))
const siteOf = ({ label }: StoryDevice) => label.split('-')[0] ?? ''

type Port = StoryDevice['interfaces'][number]

const down = (device: StoryDevice, { ifIndex, ifDesc }: Port, text: string): Step => ({
  device,
  event: 'linkDown',
  variables: { ifIndex: String(ifIndex), ifDescr: ifDesc, ifAdminStatus: 'up', ifOperStatus: 'down' },
  text: `${ifDesc} is down: ${text}`,
})

const up = (device: StoryDevice, { ifIndex, ifDesc }: Port): Step => ({
  device,
  event: 'linkUp',
  variables: { ifIndex: String(ifIndex), ifDescr: ifDesc, ifAdminStatus: 'up', ifOperStatus: 'up' },
  text: `${ifDesc} is up again`,
})

const plain = (device: StoryDevice, event: string, text: string): Step => ({
  device,
  event,
  variables: {},
  text,
})

function flappingPort(cast: Cast): Incident | undefined {
  const device = cast.free('acc')
  const port = device && pick(device.interfaces, cast.chance)
  if (!device || !port) return undefined
  const cause = pick(['a patch cable with a bad plug', 'a desk is being moved'], cast.chance) ?? ''
  const times = between(2, 3, cast.chance)
  const steps = Array.from({ length: times }, () => [down(device, port, cause), up(device, port)])
  return { devices: [device], steps: steps.flat() }
}

/** Both ends of a line report its loss, and the spanning tree finds another way. */
function cutUplink(cast: Cast): Incident | undefined {
  const core = cast.free('core')
  const dist = core && cast.free('dist', { site: siteOf(core) })
  const far = core && pick(core.interfaces.slice(0, 4), cast.chance)
  const near = dist?.interfaces[0]
  if (!core || !dist || !far || !near) return undefined
  return {
    devices: [core, dist],
    steps: [
      down(core, far, `the fibre to ${dist.label}`),
      down(dist, near, `the fibre to ${core.label}`),
      plain(dist, 'topologyChange', 'the spanning tree takes another way'),
      up(dist, near),
      up(core, far),
    ],
  }
}

/**
 * The switch itself cannot report that it is gone: the one that it hangs behind does, and it reports back once it is
 * up. What it reports while its only uplink is down follows from that.
 */
function rebootingSwitch(cast: Cast): Incident | undefined {
  const device = cast.free('acc')
  const above = device && cast.above(device)
  if (!device || !above) return undefined
  const { device: neighbour, port: uplink } = above
  const ports = device.interfaces.slice(0, between(2, 3, cast.chance))
  return {
    devices: [device, neighbour],
    steps: [
      down(neighbour, uplink, `${device.label} does not answer`),
      plain(device, 'coldStart', 'it has lost power and starts'),
      ...ports.map((port) => down(device, port, 'the switch is still starting')),
      up(neighbour, uplink),
      ...ports.map((port) => up(device, port)),
    ],
  }
}

/**
 * A firewall reports its shutdown before it restarts: what its interfaces report meanwhile follows from that. The work
 * was planned, so none of it is pushed, except for the one fault that outlasts the work.
 */
function maintainedFirewall(cast: Cast): Incident | undefined {
  const device = cast.free('fw')
  const [inside, outside] = device?.interfaces ?? []
  if (!device || !inside || !outside) return undefined
  const window = (work: 'begins' | 'ends', text: string): Step => ({
    ...plain(device, 'maintenance', text),
    work,
  })
  return {
    devices: [device],
    steps: [
      window('begins', 'a maintenance window begins: what comes up is held back'),
      plain(device, 'nsNotifyShutdown', 'it goes down for maintenance'),
      down(device, inside, 'the firewall is going down'),
      down(device, outside, 'the firewall is going down'),
      plain(device, 'warmStart', 'it is back from maintenance'),
      up(device, inside),
      window('ends', 'the maintenance window is ended: what is still open is pushed'),
      up(device, outside),
    ],
  }
}

const wellKnownAlarm = '1.3.6.1.2.1.33.1.6.3'
const onBattery = { number: 2, text: 'on battery' }
const batteryLow = { number: 3, text: 'the battery is low' }
const badInput = { number: 6, text: 'the mains voltage is out of range' }

/**
 * Sent as entries of the UPS's alarm table, which come and go; upsTrapOnBattery has no counterpart that ends it
 * (RFC 1628), and its alarm would stay.
 */
function powerFailure(cast: Cast): Incident | undefined {
  const device = cast.free('ups')
  if (!device) return undefined
  const entry = (added: boolean, { number, text }: typeof onBattery): Step => ({
    device,
    event: added ? 'upsTrapAlarmEntryAdded' : 'upsTrapAlarmEntryRemoved',
    variables: { upsAlarmId: String(number), upsAlarmDescr: `o:${wellKnownAlarm}.${number}` },
    text: added ? text : `over: ${text}`,
  })
  const conditions = [badInput, onBattery, ...(cast.chance() < 0.5 ? [batteryLow] : [])]
  const begins = conditions.map((condition) => entry(true, condition))
  const ends = conditions.map((condition) => entry(false, condition))
  return { devices: [device], steps: [...begins, ...ends] }
}

function brokenSession(cast: Cast): Incident | undefined {
  const device = cast.free('rtr')
  const other = device && cast.free('rtr', { not: device })
  if (!device || !other) return undefined
  const peer = other.otherAddress[0] ?? other.ip
  const common = { bgpPeerRemoteAddr: peer }
  return {
    devices: [device],
    steps: [
      {
        device,
        event: 'bgpBackwardTransNotification',
        variables: { ...common, bgpPeerState: 'idle', bgpPeerLastError: 'x:04:00' },
        text: `the BGP session with ${other.label} (${peer}) is lost: hold timer expired`,
      },
      {
        device,
        event: 'bgpEstablishedNotification',
        variables: { ...common, bgpPeerState: 'established', bgpPeerLastError: 'x:00:00' },
        text: `the BGP session with ${other.label} (${peer}) is established again`,
      },
    ],
  }
}

/** Nothing ends these: one alarm that is repeated. */
function guessing(cast: Cast): Incident | undefined {
  const device = cast.free('core')
  if (!device) return undefined
  const tries = between(2, 4, cast.chance)
  const one = plain(device, 'authenticationFailure', 'someone asks with a wrong community')
  return { devices: [device], steps: Array.from({ length: tries }, () => one) }
}

function busyLine(cast: Cast): Incident | undefined {
  const device = cast.free('dist')
  const port = device && pick(device.interfaces.slice(0, 4), cast.chance)
  if (!device || !port) return undefined
  const value = (percent: number) => String(percent * 12_500_000)
  const common = {
    alarmIndex: String(port.ifIndex),
    alarmVariable: `o:1.3.6.1.2.1.2.2.1.10.${port.ifIndex}`,
    alarmSampleType: 'deltaValue',
  }
  const high = between(86, 98, cast.chance)
  const low = between(20, 45, cast.chance)
  return {
    devices: [device],
    steps: [
      {
        device,
        event: 'risingAlarm',
        variables: { ...common, alarmValue: value(high), alarmRisingThreshold: value(85) },
        text: `${port.ifDesc} is ${high} % full`,
      },
      {
        device,
        event: 'fallingAlarm',
        variables: { ...common, alarmValue: value(low), alarmFallingThreshold: value(50) },
        text: `${port.ifDesc} is back at ${low} %`,
      },
    ],
  }
}

const incidents = [
  flappingPort,
  powerFailure,
  cutUplink,
  rebootingSwitch,
  brokenSession,
  guessing,
  maintainedFirewall,
  busyLine,
]

/** How many are under way at a time: networks rarely have one trouble only. */
const atOnce = 3

/** The steps of all incidents in an order of chance, several of them interleaved; then again, so many times. */
export function* storySteps(
  devices: readonly StoryDevice[],
  chance: Chance,
  chapters = Number.POSITIVE_INFINITY,
): Generator<Step> {
  const cast = new Cast(devices, chance)
  for (let chapter = 0; chapter < chapters; chapter += 1) {
    const waiting = shuffled(incidents, chance)
    const running: { devices: readonly StoryDevice[]; left: Step[] }[] = []
    let sent = false
    while (running.length > 0 || waiting.length > 0) {
      const begin = running.length < atOnce ? waiting.pop()?.(cast) : undefined
      if (begin) {
        cast.hold(begin.devices)
        running.push({ devices: begin.devices, left: [...begin.steps] })
      }
      const next = pick(running, chance)
      const step = next?.left.shift()
      if (!next || !step) continue
      sent = true
      yield step
      if (next.left.length === 0) {
        running.splice(running.indexOf(next), 1)
        cast.release(next.devices)
      }
    }
    // A network without any device that could play a part has no story.
    if (!sent) return
  }
}

function shuffled<T>(from: readonly T[], chance: Chance): T[] {
  const left = [...from]
  for (let last = left.length - 1; last > 0; last -= 1) {
    const other = Math.floor(chance() * (last + 1))
    ;[left[last], left[other]] = [left[other] as T, left[last] as T]
  }
  return left
}

/** A source of chance that gives the same sequence each time (mulberry32). */
export function seeded(seed: number): Chance {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
