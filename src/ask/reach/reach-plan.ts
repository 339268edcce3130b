// Which devices this node asks, with which profile: devices that a profile is meant for, divided among the nodes that are
// alive. Read anew where devices, profiles or nodes have changed.

import { listNodes, storeNow } from '../../cluster/nodes/membership.ts'
import type { Keys } from '../../keys/key-ring.ts'
import { TimeSlice } from '../../pacing/time-slice.ts'
import { bitsOf, rangeAround } from '../../resources/inventory/address-range.ts'
import { type AskProfile, ProfileIndex, readProfiles } from '../../resources/inventory/ask-profile.ts'
import { deviceAddresses } from '../../resources/inventory/device.ts'
import { defaultSpace } from '../../schema/space.ts'
import type { Database } from '../../store/database.ts'
import { versionOf } from '../../store/table-cache.ts'
import type { Credentials } from '../device-session.ts'
import { profileCredentials } from '../profile-session.ts'
import { readFindings, type StoredFinding } from './reachability.ts'
import { nodeFor } from './slots.ts'

/** A profile, and its credentials where they can be read. */
export interface PlannedProfile {
  readonly profile: AskProfile
  readonly credentials: Credentials | undefined
  /** Grows when any profile or secret changes: sessions with devices are then opened anew. */
  readonly version: number
}

export interface PlannedDevice {
  readonly id: bigint
  readonly ip: string
  readonly planned: PlannedProfile
  readonly range: string
  readonly network: string
}

export interface Plan {
  readonly devices: readonly PlannedDevice[]
  readonly stored: ReadonlyMap<bigint, StoredFinding>
  /** Devices with a row that no profile is meant for any more. */
  readonly unasked: readonly bigint[]
}

export interface PlanParts {
  readonly database: Database
  readonly keys: Keys
  /** Each device is asked once in so many seconds; 0: none is. */
  readonly everySeconds: number
  /** The name of this node, where several share the store. */
  readonly node: string | undefined
  /** How long a node may be silent before others ask its devices. */
  readonly leaseSeconds: number
}

const tables = ['device', 'device_address', 'ask_profile', 'secret']
/** With many devices a plan takes its time: it is made for at most a twentieth of it. */
const planShare = 20
const manyDevices = 1000
/** The network of an address, which often shares a way. */
const networkBits = { 32: 24, 128: 64 } as const

export class ReachPlanner {
  readonly #parts: PlanParts
  #tables = -1
  #nodes = ''
  #notBefore = 0

  constructor(parts: PlanParts) {
    this.#parts = parts
  }

  /** The plan if it has changed, or undefined. */
  async changed(): Promise<Plan | undefined> {
    const { database } = this.#parts
    await database.refresh()
    const nodes = await this.#alive()
    const version = versionOf(database, tables)
    const began = performance.now()
    const isDue = version !== this.#tables && began >= this.#notBefore
    if (!isDue && nodes.join(' ') === this.#nodes) return undefined
    const plan = await this.#make(nodes)
    // Set last, so that a failure is repeated.
    this.#tables = version
    this.#nodes = nodes.join(' ')
    const now = performance.now()
    this.#notBefore = plan.devices.length < manyDevices ? now : now + (now - began) * planShare
    return plan
  }

  /** Those that are alive, this one included: while it cannot write its sign of life, its devices are others'. */
  async #alive(): Promise<readonly string[]> {
    const { database, node, leaseSeconds } = this.#parts
    if (node === undefined) return ['']
    const now = await storeNow(database)
    const nodes = await listNodes(database)
    return nodes
      .filter(({ stopped, gone, lastSign }) => !stopped && !gone && now - lastSign <= leaseSeconds * 1000)
      .map(({ name }) => name)
  }

  async #make(nodes: readonly string[]): Promise<Plan> {
    const { database, keys, everySeconds, node = '' } = this.#parts
    const version = versionOf(database, ['ask_profile', 'secret'])
    const profiles = everySeconds === 0 ? [] : await readProfiles(database)
    const index = new ProfileIndex(profiles)
    const planned = new Map<bigint, PlannedProfile>()
    for (const profile of profiles)
      planned.set(profile.id, { profile, credentials: await profileCredentials(keys, profile), version })
    const stored = await readFindings(database)
    const wanted = new Set<bigint>()
    const devices: PlannedDevice[] = []
    const slice = new TimeSlice()
    for (const device of profiles.length === 0 ? [] : await deviceAddresses(database)) {
      await slice.step()
      // From here, its address would be another device.
      if (device.space !== defaultSpace) continue
      const found = index.find(device)
      const profile = found && planned.get(found.profile.id)
      if (!profile) continue
      wanted.add(device.id)
      if (nodeFor(device.id, nodes) !== node) continue
      const { id, ip } = device
      const network = rangeAround(ip, networkBits[bitsOf(ip)])
      devices.push({ id, ip, planned: profile, range: found.range, network })
    }
    return { devices, stored, unasked: [...stored.keys()].filter((id) => !wanted.has(id)) }
  }
}
