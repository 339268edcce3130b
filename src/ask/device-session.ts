// Questions to one device with one set of credentials. In version 3 the device's engine is found first, and its clock is
// followed: RFC 3414 sections 2.3 and 4.

import { performance } from 'node:perf_hooks'
import { encodeQuestion, type Question } from '../snmp/question.ts'
import {
  type Answer,
  encodeDiscovery,
  readAnswer,
  reportReason,
  UsmCounter,
  UsmSender,
} from '../snmp/send.ts'
import { MAX_BOOTS, TIME_WINDOW } from '../snmp/snmp-engines.ts'
import type { UsmUser } from '../snmp/usm-user.ts'
import type { Variable } from '../snmp/variables.ts'
import { AskFault, addressText, type DeviceAddress, ErrorStatus, errorName } from './ask-fault.ts'
import type { Exchange, QuestionSocket, RetryPolicy } from './question-socket.ts'

export type Credentials =
  | { readonly version: '1' | '2c'; readonly community: string }
  | { readonly version: '3'; readonly user: UsmUser }

const MIN_ENGINE_ID = 5

/** The device's engine, and its clock. */
interface AgentEngine {
  readonly sender: UsmSender
  readonly boots: number
  /** The device's time, in seconds, when ours was `at` milliseconds. */
  readonly time: number
  readonly at: number
  /** Whether the time comes from a signed message; before that, it is where to begin. */
  readonly confirmed: boolean
}

/** How often a refusal that may be overcome is answered by asking again. */
const MAX_ROUNDS = 3

export class DeviceSession {
  readonly device: DeviceAddress
  readonly credentials: Credentials
  readonly #socket: QuestionSocket
  readonly #retryPolicy: RetryPolicy | undefined
  readonly #context: string | undefined
  #engine: AgentEngine | undefined
  #roundTrip: number | undefined

  constructor(
    socket: QuestionSocket,
    device: DeviceAddress,
    credentials: Credentials,
    retryPolicy?: RetryPolicy,
    context?: string,
  ) {
    this.#socket = socket
    this.#retryPolicy = retryPolicy
    this.#context = context
    this.device = device
    this.credentials = credentials
  }

  /**
   * The same device, asked about one VLAN: some switches have a bridge for each, and tell them apart by an addition to the
   * community, or by a context.
   */
  inVlan(vlan: number): DeviceSession {
    const { credentials, device } = this
    const own =
      credentials.version === '3'
        ? credentials
        : { ...credentials, community: `${credentials.community}@${vlan}` }
    const session = new DeviceSession(this.#socket, device, own, this.#retryPolicy, `vlan-${vlan}`)
    session.#engine = this.#engine
    return session
  }

  /** One value per OID, in order; of types NoSuchObject or NoSuchInstance where the device has none. */
  async get(oids: readonly string[]): Promise<readonly Variable[]> {
    const absent = new Map<string, Variable>()
    for (;;) {
      const asked = oids.filter((oid) => !absent.has(oid))
      const answer =
        asked.length === 0 ? undefined : await this.ask({ kind: 'get', oids: asked, repetitions: 0 })
      const missing =
        answer?.errorStatus === ErrorStatus.noSuchName ? asked[answer.errorIndex - 1] : undefined
      // Version 1 refuses the whole question for one OID that it does not have.
      if (missing !== undefined) {
        absent.set(missing, { oid: missing, type: 'NoSuchObject', value: '', hex: false })
        continue
      }
      if (answer && answer.errorStatus !== 0) throw this.error(answer)
      const found = new Map(answer?.variables.map((variable) => [variable.oid, variable]))
      return oids.map((oid) => found.get(oid) ?? absent.get(oid) ?? this.#unasked(oid))
    }
  }

  /** An answer may have an error status. */
  async ask(question: Question): Promise<Answer> {
    const { credentials } = this
    const most = question.oids.length * (question.kind === 'bulk' ? question.repetitions : 1)
    const answer =
      credentials.version === '3'
        ? await this.#askV3(question, credentials.user)
        : await this.#exchange({
            version: credentials.version,
            encode: (id) => encodeQuestion(question, id, credentials),
            accept: (datagram) => readAnswer(datagram),
          })
    if (answer.errorStatus === 0 && answer.variables.length > most)
      throw new AskFault('limit', `${this.#where} answers with more values than were asked for`)
    return answer
  }

  error({ errorStatus }: Answer): AskFault {
    return new AskFault('error', `${this.#where} answers with the error ${errorName(errorStatus)}`)
  }

  /** Milliseconds of the last exchange; undefined where it had to be sent several times. */
  get roundTrip(): number | undefined {
    return this.#roundTrip
  }

  get #where(): string {
    return addressText(this.device)
  }

  #unasked(oid: string): never {
    throw new AskFault('error', `${this.#where} answers without the value of ${oid} that was asked for`)
  }

  #exchange<T>(question: Exchange<T>): Promise<T> {
    const measured = (milliseconds: number | undefined) => {
      this.#roundTrip = milliseconds
    }
    return this.#socket.exchange(this.device, { ...question, measured }, this.#retryPolicy)
  }

  async #askV3(question: Question, user: UsmUser): Promise<Answer> {
    for (let round = 1; ; round += 1) {
      this.#engine ??= await this.#discover(user)
      const answer = await this.#exchangeV3(question, user, this.#engine)
      if (answer.kind === 'response') return answer
      const counter = answer.variables[0]?.oid
      const mayRetry = round < MAX_ROUNDS && this.#recover(counter, answer)
      if (!mayRetry) throw this.#refusal(counter)
    }
  }

  async #exchangeV3(question: Question, user: UsmUser, engine: AgentEngine): Promise<Answer> {
    try {
      return await this.#exchange({
        version: '3',
        encode: (id) =>
          encodeQuestion(question, id, {
            ...{ version: '3', ...clockOf(engine), sender: engine.sender },
            context: this.#context,
          }),
        accept: (datagram, id) => this.#accept(readAnswer(datagram, engine.sender), id, user, engine),
      })
    } catch (error) {
      if (!(error instanceof AskFault) || error.reason !== 'silent' || !user.priv) throw error
      throw new AskFault(
        'silent',
        `${error.message}; its engine did answer, so the privacy password or algorithm may be wrong`,
        error,
      )
    }
  }

  /** An answer at the level that was asked, by the engine that was asked; or a report, which may be unsigned. */
  #accept(answer: Answer | undefined, id: number, user: UsmUser, engine: AgentEngine): Answer | undefined {
    if (!answer?.engine) return undefined
    if (answer.kind === 'report') return answer
    const isComplete =
      answer.requestId === id &&
      answer.engine.id.equals(engine.sender.engineId) &&
      answer.authenticated === (user.auth !== undefined) &&
      answer.encrypted === (user.priv !== undefined)
    if (!isComplete || !this.#follow(answer, user)) return undefined
    return answer
  }

  /** Whether the answer is timely; its clock is then the one to follow: RFC 3414 section 3.2, step 7b. */
  #follow({ engine, authenticated }: Answer, user: UsmUser): boolean {
    const known = this.#engine
    if (!engine || !known || !authenticated) return true
    const { boots, time } = engine
    const isLate =
      boots === MAX_BOOTS ||
      boots < known.boots ||
      (boots === known.boots && time < clockOf(known).time - TIME_WINDOW)
    if (known.confirmed && isLate && !user.relaxedTime) return false
    this.#engine = { sender: known.sender, boots, time, at: performance.now(), confirmed: true }
    return true
  }

  /** Whether a report says how to ask again with success. */
  #recover(counter: string | undefined, report: Answer): boolean {
    const { credentials } = this
    if (counter === UsmCounter.unknownEngine) {
      // Another device has the address now, or the device another engine.
      this.#engine = undefined
      return true
    }
    if (counter !== UsmCounter.notInTimeWindow || credentials.version !== '3') return false
    // Only a signed report may set the clock.
    return report.authenticated && this.#follow(report, credentials.user)
  }

  async #discover(user: UsmUser): Promise<AgentEngine> {
    const { id, boots, time } = await this.#exchange({
      version: '3',
      encode: encodeDiscovery,
      accept(datagram) {
        const answer = readAnswer(datagram)
        return answer?.kind === 'report' && (answer.engine?.id.length ?? 0) >= MIN_ENGINE_ID
          ? answer.engine
          : undefined
      },
    })
    return { sender: new UsmSender(user, id), boots, time, at: performance.now(), confirmed: false }
  }

  #refusal(counter: string | undefined): AskFault {
    const isClock = counter === UsmCounter.notInTimeWindow
    return new AskFault(
      isClock ? 'clock' : 'credentials',
      `${this.#where} refuses version 3: ${reportReason(counter)}${isClock ? ', also with the time that it reports' : ''}`,
    )
  }
}

/** Boots and time as the device counts them now. */
function clockOf({ boots, time, at }: AgentEngine): { readonly boots: number; readonly time: number } {
  return { boots, time: Math.min(time + Math.floor((performance.now() - at) / 1000), 0x7fff_ffff) }
}
