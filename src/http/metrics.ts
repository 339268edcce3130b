// The metrics of the service at /metrics, in the text format of Prometheus.

import { stat, statfs } from 'node:fs/promises'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { openByLevel } from '../alarms/open/overview-figures.ts'
import { countWaiting, type WaitingCount } from '../cluster/blocks/block-table.ts'
import type { Node } from '../cluster/nodes/node.ts'
import { ledgerTotals } from '../notify/routes/ledger.ts'
import type { Client } from '../push/push.ts'
import { type OutgoingHeartbeat, readOutgoingHeartbeats } from '../resources/notify/outgoing-heartbeat.ts'
import { readCounter } from '../store/counter.ts'
import { storeFilesIn } from '../store/data-folder.ts'
import type { Services } from './call.ts'
import { lastBackup } from './handlers/store-handlers.ts'

interface Answers {
  readonly labels: { method: string; route: string; status: number }
  count: number
}

export class Metrics {
  // A registry of its own per service: tests start several in one process.
  readonly registry = new Registry()
  readonly #requests = new Counter({
    name: 'belfry_http_requests_total',
    help: 'HTTP requests answered',
    labelNames: ['method', 'route', 'status'],
    registers: [this.registry],
    collect: () => this.#handOver(),
  })
  /** Answers since the last scrape, by route, method and status: finding a labelled counter is slow, a sum is not. */
  readonly #answered = new Map<string, Answers>()
  readonly #seconds = new Histogram({
    name: 'belfry_http_request_seconds',
    help: 'Time from the first byte of a request to the last of its answer',
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10],
    registers: [this.registry],
  })
  readonly connections = new Gauge({
    name: 'belfry_http_connections',
    help: 'Open HTTP connections',
    registers: [this.registry],
  })
  readonly refusedConnections = new Counter({
    name: 'belfry_http_connections_refused_total',
    help: 'Connections refused because their address held too many',
    registers: [this.registry],
  })

  constructor(services: Services) {
    const scraped = new ScrapedMetrics(this.registry)
    watchTraps(services, scraped)
    watchAlarms(services, scraped)
    watchPush(services, scraped)
    watchTerminals(services, scraped)
    watchNotifications(services, scraped)
    watchStore(services, scraped)
    if (services.node) watchNodes(services.node, services.database, scraped)
    collectDefaultMetrics({ register: this.registry, prefix: 'belfry_' })
    const info = new Gauge({
      name: 'belfry_info',
      help: 'The version that runs',
      labelNames: ['version'],
      registers: [this.registry],
    })
    info.set({ version: services.version }, 1)
  }

  answered(method: string, route: string, status: number, milliseconds: number): void {
    const key = `${method} ${status} ${route}`
    const known = this.#answered.get(key)
    if (known) known.count += 1
    else this.#answered.set(key, { labels: { method, route, status }, count: 1 })
    this.#seconds.observe(milliseconds / 1000)
  }

  #handOver(): void {
    for (const { labels, count } of this.#answered.values()) this.#requests.inc(labels, count)
    this.#answered.clear()
  }
}

type Labelled = Iterable<readonly [label: string | number, value: number]>

/** Metrics whose values are kept elsewhere, and are read at each scrape. */
class ScrapedMetrics {
  readonly #registers: Registry[]

  constructor(registry: Registry) {
    this.#registers = [registry]
  }

  counter(name: string, help: string, read: () => number): void {
    new Counter({
      name,
      help,
      registers: this.#registers,
      collect() {
        this.reset()
        this.inc(read())
      },
    })
  }

  /** A counter for each value of a label. */
  counters(name: string, help: string, label: string, read: () => Labelled): void {
    new Counter({
      name,
      help,
      labelNames: [label],
      registers: this.#registers,
      collect() {
        this.reset()
        for (const [value, n] of read()) this.inc({ [label]: value }, n)
      },
    })
  }

  gauge(name: string, help: string, read: () => number | Promise<number>): void {
    new Gauge({
      name,
      help,
      registers: this.#registers,
      async collect() {
        this.set(await read())
      },
    })
  }

  /** A gauge for each value of a label. */
  gauges(name: string, help: string, label: string, read: () => Promise<Labelled>): void {
    new Gauge({
      name,
      help,
      labelNames: [label],
      registers: this.#registers,
      async collect() {
        const values = await read()
        this.reset()
        for (const [value, n] of values) this.set({ [label]: value }, n)
      },
    })
  }
}

function watchTerminals({ terminals }: Services, metrics: ScrapedMetrics): void {
  metrics.counter(
    'belfry_terminal_sightings_lost_total',
    'Sightings of terminals that were dropped because too many waited to be processed',
    () => terminals.lost,
  )
}

function watchNotifications({ database }: Services, scraped: ScrapedMetrics): void {
  scraped.gauges(
    'belfry_notifications',
    'Rows of the ledger of notifications, ever, by their outcome',
    'outcome',
    async () => ledgerTotals(database),
  )
  scraped.gauges(
    'belfry_outgoing_heartbeats',
    'Heartbeats that the service sends, by whether the last attempt was delivered, failed, or is still to come',
    'state',
    async () => countStates(await readOutgoingHeartbeats(database)),
  )
}

function countStates(known: readonly OutgoingHeartbeat[]): Map<string, number> {
  const states = new Map<string, number>([
    ['delivered', 0],
    ['failing', 0],
    ['waiting', 0],
  ])
  for (const { enabled, attemptTime, failingSince } of known) {
    if (!enabled) continue
    const state = attemptTime === 0 ? 'waiting' : failingSince > 0 ? 'failing' : 'delivered'
    states.set(state, (states.get(state) ?? 0) + 1)
  }
  return states
}

/** Where the store is in the folder: its size, and the newest backup; PostgreSQL has figures of its own. */
function watchStore({ config, database }: Services, metrics: ScrapedMetrics): void {
  metrics.gauge(
    'belfry_data_free_bytes',
    'Free space of the file system that holds the data folder',
    async () => {
      const { bavail, bsize } = await statfs(config.data)
      return bavail * bsize
    },
  )
  if (database.kind !== 'sqlite') return
  metrics.gauge('belfry_store_bytes', 'Size of the store, its journal included', async () => {
    const sizes = await Promise.all(
      storeFilesIn(config.data).map((file) =>
        stat(file).then(
          ({ size }) => size,
          () => 0,
        ),
      ),
    )
    return sizes.reduce((sum, size) => sum + size, 0)
  })
  metrics.gauge(
    'belfry_backup_time_seconds',
    'When the newest backup was made, in seconds since 1970; 0 where there is none',
    async () => Number((await readCounter(database, lastBackup)) ?? 0n) / 1000,
  )
}

/** Event streams and their clients. */
function watchPush({ push }: Services, metrics: ScrapedMetrics): void {
  const { counts } = push
  metrics.gauge('belfry_push_clients', 'Event streams that are open', () => push.open)
  metrics.counter(
    'belfry_push_delivered_total',
    'Alarm documents written to event streams',
    () => counts.delivered,
  )
  metrics.counter(
    'belfry_push_cut_total',
    'Event streams cut because their client did not read',
    () => counts.cut,
  )
  metrics.counter('belfry_push_gaps_total', 'Gaps reported to clients', () => counts.gaps)
  const ofEach = async (value: (client: Client) => number): Promise<Labelled> => {
    const registered = (await push.clients()).filter(({ uuid }) => uuid !== '')
    return registered.map((client) => [client.uuid, value(client)])
  }
  metrics.gauges(
    'belfry_push_lag_entries',
    'Entries of the alarm log that a registered client is behind',
    'uuid',
    () => ofEach(({ lag }) => Number(lag)),
  )
  metrics.gauges(
    'belfry_push_lag_seconds',
    'Age of the oldest entry that a registered client has not received',
    'uuid',
    () => ofEach(({ lagSeconds }) => Number(lagSeconds)),
  )
}

/** Of several services on one store: what waits to be processed, and who processes. */
function watchNodes(node: Node, database: Services['database'], metrics: ScrapedMetrics): void {
  metrics.gauge('belfry_node_settles', 'Whether this node is the leader', () => (node.isLeader ? 1 : 0))
  metrics.gauge('belfry_node_term', 'The term of the leader, as this node knows it', () =>
    Number(node.leader?.term ?? 0n),
  )
  metrics.gauge(
    'belfry_node_clock_offset_seconds',
    "How far the clock of this node is ahead of the store's",
    () => node.membership.offset / 1000,
  )
  // This node is listed also where nothing of it waits.
  const ofEach = async (value: (waiting: WaitingCount) => number): Promise<Labelled> => {
    const waiting = await countWaiting(database)
    return [[node.name, 0], ...waiting.map((one) => [one.node, value(one)] as const)]
  }
  metrics.gauges(
    'belfry_intake_blocks_waiting',
    'Blocks that a node has received and nobody has processed',
    'node',
    () => ofEach(({ blocks }) => blocks),
  )
  metrics.gauges(
    'belfry_intake_oldest_seconds',
    'How long the oldest block of a node has waited',
    'node',
    () => ofEach(({ age }) => age / 1000),
  )
}

function watchTraps({ engine, receiver }: Services, metrics: ScrapedMetrics): void {
  metrics.counter(
    'belfry_traps_received_total',
    'Datagrams taken from the trap socket since the start',
    () => receiver.received,
  )
  metrics.counters(
    'belfry_traps_binned_total',
    'Datagrams processed since the start, by the bin they ended in',
    'bin',
    () => engine.outcomes,
  )
  metrics.counters(
    'belfry_traps_collapsed_total',
    'Datagrams in the bin collapsed since the start, by reason',
    'reason',
    () => engine.collapsedByReason,
  )
  metrics.gauge(
    'belfry_trap_storms',
    'Senders of traps that storm now; all of them together count as one more',
    () => receiver.storms.length,
  )
  metrics.counter(
    'belfry_trap_socket_drops_total',
    'Datagrams that the kernel dropped because the trap socket was full',
    () => receiver.kernelDrops() ?? 0,
  )
  metrics.counter(
    'belfry_syslog_socket_drops_total',
    'Syslog messages that the kernel dropped because their socket was full',
    () => receiver.messageDrops() ?? 0,
  )
  metrics.gauge(
    'belfry_syslog_connections',
    'Connections over TCP and TLS that send syslog messages',
    () => receiver.syslog?.figures.connections ?? 0,
  )
  metrics.counter(
    'belfry_syslog_cut_messages_total',
    'Syslog messages over TCP and TLS that were longer than 64 KiB, and were cut',
    () => receiver.syslog?.figures.cut ?? 0,
  )
}

/** Open alarms, and those of them that are held back. */
function watchAlarms({ database }: Services, metrics: ScrapedMetrics): void {
  const byLevel = async (part: 'count' | 'heldBack'): Promise<Labelled> => {
    const counts = new Map((await openByLevel(database)).map((one) => [one.alarmLevel, one[part]]))
    return [1, 2, 3, 4, 5].map((level) => [level, counts.get(level) ?? 0])
  }
  metrics.gauges('belfry_alarms_open', 'Alarms that are not recovered, by level', 'level', () =>
    byLevel('count'),
  )
  metrics.gauges(
    'belfry_alarms_suppressed',
    'Alarms that are not recovered and held back, by level: a part of belfry_alarms_open',
    'level',
    () => byLevel('heldBack'),
  )
}
