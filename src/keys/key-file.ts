// The key file: one key per line, the newest last. It has one key, or two during a rotation.

import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { closeSync, constants, fstatSync, openSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Fault } from '../fault.ts'
import { requireFile, writePrivate } from '../store/private-files.ts'

/** No file of keys is larger. */
const maxBytes = 4096

interface Place {
  readonly data: string
  readonly 'key-file': string
}

export class KeyFile {
  readonly path: string
  readonly #isOwn: boolean

  /** Where the settings say, or in the data folder. */
  constructor({ data, 'key-file': file }: Place) {
    this.#isOwn = file === ''
    this.path = this.#isOwn ? join(data, 'key') : file
  }

  /** Undefined where there is no such file. */
  read(): Key[] | undefined {
    return this.#lines()?.map((line, index) => {
      const key = Key.read(line)
      if (key) return key
      throw this.#unusable(`its key ${index + 1} is not 32 bytes in base64`)
    })
  }

  /** Whether other users of the machine may read or change it. */
  isForOthers(): boolean {
    // Windows has other rights.
    return (
      process.platform !== 'win32' &&
      ((statSync(this.path, { throwIfNoEntry: false })?.mode ?? 0) & 0o007) !== 0
    )
  }

  /** Adds a key that is not in use yet; the first one makes the file. */
  add(): void {
    const lines = this.#lines() ?? []
    if (lines.length > 1) {
      const message = `the key file ${this.path} holds a new key already: belfry key rotate takes it into use`
      throw new Fault('conflict', message)
    }
    this.#write([...lines, newKeyText()])
  }

  /** Removes all but one; returns how many. */
  keepOnly(id: string): number {
    const lines = this.#lines() ?? []
    const kept = lines.filter((line) => Key.read(line)?.id === id)
    const removed = lines.length - kept.length
    if (kept.length > 0 && removed > 0) this.#write(kept)
    return kept.length > 0 ? removed : 0
  }

  #lines(): string[] | undefined {
    const text = this.#text()
    if (text === undefined) return undefined
    const lines = text.split('\n').map((line) => line.trim())
    const keys = lines.filter((line) => line !== '' && !line.startsWith('#'))
    if (keys.length === 0) throw this.#unusable('it holds no key')
    return keys
  }

  #text(): string | undefined {
    // In the data folder nothing is opened through a link; elsewhere secrets often are links.
    if (this.#isOwn) requireFile(this.path)
    let file: number
    try {
      // Opening a pipe that nobody writes to would otherwise never end.
      file = openSync(this.path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw this.#unusable((cause as Error).message)
    }
    try {
      const found = fstatSync(file)
      if (!found.isFile()) throw this.#unusable('it is not a file')
      if (found.size > maxBytes) throw this.#unusable(`it is larger than ${maxBytes} bytes`)
      return readFileSync(file, 'utf8')
    } finally {
      closeSync(file)
    }
  }

  /** For its owner alone, as a whole or not at all. */
  #write(keys: readonly string[]): void {
    try {
      writePrivate(this.path, `${keys.join('\n')}\n`)
    } catch (cause) {
      const message = `the key file ${this.path} cannot be written: ${(cause as Error).message}`
      throw new Fault('unavailable', message, { cause })
    }
  }

  #unusable(reason: string): Fault {
    const message = `the key file ${this.path} cannot be used: ${reason}. Expected 32 random bytes in base64 on a line, as belfry key new writes them`
    return new Fault('unavailable', message, { field: 'key-file' })
  }
}

// A key that encrypts and authenticates texts, and computes keyed digests.

const keySize = 32
const cipher = 'aes-256-gcm'
const nonceSize = 12
const tagSize = 16

/** A new one, as a line of a key file. */
export const newKeyText = () => randomBytes(keySize).toString('base64')

export class Key {
  /** Says which key it is and nothing about it. */
  readonly id: string
  /** Each use has a key of its own, derived from the one in the file. */
  readonly #sealing: Buffer
  readonly #digesting: Buffer

  private constructor(bytes: Buffer) {
    const derive = (use: string) => Buffer.from(hkdfSync('sha256', bytes, '', `belfry ${use}`, keySize))
    this.id = derive('id').toString('hex', 0, 8)
    this.#sealing = derive('seal')
    this.#digesting = derive('digest')
  }

  /** From its text: 32 bytes in base64, in either alphabet. Undefined where it is something else. */
  static read(text: string): Key | undefined {
    if (!/^[\w+/-]{43}=?$/.test(text)) return undefined
    const bytes = Buffer.from(text, 'base64')
    return bytes.length === keySize ? new Key(bytes) : undefined
  }

  /** What was sealed for one purpose cannot be opened for another. */
  seal(purpose: string, text: string): string {
    const nonce = randomBytes(nonceSize)
    const sealing = createCipheriv(cipher, this.#sealing, nonce).setAAD(Buffer.from(purpose))
    const hidden = Buffer.concat([sealing.update(text, 'utf8'), sealing.final()])
    return Buffer.concat([nonce, sealing.getAuthTag(), hidden]).toString('base64url')
  }

  /** Undefined where another key sealed it, or for another purpose, or where it was changed or is spelled differently. */
  open(purpose: string, sealed: string): string | undefined {
    const bytes = Buffer.from(sealed, 'base64url')
    if (bytes.length < nonceSize + tagSize || bytes.toString('base64url') !== sealed) return undefined
    const opening = createDecipheriv(cipher, this.#sealing, bytes.subarray(0, nonceSize), {
      authTagLength: tagSize,
    })
    opening.setAAD(Buffer.from(purpose)).setAuthTag(bytes.subarray(nonceSize, nonceSize + tagSize))
    try {
      const hidden = bytes.subarray(nonceSize + tagSize)
      return Buffer.concat([opening.update(hidden), opening.final()]).toString('utf8')
    } catch {
      return undefined
    }
  }

  /** The same for the same text and purpose; without the key, it can be neither made nor guessed from likely texts. */
  digest(purpose: string, text: string): string {
    const mac = createHmac('sha256', this.#digesting).update(JSON.stringify([purpose, text]))
    return mac.digest('base64url').slice(0, 22)
  }
}
