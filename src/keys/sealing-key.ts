// A key that encrypts and authenticates texts, and computes keyed digests.

import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'

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

  /** Undefined where another key sealed it, or for another purpose, or where it was changed since. */
  open(purpose: string, sealed: string): string | undefined {
    const bytes = Buffer.from(sealed, 'base64url')
    if (bytes.length < nonceSize + tagSize) return undefined
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
