// Answers questions as an agent does, from a list of values: RFC 1157 and RFC 3416. Without a socket; for what stands in for
// devices.

import { BerReader, BerWriter, Tag } from './ber.ts'
import { attempt } from './malformed.ts'
import { readMessageV3 } from './message-v3.ts'
import { isOidAfter } from './oid.ts'
import { Usm } from './usm.ts'
import type { User } from './usm-user.ts'
import { readVariable, type Variable, type VariableType, writeVariable } from './variables.ts'

export interface Asked {
  readonly kind: 'get' | 'next' | 'bulk'
  readonly id: number
  readonly repetitions: number
  readonly oids: readonly string[]
  /** The part of its objects that is asked; empty: the usual one. */
  readonly context: string
}

export interface Reply {
  readonly errorStatus: number
  readonly errorIndex: number
  readonly variables: readonly Variable[]
}

export interface AgentOptions {
  /** In the order of their OIDs; read for each question. */
  readonly values: () => readonly Variable[]
  readonly community?: string | undefined
  readonly users?: readonly User[] | undefined
  /** The engine's boots; its clock began now. */
  readonly boots?: number | undefined
  /** The engine's id, in hex. */
  readonly engine?: string | undefined
  /** The largest answer, in bytes; bulk answers are cut to it. */
  readonly maxSize?: number | undefined
  /** Told of each question that is understood and accepted. */
  readonly noted?: ((asked: Asked) => void) | undefined
  /** What it answers instead, however large. */
  readonly reply?: ((asked: Asked, honest: () => Reply) => Reply | undefined) | undefined
}

const [TOO_BIG, NO_SUCH_NAME] = [1, 2]
const kinds: Readonly<Record<number, Asked['kind']>> = {
  [Tag.get]: 'get',
  [Tag.getNext]: 'next',
  [Tag.getBulk]: 'bulk',
}

/** One packet of Ethernet. */
const defaultSize = 1400

export class Agent {
  readonly #options: AgentOptions
  readonly #usm: Usm | undefined

  constructor(options: AgentOptions) {
    this.#options = options
    const { users, boots = 3, engine = '80007ed90461676e74' } = options
    const engineId = Buffer.from(engine, 'hex')
    this.#usm = users && new Usm({ users, engineId, engineBoots: boots, times: new Map() })
  }

  /** Undefined: such a datagram is not answered. */
  answer(datagram: Buffer): Buffer | undefined {
    return attempt(() => this.#answer(datagram))
  }

  #answer(datagram: Buffer): Buffer | undefined {
    const reader = new BerReader(datagram)
    reader.enter(Tag.sequence)
    const version = reader.integer()
    if (version === 3) return this.#answerV3(reader)
    const community = reader.octets()
    if (community.toString() !== this.#options.community) return undefined
    const head = new BerWriter()
    head.integer(version)
    head.octets(community)
    return this.#answerPdu(reader, head.bytes(), version === 0)
  }

  #answerV3(reader: BerReader): Buffer | undefined {
    const message = readMessageV3(reader)
    const opened = this.#usm?.open(message)
    if (!this.#usm || opened === undefined) return undefined
    if (typeof opened === 'string') return this.#usm.report(message, opened)
    if (opened.seen) opened.seen.pending = false
    const scoped = new BerReader(opened.scoped)
    scoped.enter(Tag.sequence)
    const start = scoped.at
    scoped.octets()
    const context = scoped.octets().toString()
    const answer = this.#answerPdu(scoped, scoped.bytes.subarray(start, scoped.at), false, context)
    return answer && this.#usm.seal(message.id, opened.user, answer)
  }

  #answerPdu(reader: BerReader, head: Buffer, isV1: boolean, context = ''): Buffer | undefined {
    const asked = readAsked(reader, context)
    if (!asked || (isV1 && asked.kind === 'bulk')) return undefined
    const { values, noted, reply: instead, maxSize = defaultSize } = this.#options
    noted?.(asked)
    const honest = () => honestReply(values(), asked, isV1)
    const reply = instead ? instead(asked, honest) : honest()
    if (!reply) return undefined
    const whole = writeReply(head, asked.id, reply)
    if (whole.length <= maxSize || instead) return whole
    if (asked.kind !== 'bulk')
      return writeReply(head, asked.id, { errorStatus: TOO_BIG, errorIndex: 0, variables: [] })
    const each = Math.ceil(whole.length / reply.variables.length)
    const few = Math.max(1, Math.floor((maxSize - head.length - 40) / each))
    return writeReply(head, asked.id, { ...reply, variables: reply.variables.slice(0, few) })
  }
}

function readAsked(reader: BerReader, context: string): Asked | undefined {
  const kind = kinds[reader.peek()]
  if (!kind) return undefined
  reader.enter(reader.peek())
  const id = reader.integer()
  reader.integer()
  const repetitions = reader.integer()
  reader.enter(Tag.sequence)
  const oids: string[] = []
  while (reader.at < reader.end) oids.push(readVariable(reader).oid)
  return { kind, id, repetitions, oids, context }
}

function writeReply(head: Buffer, id: number, reply: Reply): Buffer {
  const writer = new BerWriter()
  const outer = writer.open(Tag.sequence)
  writer.raw(head)
  const pdu = writer.open(Tag.response)
  for (const number of [id, reply.errorStatus, reply.errorIndex]) writer.integer(number)
  const bindings = writer.open(Tag.sequence)
  for (const variable of reply.variables) writeVariable(writer, variable)
  for (const start of [bindings, pdu, outer]) writer.close(start)
  return writer.bytes()
}

function honestReply(values: readonly Variable[], { kind, oids, repetitions }: Asked, isV1: boolean): Reply {
  const variables: Variable[] = []
  for (const [index, oid] of oids.entries()) {
    const first = firstAfter(values, oid)
    const before = values[first - 1]
    const here = kind === 'get' ? (before?.oid === oid ? before : undefined) : values[first]
    const missing: VariableType = kind === 'get' ? 'NoSuchInstance' : 'EndOfMibView'
    // Version 1 has no Counter64 either.
    if (isV1 && (!here || here.type === 'Counter64'))
      return {
        errorStatus: NO_SUCH_NAME,
        errorIndex: index + 1,
        variables: oids.map((one) => nothing(one, 'Null')),
      }
    variables.push(here ?? nothing(oid, missing))
    if (kind === 'bulk') {
      const more = values.slice(first + 1, first + repetitions)
      variables.push(...more)
      const last = values.at(-1)
      if (here && more.length < repetitions - 1 && last) variables.push(nothing(last.oid, 'EndOfMibView'))
    }
  }
  return { errorStatus: 0, errorIndex: 0, variables }
}

const nothing = (oid: string, type: VariableType): Variable => ({ oid, type, value: '', hex: false })

/** Where the values after an OID begin. */
function firstAfter(values: readonly Variable[], oid: string): number {
  let [low, high] = [0, values.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (isOidAfter(oid, (values[middle] as Variable).oid)) high = middle
    else low = middle + 1
  }
  return low
}
