// Tells people of alarms: reads the log for all routes, executes steps that are due, and sends. The leader does it; all of
// its state is in the store.

import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { AlarmChanger } from '../../alarms/engine/engine.ts'
import { LogSignal } from '../../alarms/log/log-signal.ts'
import { raiseServiceAlarm } from '../../alarms/service/service-alarms.ts'
import { serviceEvents } from '../../events/service-events.ts'
import type { AlarmTexts } from '../../resources/alarms/alarm.ts'
import type { Database } from '../../store/database.ts'
import type { MessageAlarm } from '../message.ts'
import { followSetBack, lastPlanned } from './clock-setback.ts'
import { ContactWatch } from './contact-watch.ts'
import { Deliveries, type LinkSource, type SenderSource } from './deliveries.ts'
import { FailureWatch, resourceOf } from './failure-watch.ts'
import type { Incident } from './incident.ts'
import { LogReader } from './log-reader.ts'
import { MaintenancePause } from './maintenance-pause.ts'
import { RouteCache } from './route-index.ts'
import { Steps } from './steps.ts'
import { Directory, type OnCallSource } from './targets.ts'

/** The routes and the people of the store, as all who ask for them share them. */
export interface Routing {
  readonly routeCache: RouteCache
  readonly directory: Directory
  readonly pauses: MaintenancePause
  /** That of maintenance windows, and of routes and people who name none. */
  readonly timeZone: string
}

export const openRouting = (database: Database, onCall: OnCallSource, timeZone: string): Routing => ({
  routeCache: new RouteCache(database, timeZone),
  directory: new Directory(database, onCall, timeZone),
  pauses: new MaintenancePause(database, timeZone),
  timeZone,
})

export interface NotifierParts extends Omit<Routing, 'timeZone'> {
  readonly database: Database
  /** Refuses changes while this service does not lead. */
  readonly leaderDatabase: Database
  /** Whether this service surely leads at this moment. */
  isLeader(): boolean
  readonly alarms: AlarmChanger
  readonly alarmTexts: AlarmTexts
  readonly logSignal: LogSignal
  readonly senders: SenderSource
  readonly links: LinkSource
  readonly log: Logger
}

/** Milliseconds. */
const longestWait = 1000
/** Between two rounds: traps come first. */
const pause = 100
const watchEvery = 10_000
/** In a flood of changes the log may never be read to its end: after so long, people are told all the same. */
const longestReading = 5000
const stepBatches = 20
const leaderCheck = 100

export class Notifier {
  readonly #parts: NotifierParts
  readonly #reader: LogReader
  readonly #steps: Steps
  readonly #deliveries: Deliveries
  readonly #failures: FailureWatch
  readonly #contacts: ContactWatch
  /** Wakes the loop when a channel is free again. */
  readonly #free = new LogSignal()
  #running: Promise<void> | undefined
  #isStopping = false
  #leads = false
  #watchedAt = 0
  /** What the clock showed in the last round. */
  #clockWas = 0
  /** When steps were last executed. */
  #readingSince = 0
  #timer: NodeJS.Timeout | undefined

  constructor(parts: NotifierParts) {
    this.#parts = parts
    const { database, alarms, routeCache } = parts
    const shared = { ...parts, readRouteIndex: () => routeCache.read(database) }
    this.#failures = new FailureWatch(parts)
    this.#contacts = new ContactWatch(parts)
    this.#reader = new LogReader({
      ...shared,
      onGap: (reason) => raiseServiceAlarm(alarms, 'notificationsMissed', 'alarm log', reason),
    })
    this.#steps = new Steps({ ...shared, channelOf })
    this.#deliveries = new Deliveries({
      ...shared,
      onFailure: () => this.#failures.raise(),
      onIdle: () => this.#free.wake(),
    })
  }

  start(): void {
    this.#running ??= this.#loop()
    // At once: another service may send what this one is sending.
    this.#timer = setInterval(() => {
      if (this.#leads && !this.#parts.isLeader()) void this.#yield()
    }, leaderCheck)
    this.#timer.unref()
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    clearInterval(this.#timer)
    this.#free.wake()
    await this.#yield()
    await this.#running
  }

  /** Resolves when nothing is being sent. */
  idle(): Promise<void> {
    return this.#deliveries.idle()
  }

  async #yield(): Promise<void> {
    this.#leads = false
    await this.#deliveries.end()
  }

  async #loop(): Promise<void> {
    while (!this.#isStopping) {
      try {
        if (await this.turn()) {
          // Reads of SQLite end at once: without this, nothing else would run until everything is read.
          await yieldToEventLoop()
          continue
        }
      } catch (error) {
        if (this.#parts.isLeader()) this.#parts.log.error({ err: error }, 'notifications could not go on')
      }
      await this.#wait(pause)
      await Promise.race([this.#parts.logSignal.wait(longestWait), this.#wait(longestWait)])
    }
  }

  /** Ends early when a channel is free, or when it stops. */
  #wait(milliseconds: number): Promise<void> {
    return this.#isStopping ? Promise.resolve() : this.#free.wait(milliseconds)
  }

  /** Does what is due, once; returns whether there is more to do at once. */
  async turn(): Promise<boolean> {
    if (!this.#parts.isLeader()) {
      if (this.#leads) await this.#yield()
      return false
    }
    if (!this.#leads) await this.#begin()
    await this.#followClock()
    // Routes and people may have been changed at another node.
    await this.#parts.database.refresh()
    // What is sent depends on everything that happened until now: a fault may be over.
    const isBehind = await this.#reader.run()
    const now = this.#parts.database.now()
    if (isBehind && Math.abs(now - this.#readingSince) < longestReading) return true
    this.#readingSince = now
    let isMore = true
    for (let batches = 0; isMore && batches < stepBatches; batches += 1) isMore = await this.#steps.run()
    await this.#deliveries.run()
    await this.#watch()
    return isBehind || isMore
  }

  async #begin(): Promise<void> {
    this.#reader.forget()
    this.#clockWas = await lastPlanned(this.#parts.database)
    this.#readingSince = this.#parts.database.now()
    await this.#deliveries.begin()
    this.#leads = true
  }

  async #followClock(): Promise<void> {
    const { database, leaderDatabase } = this.#parts
    await followSetBack(leaderDatabase, this.#clockWas)
    this.#clockWas = database.now()
  }

  async #watch(): Promise<void> {
    const now = this.#parts.database.now()
    if (Math.abs(now - this.#watchedAt) < watchEvery) return
    this.#watchedAt = now
    await this.#failures.check()
    await this.#contacts.check()
  }
}

/** An alarm about a channel is not told through it. */
function channelOf({ alarm }: Incident): bigint | undefined {
  const { OID, resource } = JSON.parse(alarm) as MessageAlarm
  if (OID !== serviceEvents.notificationFailed.eventOid || !resource.startsWith(resourceOf('')))
    return undefined
  return BigInt(resource.slice(resourceOf('').length))
}
