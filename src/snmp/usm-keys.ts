// The algorithms of the user-based security model: RFC 3414 (MD5, SHA-1, DES), RFC 3826 (AES-128), RFC 7860 (SHA-2),
// and AES-192/256 by draft-blumenthal-aes-usm-04, which is the form that common tools use.

import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  hash,
  type KeyObject,
  randomBytes,
} from 'node:crypto'

/** The hash, its block length, and the length to which its HMAC is truncated. */
export const AUTH_ALGORITHMS = {
  md5: { hash: 'md5', blockLength: 64, digestLength: 12 },
  sha1: { hash: 'sha1', blockLength: 64, digestLength: 12 },
  sha224: { hash: 'sha224', blockLength: 64, digestLength: 16 },
  sha256: { hash: 'sha256', blockLength: 64, digestLength: 24 },
  sha384: { hash: 'sha384', blockLength: 128, digestLength: 32 },
  sha512: { hash: 'sha512', blockLength: 128, digestLength: 48 },
} as const

/** OpenSSL 3 has no plain DES; triple DES with the same key three times is plain DES. */
export const PRIV_ALGORITHMS = {
  des: { cipher: 'des-ede3-cbc', keyLength: 16 },
  aes128: { cipher: 'aes-128-cfb', keyLength: 16 },
  aes192: { cipher: 'aes-192-cfb', keyLength: 24 },
  aes256: { cipher: 'aes-256-cfb', keyLength: 32 },
} as const

export type AuthAlgorithm = keyof typeof AUTH_ALGORITHMS
export type PrivAlgorithm = keyof typeof PRIV_ALGORITHMS

/**
 * RFC 3414 section A.2: the hash of the password repeated to one MiB. It takes milliseconds, so it is done once per
 * user.
 */
export function passwordToKey(algorithm: AuthAlgorithm, password: string): Buffer {
  const repeated = Buffer.alloc(1_048_576, Buffer.from(password, 'utf8'))
  return hash(AUTH_ALGORITHMS[algorithm].hash, repeated, 'buffer')
}

/** RFC 3414 section 2.6: the key that is valid at one engine only; a single small hash. */
export function localise(algorithm: AuthAlgorithm, key: Uint8Array, engineId: Uint8Array): Buffer {
  return hash(AUTH_ALGORITHMS[algorithm].hash, Buffer.concat([key, engineId, key]), 'buffer')
}

/** Blumenthal's section 3.1.2.1: a key that is too short is followed by its own hash. */
export function stretch(algorithm: AuthAlgorithm, key: Buffer, length: number): Buffer {
  let stretched = key
  while (stretched.length < length) {
    stretched = Buffer.concat([stretched, hash(AUTH_ALGORITHMS[algorithm].hash, stretched, 'buffer')])
  }
  return stretched.subarray(0, length)
}

/** The padded keys that RFC 2104 puts before the two hashes of an HMAC. */
export interface AuthKey {
  readonly algorithm: AuthAlgorithm
  readonly inner: Buffer
  readonly outer: Buffer
}

export function authKey(algorithm: AuthAlgorithm, key: Buffer): AuthKey {
  const { blockLength } = AUTH_ALGORITHMS[algorithm]
  const inner = Buffer.alloc(blockLength, 0x36)
  const outer = Buffer.alloc(blockLength, 0x5c)
  for (const [i, byte] of key.entries()) {
    inner[i] = byte ^ 0x36
    outer[i] = byte ^ 0x5c
  }
  return { algorithm, inner, outer }
}

/**
 * The digest of a message, computed with zeros in place of the digest. The HMAC is composed by hand: `createHmac` first
 * turns the key into an object, which costs ten times the two hashes, and a sender who invents engine ids causes a new
 * key with every message.
 */
export function digest(key: AuthKey, message: Buffer, digestAt: number): Buffer {
  const { hash: name, blockLength, digestLength } = AUTH_ALGORITHMS[key.algorithm]
  const whole = Buffer.allocUnsafe(blockLength + message.length)
  whole.set(key.inner)
  whole.set(message, blockLength)
  whole.fill(0, blockLength + digestAt, blockLength + digestAt + digestLength)
  const inner = Buffer.from(hash(name, whole, 'binary'), 'latin1')
  const outer = hash(name, Buffer.concat([key.outer, inner]), 'binary')
  return Buffer.from(outer, 'latin1').subarray(0, digestLength)
}

/** Created once per engine and user: an OpenSSL key costs more to create than to use. */
export interface PrivKey {
  readonly algorithm: PrivAlgorithm
  readonly key: KeyObject
  /** DES only: the second half of the key, from which the initialisation vector is made. */
  readonly preIv: Buffer
}

export function privKey(algorithm: PrivAlgorithm, key: Buffer): PrivKey {
  const single = key.subarray(0, 8)
  const cipherKey = algorithm === 'des' ? Buffer.concat([single, single, single]) : key
  return { algorithm, key: createSecretKey(cipherKey), preIv: key.subarray(8, 16) }
}

/** The input of a cipher besides the key; boots and time are those in the message. */
interface PrivContext {
  readonly boots: number
  readonly time: number
  readonly salt: Uint8Array
}

export function encrypt(key: PrivKey, context: PrivContext, plain: Buffer): Buffer {
  const { cipher: name } = PRIV_ALGORITHMS[key.algorithm]
  const cipher = createCipheriv(name, key.key, initialisationVector(key, context)).setAutoPadding(false)
  // DES works on whole blocks; the receiver ignores the padding (RFC 3414 section 8.1.1.2).
  const padding = key.algorithm === 'des' ? (8 - (plain.length % 8)) % 8 : 0
  return cipher.update(padding === 0 ? plain : Buffer.concat([plain, Buffer.alloc(padding)]))
}

/** Undefined if the input cannot be the cipher's output; a wrong key yields garbage. */
export function decrypt(key: PrivKey, context: PrivContext, secret: Buffer): Buffer | undefined {
  if (context.salt.length !== 8) return undefined
  if (key.algorithm === 'des' && secret.length % 8 !== 0) return undefined
  const { cipher: name } = PRIV_ALGORITHMS[key.algorithm]
  return createDecipheriv(name, key.key, initialisationVector(key, context))
    .setAutoPadding(false)
    .update(secret)
}

function initialisationVector(key: PrivKey, context: PrivContext): Buffer {
  if (key.algorithm === 'des') return Buffer.from(key.preIv.map((byte, i) => byte ^ (context.salt[i] ?? 0)))
  const vector = Buffer.allocUnsafe(16)
  vector.writeInt32BE(context.boots, 0)
  vector.writeInt32BE(context.time, 4)
  vector.set(context.salt, 8)
  return vector
}

/** Salts that do not repeat: RFC 3826 section 3.1.1.1, a counter from a random start. */
export function salts(): () => Buffer {
  let next = randomBytes(8).readBigUInt64BE()
  return () => {
    next = BigInt.asUintN(64, next + 1n)
    const salt = Buffer.allocUnsafe(8)
    salt.writeBigUInt64BE(next)
    return salt
  }
}
