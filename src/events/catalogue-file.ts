// The file of event definitions that were made from vendors' modules: its form, how it is written and how it is read.
//
//   mark, SHA-256 of the rest, length of the head, head, hashes of OIDs, their blocks, names, blocks
//
// Definitions are in blocks of neighbouring OIDs, each compressed by itself, so that one is found without reading the
// others. The hashes say in which block an OID is, and nearly always whether it is in any: an OID that is in none costs
// no block. The names are there once more by themselves, for those who search.

import { createHash } from 'node:crypto'
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'
import { type TrapEvent, withoutZero } from '../resources/alarms/trap-event.ts'

export type ShippedEvent = Omit<TrapEvent, 'id'>

/** The figures of a catalogue, which the documents show. */
export interface CatalogueFigures {
  readonly made: string
  readonly files: number
  readonly modules: number
  readonly events: number
  /** Ends, and faults that one of them ends. */
  readonly ends: number
  readonly endedFaults: number
  /** Definitions that act by the value of a variable. */
  readonly states: number
  /** Notifications whose place in the tree is unknown, because of a module that is missing. */
  readonly lost: number
  /** Folders with modules that define no notification. */
  readonly without: readonly string[]
}

interface Head {
  readonly figures: CatalogueFigures
  /** Module and revision, as definitions show them. */
  readonly sources: readonly string[]
  /** The names of vendors, by their enterprise number. */
  readonly vendors: Readonly<Record<string, string>>
  /** The lengths of the compressed blocks. */
  readonly blocks: readonly number[]
  readonly names: number
}

type PackedParameter = readonly [oid: string, name: string, labels?: string]
type PackedState = readonly [parameter: string, values: string, handling: number, alarmLevel?: number]
type PackedEvent = readonly [
  oid: string,
  name: string,
  alarmLevel: number,
  alarmCategory: number,
  alarmDesc: string,
  source: number,
  /** Four times the number of a parameter, plus 1 for a key, plus 2 where the row is meant. */
  parameters: readonly number[],
  recovers: readonly string[],
  states: readonly PackedState[],
  handling?: number,
]

interface PackedBlock {
  readonly parameters: readonly PackedParameter[]
  readonly events: readonly PackedEvent[]
}

const mark = Buffer.from('belfry events 1\n', 'latin1')
const digestLength = 32
const headAt = mark.length + digestLength + 4
/** Characters of a block before it is compressed: a compromise between the size of the file and the time of a look-up. */
const blockLength = 32_768

/** FNV-1a, of the OID in its shorter spelling. */
export function hashOf(oid: string): number {
  const text = withoutZero(oid)
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash >>> 0
}

/** The events must be sorted by OID, and differ in more than the spelling of their OIDs. */
export function writeCatalogue(
  events: readonly ShippedEvent[],
  vendors: Readonly<Record<string, string>>,
  figures: CatalogueFigures,
): Buffer {
  const sources = [...new Set(events.map(({ source }) => source))]
  const numbers = new Map(sources.map((source, at) => [source, at]))
  const blocks: Buffer[] = []
  const places: { hash: number; block: number }[] = []
  for (const some of cut(events)) {
    for (const { eventOid } of some) places.push({ hash: hashOf(eventOid), block: blocks.length })
    blocks.push(compress(JSON.stringify(pack(some, numbers))))
  }
  places.sort((a, b) => a.hash - b.hash)
  const hashes = Uint32Array.from(places, ({ hash }) => hash)
  const numbersOfBlocks = Uint16Array.from(places, ({ block }) => block)
  const names = compress(events.map(({ eventOid, name }) => `${eventOid} ${name}`).join('\n'))
  const head: Head = {
    figures,
    sources,
    vendors,
    blocks: blocks.map(({ length }) => length),
    names: names.length,
  }
  const packedHead = compress(JSON.stringify(head))
  const lengthOfHead = Buffer.alloc(4)
  lengthOfHead.writeUInt32LE(packedHead.length)
  const rest = Buffer.concat([
    lengthOfHead,
    packedHead,
    Buffer.from(hashes.buffer),
    Buffer.from(numbersOfBlocks.buffer),
    names,
    ...blocks,
  ])
  return Buffer.concat([mark, createHash('sha256').update(rest).digest(), rest])
}

const compress = (text: string) =>
  brotliCompressSync(text, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 11,
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    },
  })

function* cut(events: readonly ShippedEvent[]): Generator<ShippedEvent[]> {
  let some: ShippedEvent[] = []
  let length = 0
  for (const event of events) {
    some.push(event)
    length += JSON.stringify(event).length
    // Parameters are repeated here, and not in the block.
    if (length < 3 * blockLength) continue
    yield some
    some = []
    length = 0
  }
  if (some.length > 0) yield some
}

function pack(events: readonly ShippedEvent[], sources: ReadonlyMap<string, number>): PackedBlock {
  const parameters: PackedParameter[] = []
  const known = new Map<string, number>()
  const numberOf = ({ oid, name, labels }: ShippedEvent['parameter'][number]) => {
    const packed: PackedParameter = labels === null ? [oid, name] : [oid, name, labels]
    const key = packed.join(' ')
    const number = known.get(key) ?? parameters.push(packed) - 1
    known.set(key, number)
    return number
  }
  return {
    events: events.map((event): PackedEvent => {
      const { eventOid, name, alarmLevel, alarmCategory, alarmDesc, source, parameter, recovers, state } =
        event
      const packed = [
        ...[eventOid, name, alarmLevel, alarmCategory, alarmDesc ?? '', sources.get(source) ?? 0],
        parameter.map(
          (one) => 4 * numberOf(one) + Number(one.isKey === true) + 2 * Number(one.fromIndex === true),
        ),
        recovers,
        state.map((one) =>
          one.alarmLevel === null
            ? [one.parameter, one.values, one.handling]
            : [one.parameter, one.values, one.handling, one.alarmLevel],
        ),
        ...(event.handling === null ? [] : [event.handling]),
      ]
      return packed as unknown as PackedEvent
    }),
    parameters,
  }
}

/** A catalogue in memory: compressed, except for what finds a block. */
export class CatalogueFile {
  readonly figures: CatalogueFigures
  readonly vendors: Readonly<Record<string, string>>
  /** The SHA-256 of its content. */
  readonly digest: string
  readonly #sources: readonly string[]
  readonly #hashes: Uint32Array
  readonly #places: Uint16Array
  readonly #names: Buffer
  readonly #blocks: readonly Buffer[]

  constructor(bytes: Buffer) {
    const rest = bytes.subarray(mark.length + digestLength)
    this.digest = digestOf(bytes)
    if (createHash('sha256').update(rest).digest('hex') !== this.digest)
      throw new Error('the file of vendors’ events is damaged: install the program again')
    let at = headAt
    const take = (length: number) => {
      at += length
      return bytes.subarray(at - length, at)
    }
    const head: Head = JSON.parse(brotliDecompressSync(take(rest.readUInt32LE())).toString())
    const { events } = head.figures
    this.figures = head.figures
    this.vendors = head.vendors
    this.#sources = head.sources
    this.#hashes = new Uint32Array(aligned(take(events * 4)))
    this.#places = new Uint16Array(aligned(take(events * 2)))
    this.#names = take(head.names)
    this.#blocks = head.blocks.map((length) => take(length))
  }

  /** The number of the block that has the event, if any has: one in a hundred thousand does not. */
  *blocksOf(oid: string): Generator<number> {
    const hash = hashOf(oid)
    let [low, high] = [0, this.#hashes.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#hashes[middle] as number) < hash) low = middle + 1
      else high = middle
    }
    for (; this.#hashes[low] === hash; low += 1) yield this.#places[low] as number
  }

  /** The events of a block, by OID in the shorter spelling. */
  block(number: number): Map<string, ShippedEvent> {
    const bytes = this.#blocks[number] as Buffer
    const { parameters, events }: PackedBlock = JSON.parse(brotliDecompressSync(bytes).toString())
    return new Map(events.map((event) => [withoutZero(event[0]), unpack(event, parameters, this.#sources)]))
  }

  /** Lines with the OID and the name of each event, sorted by OID. */
  names(): string {
    return brotliDecompressSync(this.#names).toString()
  }
}

/** Typed arrays begin at multiples of their elements. */
const aligned = (bytes: Buffer) => bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length)

/** From the beginning of a file: what tells it from another. */
export function digestOf(start: Buffer): string {
  if (!start.subarray(0, mark.length).equals(mark) || start.length < headAt)
    throw new Error(
      'the file of vendors’ events has another form than this program reads: install the program again',
    )
  return start.toString('hex', mark.length, mark.length + digestLength)
}

/** As many bytes as `digestOf` needs. */
export const digestEnd = headAt

function unpack(
  [
    eventOid,
    name,
    alarmLevel,
    alarmCategory,
    alarmDesc,
    source,
    numbers,
    recovers,
    states,
    handling,
  ]: PackedEvent,
  parameters: readonly PackedParameter[],
  sources: readonly string[],
): ShippedEvent {
  return {
    eventOid,
    name,
    alarmLevel,
    alarmCategory,
    alarmDesc,
    handling: handling ?? null,
    parameter: numbers.map((number) => {
      const [oid = '', called = '', labels] = parameters[number >> 2] ?? []
      const isKey = (number & 1) === 1 || null
      return {
        oid,
        name: called,
        isKey,
        fromIndex: (number & 2) === 2 || null,
        labels: labels ?? null,
        pattern: null,
      }
    }),
    recovers: [...recovers],
    outOfReach: null,
    state: states.map(([parameter, values, does, level]) => ({
      parameter,
      values,
      handling: does,
      alarmLevel: level ?? null,
    })),
    source: sources[source] ?? '',
  }
}
