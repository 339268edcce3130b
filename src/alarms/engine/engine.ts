// Turns traps into alarms, a block at a time and inside one transaction: it gathers what the block needs, decides in
// memory what becomes of each trap, writes all of it, and then counts it.

import { EventCatalog } from '../../events/event-catalog.ts'
import { MibLibrary } from '../../events/mib-library.ts'
import type { AlarmTexts } from '../../resources/alarms/alarm.ts'
import { Hits } from '../../resources/alarms/hits.ts'
import { RuleBook } from '../../rules/rule-book.ts'
import { ZoneTime } from '../../rules/zone-time.ts'
import {
  type Actor,
  type Database,
  type Reader,
  SerialQueue,
  type Transaction,
} from '../../store/database.ts'
import { Uplinks } from '../causes/uplinks.ts'
import { Flapping, type FlapSettings } from '../limits/flapping.ts'
import type { OpenLimits } from '../limits/limit-with-summary.ts'
import { OpenCounts } from '../limits/open-limits.ts'
import { UnknownAlarms } from '../limits/unknown-events.ts'
import type { LogSignal } from '../log/log-signal.ts'
import { OpenAlarms } from '../open/open-alarms.ts'
import { Release } from '../work/release.ts'
import { Suppression } from '../work/suppression.ts'
import { AlarmChanges } from './alarm-changes.ts'
import type { AlarmDraft } from './alarm-draft.ts'
import {
  DeviceDirectory,
  type SenderDevices,
  tooManyDevices,
  type UnknownSenders,
} from './device-directory.ts'
import { DeviceViews } from './device-views.ts'
import { collapseReasons, type Incoming, type IncomingTrap, type Outcome, outcomes } from './incoming.ts'
import { keepTraps, type ProcessedTrap, TrapNumbers } from './kept-traps.ts'
import { type Meaning, meaningOf } from './meaning.ts'
import { LateFaults } from './overtaking.ts'
import {
  type BlockContext,
  filtersServiceAlarm,
  processStorm,
  processTrap,
  wantedBy,
} from './process-trap.ts'
import { LedgerPage } from './trap-ledger.ts'

export interface EngineSettings extends UnknownSenders {
  /** The time zone in which the validity of trap rules is evaluated. */
  readonly timeZone: string
  readonly unknownTraps: 'alarm' | 'store'
  readonly flapping: FlapSettings
  readonly unknownAlarms: OpenLimits
  /** How long a cause may come later than its consequences. */
  readonly causeWaitSeconds: number
  readonly openAlarms: OpenLimits
}

type Block = readonly Incoming[]

/** What else follows from the traps of a block; it is written in the same transaction. */
export type Observer = (changes: AlarmChanges, tx: Transaction, meanings: readonly Meaning[]) => Promise<void>

/** A block with all that is needed to process it. */
interface Gathered extends BlockContext {
  readonly senders: SenderDevices
  readonly numbers: TrapNumbers
  /** Of each trap whose sender is not refused. */
  readonly meanings: ReadonlyMap<Incoming, Meaning>
}

type Work<T> = (changes: AlarmChanges, tx: Transaction) => Promise<T>

/** What is needed to raise alarms of the service itself. */
export interface AlarmChanger {
  change<T>(work: Work<T>): Promise<T>
  filtersServiceAlarm(draft: AlarmDraft, tx: Transaction): Promise<boolean>
}

/**
 * The same database for two purposes, where several services use it: for what only the leader does, and for what
 * any node may be asked for.
 */
export interface SharedStore {
  readonly fenced: Database
  readonly placed: Database
}

export class AlarmEngine implements AlarmChanger {
  readonly #database: Database
  readonly #logSignal: LogSignal
  readonly #words: AlarmTexts
  readonly #places: DeviceViews
  readonly #suppression: Suppression
  readonly #ways: Uplinks
  readonly #settings: EngineSettings
  readonly #catalog: EventCatalog
  /** The modules by which traps are read: rules and lists use the same ones. */
  readonly modules: MibLibrary
  readonly #directory: DeviceDirectory
  readonly #open: OpenAlarms
  readonly #rules: RuleBook
  readonly #refreshing = new SerialQueue()
  readonly #flapping: Flapping
  readonly #release: Release
  readonly #unknown: UnknownAlarms
  #consequence: Observer | undefined
  readonly #counts: OpenCounts
  /** How many datagrams ended in each bin since the start. */
  readonly outcomes = new Map<Outcome, number>(outcomes.map((bin) => [bin, 0]))
  /** Of those that are collapsed: why. */
  readonly summarised = new Map<string, number>(collapseReasons.map((reason) => [reason, 0]))
  /** How many traps were refused because no more devices are registered. */
  overDeviceLimit = 0
  /** Changes that the leader makes by itself; elsewhere they are refused. */
  readonly asLeader: AlarmChanger

  constructor(
    database: Database,
    logSignal: LogSignal,
    words: AlarmTexts,
    settings: EngineSettings,
    { fenced = database, placed = database }: Partial<SharedStore> = {},
  ) {
    this.#database = placed
    this.asLeader = {
      change: (work) => this.#change(fenced, work),
      filtersServiceAlarm: (draft, tx) => this.filtersServiceAlarm(draft, tx),
    }
    this.#logSignal = logSignal
    this.#words = words
    const zone = new ZoneTime(settings.timeZone)
    this.#places = new DeviceViews(database)
    this.#suppression = new Suppression(database, zone)
    this.#ways = new Uplinks(database)
    this.#settings = settings
    this.modules = new MibLibrary(database)
    this.#catalog = new EventCatalog(database, this.modules)
    this.#open = new OpenAlarms(database)
    this.#flapping = new Flapping(database, settings.flapping)
    this.#release = new Release((work) => this.asLeader.change(work), this.#suppression, database)
    this.#unknown = new UnknownAlarms(database, settings.unknownAlarms)
    this.#counts = new OpenCounts(settings.openAlarms)
    this.#rules = new RuleBook(database, zone)
    this.#directory = new DeviceDirectory(database, settings)
  }

  /** Returns the bin of each, in order, once all of it is on disk; `also` writes what belongs to the block. */
  async handle(
    block: Block,
    also?: (tx: Transaction, bins: readonly Outcome[]) => Promise<void>,
  ): Promise<Outcome[]> {
    const page = new LedgerPage()
    const processed = await this.asLeader.change(async (changes, tx) => {
      const gathered = await this.#gather(tx, changes, block)
      const outcomes = block.map((incoming) => this.#decide(incoming, gathered))
      await this.#write(tx, gathered, block, outcomes, page)
      await this.#consequence?.(changes, tx, [...gathered.meanings.values()])
      await also?.(
        tx,
        outcomes.map(({ outcome }) => outcome),
      )
      return outcomes
    })
    this.#count(page)
    return processed.map(({ outcome }) => outcome)
  }

  /** Reads what has changed in definitions, modules and rules: a node that is to process has them already. */
  prepare(): Promise<void> {
    return this.#refresh(this.#database)
  }

  /** Not two at once: one that began earlier must not come last. */
  #refresh(reader: Reader): Promise<void> {
    return this.#refreshing.run(async () => {
      await this.#catalog.refresh(reader)
      await this.#rules.refresh(reader)
    })
  }

  async #gather(tx: Transaction, changes: AlarmChanges, block: Block): Promise<Gathered> {
    await this.#refresh(tx)
    const traps = block.filter((incoming) => incoming.kind === 'trap')
    const senders = await this.#directory.gather(tx, traps.map(senderOf))
    const meanings = new Map<Incoming, Meaning>()
    for (const trap of traps) {
      const device = senders.of(senderOf(trap))
      if (typeof device !== 'string') meanings.set(trap, meaningOf(trap, device, this.#catalog))
    }
    const perDevice = trapsByDevice(meanings.values())
    const isMet = meanings.values().some(({ event }) => !event)
    // Those that need nothing of each other are asked for at once.
    const [flaps, unknown, counts, numbers, overtaking] = await Promise.all([
      this.#flapping.gather(tx, changes),
      this.#unknown.gather(tx, changes, perDevice, isMet),
      this.#counts.gather(tx, perDevice),
      TrapNumbers.gather(tx),
      LateFaults.gather(tx, this.#database, meanings.values()),
    ])
    const rejected = block.filter((incoming) => incoming.kind === 'rejected')
    await changes.gather(wantedBy([...meanings.values()], rejected, { flaps, unknown, counts }))
    const { unknownTraps } = this.#settings
    const rules = { rules: this.#rules, hits: new Hits('rule') }
    const context = { changes, flaps, unknown, counts, overtaking, unknownTraps, ...rules }
    return { ...context, senders, numbers, meanings }
  }

  #decide(incoming: Incoming, gathered: Gathered): ProcessedTrap {
    const trapId = gathered.numbers.take(incoming)
    if (incoming.kind === 'rejected') {
      processStorm(incoming, gathered)
      return { ...incoming, trapId }
    }
    const meaning = gathered.meanings.get(incoming)
    if (meaning) return { ...processTrap(meaning, gathered, trapId), trapId }
    return { outcome: 'refused', reason: String(gathered.senders.of(senderOf(incoming))), trapId }
  }

  async #write(
    tx: Transaction,
    { senders, changes, flaps, unknown, overtaking, hits }: Gathered,
    block: Block,
    processed: readonly ProcessedTrap[],
    page: LedgerPage,
  ): Promise<void> {
    await senders.write()
    await changes.write()
    await flaps.write()
    await unknown.write(tx)
    await overtaking.write(tx)
    await hits.write(tx)
    await keepTraps(tx, block, processed)
    for (const [index, incoming] of block.entries()) page.add(incoming, processed[index] as ProcessedTrap)
    await page.write(tx)
  }

  #count(page: LedgerPage): void {
    for (const { bin, reason, n } of page.lines()) {
      this.outcomes.set(bin, (this.outcomes.get(bin) ?? 0) + n)
      if (bin === 'collapsed') this.summarised.set(reason, (this.summarised.get(reason) ?? 0) + n)
      if (reason === tooManyDevices) this.overDeviceLimit += n
    }
  }

  /** Sets what else follows from traps. */
  set consequence(consequence: Observer) {
    this.#consequence = consequence
  }

  /** Ends the flapping of alarms that have been quiet. Called now and then. */
  async endQuietFlapping(now: number): Promise<void> {
    if (!(await this.#flapping.someAreOver(now))) return
    await this.asLeader.change(async (changes, tx) => {
      const flaps = await this.#flapping.gather(tx, changes)
      await changes.gather(flaps.wantedToEnd())
      flaps.endQuiet()
      await flaps.write()
    })
  }

  /** Pushes what is no longer held back, and ends shelves and acknowledgements. Called now and then. */
  releaseHeld(now: number, isOver = () => false): Promise<void> {
    return this.#release.run(now, isOver)
  }

  /** Runs changes of alarms in a transaction of their own and rings when the log has grown. */
  change<T>(work: Work<T>, actor?: Actor): Promise<T> {
    return this.#change(this.#database, work, actor)
  }

  #change<T>(database: Database, work: Work<T>, actor?: Actor): Promise<T> {
    return database.transaction(async (tx) => {
      const open = this.#open.begin(tx)
      const changes = await AlarmChanges.begin({
        tx,
        words: this.#words,
        views: this.#places,
        suppression: this.#suppression,
        open,
        uplinks: this.#ways,
        causeWait: this.#settings.causeWaitSeconds * 1000,
      })
      tx.afterCommit(() => {
        if (changes.hasLogEntries) this.#logSignal.notify()
      })
      const done = await work(changes, tx)
      await changes.write()
      return done
    }, actor)
  }

  /** Whether a trap rule filters an alarm of the service itself. */
  async filtersServiceAlarm(draft: AlarmDraft, tx: Transaction): Promise<boolean> {
    await this.#refreshing.run(() => this.#rules.refresh(tx))
    const hits = new Hits('rule')
    const filters = filtersServiceAlarm(draft, { rules: this.#rules, hits })
    await hits.write(tx)
    return filters
  }
}

/** The address of the device that the notification is about. */
const senderOf = ({ agentIp, sourceIp }: IncomingTrap) => agentIp ?? sourceIp

function trapsByDevice(meanings: Iterable<Meaning>): Map<bigint, number> {
  const traps = new Map<bigint, number>()
  for (const { device } of meanings) traps.set(device.id, (traps.get(device.id) ?? 0) + 1)
  return traps
}
