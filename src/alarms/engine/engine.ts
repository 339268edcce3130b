// The alarm engine: turns blocks of traps into alarms. Each block is one transaction: gather what it needs, decide trap by
// trap in memory, write the changes, then update the counters.

import { EventCatalog } from '../../events/event-catalog.ts'
import { MibLibrary } from '../../events/mib-library.ts'
import { SerialQueue } from '../../pacing/serial-queue.ts'
import type { AlarmTexts } from '../../resources/alarms/alarm.ts'
import { Hits } from '../../resources/alarms/hits.ts'
import { RuleIndex } from '../../rules/rule-index.ts'
import { ZoneTime } from '../../rules/zone-time.ts'
import type { Actor, Database, Reader, Transaction, TransactionOptions } from '../../store/database.ts'
import { Uplinks } from '../causes/causes.ts'
import { Flapping, type FlapSettings } from '../limits/flapping.ts'
import { OpenCounts, type OpenLimits, UnknownAlarms } from '../limits/open-limits.ts'
import type { LogSignal } from '../log/log-signal.ts'
import { OpenAlarms } from '../open/open-alarms.ts'
import { Release } from '../suppression/release.ts'
import { Suppression } from '../suppression/suppression.ts'
import { AlarmChanges } from './alarm-changes.ts'
import type { AlarmDraft } from './alarm-draft.ts'
import {
  DeviceDirectory,
  type KnownDevice,
  type SenderDevices,
  tooManyDevices,
  type UnknownSenders,
} from './device-directory.ts'
import { DeviceViews } from './device-views.ts'
import { type FoundReport, raiseFoundFaults } from './found-faults.ts'
import {
  collapseReasons,
  type Incoming,
  type IncomingTrap,
  type Outcome,
  outcomes,
  senderOf,
} from './incoming-trap.ts'
import { LateFaults } from './late-faults.ts'
import { NamedFaults } from './named-faults.ts'
import {
  alarmsToGather,
  type BlockContext,
  filtersServiceAlarm,
  processStorm,
  processTrap,
} from './process-trap.ts'
import { RefusedSenders } from './refused-senders.ts'
import { hasDueFaults, type ReportedByMessages, ReportedFaults, raiseHeld } from './reported-faults.ts'
import { LedgerPage, type ProcessedTrap, storeTraps, TrapIds } from './trap-ledger.ts'
import { meaningOf, type TrapMeaning, trapsByDevice } from './trap-meaning.ts'

export interface EngineSettings extends UnknownSenders {
  /** The time zone in which the periods of trap rules and maintenance windows are evaluated. */
  readonly timeZone: string
  readonly unknownTraps: 'alarm' | 'store'
  readonly flapping: FlapSettings
  readonly unknownAlarms: OpenLimits
  /** How long after its consequences a cause may be reported. */
  readonly causeWaitSeconds: number
  readonly openAlarms: OpenLimits
}

/** Whether a trap rule filters an alarm of the service about itself. */
export type ServiceAlarmFilter = (draft: AlarmDraft, tx: Transaction) => Promise<boolean>

/** Called with the traps of each block, inside its transaction. */
export type BlockObserver = (
  changes: AlarmChanges,
  tx: Transaction,
  meanings: readonly TrapMeaning[],
  filtersServiceAlarm: ServiceAlarmFilter,
) => Promise<void>

/** What is to be raised, and what is done with that which is to be asked about again. */
export interface FoundReports {
  readonly found: readonly FoundReport[]
  recordRefused(refused: readonly FoundReport[]): Promise<void>
}

/** Everything needed to process a block. */
interface GatheredBlock extends BlockContext {
  readonly senders: SenderDevices
  /** The devices of refused datagrams, by source address. */
  readonly refused: ReadonlyMap<string, KnownDevice>
  readonly trapIds: TrapIds
  readonly named: NamedFaults
  /** Of the traps whose sender is accepted. */
  readonly meanings: ReadonlyMap<Incoming, TrapMeaning>
}

/** A block of so many traps takes no longer than a few requests: with fewer, it shares the commit of those before it. */
const shortBlock = 50

type ChangeFunction<T> = (changes: AlarmChanges, tx: Transaction) => Promise<T>

/** Raises and recovers alarms of the service about itself. */
export interface AlarmChanger {
  change<T>(work: ChangeFunction<T>): Promise<T>
  readonly filtersServiceAlarm: ServiceAlarmFilter
}

export interface EngineOptions {
  /** Refuses transactions unless this service is the one that processes traps. */
  readonly leaderDatabase?: Database
  /** Refuses transactions while the store lacks commits that clients have seen. */
  readonly checkedDatabase?: Database
  readonly observer?: BlockObserver
  /** What syslog messages report, if they are received. */
  readonly messages?: ReportedByMessages | undefined
}

export class AlarmEngine implements AlarmChanger {
  readonly #database: Database
  readonly #leaderDatabase: Database
  readonly #logSignal: LogSignal
  readonly #texts: AlarmTexts
  readonly #deviceViews: DeviceViews
  readonly #suppression: Suppression
  readonly #uplinks: Uplinks
  readonly #settings: EngineSettings
  readonly #catalog: EventCatalog
  readonly #sharedEvents: ReadonlySet<string>
  #hearsMessages: boolean
  /** The MIB modules that name the variables of traps; rules and lists use them too. */
  readonly modules: MibLibrary
  readonly #devices: DeviceDirectory
  readonly #openAlarms: OpenAlarms
  readonly #rules: RuleIndex
  readonly #refreshQueue = new SerialQueue()
  readonly #flapping: Flapping
  readonly #release: Release
  readonly #unknownAlarms: UnknownAlarms
  readonly #observer: BlockObserver | undefined
  readonly #openCounts: OpenCounts
  /** Datagrams since the start, by outcome. */
  readonly outcomes = new Map<Outcome, number>(outcomes.map((outcome) => [outcome, 0]))
  /** Collapsed datagrams, by reason. */
  readonly collapsedByReason = new Map<string, number>(collapseReasons.map((reason) => [reason, 0]))
  /** Traps refused because the device limit is reached. */
  overDeviceLimit = 0
  readonly refusedSenders = new RefusedSenders()
  /** For changes that the service makes by itself; refused unless it is the leader. */
  readonly asLeader: AlarmChanger

  constructor(
    database: Database,
    logSignal: LogSignal,
    texts: AlarmTexts,
    settings: EngineSettings,
    { leaderDatabase = database, checkedDatabase = database, observer, messages }: EngineOptions = {},
  ) {
    this.#database = checkedDatabase
    this.#leaderDatabase = leaderDatabase
    this.#observer = observer
    this.asLeader = {
      change: (work) => this.#change(leaderDatabase, work),
      filtersServiceAlarm: this.filtersServiceAlarm,
    }
    this.#logSignal = logSignal
    this.#texts = texts
    const zone = new ZoneTime(settings.timeZone)
    this.#deviceViews = new DeviceViews(database)
    this.#suppression = new Suppression(database, zone)
    this.#uplinks = new Uplinks(database)
    this.#settings = settings
    this.modules = new MibLibrary(database)
    this.#catalog = new EventCatalog(database, this.modules, messages?.events)
    this.#sharedEvents = messages?.shared ?? new Set()
    this.#hearsMessages = messages?.areExpected ?? false
    this.#openAlarms = new OpenAlarms()
    this.#flapping = new Flapping(database, settings.flapping)
    this.#release = new Release((work) => this.asLeader.change(work), this.#suppression, database)
    this.#unknownAlarms = new UnknownAlarms(database, settings.unknownAlarms)
    this.#openCounts = new OpenCounts(settings.openAlarms)
    this.#rules = new RuleIndex(database, zone)
    this.#devices = new DeviceDirectory(database, settings)
  }

  /**
   * Processes a block; returns the outcome of each datagram, in order, once they are on disk. `onProcessed` can write more
   * in the same transaction.
   */
  async handle(
    block: readonly Incoming[],
    onProcessed?: (tx: Transaction, outcomes: readonly Outcome[]) => Promise<void>,
  ): Promise<Outcome[]> {
    const page = new LedgerPage()
    const work = async (changes: AlarmChanges, tx: Transaction) => {
      const gathered = await this.#gather(tx, changes, block)
      const processed = block.map((incoming) => this.#decide(incoming, gathered))
      await this.#write(tx, gathered, block, processed, page)
      await this.#observer?.(changes, tx, [...gathered.meanings.values()], this.filtersServiceAlarm)
      const outcomes = processed.map(({ outcome }) => outcome)
      await onProcessed?.(tx, outcomes)
      return { outcomes, processed, refused: gathered.refused }
    }
    const turn = { isLong: block.length > shortBlock }
    const { outcomes, processed, refused } = await this.#change(this.#leaderDatabase, work, undefined, turn)
    this.#count(page)
    this.refusedSenders.note(block, processed, refused)
    return outcomes
  }

  /**
   * Raises alarms of faults that devices were found to have, as reports of them would. Nothing was received: no datagram
   * is counted.
   */
  async raiseFound(find: (tx: Transaction) => Promise<FoundReports>): Promise<void> {
    await this.asLeader.change(async (changes, tx) => {
      const { found, recordRefused } = await find(tx)
      const reports = found.map(({ report }) => report)
      const gathered = await this.#gather(tx, changes, reports)
      const refused = await raiseFoundFaults(tx, found, gathered)
      await this.#writeChanges(tx, gathered)
      await recordRefused(refused)
    })
  }

  /** Reads changed definitions, modules and rules in advance, so that the next block need not wait for that. */
  refreshDefinitions(): Promise<void> {
    return this.#refresh(this.#database)
  }

  /** The catalogue of events, as it is now. */
  async definitions(): Promise<EventCatalog> {
    await this.refreshDefinitions()
    return this.#catalog
  }

  /** One at a time: a refresh that began earlier must not finish last. */
  #refresh(reader: Reader): Promise<void> {
    return this.#refreshQueue.run(async () => {
      await this.#catalog.refresh(reader)
      await this.#rules.refresh(reader)
    })
  }

  async #gather(tx: Transaction, changes: AlarmChanges, block: readonly Incoming[]): Promise<GatheredBlock> {
    await this.#refresh(tx)
    const traps = block.filter((incoming) => incoming.kind === 'trap')
    const senders = await this.#devices.gather(tx, traps.map(senderOf))
    const refused = await this.#devices.find(tx, this.refusedSenders.addressesOf(block))
    const ownMeanings = new Map<Incoming, TrapMeaning>()
    for (const trap of traps) {
      const device = senders.find(senderOf(trap))
      if (typeof device !== 'string') ownMeanings.set(trap, meaningOf(trap, device, this.#catalog))
    }
    this.#hearsMessages ||= traps.some(({ message }) => message !== undefined)
    const named = await NamedFaults.gather(tx, this.#hearsMessages ? ownMeanings.values() : [])
    const meanings = named.resolveAll(ownMeanings)
    const perDevice = trapsByDevice(meanings.values())
    const hasUnknown = meanings.values().some(({ event }) => !event)
    // These reads do not depend on each other.
    const [flapping, unknownLimit, openLimit, trapIds, lateFaults, reported] = await Promise.all([
      this.#flapping.gather(tx, changes),
      this.#unknownAlarms.gather(tx, changes, perDevice, hasUnknown),
      this.#openCounts.gather(tx, perDevice),
      TrapIds.gather(tx),
      LateFaults.gather(tx, this.#database, meanings.values()),
      ReportedFaults.gather(tx, this.#reportedBothWays(traps), meanings.values(), named.shared),
    ])
    const rejected = block.filter((incoming) => incoming.kind === 'rejected')
    const limits = { flapping, unknownLimit, openLimit }
    await changes.gather(alarmsToGather([...meanings.values()], rejected, limits))
    const { unknownTraps } = this.#settings
    const rules = { rules: this.#rules, hits: new Hits('rule') }
    const found = { senders, refused, trapIds, meanings, named }
    return { changes, ...limits, lateFaults, reported, unknownTraps, ...rules, ...found }
  }

  /** Events that traps and messages report, if messages are received. What was found by asking is no turn of either. */
  #reportedBothWays(traps: readonly IncomingTrap[]): ReadonlySet<string> {
    if (!this.#hearsMessages || traps.some(({ found }) => found !== undefined)) return new Set()
    const { shared } = this.#catalog
    return shared.size === 0 ? this.#sharedEvents : this.#sharedEvents.union(shared)
  }

  #decide(incoming: Incoming, gathered: GatheredBlock): ProcessedTrap {
    const trapId = gathered.trapIds.take(incoming)
    if (incoming.kind === 'rejected') {
      processStorm(incoming, gathered)
      return { ...incoming, trapId }
    }
    const meaning = gathered.meanings.get(incoming)
    if (meaning) return { ...processTrap(meaning, gathered, trapId), trapId }
    return { outcome: 'refused', reason: String(gathered.senders.find(senderOf(incoming))), trapId }
  }

  async #write(
    tx: Transaction,
    gathered: GatheredBlock,
    block: readonly Incoming[],
    processed: readonly ProcessedTrap[],
    page: LedgerPage,
  ): Promise<void> {
    await this.#writeChanges(tx, gathered)
    await storeTraps(tx, block, processed)
    for (const [index, incoming] of block.entries()) page.add(incoming, processed[index] as ProcessedTrap)
    await page.write(tx)
  }

  async #writeChanges(
    tx: Transaction,
    { senders, changes, flapping, unknownLimit, lateFaults, named, reported, hits, meanings }: GatheredBlock,
  ): Promise<void> {
    await senders.write()
    await changes.write()
    await flapping.write()
    await unknownLimit.write(tx)
    await lateFaults.write(tx)
    await named.write(tx)
    await reported.write(tx)
    await hits.write(tx)
    await this.#catalog.keepUsed(
      tx,
      meanings.values().map(({ event }) => event),
    )
  }

  #count(page: LedgerPage): void {
    for (const { outcome, reason, n } of page.lines()) {
      this.outcomes.set(outcome, (this.outcomes.get(outcome) ?? 0) + n)
      if (outcome === 'collapsed')
        this.collapsedByReason.set(reason, (this.collapsedByReason.get(reason) ?? 0) + n)
      if (reason === tooManyDevices) this.overDeviceLimit += n
    }
  }

  /** Ends the flapping of alarms that have been quiet. Called periodically. */
  async endQuietFlapping(now: number): Promise<void> {
    if (!(await this.#flapping.hasQuiet(now))) return
    await this.asLeader.change(async (changes, tx) => {
      const flapping = await this.#flapping.gather(tx, changes)
      await changes.gather(flapping.alarmsToEnd())
      flapping.endQuiet()
      await flapping.write()
    })
  }

  /** Raises faults that were held back, and of which no end was reported meanwhile. Called periodically. */
  async raiseHeldFaults(now: number): Promise<void> {
    if (!(await hasDueFaults(this.#database, now))) return
    await this.asLeader.change(async (changes, tx) =>
      raiseHeld(tx, changes, await this.#flapping.gather(tx, changes)),
    )
  }

  /** Pushes alarms that are no longer suppressed, and ends expired shelves and acknowledgements. Called periodically. */
  releaseSuppressed(now: number, isOver = () => false): Promise<void> {
    return this.#release.run(now, isOver)
  }

  /** Changes alarms in one transaction, and wakes the readers of the log if it has grown. */
  change<T>(work: ChangeFunction<T>, actor?: Actor, turn?: TransactionOptions): Promise<T> {
    return this.#change(this.#database, work, actor, turn)
  }

  async #change<T>(
    database: Database,
    work: ChangeFunction<T>,
    actor?: Actor,
    turn?: TransactionOptions,
  ): Promise<T> {
    let hasLogEntries = false
    const result = await database.transaction(
      async (tx) => {
        const open = this.#openAlarms.begin(tx)
        const changes = await AlarmChanges.begin({
          tx,
          texts: this.#texts,
          deviceViews: this.#deviceViews,
          suppression: this.#suppression,
          open,
          uplinks: this.#uplinks,
          causeWait: this.#settings.causeWaitSeconds * 1000,
        })
        const result = await work(changes, tx)
        await changes.write()
        hasLogEntries = changes.hasLogEntries
        return result
      },
      actor,
      turn,
    )
    if (hasLogEntries) this.#logSignal.notify()
    return result
  }

  readonly filtersServiceAlarm: ServiceAlarmFilter = async (draft, tx) => {
    await this.#refreshQueue.run(() => this.#rules.refresh(tx))
    const hits = new Hits('rule')
    const filters = filtersServiceAlarm(draft, { rules: this.#rules, hits })
    await hits.write(tx)
    return filters
  }
}
