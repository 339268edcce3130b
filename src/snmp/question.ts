// Encodes questions to agents (GET, GETNEXT and GETBULK: RFC 1157, RFC 3416), and finds which question an answer is for.

import { BerReader, BerWriter, Tag } from './ber.ts'
import { attempt } from './malformed.ts'
import { writeMessageV3 } from './message-v3.ts'
import type { UsmSender } from './send.ts'
import { salts } from './usm-keys.ts'

export type QuestionKind = 'get' | 'next' | 'bulk'

export interface Question {
  readonly kind: QuestionKind
  readonly oids: readonly string[]
  /** Of a bulk question: how many values after each OID. Version 1 has no bulk questions. */
  readonly repetitions: number
}

/** How a question is addressed. */
export type QuestionEnvelope =
  | { readonly version: '1' | '2c'; readonly community: string }
  | {
      readonly version: '3'
      readonly sender: UsmSender
      /** Boots and time of the agent's engine. */
      readonly boots: number
      readonly time: number
      /** The part of the agent's objects that is asked; empty: the usual one. */
      readonly context?: string | undefined
    }

const tags = { get: Tag.get, next: Tag.getNext, bulk: Tag.getBulk } as const
const NOTHING = Buffer.alloc(0)
const nextSalt = salts()

/** The id is that of the request and, in version 3, of the message. */
export function encodeQuestion(question: Question, id: number, envelope: QuestionEnvelope): Buffer {
  const writer = new BerWriter()
  const outer = writer.open(Tag.sequence)
  if (envelope.version === '3') {
    const { sender, boots, time, context = '' } = envelope
    writer.octets(sender.engineId)
    writer.octets(Buffer.from(context, 'utf8'))
    writePdu(writer, question, id)
    writer.close(outer)
    const { engineId, wireName: userName, keys } = sender
    const salt = keys?.priv && nextSalt()
    return writeMessageV3(
      { id, reportable: true, engineId, boots, time, userName, keys, salt },
      writer.bytes(),
    )
  }
  writer.integer(envelope.version === '1' ? 0 : 1)
  writer.octets(Buffer.from(envelope.community, 'utf8'))
  writePdu(writer, question, id)
  writer.close(outer)
  return writer.bytes()
}

function writePdu(writer: BerWriter, { kind, oids, repetitions }: Question, id: number): void {
  const pdu = writer.open(tags[kind])
  writer.integer(id)
  // Of a bulk question: no value is asked for once only, and so many of each.
  writer.integer(0)
  writer.integer(kind === 'bulk' ? repetitions : 0)
  const bindings = writer.open(Tag.sequence)
  for (const oid of oids) {
    const binding = writer.open(Tag.sequence)
    writer.oid(oid)
    writer.octets(NOTHING, Tag.null)
    writer.close(binding)
  }
  writer.close(bindings)
  writer.close(pdu)
}

export interface AnswerHead {
  readonly version: '1' | '2c' | '3'
  /** The id of the request, or in version 3 of the message, which is never encrypted. */
  readonly id: number
}

/** Read without trust and without cost, to find out whether anybody waits for it. Undefined if it is no answer. */
export function readAnswerHead(datagram: Buffer): AnswerHead | undefined {
  return attempt(() => {
    const reader = new BerReader(datagram)
    reader.enter(Tag.sequence)
    const version = reader.integer()
    if (version === 3) {
      reader.enter(Tag.sequence)
      return { version: '3', id: reader.integer() }
    }
    if (version !== 0 && version !== 1) return undefined
    reader.octets()
    reader.enter(Tag.response)
    return { version: version === 0 ? '1' : '2c', id: reader.integer() }
  })
}
