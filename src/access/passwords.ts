// Hashes and verifies passwords with argon2id, which is slow on purpose; so only a few are processed at a time.

import { argon2, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { networkOf } from '../config/networks.ts'
import { FairSlots } from '../pacing/fair-slots.ts'
import type { Credential } from '../resources/access/operator.ts'
import { ha1 } from './digest.ts'
import { RecentMap } from './recent-map.ts'

/** Memory in KiB. As recommended for interactive logins; about 50 ms on one core. */
const cost = { memory: 19_456, passes: 2, parallelism: 1 }
const tagLength = 32
/** Each takes a thread and 19 MiB. */
const atOnce = 2
/** With four per address, fifty addresses leave room for another. */
const waitingLimit = 256
const remembered = { entries: 1000, milliseconds: 60_000 }

/** Programs compose accented letters differently. */
const bytesOf = (password: string) => Buffer.from(password.normalize('NFC'), 'utf8')

interface Parameters {
  readonly memory: number
  readonly passes: number
  readonly parallelism: number
}

function derive(password: string, nonce: Buffer, parameters: Parameters): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    argon2('argon2id', { message: bytesOf(password), nonce, tagLength, ...parameters }, (error, tag) =>
      error ? reject(error) : resolve(tag),
    )
  })
}

const unpadded = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '')

/** The form that other programs with argon2 use: `$argon2id$v=19$m=19456,t=2,p=1$salt$tag`. */
function written(salt: Buffer, tag: Buffer): string {
  const { memory, passes, parallelism } = cost
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(salt)}$${unpadded(tag)}`
}

const kept = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/

export class Passwords {
  readonly #clock: () => number
  readonly #key = randomBytes(32)
  /** Until when the result may be used again. */
  readonly #verified = new RecentMap<number>(remembered.entries)
  readonly #checking = new Map<string, Promise<boolean>>()
  /** Callers who have logged in from their address before do not wait for others. */
  readonly #slots: FairSlots
  /** How many hashes were computed. */
  hashes = 0

  constructor(clock: () => number, waiting = waitingLimit) {
    this.#clock = clock
    this.#slots = new FairSlots({ atOnce, perAddress: atOnce, waiting, waitingPerAddress: 4, networkOf })
  }

  /** Everything that is stored for a password. */
  async credential(name: string, realm: string, password: string): Promise<Credential> {
    const plain = password.normalize('NFC')
    const sha256 = ha1('SHA-256', name, realm, plain)
    const md5 = ha1('MD5', name, realm, plain)
    return { password: await this.hash(plain), sha256, md5, realm }
  }

  hash(password: string): Promise<string> {
    return this.#hashInTurn(undefined, async () => {
      const salt = randomBytes(16)
      return written(salt, await derive(password, salt, cost))
    })
  }

  /**
   * Takes the same time if nothing is stored for the name. `address` is where the attempt comes from; undefined if the
   * operator has logged in from there before.
   */
  async verify(
    name: string,
    password: string,
    stored: string | undefined,
    address: string | undefined,
  ): Promise<boolean> {
    const against = stored ?? this.#decoyOf(name)
    // The pair of hash and password is remembered under a random key: a changed password is another pair.
    const mark = createHmac('sha256', this.#key).update(`${against}\0${password}`).digest('base64')
    const until = this.#verified.get(mark)
    if (until !== undefined && this.#clock() < until) return true
    // Programs open several connections at once.
    let checking = this.#checking.get(mark)
    if (!checking) {
      checking = this.#hashInTurn(address, () => matches(password, against)).finally(() =>
        this.#checking.delete(mark),
      )
      this.#checking.set(mark, checking)
    }
    const isRight = (await checking) && stored !== undefined
    if (isRight) this.#verified.set(mark, this.#clock() + remembered.milliseconds)
    return isRight
  }

  /**
   * A hash that nothing matches, at the same cost. Every name has its own: with one for all, the same guess at several
   * names would be computed once, and be answered sooner than for names that exist.
   */
  #decoyOf(name: string): string {
    const bytes = createHmac('sha512', this.#key).update(`decoy ${name}`).digest()
    return written(bytes.subarray(0, 16), bytes.subarray(16, 16 + tagLength))
  }

  /** Logins must not bring the service down. */
  #hashInTurn<T>(address: string | undefined, work: () => Promise<T>): Promise<T> {
    return this.#slots.run(address, () => {
      this.hashes += 1
      return work()
    })
  }
}

async function matches(password: string, stored: string): Promise<boolean> {
  const [, memory, passes, parallelism, salt = '', tag = ''] = kept.exec(stored) ?? []
  const parameters = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) }
  const found = await derive(password, Buffer.from(salt, 'base64'), parameters)
  const expected = Buffer.from(tag, 'base64')
  return found.length === expected.length && timingSafeEqual(found, expected)
}
