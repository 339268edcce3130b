// The leader's part: decides what silence means, and raises and ends the alarms about it. A device that has answered before
// and no longer does is out of reach, unless its whole range fell silent with it: that is one alarm about the way there.

import type { AlarmChanger } from '../../alarms/engine/engine.ts'
import { type AlarmedDevice, DeviceAlarms, devicesAlarmedBefore } from '../../alarms/service/device-alarms.ts'
import {
  openServiceAlarms,
  raiseServiceAlarm,
  recoverServiceAlarm,
} from '../../alarms/service/service-alarms.ts'
import type { Database, Transaction } from '../../store/database.ts'
import { decidingFailures } from './device-reach.ts'
import {
  type Decision,
  forgetDevices,
  hasUndecided,
  isStillSilent,
  readUndecided,
  releaseRange,
  silentRanges,
  type Undecided,
  writeDecisions,
} from './reachability.ts'
import { SilentGroups, waiting } from './silent-groups.ts'

/** Devices of one transaction. */
const batch = 200
/** How long a question may take until it counts as not answered, and until that is written. */
const questionTime = 10_000
/** A restart is told after this time: its trap may be on the way. */
const restartWait = 30_000
/** An alarm about a restart ends after this time without another one. */
const restartQuiet = 3_600_000

/** By which a device reports a start: cold and warm start, and those of the agent of net-snmp. */
const startOids = [
  '1.3.6.1.6.3.1.1.5.1',
  '1.3.6.1.6.3.1.1.5.2',
  '1.3.6.1.4.1.8072.4.0.1',
  '1.3.6.1.4.1.8072.4.0.3',
]
/** The start and its trap are timed by two clocks. */
const startTolerance = 120_000

const events = ['deviceUnreachable', 'agentRefusing', 'deviceRestarted'] as const

export interface ReachWatchParts {
  readonly database: Database
  /** Refused unless this service is the leader. */
  readonly leaderDatabase: Database
  readonly alarms: AlarmChanger
  readonly everySeconds: number
}

interface Judged extends Undecided {
  readonly device: AlarmedDevice
}

interface RoundContext {
  readonly alarms: DeviceAlarms
  readonly groups: SilentGroups
  /** Devices that have told of their last restart themselves. */
  readonly reportedRestart: ReadonlySet<bigint>
  readonly now: number
}

interface Verdict {
  readonly state: Undecided['state']
  readonly silentRange?: string
  readonly waits?: boolean
}

export class ReachWatch {
  readonly #parts: ReachWatchParts
  /** By when each device of a range has been asked at least once. */
  readonly #roundTime: number

  constructor(parts: ReachWatchParts) {
    this.#parts = parts
    this.#roundTime = parts.everySeconds * 1500 + questionTime
  }

  /** Called every second. */
  async check(): Promise<void> {
    if (await hasUndecided(this.#parts.database)) {
      let after: bigint | undefined = 0n
      while (after !== undefined) after = await this.#decideSome(after)
    }
    await this.#followRanges()
  }

  /** Raises an alarm for each silent range, and ends it when a device answers. */
  async #followRanges(): Promise<void> {
    const { database, leaderDatabase, alarms } = this.#parts
    const open = await openServiceAlarms(database, 'rangeSilent')
    const silent = await silentRanges(database)
    for (const [range, devices] of silent) {
      if (await isStillSilent(database, range)) {
        const text = `All ${devices} devices in ${range} that answered before are silent at once: the way to them may be interrupted`
        if (!open.has(resourceOf(range)))
          await raiseServiceAlarm(alarms, 'rangeSilent', resourceOf(range), text)
      } else {
        await leaderDatabase.transaction((tx) => releaseRange(tx, range, tx.now + this.#roundTime))
        silent.delete(range)
      }
    }
    const current = new Set(Array.from(silent.keys(), resourceOf))
    for (const resource of open) {
      if (current.has(resource)) continue
      const text = 'Devices of the range answer again, or none of them is asked any more'
      await recoverServiceAlarm(alarms, 'rangeSilent', resource, text)
    }
  }

  /** Returns the last device that was looked at; undefined where there are no more. */
  #decideSome(after: bigint): Promise<bigint | undefined> {
    return this.#parts.alarms.change(async (changes, tx) => {
      const undecided = await readUndecided(tx, after, batch)
      if (undecided.length === 0) return undefined
      const scene = await this.#gather(new DeviceAlarms(changes, tx, this.#parts.alarms), tx, undecided)
      const decisions: Decision[] = []
      const gone: bigint[] = []
      for (const one of undecided) {
        if (isAsked(one)) {
          decisions.push(await decide(one, scene))
          continue
        }
        // The alarms of a deleted device have ended with it.
        if (one.device) scene.alarms.end(one.device, events, 'The device is no longer asked')
        gone.push(one.deviceId)
      }
      await writeDecisions(tx, decisions)
      await forgetDevices(tx, gone)
      return undecided.at(-1)?.deviceId
    })
  }

  async #gather(
    alarms: DeviceAlarms,
    tx: Transaction,
    undecided: readonly Undecided[],
  ): Promise<RoundContext> {
    await alarms.gather(
      undecided.flatMap(({ device }) => device ?? []),
      events,
    )
    const restarted = undecided.flatMap(({ deviceId: id, isRestartPending, restartTime }) =>
      isRestartPending ? [{ id, since: restartTime - startTolerance }] : [],
    )
    const reportedRestart = await alarms.reporting(restarted, startOids)
    return { alarms, groups: new SilentGroups(tx, this.#roundTime), reportedRestart, now: tx.now }
  }

  /** Ends alarms about restarts that are long over. Called every minute. */
  async endRestarts(): Promise<void> {
    const { database, alarms } = this.#parts
    const quiet = await devicesAlarmedBefore(database, 'deviceRestarted', database.now() - restartQuiet)
    if (quiet.length === 0) return
    await alarms.change(async (changes, tx) => {
      const ended = new DeviceAlarms(changes, tx, alarms)
      await ended.gather(quiet, ['deviceRestarted'])
      for (const device of quiet) ended.end(device, ['deviceRestarted'], 'No further restart for an hour')
    })
  }
}

const resourceOf = (range: string) => `range=${range}`

const isAsked = (one: Undecided): one is Judged => one.isAsked && one.device !== undefined

async function decide(one: Judged, scene: RoundContext): Promise<Decision> {
  const isRestartPending = one.isRestartPending && !(await tellRestart(one, scene))
  const { state, silentRange = '', waits = false } = await verdictOn(one, scene)
  return {
    deviceId: one.deviceId,
    state,
    since: state === one.state ? undefined : scene.now,
    silentRange,
    isRestartPending,
    waits: waits || isRestartPending,
  }
}

async function verdictOn(one: Judged, { alarms, groups, now }: RoundContext): Promise<Verdict> {
  const { device, state, failures, reason, silentRange } = one
  if (!one.answered) return { state: 'unknown' }
  if (failures === 0) {
    alarms.end(device, ['deviceUnreachable', 'agentRefusing'], `${device.name} answers again`)
    return { state: 'answering' }
  }
  if (failures < decidingFailures) return { state, silentRange }
  if (reason !== 'silent') {
    alarms.end(device, ['deviceUnreachable'], `The machine of ${device.name} is there again`)
    const text = `${device.name} (${device.ip}) is there, but its SNMP agent does not answer: ${one.problem}`
    await alarms.raise(device, 'agentRefusing', text)
    return { state: 'refusing' }
  }
  if (state === 'unreachable' || state === 'rangeSilent') return { state, silentRange }
  const group = await groups.judge(one, now)
  if (group === waiting) return { state, waits: true }
  alarms.end(device, ['agentRefusing'], `${device.name} is silent`)
  if (group !== undefined) return { state: 'rangeSilent', silentRange: group }
  const text = `${device.name} (${device.ip}) is out of reach: it no longer answers`
  await alarms.raise(device, 'deviceUnreachable', text)
  return { state: 'unreachable' }
}

/** Whether the restart has been told, or need not be. */
async function tellRestart(one: Judged, { alarms, reportedRestart, now }: RoundContext): Promise<boolean> {
  const { restartTime, device } = one
  if (reportedRestart.has(one.deviceId)) return true
  if (now - restartTime < restartWait) return false
  const text = `The SNMP agent of ${device.name} (${device.ip}) restarted at ${timeText(restartTime)}, and no trap told of it`
  await alarms.raiseAgain(device, 'deviceRestarted', text)
  return true
}

const timeText = (time: number) => `${new Date(time).toISOString().slice(0, 19).replace('T', ' ')} UTC`
