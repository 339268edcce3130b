// The catalogue of vendors' events that comes with the program: definitions made from their modules, and corrected by hand.
// A look-up unpacks a few dozen neighbours, of which the last ones are kept.

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { open, readFile } from 'node:fs/promises'
import { TimeSlice } from '../pacing/time-slice.ts'
import { withoutZero } from '../resources/alarms/trap-event.ts'
import { fold } from '../schema/scalar.ts'
import { CatalogueFile, digestEnd, digestOf, type ShippedEvent } from './catalogue-file.ts'
import { type Correction, corrected, readCorrections } from './event-corrections.ts'

const folder = new URL('../../definitions/vendors/', import.meta.url)
const eventsFile = new URL('events.bin', folder)
const correctionsFile = new URL('corrections.json', folder)

/** Blocks that are kept unpacked, about 200 kB each. */
const blockLimit = 16

export interface CatalogueSearch {
  readonly name?: ((name: string) => boolean) | undefined
  readonly eventOid?: ((oid: string) => boolean) | undefined
  /** A part of the vendor's name, or its enterprise number. */
  readonly vendor?: string | undefined
}

export class VendorCatalogue {
  #file: CatalogueFile | undefined
  #corrections: ReadonlyMap<string, Correction> = new Map()
  /** The one that was used last is last. */
  readonly #blocks = new Map<number, ReadonlyMap<string, ShippedEvent>>()

  /** Reads the file, once. Until then nothing is found. */
  async open(): Promise<void> {
    if (this.#file) return
    const file = new CatalogueFile(await readFile(eventsFile))
    this.#corrections = readCorrections(await readFile(correctionsFile, 'utf8'), 'corrections.json')
    this.#file ??= file
  }

  get file(): CatalogueFile | undefined {
    return this.#file
  }

  get corrections(): readonly Correction[] {
    return [...this.#corrections.values()]
  }

  /** The definition of an event, in either spelling of its OID. */
  find(oid: string): ShippedEvent | undefined {
    const file = this.#file
    if (!file) return undefined
    const plain = withoutZero(oid)
    for (const number of file.blocksOf(oid)) {
      const event = this.#block(file, number).get(plain)
      if (event) return corrected(event, this.#corrections.get(event.eventOid))
    }
    return undefined
  }

  #block(file: CatalogueFile, number: number): ReadonlyMap<string, ShippedEvent> {
    const block = this.#blocks.get(number) ?? file.block(number)
    this.#blocks.delete(number)
    this.#blocks.set(number, block)
    const [oldest] = this.#blocks.keys()
    if (this.#blocks.size > blockLimit && oldest !== undefined) this.#blocks.delete(oldest)
    return block
  }

  /** The OIDs of the events that match, sorted. */
  async search({ name, eventOid, vendor }: CatalogueSearch): Promise<string[]> {
    const file = this.#file
    if (!file) return []
    const ofVendor = vendor === undefined ? undefined : enterprisesOf(file.vendors, vendor)
    const found: string[] = []
    const timeSlice = new TimeSlice()
    for (const line of file.names().split('\n')) {
      await timeSlice.step()
      const space = line.indexOf(' ')
      const oid = line.slice(0, space)
      if (ofVendor && !ofVendor.has(enterpriseOf(oid))) continue
      if (eventOid && !eventOid(oid)) continue
      if (name && !name(line.slice(space + 1))) continue
      found.push(oid)
    }
    return found
  }
}

const enterprises = '1.3.6.1.4.1.'

/** The number of the vendor in whose part of the tree the OID is; empty for standards. */
export function enterpriseOf(oid: string): string {
  if (!oid.startsWith(enterprises)) return ''
  const end = oid.indexOf('.', enterprises.length)
  return end < 0 ? oid.slice(enterprises.length) : oid.slice(enterprises.length, end)
}

function enterprisesOf(vendors: Readonly<Record<string, string>>, wanted: string): Set<string> {
  const part = fold(wanted)
  const named = Object.entries(vendors).filter(([, name]) => fold(name).includes(part))
  return new Set([wanted, ...named.map(([number]) => number)])
}

/** Tells this catalogue, with its corrections, from that of another version, without reading all of it. */
export async function catalogueVersion(): Promise<string> {
  const file = await open(eventsFile)
  try {
    const start = Buffer.alloc(digestEnd)
    await file.read(start, 0, digestEnd, 0)
    const corrections = readFileSync(correctionsFile)
    return createHash('sha256').update(digestOf(start)).update(corrections).digest('hex').slice(0, 16)
  } finally {
    await file.close()
  }
}
