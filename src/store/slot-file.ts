// A small file with one value that is replaced often, without waiting for the disk. A crash of the process loses
// nothing, a power cut at most the last second or two.

import { closeSync, constants, fdatasync, fstatSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { Fault } from '../fault.ts'

/** Written alternately: if a power cut tears one, the other is intact. */
const slotCount = 2
const slotSize = 16_384
const flushDelay = 1000

export class SlotFile<Value extends object> {
  /** The value when the file was opened. */
  readonly found: Value | undefined
  /** Whether all of its space was already allocated. */
  readonly isWhole: boolean
  /** Whether it has content, none of which can be read. */
  readonly isDamaged: boolean
  /** Called when writing begins to fail, and without an error when it works again. */
  readonly #onTrouble: (error?: Error) => void
  #isFailing = false
  readonly #fd: number
  #sequence: number
  #flushing: NodeJS.Timeout | undefined

  constructor(file: string, onTrouble: (error?: Error) => void = () => undefined) {
    this.#fd = open(file)
    this.#onTrouble = onTrouble
    const read = [...Array(slotCount).keys()]
      .map((slot) => this.#read(slot))
      .filter((one) => one !== undefined)
    const newest = read.toSorted((a, b) => b.sequence - a.sequence)[0]
    this.isWhole = read.length === slotCount
    this.isDamaged = newest === undefined && fstatSync(this.#fd).size > 0
    this.found = newest
    this.#sequence = newest?.sequence ?? 0
  }

  /** Synchronous: other processes see the value when this returns. */
  write(value: Value): void {
    this.#sequence += 1
    const text = JSON.stringify({ ...value, sequence: this.#sequence })
    const slot = Buffer.alloc(slotSize, ' ')
    slot.write(`${crc32(text)} ${text}\n`)
    try {
      writeSync(this.#fd, slot, 0, slotSize, (this.#sequence % slotCount) * slotSize)
      this.#note()
    } catch (error) {
      // Not fatal: the file is then merely out of date.
      this.#note(error as Error)
    }
    this.#flushing ??= setTimeout(() => {
      this.#flushing = undefined
      fdatasync(this.#fd, () => undefined)
    }, flushDelay).unref()
  }

  #note(error?: Error): void {
    if (this.#isFailing === (error !== undefined)) return
    this.#isFailing = error !== undefined
    this.#onTrouble(error)
  }

  #read(index: number): (Value & { readonly sequence: number }) | undefined {
    const bytes = Buffer.alloc(slotSize)
    readSync(this.#fd, bytes, 0, slotSize, index * slotSize)
    const [line = ''] = bytes.toString().split('\n', 1)
    const [sum = '', text = ''] = [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)]
    return sum !== '' && Number(sum) === crc32(text) ? JSON.parse(text) : undefined
  }

  /** When the file was created; undefined on file systems that return the last change instead. */
  get createdAt(): string | undefined {
    const { birthtimeNs, ctimeNs } = fstatSync(this.#fd, { bigint: true })
    return birthtimeNs > 0n && birthtimeNs !== ctimeNs ? String(birthtimeNs) : undefined
  }

  close(): void {
    clearTimeout(this.#flushing)
    fsyncSync(this.#fd)
    closeSync(this.#fd)
  }
}

function open(file: string): number {
  const { O_RDWR, O_CREAT, O_NOFOLLOW = 0 } = constants
  try {
    return openSync(file, O_RDWR | O_CREAT | O_NOFOLLOW, 0o600)
  } catch (cause) {
    throw new Fault('unavailable', `${file} cannot be opened: ${(cause as Error).message}`, { cause })
  }
}
