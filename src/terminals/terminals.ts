// The entry point of this room: RADIUS servers ask whether a terminal may have access, and switches report where
// terminals are. An answer takes two short reads and waits for nothing else: the sighting is queued, and processed
// with others a moment later.

import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { AlarmEngine } from '../alarms/engine/engine.ts'
import { Fault } from '../fault.ts'
import { bindingOf } from '../resources/inventory/mac-access-bind.ts'
import { presentAt } from '../resources/inventory/terminal.ts'
import { macOf } from '../schema/scalar.ts'
import type { Database } from '../store/database.ts'
import { type AgeLimits, endOldAlarms, forgetOld } from './ageing.ts'
import {
  type AccessClaim,
  type AccessDecision,
  decide,
  type Place,
  portKey,
  type Sighting,
  terminalOf,
} from './sighting.ts'
import { type NasPort, portOf, type Switch, Switches } from './switch-port.ts'
import { TerminalLocations } from './terminal-locations.ts'

export interface TerminalSettings extends AgeLimits {
  readonly unknownTerminals: 'reject' | 'admit'
}

/** The attributes of a RADIUS packet. */
export interface AccessRequest extends AccessClaim, NasPort {
  /** The address that the packet came from, whatever it contains. */
  readonly sourceIp: string
  readonly framedIp: string | null
}

export interface Decision extends AccessDecision {
  readonly mac: string | undefined
  readonly terminalName: string
  readonly place: Place | undefined
}

interface TerminalParts {
  readonly database: Database
  readonly engine: AlarmEngine
  readonly log: Logger
  readonly clock: () => number
  /** The most sightings that wait to be processed. */
  readonly waitingLimit?: number
}

/**
 * Milliseconds for which sightings are collected, because every transaction costs a flush that delays others. A switch
 * that waits until its accounting is stored does not wait long.
 */
const gathering = { normal: 500, urgent: 50 }
const batchSize = 500
/** Beyond this, nothing is queued until some are processed; requests are still answered. */
const defaultWaitingLimit = 20_000

const terminalStatuses = new Set(['Start', 'Interim-Update', 'Stop'])

export class Terminals {
  readonly #parts: TerminalParts
  readonly #settings: TerminalSettings
  readonly #switches = new Switches()
  #waiting = new Map<string, Sighting>()
  /** Whether somebody waits for the collected sightings, and how to stop collecting. */
  #isUrgent = false
  #startEarly: (() => void) | undefined
  #next: Promise<void> | undefined
  #last: Promise<void> = Promise.resolve()
  #lost = 0

  constructor(parts: TerminalParts, settings: TerminalSettings) {
    this.#parts = parts
    this.#settings = settings
  }

  /** Sightings that were dropped, because too many waited. */
  get lost(): number {
    return this.#lost
  }

  /** Whether a terminal is admitted; never throws because of what the terminal sends. */
  async authorize(ask: AccessRequest): Promise<Decision> {
    const { database, clock, log } = this.#parts
    const claimed = terminalOf(ask)
    // A terminal with a wrong name is identified by its calling station.
    const mac = typeof claimed === 'string' ? claimed : macOf(ask.callingStationId)
    if (mac === undefined && typeof claimed !== 'string') {
      return { ...claimed, mac, terminalName: '', place: undefined }
    }
    const [binding, place] = await Promise.all([bindingOf(database, mac ?? ''), this.#placeOf(ask)])
    const { unknownTerminals } = this.#settings
    const verdict = typeof claimed === 'string' ? decide(binding, place, unknownTerminals) : claimed
    const ip = ask.framedIp
    if (mac !== undefined) {
      const vlan = verdict.vlan
      this.#note({ mac, at: clock(), place, source: 'authorize', verdict, ip, vlan })?.catch((error) =>
        log.error({ err: error }, 'sightings of terminals could not be stored'),
      )
    }
    return { ...verdict, mac, terminalName: binding?.terminalName ?? '', place }
  }

  /** A switch reports that a terminal is there, is still there, or has left; stored when this resolves. */
  async account(ask: AccessRequest, status: string): Promise<void> {
    const at = this.#parts.clock()
    // The switch has restarted, or is about to stop: no terminal is there any more.
    if (status === 'Accounting-On' || status === 'Accounting-Off') return this.#allGone(ask.sourceIp, at)
    const mac = macOf(ask.callingStationId) ?? macOf(ask.userName)
    if (mac === undefined || !terminalStatuses.has(status)) return
    const place = await this.#placeOf(ask)
    const isGone = status === 'Stop'
    await this.#noteNow({ mac, at, place, source: 'accounting', ip: ask.framedIp, isGone })
  }

  async #allGone(sourceIp: string, at: number): Promise<void> {
    const device = await this.#switches.at(this.#parts.database, sourceIp)
    const present = await presentAt(this.#parts.database, device?.id ?? 0n, device?.ip ?? sourceIp)
    const place = placeAt(device, sourceIp, { ifIndex: null, name: '' })
    await Promise.all(
      present.map(({ terminalMac: mac, ifIndex, port }) => {
        const left = { ...place, ifIndex, port: port ?? '' }
        return this.#noteNow({ mac, at, place: left, source: 'accounting', isGone: true })
      }),
    )
  }

  /** The device by the address that the packet came from. */
  async #placeOf({ sourceIp, nasPort, nasPortId }: AccessRequest): Promise<Place> {
    const device = await this.#switches.at(this.#parts.database, sourceIp)
    return placeAt(device, sourceIp, portOf(device?.interfaces ?? [], { nasPort, nasPortId }))
  }

  /** Queues a sighting until it is processed; the promise resolves when it is on disk. Undefined: too many wait. */
  #note(sighting: Sighting): Promise<void> | undefined {
    const { mac, place, source, isGone = false } = sighting
    const key = `${mac} ${place.deviceId} ${place.deviceIp} ${portKey(place)} ${source} ${isGone}`
    // The newest of equal sightings counts, and goes to the end of the queue.
    const isNew = !this.#waiting.delete(key)
    if (isNew && this.#waiting.size >= (this.#parts.waitingLimit ?? defaultWaitingLimit)) {
      this.#lost += 1
      return undefined
    }
    this.#waiting.set(key, sighting)
    this.#next ??= this.#last.then(() => this.#processNext())
    return this.#next
  }

  /** For a switch that waits for it, and sends it again if it cannot be stored now. */
  async #noteNow(sighting: Sighting): Promise<void> {
    const kept = this.#note(sighting)
    this.#isUrgent = true
    this.#startEarly?.()
    if (kept === undefined) {
      throw new Fault('unavailable', 'too many sightings of terminals wait to be stored: send it again later')
    }
    await kept
  }

  /** Waits for more sightings, but not for long if somebody waits. */
  async #gather(): Promise<void> {
    const enough = new AbortController()
    this.#startEarly = () => enough.abort()
    if (!this.#isUrgent) await pause(gathering.normal, undefined, enough).catch(() => undefined)
    if (this.#isUrgent) await pause(gathering.urgent)
    this.#startEarly = undefined
    this.#isUrgent = false
  }

  #processNext(): Promise<void> {
    const processed = this.#gather().then(async () => {
      const sightings = [...this.#waiting.values()]
      this.#waiting = new Map()
      this.#next = undefined
      for (let start = 0; start < sightings.length; start += batchSize) {
        const batch = sightings.slice(start, start + batchSize)
        const { engine } = this.#parts
        await engine.change((changes, tx) =>
          TerminalLocations.apply([tx, changes, engine.filtersServiceAlarm], batch, this.#settings),
        )
      }
    })
    this.#last = processed.catch(() => undefined)
    return processed
  }

  /** Ends alarms that are over. Called periodically. */
  endOldAlarms(now = this.#parts.clock()): Promise<void> {
    const { database, engine } = this.#parts
    return endOldAlarms(database, engine.asLeader, this.#settings, now)
  }

  /** Removes old records. Called periodically. */
  forgetOld(isOver: () => boolean, now = this.#parts.clock()): Promise<void> {
    return forgetOld(this.#parts.database, this.#settings, isOver, now)
  }

  /** Processes the waiting sightings. */
  async stop(): Promise<void> {
    this.#startEarly?.()
    await this.#next?.catch(() => undefined)
    await this.#last
  }
}

function placeAt(device: Switch | undefined, deviceIp: string, port: ReturnType<typeof portOf>): Place {
  const { ifIndex, name } = port
  return {
    deviceId: device?.id ?? 0n,
    deviceIp: device?.ip ?? deviceIp,
    deviceName: device?.label ?? '',
    ifIndex,
    port: name,
  }
}
