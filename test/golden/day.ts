// A recorded day of notifications: drawn by a seed, read and processed as the service does it, with a clock that is set by
// hand. Two nights, in which the clocks of the time zone change, with everything that may happen to alarms.

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { pino } from 'pino'
import { applyAction } from '../../src/alarms/actions/operator-actions.ts'
import { AlarmEngine } from '../../src/alarms/engine/engine.ts'
import { lastEntryNumber, openEpoch } from '../../src/alarms/log/epochs.ts'
import { LogSignal } from '../../src/alarms/log/log-signal.ts'
import { readParameters } from '../../src/http/call.ts'
import { StreamOutlet } from '../../src/http/wire/stream-outlet.ts'
import type { Datagram } from '../../src/intake/datagram-block.ts'
import { Intake } from '../../src/intake/intake.ts'
import { AllowedSenders, Batch, TrapReader, tallied } from '../../src/intake/trap-reader.ts'
import { Push, type StreamForm } from '../../src/push/push.ts'
import { AlarmTexts } from '../../src/resources/alarms/alarm.ts'
import { maintenances } from '../../src/resources/alarms/maintenance.ts'
import { trapEvents } from '../../src/resources/alarms/trap-event.ts'
import { trapRules } from '../../src/resources/alarms/trap-rule.ts'
import { create } from '../../src/resources/collection.ts'
import { devices } from '../../src/resources/inventory/device.ts'
import { macAccessBinds } from '../../src/resources/inventory/mac-access-bind.ts'
import { Decoder } from '../../src/snmp/decoder.ts'
import { Usm } from '../../src/snmp/usm.ts'
import type { Database } from '../../src/store/database.ts'
import { Terminals } from '../../src/terminals/terminals.ts'
import { observeMacTraps } from '../../src/terminals/trap-sightings.ts'
import { seedStore } from '../../src/upkeep/seed.ts'
import { StormWatch } from '../../src/upkeep/watches/storm-watch.ts'
import { EventReader } from '../push/reader.ts'
import { eventually } from '../push/station.ts'
import type { TestStore } from '../support.ts'
import { drawDay, gone, nights, type Sent, users } from './notifications.ts'
import { normalised } from './transcript.ts'

/** What clients ask for, and in which form. */
const clients: Readonly<Record<string, { readonly form: StreamForm; readonly query: string }>> = {
  xml: { form: 'xml', query: '' },
  json: { form: 'json', query: '' },
  sse: { form: 'sse', query: 'cursor=true' },
  'json with work': { form: 'json', query: 'changes=true&sendRecovered=true&cursor=true' },
  'xml with work, causes alone': { form: 'xml', query: 'changes=true&causes=true&sendRecovered=true' },
}

export interface Outcome {
  /** By hour: one line per entry of the log. */
  readonly log: ReadonlyMap<string, readonly string[]>
  readonly ledger: string[]
  /** Answers to informs, and reports. */
  readonly replies: string[]
  /** By client: what was pushed. */
  readonly pushed: ReadonlyMap<string, string>
}

const zone = 'Europe/Berlin'
const shownTime = new Intl.DateTimeFormat('sv-SE', {
  timeZone: zone,
  dateStyle: 'short',
  timeStyle: 'medium',
})
const offset = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' })
const hourOf = (at: number) => `${shownTime.format(at).slice(0, 13)} ${offset.format(at).split(' ').at(-1)}`

class Day {
  readonly #database: Database
  readonly #time: { now: number }
  readonly #engine: AlarmEngine
  readonly #push: Push
  readonly #reading: TrapReader
  readonly #intake: Intake
  readonly #storms: StormWatch
  readonly #readers = new Map<string, EventReader>()
  readonly #pushed = new Map<string, string>()
  readonly #replies: string[] = []
  #storming: readonly string[] = []

  constructor(database: Database, time: { now: number }, engine: AlarmEngine, push: Push) {
    this.#database = database
    this.#time = time
    this.#engine = engine
    this.#push = push
    const clock = () => time.now
    const usm = new Usm({
      users,
      engineId: Buffer.from('80001f888000000001', 'hex'),
      engineBoots: 1,
      times: new Map(),
      clock,
      startedAt: time.now,
    })
    const decoder = new Decoder({ communities: ['public', 'branch'], usm })
    const log = pino({ level: 'silent' })
    this.#reading = new TrapReader({
      decoder,
      senders: new AllowedSenders([]),
      kept: [],
      duplicateSeconds: 10,
      log,
    })
    const levels = { engage: 4, rearm: 2 }
    this.#intake = new Intake({ source: levels, overall: { engage: 0, rearm: 0 }, seconds: 10 }, time.now)
    this.#storms = new StormWatch(engine, database, 10)
  }

  async connect(name: string, url: string, query: string): Promise<void> {
    this.#readers.set(name, await EventReader.open(url, query))
  }

  /** What came within a second, then what is done about once a second. */
  async second(sent: readonly Sent[]): Promise<void> {
    const now = this.#time.now
    for (const { from, port = 40_000, bytes } of sent)
      this.#intake.add({ sourceIp: from, port, receivedAt: now, bytes }, now)
    this.#intake.tick(now)
    const report = this.#intake.report()
    if (report) this.#storming = report.storms
    await this.#process(this.#intake.take(500, now), (report?.tallies ?? []).map(tallied))
    await this.#storms.check(() => this.#storming, now)
    await this.#engine.endQuietFlapping(now)
    await this.#engine.releaseSuppressed(now)
    await this.#pushAll()
  }

  async #process(datagrams: readonly Datagram[], counted: Batch['incoming']): Promise<void> {
    const batch = new Batch()
    batch.incoming.push(...counted)
    for (const datagram of datagrams) this.#reading.read(datagram, batch)
    if (batch.incoming.length === 0) return
    const bins = await this.#engine.handle(batch.incoming, (tx) => this.#reading.write(tx))
    for (const { bytes, to } of [...batch.reports, ...batch.answers(bins)])
      this.#replies.push(`${shownTime.format(this.#time.now)} to ${to.sourceIp}: ${bytes.toString('hex')}`)
  }

  /** Everything in the log has been written to everyone, and has arrived. */
  async #pushAll(): Promise<void> {
    const last = await lastEntryNumber(this.#database)
    await eventually(() => this.#push.head === last, 'clients are offered the whole log')
    await this.#push.tick()
    for (let quiet = 0; quiet < 2; quiet += 1) await turn()
  }

  /** Waits until everything that was pushed has arrived. */
  async arrived(): Promise<void> {
    await this.#pushAll()
    const { delivered } = this.#push.counts
    const read = () => [...this.#readers.values()].reduce((all, { documents }) => all + documents.length, 0)
    await eventually(() => read() >= delivered, `${delivered} documents have arrived`)
    for (const [name, reader] of this.#readers) this.#pushed.set(name, normalised(reader.text))
  }

  /** An operator does something with the open alarms of a device. */
  async work(action: 'acknowledge' | 'note' | 'recover', deviceIp: string): Promise<void> {
    const sql = 'select id from alarm where device_ip = ? and rec_status = 0 order by id limit 3'
    for (const { id } of await this.#database.all(sql, [deviceIp]))
      await applyAction(
        this.#engine,
        id as bigint,
        action === 'note' ? { action, note: 'Looked at it' } : { action },
        'anna',
      )
  }

  async outcome(): Promise<Outcome> {
    const entries = await this.#database.all(
      'select number, kind, at, alarm_id, device_ip, alarm_level, cleared, audience, alarm from alarm_log order by number',
    )
    const log = new Map<string, string[]>()
    for (const entry of entries) {
      const { number, kind, alarm_id, device_ip, alarm_level, cleared, audience, alarm } = entry
      const at = Number(entry.at)
      const what = /<alarmDesc>([^<]*)</.exec(String(alarm))?.[1] ?? ''
      const ends = (JSON.parse(String(cleared)) as [string][]).map(([id]) => id)
      const line = [
        ...[
          number,
          shownTime.format(at).slice(11),
          kind,
          `alarm ${alarm_id}`,
          device_ip,
          `level ${alarm_level}`,
        ],
        ...[`to ${audience}:`, what, ...(ends.length > 0 ? [`(ends ${ends.join(', ')})`] : [])],
      ]
      const hour = hourOf(at)
      log.set(hour, [...(log.get(hour) ?? []), line.join(' ')])
    }
    const lines = await this.#database.all(
      'select source_ip, bin, reason, n from trap_source_ledger order by source_ip, bin, reason',
    )
    const ledger = lines.map(({ source_ip, bin, reason, n }) => `${source_ip} ${bin} ${reason} ${n}`)
    return { log, ledger, replies: this.#replies, pushed: this.#pushed }
  }

  async end(): Promise<void> {
    for (const reader of this.#readers.values()) reader.close()
    await this.#push.stop()
  }
}

/** Devices, a binding, definitions, a rule and windows; each by local time. */
async function plant(database: Database): Promise<void> {
  await seedStore(database)
  const interfaces = [7, 8, 9].map((index) => ({
    ifIndex: BigInt(index),
    ifDesc: `Gi0/${index}`,
    basePort: BigInt(index),
  }))
  const core = await create(database, devices, { ip: '10.1.0.1', label: 'core', interfaces })
  for (let index = 2; index <= 12; index += 1) {
    const parent =
      index <= 6 ? [{ deviceId: core, ifIndex: null, parentIfIndex: BigInt(7 + (index % 3)) }] : []
    await create(database, devices, { ip: `10.1.0.${index}`, label: `access-${index}`, interfaces, parent })
  }
  await create(database, macAccessBinds, {
    terminalMac: 'aa:00:00:00:00:01',
    bindType: 2,
    ifInfo: [{ deviceId: 2n, ifIndex: 7n }],
  })
  await create(database, trapEvents, {
    eventOid: gone,
    name: 'unreachable',
    alarmLevel: 1,
    alarmCategory: 2,
    outOfReach: true,
  })
  await create(database, trapEvents, {
    eventOid: `${gone}.1`,
    name: 'reachable',
    alarmLevel: 5,
    alarmCategory: 2,
    recovers: [gone],
  })
  const any = [{ displayName: 'any', devID: 0, trapFilterEventParasInfo: [] }]
  await create(database, trapRules, {
    ...{ trapRuleName: 'logins at night', trapOId: '1.3.6.1.6.3.1.1.5.5', trapGroup: -1 },
    ...{ exectimeType: null, selectedWeekDay: '0,6', startTime: '01:30', endTime: '02:45', trapDevice: any },
  })
  await create(database, maintenances, {
    ...{ name: 'Sundays', selectedWeekDay: '0', startTime: '02:15', endTime: '03:45', device: [3n, 9n] },
  })
}

const terminalSettings = { unknownTerminals: 'reject', alarmHours: 24, keep: 1000, keepDays: 30 } as const

export async function runDay(store: TestStore): Promise<Outcome> {
  const time = { now: nights[0].from }
  const database = await store.openMigrated(() => time.now)
  await plant(database)
  const logSignal = new LogSignal()
  const alarmTexts = new AlarmTexts(database, zone)
  const engine = new AlarmEngine(
    database,
    logSignal,
    alarmTexts,
    {
      timeZone: zone,
      unknownTraps: 'alarm',
      unknownSenders: 'register',
      flapping: { count: 5, seconds: 300, rearmSeconds: 300 },
      deviceLimit: 100,
      unknownAlarms: { perDevice: 4, overall: 20 },
      causeWaitSeconds: 20,
      openAlarms: { perDevice: 20, overall: 200 },
    },
    { observer: observeMacTraps(terminalSettings) },
  )
  await openEpoch(database)
  const log = pino({ level: 'silent' })
  const terminals = new Terminals({ database, engine, log, clock: () => time.now }, terminalSettings)
  const push = await Push.start(
    {
      database,
      logSignal,
      alarmTexts,
      log,
      clock: () => time.now,
      monotonicClock: () => time.now - nights[0].from,
    },
    {
      heartbeatSeconds: 1_000_000,
      imcHeartbeat: false,
      stallSeconds: 1_000_000,
      trustCleanClose: false,
      keepRegistrationsDays: 400,
    },
  )
  const server = createServer((request, response) => {
    const name = decodeURIComponent((request.url ?? '').split('client=')[1] ?? '')
    const { form, query } = clients[name] ?? { form: 'xml', query: '' }
    void push.register({
      outlet: new StreamOutlet(response),
      form,
      parameters: readParameters(query),
      holder: '',
      hasPermission: () => true,
      accepted() {
        response.writeHead(202)
        response.flushHeaders()
      },
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const day = new Day(database, time, engine, push)
  try {
    for (const name of Object.keys(clients))
      await day.connect(name, url, `client=${encodeURIComponent(name)}`)
    for (const { at, sent, work } of drawDay()) {
      time.now = at
      await day.second(sent)
      if (work) await day.work(...work)
    }
    await day.arrived()
    return await day.outcome()
  } finally {
    await day.end()
    await terminals.stop()
    server.closeAllConnections()
    server.close()
  }
}
