// Gives the demo a past: plays the last days in a new store before it runs, by a clock that is set from one happening to the
// next. Traps go through the engine and everything else through the interface, as if the service had run all that time.

import { type App, startApp } from '../../app.ts'
import type { Config } from '../../config/config.ts'
import { standardEvents } from '../../events/event-file.ts'
import { Measures } from '../../reports/daily-measures.ts'
import { weekdayOf, ZoneTime } from '../../rules/zone-time.ts'
import { defaultSpace } from '../../schema/space.ts'
import { hasStoreFile } from '../../store/data-folder.ts'
import { addressOf, anyPort, askJson, removeNewFolderOnFailure } from '../service-connection.ts'
import { variablesOf } from '../traps/trap-variables.ts'
import {
  beginIncident,
  between,
  Cast,
  type Chance,
  pick,
  type Step,
  type StoryDevice,
} from './demo-incident.ts'
import { devicesOf, loadSample } from './demo-network.ts'
import { goRound, shiftTimes } from './demo-operators.ts'
import { makeReports, planWindows, scheduleReports } from './demo-plans.ts'
import { demoIncidents, type IncidentDefinition } from './incident-file.ts'
import { Timeline } from './timeline.ts'

interface PastOptions {
  readonly days: number
  readonly chance: Chance
  /** When it ends; now, unless something else is said. */
  readonly until?: number
}

/** Whether a demo with these settings begins with a new store in its own folder. */
export const hasNoStore = ({ store, data }: Config): boolean => store === '' && !hasStoreFile(data)

/** Loads the sample network at the beginning of the past, and plays what happened since. `done` marks the store as complete. */
export async function makePast(
  config: Config,
  { days, chance, until = Date.now() }: PastOptions,
  done: (app: App) => Promise<void>,
): Promise<void> {
  const restoreFolder = removeNewFolderOnFailure(config)
  const timeline = new Timeline(until - days * day)
  try {
    const settings = { ...config, listen: anyPort, traps: [{ ...anyPort, space: defaultSpace }] }
    const app = await startApp(settings, { tells: false, clock: () => timeline.now })
    try {
      await loadSample(addressOf(app), config.data)
      const past = new Past(app, timeline, { zone: new ZoneTime(config['time-zone']), chance })
      await past.play(await devicesOf(addressOf(app)), until)
      await done(app)
    } finally {
      await app.stop()
    }
  } catch (error) {
    restoreFolder()
    throw error
  }
}

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour
const hourSeconds = 3600

/** Incidents on a working day, and on others. */
const workdayIncidents = [9, 14] as const
const weekendIncidents = [3, 6] as const
/** What began so recently that some of it is still open. */
const recentMinutes = [12, 25, 45, 80, 130] as const
/** Which of the last days was a bad one, and how many more incidents it had. */
const badDay = { ago: 3, more: 14 } as const

interface Surroundings {
  readonly zone: ZoneTime
  readonly chance: Chance
}

class Past {
  readonly #app: App
  readonly #url: string
  readonly #timeline: Timeline
  readonly #zone: ZoneTime
  readonly #chance: Chance
  #keptUp = 0
  readonly #incidents = demoIncidents()
  #cast: Cast
  /** The names of the windows that are in force, by device. */
  readonly #windows = new Map<string, string>()

  constructor(app: App, timeline: Timeline, { zone, chance }: Surroundings) {
    this.#app = app
    this.#url = addressOf(app)
    this.#timeline = timeline
    this.#zone = zone
    this.#chance = chance
    this.#cast = new Cast([], chance)
  }

  async play(devices: readonly StoryDevice[], until: number): Promise<void> {
    this.#cast = new Cast(devices, this.#chance)
    const [first, last] = [this.#zone.local(this.#timeline.now).day, this.#zone.local(until).day]
    for (let today = first; today <= last; today += 1) this.#plan(today, today === last - badDay.ago)
    for (const ago of recentMinutes) this.#timeline.add(until - ago * minute, () => this.#begin())
    await this.#timeline.run(until, () => this.#keepUp())
    await planWindows(this.#url, devices, this.#zone, until)
    await scheduleReports(this.#url)
  }

  /** What happens on a day; what would be after the end of the past never does. */
  #plan(today: number, isBad: boolean): void {
    const { add, at } = this.#clock(today)
    const isWorkday = ![0, 6].includes(weekdayOf(today))
    const [least, most] = isWorkday ? workdayIncidents : weekendIncidents
    const count = between(least, most, this.#chance) + (isBad ? badDay.more : 0)
    for (let n = 0; n < count; n += 1) add(this.#hourOfDay(), () => this.#begin())
    for (let n = between(0, 2, this.#chance); n > 0; n -= 1) add(24 * this.#chance(), () => this.#refuse())
    for (const time of shiftTimes(isWorkday, this.#chance))
      add(time, () => goRound(this.#app, this.#timeline.now, this.#chance))
    const measures = new Measures(this.#app.database, this.#zone)
    add(0.02, () => measures.record(at(0.02)))
    if (weekdayOf(today) === 1) add(6, () => makeReports(this.#url))
  }

  /** Times of a day, as hours of its local time. */
  #clock(today: number) {
    const at = (hours: number) => this.#zone.instant(today, Math.floor(hours * hourSeconds))
    const add = (hours: number, act: () => Promise<void>) => {
      if (at(hours) > this.#timeline.now) this.#timeline.add(at(hours), act)
    }
    return { add, at }
  }

  /** Most of what breaks does so while people work. */
  #hourOfDay = () => (this.#chance() < 0.75 ? 7 + 12 * this.#chance() : 24 * this.#chance())

  async #begin(): Promise<void> {
    const definition = pick(this.#incidents, this.#chance)
    if (!definition) return
    if (!isPlanned(definition)) return this.#start(definition)
    // Planned work is done at night.
    const { add } = this.#clock(this.#zone.local(this.#timeline.now).day)
    add(22 + this.#chance(), async () => this.#start(definition))
  }

  #start(definition: IncidentDefinition): void {
    const begun = beginIncident(definition, this.#cast)
    if (!begun) return
    this.#cast.hold(begun.devices)
    let at = this.#timeline.now
    let isFirst = true
    let wasEnd = false
    for (const step of begun.steps) {
      const isTurn = endsFault(step) !== wasEnd
      if (!isFirst) at += isTurn ? this.#wait(isPlanned(definition)) : between(2, 20, this.#chance) * second
      ;[isFirst, wasEnd] = [false, endsFault(step)]
      this.#timeline.add(at, () => this.#take(step))
    }
    this.#timeline.add(at, async () => this.#cast.release(begun.devices))
  }

  /** How long it takes until something is repaired, or breaks again: mostly minutes, sometimes hours. */
  #wait(isPlanned: boolean): number {
    if (isPlanned) return between(1, 5, this.#chance) * minute
    return Math.min(5 * hour, 4 * minute * Math.exp(3.6 * this.#chance()))
  }

  async #take(step: Step): Promise<void> {
    if (step.work) return this.#work(step.device, step.work)
    const event = standardEvents.find(({ name }) => name === step.event)
    const variables = Object.entries(step.variables).map(([name, value]) => ({ name, value }))
    await this.#app.engine.handle([
      {
        kind: 'trap',
        receivedAt: this.#timeline.now,
        sourceIp: step.device.ip,
        agentIp: undefined,
        version: step.event.startsWith('ups') ? '1' : '2c',
        oid: event?.eventOid ?? '',
        variables: variablesOf(event, variables),
      },
    ])
  }

  /** Each time has its own window: reports apply windows as they are to the time that they were for. */
  async #work({ id, label }: StoryDevice, work: 'begins' | 'ends'): Promise<void> {
    const path = `${this.#url}/fault/maintenance`
    if (work === 'begins') {
      const name = `${label}, new software, ${this.#localTime()}`
      this.#windows.set(id, name)
      await askJson(path, 'POST', { name, reason: 'Planned by the demo', minutes: 90, device: [id] })
      return
    }
    const name = this.#windows.get(id) ?? ''
    const { maintenance = [] } = await askJson<{ maintenance?: { id: string }[] }>(
      `${path}?name=${encodeURIComponent(name)}`,
    )
    for (const window of maintenance) await askJson(`${path}/end/${window.id}`, 'PUT')
  }

  /** Such as `2026-11-15 22:04`. */
  #localTime(): string {
    const { day: today, secondOfDay } = this.#zone.local(this.#timeline.now)
    return new Date(today * day + secondOfDay * second).toISOString().slice(0, 16).replace('T', ' ')
  }

  /** Somebody who is no device asks with a wrong community. */
  async #refuse(): Promise<void> {
    const [sourceIp, reason] = ['10.99.0.23', 'community']
    const times = between(1, 6, this.#chance)
    await this.#app.engine.handle([
      { kind: 'rejected', receivedAt: this.#timeline.now, sourceIp, outcome: 'refused', reason, times },
    ])
  }

  /** What the service does by itself as time passes. */
  async #keepUp(): Promise<void> {
    const { engine } = this.#app
    const { now } = this.#timeline
    if (now - this.#keptUp < minute) return
    this.#keptUp = now
    await engine.endQuietFlapping(now)
    await engine.raiseHeldFaults(now)
    await engine.releaseSuppressed(now)
  }
}

const isPlanned = ({ steps }: IncidentDefinition) => steps.some(({ kind }) => kind === 'work')

const endsFault = ({ event, work }: Step) =>
  work === 'ends' || (standardEvents.find(({ name }) => name === event)?.recovers ?? []).length > 0
