// One run of a discovery: asks all addresses of its ranges at a steady pace, then those that neighbours are named with, as far
// as they are in its ranges, and keeps what it finds. Devices of the inventory are not asked.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Keys } from '../../keys/key-ring.ts'
import { TimeSlice } from '../../pacing/time-slice.ts'
import { isInRanges } from '../../resources/inventory/address-range.ts'
import { ProfileIndex, readProfiles } from '../../resources/inventory/ask-profile.ts'
import { allAddresses } from '../../resources/inventory/device.ts'
import {
  type Found,
  factsByName,
  namedNeighbours,
  removeNotFound,
  writeFound,
} from '../../resources/inventory/discovered.ts'
import {
  type Discovery,
  type DiscoveryState,
  endDiscovery,
  leaveDiscovery,
  noteProgress,
} from '../../resources/inventory/discovery.ts'
import { defaultZone } from '../../resources/inventory/zone.ts'
import { fold, ipKey } from '../../schema/scalar.ts'
import { defaultSpace } from '../../schema/space.ts'
import type { Database } from '../../store/database.ts'
import { AskFault } from '../ask-fault.ts'
import { clean } from '../know/device-report.ts'
import { profileCredentials } from '../profile-session.ts'
import type { QuestionSocket } from '../question-socket.ts'
import { askCandidate, type Candidate, emptyFound, type MeantProfile, type Slots } from './candidate.ts'
import { addressesOf } from './search-addresses.ts'
import { identityOf, singleDevices } from './single-devices.ts'

export interface RunParts {
  readonly database: Database
  readonly keys: Keys
  readonly questions: QuestionSocket
  readonly log: Logger
  /** Addresses that are begun in a second. */
  readonly perSecond: number
}

/** Addresses that are asked at the same time, and those of them that are asked for everything. */
const atOnce = 256
const deepAtOnce = 8
const flushEvery = 1000
/** Rows of one transaction. */
const batch = 500
/** Addresses that were learnt from neighbours. */
const maxNamed = 10_000

/** An address that a neighbour is named with. */

export class DiscoveryRun {
  readonly #parts: RunParts
  readonly #discovery: Discovery
  readonly #run: string
  readonly #ending = new AbortController()
  readonly #candidates = new Map<string, Candidate>()
  readonly #named = new Map<string, Found>()
  readonly #done = new Set<string>()
  readonly #slots: Slots = slotsOf(deepAtOnce)
  #known = new Set<string>()
  #profiles = new Map<bigint, MeantProfile>()
  #index = new ProfileIndex([])
  #total = 0
  #asked = 0
  #knownFound = 0
  #problem = ''
  #end: DiscoveryState | 'left' | undefined

  constructor(parts: RunParts, discovery: Discovery, run: string) {
    this.#parts = parts
    this.#discovery = discovery
    this.#run = run
  }

  get #self() {
    return { id: this.#discovery.id, run: this.#run }
  }

  /** Ends it soon; addresses that are being asked are waited for. */
  stop(state: 'stopped' | 'interrupted' | 'left'): void {
    this.#end ??= state
    this.#ending.abort()
  }

  /** Never throws: what goes wrong is written with the discovery, and logged. */
  async work(): Promise<void> {
    const { log } = this.#parts
    const watching = this.#watch()
    try {
      await this.#prepare()
      await this.#search(addressesOf(this.#discovery.addressRange))
      await this.#follow()
    } catch (error) {
      this.#problem = 'it ended because of an error, which the log of the service has'
      log.error({ err: error, discovery: this.#discovery.id }, 'a discovery failed')
      this.stop('interrupted')
    }
    const state = this.#end ?? 'complete'
    this.#ending.abort()
    await watching
    const finishing = state === 'left' ? this.#leave() : this.#finish(state)
    await finishing.catch((error) =>
      log.warn({ err: error, discovery: this.#discovery.id }, 'the end of a discovery could not be written'),
    )
  }

  async #prepare(): Promise<void> {
    const { database, keys } = this.#parts
    const profiles = await readProfiles(database)
    for (const profile of profiles)
      this.#profiles.set(profile.id, { profile, credentials: await profileCredentials(keys, profile) })
    this.#index = new ProfileIndex(profiles)
    this.#known = await allAddresses(database, defaultSpace)
    for (const { address, sysName, platform, namedBy } of await namedNeighbours(database))
      if (this.#isAllowed(address)) this.#name(address, { sysName, platform, namedBy })
  }

  #isAllowed(address: string): boolean {
    const { addressRange, neighbourRange } = this.#discovery
    return isInRanges(addressRange, address) || isInRanges(neighbourRange, address)
  }

  /** Neighbours may name further ones. */
  async #follow(): Promise<void> {
    for (;;) {
      const next = [...this.#named.keys()].filter(
        (address) => !this.#done.has(address) && this.#isAllowed(address),
      )
      if (next.length === 0 || this.#ending.signal.aborted) return
      await this.#search(next)
    }
  }

  /** Asks these addresses, so many a second. */
  async #search(addresses: readonly string[]): Promise<void> {
    const { signal } = this.#ending
    const slice = new TimeSlice()
    const fresh: string[] = []
    for (const address of addresses) {
      await slice.step()
      if (this.#done.has(address)) continue
      this.#done.add(address)
      if (this.#known.has(address)) this.#knownFound += 1
      else fresh.push(address)
    }
    this.#total += fresh.length
    const underWay = new Set<Promise<void>>()
    const began = performance.now()
    for (const [place, address] of fresh.entries()) {
      const due = began + (place * 1000) / this.#parts.perSecond - performance.now()
      if (due >= 1) await sleep(due, undefined, { signal }).catch(() => undefined)
      if (underWay.size >= atOnce) await Promise.race(underWay)
      if (signal.aborted) break
      const asking = this.#ask(address).finally(() => underWay.delete(asking))
      underWay.add(asking)
    }
    await Promise.all(underWay)
  }

  async #ask(address: string): Promise<void> {
    const { questions, log } = this.#parts
    try {
      const zoneId = this.#discovery.zoneId ?? defaultZone
      const match = this.#index.find({ id: 0n, ip: address, zoneId })
      const meant = match && this.#profiles.get(match.profile.id)
      const candidate = await askCandidate(questions, address, meant, this.#slots)
      if (candidate) this.#keep(candidate)
    } catch (error) {
      if (!(error instanceof AskFault)) log.error({ err: error }, 'asking an address failed')
      if (!this.#ending.signal.aborted) this.#problem ||= clean((error as Error).message, 500)
    } finally {
      this.#asked += 1
    }
  }

  #keep(candidate: Candidate): void {
    const { ip, sysName } = candidate.found
    this.#candidates.set(ip, { ...candidate, neighbours: [] })
    for (const { address, systemName, platform, localName, localPort } of candidate.neighbours)
      if (address !== undefined)
        this.#name(address, {
          sysName: systemName ?? '',
          platform: platform ?? '',
          namedBy: `${sysName || ip} ${localName ?? `port ${localPort}`}`,
        })
  }

  /** Of several that name an address, the first in the order of the alphabet is kept, whoever answered first. */
  #name(
    address: string,
    { sysName, platform, namedBy }: { sysName: string; platform: string; namedBy: string },
  ): void {
    const before = this.#named.get(address)
    if (before ? before.namedBy <= namedBy : this.#named.size >= maxNamed) return
    this.#named.set(address, {
      ...emptyFound(address, 'named'),
      sysName: clean(sysName),
      sysDescription: clean(platform, 1000),
      namedBy: clean(namedBy, 500),
    })
  }

  /** Writes how far it is, and hears whether it shall stop. */
  async #watch(): Promise<void> {
    const { signal } = this.#ending
    while (!signal.aborted) {
      await sleep(flushEvery, undefined, { signal }).catch(() => undefined)
      if (signal.aborted) return
      try {
        const state = await this.#note(this.#parts.database)
        if (state !== 'running') this.stop('stopped')
      } catch (error) {
        this.#parts.log.warn({ err: error }, 'the progress of a discovery could not be written: trying again')
      }
    }
  }

  #note(database: Database, found?: readonly Found[]): Promise<DiscoveryState | undefined> {
    const of = (state: Found['state']) =>
      BigInt(
        found
          ? found.filter((one) => one.state === state).length
          : [...this.#candidates.values()].filter((one) => one.found.state === state).length,
      )
    const counts = {
      ...{ total: BigInt(this.#total), asked: BigInt(this.#asked), known: BigInt(this.#knownFound) },
      ...{ answering: of('answering'), refusing: of('refusing'), named: of('named') },
    }
    return database.transaction((tx) => noteProgress(tx, this.#self, counts, this.#problem))
  }

  /** Nothing is kept: who takes it over begins anew, and finds the same. */
  #leave(): Promise<void> {
    return this.#parts.database.transaction((tx) => leaveDiscovery(tx, this.#self))
  }

  /** What was found is complete only now: what answers at several addresses is one device. */
  async #finish(state: DiscoveryState): Promise<void> {
    const { database } = this.#parts
    const found = await this.#result()
    const isCurrent = (await this.#note(database, found)) !== undefined
    if (!isCurrent) return
    for (let from = 0; from < found.length; from += batch)
      await database.transaction((tx) => writeFound(tx, this.#discovery.id, found.slice(from, from + batch)))
    const isWhole = state === 'complete'
    const ips = new Set(found.map(({ ip }) => ip))
    await database.transaction(async (tx) => {
      if (isWhole) await removeNotFound(tx, this.#discovery.id, ips)
      await endDiscovery(tx, this.#self, state)
    })
  }

  async #result(): Promise<Found[]> {
    const single = singleDevices([...this.#candidates.values()], (address) => this.#isAllowed(address))
    const names = [...new Set(single.map(({ found }) => fold(found.sysName)).filter((name) => name !== ''))]
    const facts = await factsByName(this.#parts.database, names)
    const ofInventory = new Set(facts.map(identityOf).filter((one) => one !== undefined))
    const fresh = single.filter(({ identity }) => identity === undefined || !ofInventory.has(identity))
    this.#knownFound += single.length - fresh.length
    const own = new Set(single.flatMap(({ found, addresses }) => [found.ip, ...addresses]))
    const answered = fresh.map(({ found }) => ({
      ...found,
      namedBy: this.#named.get(found.ip)?.namedBy ?? '',
    }))
    const named = [...this.#named.values()].filter(
      ({ ip }) => !this.#done.has(ip) && !own.has(ip) && !this.#known.has(ip),
    )
    return [...answered, ...named].toSorted((a, b) => (ipKey(a.ip) < ipKey(b.ip) ? -1 : 1))
  }
}

/** Runs so many at a time. */
function slotsOf(size: number): Slots {
  let free = size
  const waiting: (() => void)[] = []
  return async (work) => {
    if (free > 0) free -= 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free += 1
    }
  }
}
