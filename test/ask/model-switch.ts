// A switch in memory whose clock a test sets, and the rounds in which it is asked: what it has alarmed, and what is true.

import assert from 'node:assert/strict'
import type { AlarmEngine } from '../../src/alarms/engine/engine.ts'
import { reportedAlarms } from '../../src/alarms/open/reported-alarms.ts'
import { DeviceSession } from '../../src/ask/device-session.ts'
import { compare } from '../../src/ask/know/compare.ts'
import { askReport } from '../../src/ask/know/device-report.ts'
import type { Exchange, QuestionSocket } from '../../src/ask/question-socket.ts'
import { type CheckOutcome, knownNames, writeOutcomes } from '../../src/ask/verify/alarm-checks.ts'
import { shippedChecks } from '../../src/ask/verify/checks.ts'
import { isAskable, questionAbout } from '../../src/ask/verify/questions.ts'
import { oidsOf, Proof, runOf, toReading, uptimeOid } from '../../src/ask/verify/readings.ts'
import { writeSurveys } from '../../src/ask/verify/seen-states.ts'
import { surveyOf } from '../../src/ask/verify/survey.ts'
import { VerifyWatch } from '../../src/ask/verify/verify-watch.ts'
import { create } from '../../src/resources/collection.ts'
import { devices } from '../../src/resources/inventory/device.ts'
import { learntOf, writeLearnt } from '../../src/resources/inventory/learnt.ts'
import { Agent } from '../../src/snmp/agent.ts'
import { ifIndex, linkDown, linkUp, type World } from '../alarms/world.ts'
import { switchValues } from './know-world.ts'

const community = 'model words'
/** Of an alarm that several ports have reported, as each had its index. */
const several = ''

interface OpenPort {
  readonly id: bigint
  readonly index: number
  readonly name: string
}

export class ModelSwitch {
  readonly #world: World
  readonly #ip: string
  readonly #deviceId: bigint
  readonly #session: DeviceSession
  readonly #engine: AlarmEngine
  readonly #watch: VerifyWatch
  #startedAt: number
  readonly indexes: Map<string, number>
  readonly down = new Set<string>()
  /** The port of each alarm, as its last report was meant. */
  readonly #about = new Map<bigint, string>()
  /** Called once, when it is asked again about a part that seems broken. */
  #beforeSecond: (() => Promise<void>) | undefined
  /** Alarms that two answers have found over. */
  readonly #over = new Set<bigint>()
  readonly told: string[] = []

  private constructor(world: World, ip: string, deviceId: bigint, names: readonly string[]) {
    this.#world = world
    this.#ip = ip
    this.#deviceId = deviceId
    this.indexes = new Map(names.map((name, at) => [name, at + 1]))
    this.#startedAt = world.time.now - 86_400_000
    const { database } = world
    const engine = world.another({ flapping: { count: 0, seconds: 300, rearmSeconds: 300 } })
    this.#engine = engine
    this.#watch = new VerifyWatch({ database, leaderDatabase: database, alarms: engine.asLeader, engine })
    const agent = new Agent({ community, values: () => this.#values() })
    const socket: Pick<QuestionSocket, 'exchange'> = {
      exchange: async <T>(_device: unknown, { encode, accept }: Exchange<T>): Promise<T> => {
        const answer = agent.answer(encode(1))
        const accepted = answer && accept(answer, 1)
        assert(accepted !== undefined)
        return accepted
      },
    }
    this.#session = new DeviceSession(
      socket as QuestionSocket,
      { address: ip, port: 161 },
      { version: '2c', community },
    )
    const ask = this.#session.ask.bind(this.#session)
    this.#session.ask = async (question) => {
      if (question.kind === 'get' && question.oids.length > 1) {
        const before = this.#beforeSecond
        this.#beforeSecond = undefined
        await before?.()
      }
      return ask(question)
    }
  }

  static async of(world: World, ip: string, names: readonly string[]): Promise<ModelSwitch> {
    const deviceId = await create(world.database, devices, { ip, label: ip })
    const one = new ModelSwitch(world, ip, deviceId, names)
    await one.learn()
    await one.look()
    return one
  }

  #values() {
    const ports = Array.from(this.indexes, ([name, index]) => ({
      index,
      name,
      oper: this.down.has(name) ? 2 : 1,
    }))
    return switchValues({
      name: this.#ip,
      ports: ports.toSorted((a, b) => a.index - b.index),
      uptime: Math.floor((this.#world.time.now - this.#startedAt) / 10),
    })
  }

  pass(seconds: number): void {
    this.#world.time.now += seconds * 1000
  }

  /** Ports get other indexes. */
  async restart(indexes: Readonly<Record<string, number>> = {}): Promise<void> {
    this.#startedAt = this.#world.time.now
    for (const [name, index] of Object.entries(indexes)) this.indexes.set(name, index)
    this.told.push(`restart ${[...this.indexes].map((pair) => pair.join('=')).join(' ')}`)
    this.pass(1)
    await this.learn()
  }

  async set(name: string, isDown: boolean, isReported = false): Promise<void> {
    if (isDown) this.down.add(name)
    else this.down.delete(name)
    this.told.push(`${name} ${isDown ? 'down' : 'up'}${isReported ? '' : ' (lost)'}`)
    if (isReported) await this.report(name)
  }

  async report(name: string): Promise<void> {
    const index = this.indexes.get(name) ?? 0
    await this.#engine.handle([
      this.#world.trap(this.down.has(name) ? linkDown : linkUp, this.#ip, [ifIndex(index)]),
    ])
    for (const { id, index: at } of await this.openPorts()) {
      if (at !== index) continue
      const before = this.#about.get(id) ?? name
      this.#about.set(id, before === name ? name : several)
    }
  }

  async openPorts(): Promise<OpenPort[]> {
    const open = await reportedAlarms(this.#world.database, this.#deviceId, 1000)
    return open.map(({ id, resource, portName }) => ({
      ...{ id, index: Number(resource.replace('ifIndex=', '')), name: portName.replace('Ethernet ', '') },
    }))
  }

  async open(): Promise<string> {
    const found = await this.openPorts()
    return found
      .map(({ index }) => index)
      .sort()
      .join()
  }

  /** What should be alarmed. */
  get truth(): string {
    return [...this.down]
      .map((name) => this.indexes.get(name))
      .sort()
      .join()
  }

  /** What it is called is learnt, as after each restart. */
  async learn(): Promise<void> {
    const report = await askReport(this.#session)
    const { database } = this.#world
    await database.transaction(async (tx) => {
      const before = await learntOf(tx, this.#deviceId)
      await writeLearnt(tx, before, compare(before, report, this.#deviceId, tx.now))
    })
  }

  /** Its states are looked at; something may happen between the answer and the second one. */
  async look(between?: () => Promise<void>): Promise<void> {
    const { database } = this.#world
    this.pass(1)
    const parts = {
      ...{ database, rules: shippedChecks, againSeconds: 0 },
      definitions: () => this.#engine.definitions(),
    }
    this.#beforeSecond = between
    const survey = await surveyOf(parts, this.#deviceId, this.#session, new AbortController().signal)
    this.#beforeSecond = undefined
    if (survey) await database.transaction((tx) => writeSurveys(tx, [survey]))
    this.pass(1)
  }

  /** It is asked twice about its open alarms. */
  async verify(between?: () => Promise<void>): Promise<void> {
    const { database } = this.#world
    const parts = { rules: shippedChecks, catalog: await this.#engine.definitions() }
    const open = (await reportedAlarms(database, this.#deviceId, 1000)).filter((alarm) =>
      isAskable(parts, alarm),
    )
    const names = await knownNames(
      database,
      open.map(({ id }) => id),
    )
    const sent = () => ({ sentAt: database.now(), sentMonotonic: performance.now() })
    this.pass(40)
    const run = runOf((await this.#session.get([uptimeOid]))[0], sent())
    const proofs: { readonly alarmId: bigint; readonly proof: Proof }[] = []
    for (const alarm of open) {
      const known = { name: names.get(alarm.id) ?? '', run }
      const subject = await questionAbout(database, parts, this.#deviceId, alarm, known)
      if (subject) proofs.push({ alarmId: alarm.id, proof: new Proof(subject) })
    }
    const outcomes: CheckOutcome[] = []
    let waiting = proofs
    for (let answers = 0; waiting.length > 0; answers += 1) {
      const next: typeof proofs = []
      for (const { alarmId, proof } of waiting) {
        const at = sent()
        const said = await this.#session.get(oidsOf(proof.subject))
        const conclusion = proof.take(toReading(proof.subject, said, at))
        if (!conclusion) next.push({ alarmId, proof })
        else {
          outcomes.push({ ...conclusion, alarmId, deviceId: this.#deviceId, asked: at.sentAt })
          if (conclusion.result === 'over') this.#noteOver(alarmId)
        }
      }
      waiting = next
      if (answers === 0) await between?.()
      this.pass(5)
    }
    await database.transaction((tx) => writeOutcomes(tx, outcomes))
  }

  /** Nothing is ended that was broken at the second answer. */
  #noteOver(alarmId: bigint): void {
    const name = this.#about.get(alarmId) ?? ''
    assert(!this.down.has(name), `${name} is down, and its alarm ends: ${this.told.join('; ')}`)
    this.#over.add(alarmId)
  }

  /** The leader's part. What it ends is over, or has a successor. */
  async settle(): Promise<void> {
    const before = await this.openPorts()
    await this.#watch.check()
    const after = await this.openPorts()
    for (const { id, name } of after) if (!this.#about.has(id)) this.#about.set(id, name)
    const open = new Set(after.map(({ id }) => id))
    for (const { id } of before) {
      const name = this.#about.get(id) ?? ''
      if (open.has(id) || this.#over.has(id) || !this.down.has(name)) continue
      // It may have restarted since it was asked.
      const hasSuccessor = after.some((one) => one.name === name || one.index === this.indexes.get(name))
      assert(hasSuccessor, `${name} has lost its alarm: ${this.told.join('; ')}`)
    }
  }
}
