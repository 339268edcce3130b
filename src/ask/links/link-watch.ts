// The leader's part: makes links of the neighbours that devices have named, keeps those that have gone for a while, and writes
// the uplinks that follow from them. A link goes when its port goes down, which is just when it is needed to find a cause.

import { deviceIdsAt } from '../../resources/inventory/device.ts'
import {
  type LearntUplink,
  typedParents,
  writeLearntUplinks,
} from '../../resources/inventory/device-links.ts'
import { type Link, type LinkDirection, readLinks, writeLinkRows } from '../../resources/inventory/link.ts'
import { type NamedDevice, namedDevices, portNumbers } from '../../resources/inventory/neighbour-links.ts'
import { ip } from '../../schema/scalar.ts'
import type { Database } from '../../store/database.ts'
import { versionOf } from '../../store/table-cache.ts'
import { type JoinedLink, joinEnds, type Statement } from './join-ends.ts'
import { levelsOf } from './uplinks.ts'

export interface LinkWatchParts {
  readonly database: Database
  /** Refused unless this service is the leader. */
  readonly leaderDatabase: Database
  /** Addresses of the devices at the top; none: links have no direction. */
  readonly tops: readonly string[]
}

/** A link that has gone is kept for so long, unless one of its ports has another link by then. */
const kept = 7 * 86_400_000
/** It is looked again after this time, whatever has changed: names and ports may have. */
const atLeastEvery = 60_000
/** With many devices this takes its time: it is done for at most a twentieth of it. */
const share = 20
const tables = ['neighbour', 'device', 'device_address', 'device_parent']
const maxUplinks = 64

export class LinkWatch {
  readonly #parts: LinkWatchParts
  #version = -1
  #lookedAt = Number.NEGATIVE_INFINITY
  #notBefore = 0

  constructor(parts: LinkWatchParts) {
    this.#parts = parts
  }

  /** Called every second. */
  async check(): Promise<void> {
    const { database } = this.#parts
    const version = versionOf(database, tables)
    const began = performance.now()
    const isDue = version !== this.#version || began - this.#lookedAt > atLeastEvery
    if (!isDue || began < this.#notBefore) return
    await this.#look()
    this.#version = version
    this.#lookedAt = began
    const now = performance.now()
    this.#notBefore = now + (now - began) * share
  }

  async #look(): Promise<void> {
    const { database, leaderDatabase, tops } = this.#parts
    const named = await namedDevices(database)
    const before = await readLinks(database)
    if (named.length === 0 && before.length === 0) return
    const joined = joinEnds(await statementsOf(database, named))
    const topIds = [...(await deviceIdsAt(database, tops.map(ip.read))).values()]
    const typed = await typedParents(database)
    const now = database.now()
    const all = [...joined.map((one) => ({ ...one, gone: 0 })), ...goneOf(before, joined, now)]
    const usable = all.filter(({ state }) => state !== 'differs')
    const levels = levelsOf(topIds, usable, typed)
    const rows = all.flatMap((one) => bothEnds(one, levels, now))
    const difference = differenceOf(before, rows)
    const uplinks = uplinksIn(usable, levels, typed, new Set(topIds))
    const { added, altered, removed } = difference
    await leaderDatabase.transaction(async (tx) => {
      if (added.length + altered.length + removed.length > 0) await writeLinkRows(tx, difference)
      await writeLearntUplinks(tx, uplinks)
    })
  }
}

type KeptLink = Statement & { readonly state: Link['state']; readonly gone: number; readonly learnt?: number }

async function statementsOf(database: Database, named: readonly NamedDevice[]): Promise<Statement[]> {
  const ports = await portNumbers(database, named)
  return named.map(({ id, deviceId, ifIndex, otherId }) => ({
    ...{ deviceId, ifIndex, otherId },
    otherIfIndex: ports.get(id) ?? 0n,
  }))
}

/** Those of before that nobody names any more, and that no other link has taken the place of. */
function goneOf(before: readonly Link[], joined: readonly JoinedLink[], now: number): KeptLink[] {
  const keys = new Set(joined.map(keyOf))
  const taken = new Set(
    joined.flatMap(({ deviceId, ifIndex, otherId, otherIfIndex }) => [
      `${deviceId} ${ifIndex}`,
      `${otherId} ${otherIfIndex}`,
    ]),
  )
  const pairs = new Set(joined.map(({ deviceId, otherId }) => `${deviceId} ${otherId}`))
  const isTaken = (id: bigint, port: bigint) => port !== 0n && taken.has(`${id} ${port}`)
  return before.flatMap(({ deviceId, ifIndex, otherId, otherIfIndex, gone, learnt }): KeptLink[] => {
    const one = { deviceId, ifIndex, otherId, otherIfIndex }
    if (deviceId > otherId || keys.has(keyOf(one))) return []
    const isUnclear = (ifIndex === 0n || otherIfIndex === 0n) && pairs.has(`${deviceId} ${otherId}`)
    if (isUnclear || isTaken(deviceId, ifIndex) || isTaken(otherId, otherIfIndex)) return []
    const since = gone === 0 ? now : gone
    return now - since > kept ? [] : [{ ...one, state: 'gone', gone: since, learnt }]
  })
}

const keyOf = ({ deviceId, ifIndex, otherId, otherIfIndex }: Statement) =>
  `${deviceId} ${ifIndex} ${otherId} ${otherIfIndex}`

function bothEnds(one: KeptLink, levels: ReadonlyMap<bigint, number>, now: number): Link[] {
  const { deviceId, ifIndex, otherId, otherIfIndex, state, gone, learnt = now } = one
  const shared = { id: 0n, deviceName: '', otherName: '', state, gone, learnt }
  const direction = state === 'differs' ? 'none' : directionOf(levels.get(deviceId), levels.get(otherId))
  return [
    { ...shared, deviceId, ifIndex, otherId, otherIfIndex, direction },
    {
      ...shared,
      ...{ deviceId: otherId, ifIndex: otherIfIndex, otherId: deviceId, otherIfIndex: ifIndex },
      direction: direction === 'up' ? 'down' : direction === 'down' ? 'up' : 'none',
    },
  ]
}

function directionOf(own: number | undefined, other: number | undefined): LinkDirection {
  if (own === undefined || other === undefined || own === other) return 'none'
  return other < own ? 'up' : 'down'
}

function differenceOf(before: readonly Link[], rows: readonly Link[]) {
  const known = new Map(before.map((one) => [keyOf(one), one]))
  const wanted = new Set(rows.map(keyOf))
  const added = rows.filter((one) => !known.has(keyOf(one)))
  const altered = rows.flatMap((one) => {
    const old = known.get(keyOf(one))
    const isSame =
      !old || (old.state === one.state && old.direction === one.direction && old.gone === one.gone)
    return isSame ? [] : [{ ...one, id: old.id }]
  })
  return { added, altered, removed: before.filter((one) => !wanted.has(keyOf(one))) }
}

/** Devices with typed-in parents have these alone. */
function uplinksIn(
  links: readonly KeptLink[],
  levels: ReadonlyMap<bigint, number>,
  typed: ReadonlyMap<bigint, readonly bigint[]>,
  tops: ReadonlySet<bigint>,
): Map<bigint, LearntUplink[]> {
  const found = new Map<bigint, LearntUplink[]>()
  const add = (id: bigint, ifIndex: bigint, parentId: bigint, parentIfIndex: bigint) => {
    const [own, above] = [levels.get(id), levels.get(parentId)]
    if (typed.has(id) || tops.has(id) || own === undefined || above !== own - 1) return
    const uplinks = found.get(id) ?? []
    if (uplinks.length < maxUplinks)
      uplinks.push({ parentId, ifIndex: ifIndex || null, parentIfIndex: parentIfIndex || null })
    found.set(id, uplinks)
  }
  for (const { deviceId, ifIndex, otherId, otherIfIndex } of links) {
    add(deviceId, ifIndex, otherId, otherIfIndex)
    add(otherId, otherIfIndex, deviceId, ifIndex)
  }
  return found
}
