// Nodes whose store goes back in time, and what clients saw of it: an alarm is raised again and again, each with a text
// of its own, and clients of every kind follow. What was told before the store went back may be gone, and is told so;
// what was answered afterwards is there, once, and delivered in order.

import assert from 'node:assert/strict'
import { after } from 'node:test'
import { type ServiceProcess, startProcess } from '../acceptance/process.ts'
import { until } from '../intake/sending.ts'
import { record } from '../outcome.ts'
import { EventReader, field } from '../push/reader.ts'
import { sendRequest, temporaryFolder } from '../support.ts'
import type { Cluster } from './cluster.ts'
import { Informs, keptOf, type RunningNode, unlimited } from './under-load.ts'

interface Seen {
  readonly number: number
  readonly id: string
  readonly text: string
}

/** A client that keeps what it is sent, and comes back by its uuid or by its position. */
class Observer {
  readonly uuid: string
  readonly #knows: 'uuid' | 'position'
  /** By connection, in order. */
  readonly seen: Seen[][] = []
  gaps: string[] = []
  position = ''
  #reader: EventReader | undefined

  constructor(uuid: string, knows: 'uuid' | 'position') {
    this.uuid = uuid
    this.#knows = knows
  }

  async connect(url: string): Promise<void> {
    const since = this.#knows === 'position' && this.position !== '' ? `&since=${this.position}` : ''
    const name = this.#knows === 'uuid' ? `&uuid=${this.uuid}` : ''
    await until(`${this.uuid} is connected`, async () => {
      const reader = await EventReader.open(url, `type=11&cursor=true${name}${since}`).catch(() => undefined)
      if (reader?.status !== 202) return false
      this.#reader = reader
      return true
    })
    const connection: Seen[] = []
    this.seen.push(connection)
    if (this.#reader) {
      this.#reader.onDocument = (document) => this.#take(connection, document)
      // What came before we listened.
      for (const document of this.#reader.documents.splice(0)) this.#take(connection, document)
    }
  }

  #take(connection: Seen[], document: string): void {
    if (document.includes('<gap>')) {
      this.gaps.push(field(document, 'reason'))
      this.position = field(document, 'to')
    } else if (field(document, 'id') === '0') this.gaps.push(field(document, 'alarmDesc'))
    else if (document.includes('<alarm>')) {
      this.position = field(document, 'cursor')
      const number = Number(this.position.split(':')[1])
      connection.push({ number, id: field(document, 'id'), text: field(document, 'alarmDesc') })
    }
  }

  get isConnected(): boolean {
    return this.#reader !== undefined && !this.#reader.hasEnded
  }

  get reached(): number {
    return Math.max(0, ...this.seen.flat().map(({ number }) => number))
  }

  leave(): void {
    this.#reader?.reset()
    this.#reader = undefined
  }
}

/** Informs a second, spread over the nodes. */
const informsPerSecond = 40
/** Milliseconds between two questions for health; one that gets no answer within seconds gets none. */
const askEvery = 500
const patience = 5000

export class Observed {
  readonly #addressOf: () => string
  readonly nodes: RunningNode[] = []
  readonly #informs = new Informs(this.nodes)
  /** The last inform that was sent before the store went back: it, and those before it, may be gone. */
  #sentBefore = 0
  /** Questions for health that a node which runs did not answer. */
  #unanswered = 0
  #asking: NodeJS.Timeout | undefined
  readonly observers: Observer[] = []
  /** Texts of alarms that were answered since the store went back. */
  #answered: string[] = []
  #count = 0

  private constructor(addressOf: () => string) {
    this.#addressOf = addressOf
  }

  /** Two nodes, and clients of every kind at the first one, which is the one that will die. */
  static async start(addressOf: () => string): Promise<Observed> {
    const observed = new Observed(addressOf)
    after(() => observed.#end())
    for (const name of ['a', 'b']) {
      const data = temporaryFolder()
      const process = await observed.#spawn(name, data)
      observed.nodes.push({ name, data, process, isUp: true, url: process.url })
    }
    observed.#informs.start(informsPerSecond)
    observed.#asking = setInterval(() => observed.#askHealth(), askEvery)
    for (const [uuid, knows] of [
      ['connected', 'uuid'],
      ['away', 'uuid'],
      ['position', 'position'],
    ] as const) {
      const observer = new Observer(uuid, knows)
      observed.observers.push(observer)
      await observer.connect(observed.node('a').process.url)
    }
    await observed.raise(20)
    return observed
  }

  #spawn(node: string, data: string): Promise<ServiceProcess> {
    return startProcess(data, { ...unlimited, node, store: this.#addressOf(), 'lease-seconds': '2' })
  }

  /** Whatever happens to the store, a node that runs says at once how it is. */
  #askHealth(): void {
    for (const node of this.nodes) {
      const { process, isUp } = node
      if (!isUp) continue
      void fetch(`${process.url}/health`, { signal: AbortSignal.timeout(patience) }).then(
        (answer) => answer.body?.cancel(),
        () => {
          // One that was killed meanwhile has an excuse.
          if (node.isUp && node.process === process) this.#unanswered += 1
        },
      )
    }
  }

  async kill(name: string): Promise<void> {
    const node = this.node(name)
    node.isUp = false
    await node.process.kill()
  }

  node(name: string): RunningNode {
    return this.nodes.find((one) => one.name === name) ?? assert.fail(`no node ${name}`)
  }

  observer(uuid: string): Observer {
    return this.observers.find((one) => one.uuid === uuid) ?? assert.fail(`no client ${uuid}`)
  }

  async restart(name: string): Promise<void> {
    await this.kill(name)
    const node = this.node(name)
    node.process = await this.#spawn(name, node.data)
    node.url = node.process.url
    node.isUp = true
  }

  /** Raises so many alarms at the second node, each until it is answered; returns the milliseconds until the first was. */
  async raise(count: number): Promise<number> {
    const began = performance.now()
    let first: number | undefined
    for (let n = 0; n < count; n += 1) {
      const text = `alarm number ${++this.#count}`
      const body = JSON.stringify({
        OID: `1.3.6.1.4.1.32473.9.${this.#count}`,
        alarmLevel: 3,
        alarmDesc: text,
      })
      const headers = { 'Content-Type': 'application/json' }
      await until('it is answered', async () => {
        const { url } = this.node('b').process
        const answer = await sendRequest(url, 'POST', '/fault/alarm', { headers, body }).catch(
          () => undefined,
        )
        // A repetition of one whose answer was lost is found there.
        return answer?.status === 201 || answer?.status === 200
      })
      first ??= performance.now() - began
      this.#answered.push(text)
    }
    return first ?? 0
  }

  /** More alarms, which those who are connected are sent, and which will be gone; a client registers meanwhile. */
  async goOn(): Promise<void> {
    this.observer('away').leave()
    await this.raise(20)
    const late = new Observer(`late${this.#count}`, 'uuid')
    this.observers.push(late)
    await late.connect(this.node('a').process.url)
    await this.raise(40)
    const last = `alarm number ${this.#count}`
    const told = [this.observer('connected'), this.observer('position'), late]
    await until('clients have seen them', () =>
      told.every(({ seen }) => seen.flat().some(({ text }) => text === last)),
    )
    for (const observer of told) observer.gaps = []
    this.observer('away').gaps = []
  }

  /** From now on everything that is answered must be kept. */
  async wentBack(): Promise<void> {
    this.#answered = []
    this.#sentBefore = this.#informs.count
    for (const observer of this.observers) observer.leave()
  }

  /** Alarms are answered again, clients come back, and everything is checked. */
  async check(cluster: Cluster, database: string, isLossy: boolean, began: number): Promise<void> {
    await this.raise(1)
    const pause = performance.now() - began
    for (const observer of this.observers) await observer.connect(this.node('b').process.url)
    await this.raise(20)
    const wanted = this.#answered.at(-1)
    await until('all clients have the last one', () =>
      this.observers.every(
        ({ seen, isConnected }) => isConnected && seen.flat().some(({ text }) => text === wanted),
      ),
    )
    await this.#informs.process()
    const informs = await keptOf(this.#informs, cluster, { behind: this.#sentBefore, database })
    assert.ok(this.#informs.count > this.#sentBefore, 'informs went on')
    const rows = await cluster.ask(
      'select l.number, a.id, a.alarm_desc as text from alarm_log l join alarm a on a.id = l.alarm_id',
      database,
    )
    const kept = new Map(rows.map((row) => [String(row.text), Number(row.number)]))
    const textOf = new Map(rows.map((row) => [String(row.id), String(row.text)]))
    const atNumber = new Map(rows.map((row) => [Number(row.number), String(row.text)]))
    const lost: string[] = this.#answered.filter((text) => !kept.has(text))
    lost.push(...informs.lost.map((index) => `inform ${index}`))
    const unordered: string[] = []
    const twice: string[] = []
    let gapsTold = 0
    for (const { uuid, seen, gaps } of this.observers) {
      if (gaps.length > 0) gapsTold += 1
      const texts = new Set(seen.flat().map(({ text }) => text))
      // One that the store does not know begins anew: it is owed what came after it was there.
      const owed = uuid.startsWith('late') && isLossy ? this.#answered.slice(1) : this.#answered
      for (const text of owed) if (!texts.has(text)) lost.push(`${text} to ${uuid}`)
      for (const connection of seen) {
        for (const [index, { number }] of connection.entries())
          if (index > 0 && number <= (connection[index - 1]?.number ?? 0))
            unordered.push(`${uuid}: ${number}`)
      }
      for (const { id, number, text } of seen.flat()) {
        const [now, there] = [textOf.get(id), atNumber.get(number)]
        if (now !== undefined && now !== text) twice.push(`${id} is ${now}, and was ${text} to ${uuid}`)
        if (there !== undefined && there !== text) twice.push(`entry ${number} is ${there}, and was ${text}`)
      }
    }
    // The service's own come and go as often as they like.
    const ours = rows.map(({ text }) => String(text)).filter((text) => text.startsWith('alarm number '))
    const doubled = ours.length - new Set(ours).size + informs.doubled.length
    const healths = await Promise.all(this.nodes.map(({ process }) => healthOf(process)))
    record({
      rounds: 1,
      ...{ lost: lost.length, doubled, unordered: unordered.length, idsUsedTwice: new Set(twice).size },
      ...{ gapsOwed: isLossy ? this.observers.length : 0, gapsTold, pause },
      wrongHealth: healths.filter((status) => status !== 200).length + this.#unanswered,
    })
    assert.equal(this.#unanswered, 0, 'questions for health were not answered')
    assert.deepEqual({ lost, doubled, unordered, twice }, { lost: [], doubled: 0, unordered: [], twice: [] })
    for (const { uuid, gaps } of this.observers) {
      if (!isLossy) assert.deepEqual(gaps, [], uuid)
      else assert(gaps.length > 0, `${uuid} was told nothing`)
      for (const text of gaps)
        assert.doesNotMatch(text, /\d{3},\d{3} entries/, 'the jump is not what is gone')
    }
    assert.deepEqual(healths, [200, 200])
    // Each round has its own.
    for (const one of this.observers.splice(3)) one.leave()
    this.#informs.goOn()
  }

  async #end(): Promise<void> {
    clearInterval(this.#asking)
    for (const observer of this.observers) observer.leave()
    for (const { process } of this.nodes) await process.kill()
  }
}

/** What a node that can store everything says, once it has had time to notice. */
async function healthOf({ get }: ServiceProcess): Promise<number> {
  let status = 0
  await until('it is healthy', async () => {
    status = (await get('/health').catch(() => ({ status: 0 }))).status
    return status === 200
  }).catch(() => undefined)
  return status
}
