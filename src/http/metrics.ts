// What the service reports about itself at /metrics, in the text form of Prometheus.

import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { openByLevel } from '../alarms/overview.ts'
import { countWaiting, type WaitingCount } from '../intake/blocks.ts'
import type { Node } from '../nodes/node.ts'
import type { Services } from './call.ts'

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
    watchTraps(services, this.registry)
    watchPush(services, this.registry)
    watchTerminals(services, this.registry)
    if (services.node) watchNodes(services.node, services.database, this.registry)
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

function watchTerminals({ terminals }: Services, registry: Registry): void {
  new Counter({
    name: 'belfry_terminal_sightings_lost_total',
    help: 'Sightings of terminals that were not noted because too many waited to be settled',
    registers: [registry],
    collect() {
      this.reset()
      this.inc(terminals.lost)
    },
  })
}

/** Event streams and their clients. */
function watchPush({ push }: Services, registry: Registry): void {
  const registers = [registry]
  const { counts } = push
  new Gauge({
    name: 'belfry_push_clients',
    help: 'Event streams that are open',
    registers,
    collect() {
      this.set(push.open)
    },
  })
  const totals = {
    belfry_push_delivered_total: {
      help: 'Alarm documents written to event streams',
      read: () => counts.delivered,
    },
    belfry_push_cut_total: {
      help: 'Event streams cut because their client took nothing',
      read: () => counts.cut,
    },
    belfry_push_gaps_total: { help: 'Gaps reported to clients', read: () => counts.gaps },
  }
  for (const [name, { help, read }] of Object.entries(totals)) {
    new Counter({
      name,
      help,
      registers,
      collect() {
        this.reset()
        this.inc(read())
      },
    })
  }
  const lags = {
    belfry_push_lag_entries: {
      help: 'Entries of the alarm log that a registered client is behind',
      field: 'lag',
    },
    belfry_push_lag_seconds: {
      help: 'Age of the oldest entry a registered client has not got',
      field: 'lagSeconds',
    },
  } as const
  for (const [name, { help, field }] of Object.entries(lags)) {
    new Gauge({
      name,
      help,
      labelNames: ['uuid'],
      registers,
      async collect() {
        this.reset()
        for (const client of await push.clients()) {
          if (client.uuid !== '') this.set({ uuid: client.uuid }, Number(client[field]))
        }
      },
    })
  }
}

/** Of several services on one store: what waits to be settled, and who settles. */
function watchNodes(node: Node, database: Services['database'], registry: Registry): void {
  const registers = [registry]
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read())
      },
    })
  gauge('belfry_node_settles', 'Whether this node settles', () => (node.settles ? 1 : 0))
  gauge('belfry_node_term', 'The term of the node that settles, as this node knows it', () =>
    Number(node.settler?.term ?? 0n),
  )
  gauge(
    'belfry_node_clock_offset_seconds',
    "How far the clock of this node is ahead of the store's",
    () => node.membership.offset / 1000,
  )
  const waiting = (name: string, help: string, read: (one: WaitingCount) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ['node'],
      registers,
      async collect() {
        this.reset()
        this.set({ node: node.name }, 0)
        for (const one of await countWaiting(database)) this.set({ node: one.node }, read(one))
      },
    })
  waiting(
    'belfry_intake_blocks_waiting',
    'Blocks that a node has received and nobody has settled',
    ({ blocks }) => blocks,
  )
  waiting(
    'belfry_intake_oldest_seconds',
    'How long the oldest block of a node has waited',
    ({ age }) => age / 1000,
  )
}

/** Traps and alarms: read from their counters at each scrape. */
function watchTraps({ engine, receiver, database }: Services, registry: Registry): void {
  const registers = [registry]
  new Counter({
    name: 'belfry_traps_received_total',
    help: 'Datagrams taken from the trap socket since the start',
    registers,
    collect() {
      this.reset()
      this.inc(receiver.received)
    },
  })
  new Counter({
    name: 'belfry_traps_binned_total',
    help: 'Datagrams settled since the start, by the bin they ended in',
    labelNames: ['bin'],
    registers,
    collect() {
      this.reset()
      for (const [bin, n] of engine.binned) this.inc({ bin }, n)
    },
  })
  new Counter({
    name: 'belfry_traps_collapsed_total',
    help: 'Datagrams in the bin collapsed since the start, by reason',
    labelNames: ['reason'],
    registers,
    collect() {
      this.reset()
      for (const [reason, n] of engine.collapsed) this.inc({ reason }, n)
    },
  })
  new Gauge({
    name: 'belfry_trap_storms',
    help: 'Senders of traps that storm now; all of them together count as one more',
    registers,
    collect() {
      this.set(receiver.storms.length)
    },
  })
  new Counter({
    name: 'belfry_trap_socket_drops_total',
    help: 'Datagrams that the kernel dropped because the trap socket was full',
    registers,
    collect() {
      this.reset()
      this.inc(receiver.kernelDrops() ?? 0)
    },
  })
  watchAlarms(database, registers)
}

/** Open alarms, and those of them that are held back. */
function watchAlarms(database: Services['database'], registers: Registry[]): void {
  const byLevel = (name: string, help: string, isHeldBack: boolean) =>
    new Gauge({
      name,
      help,
      labelNames: ['level'],
      registers,
      async collect() {
        const counts = await openByLevel(database, isHeldBack)
        for (const level of [1, 2, 3, 4, 5]) this.set({ level }, counts.get(level) ?? 0)
      },
    })
  byLevel('belfry_alarms_open', 'Alarms that are not recovered, by level', false)
  byLevel(
    'belfry_alarms_suppressed',
    'Alarms that are not recovered and held back, by level: a part of belfry_alarms_open',
    true,
  )
}
