// Whether machines are there, by ICMP echo. That needs rights which the service does not have: the program fping has them,
// where it is installed. Machines that are due at the same time are given to one run of it.

import { spawn } from 'node:child_process'
import { KeyedQueue } from '../../pacing/serial-queue.ts'
import { AskFault } from '../ask-fault.ts'
import type { RetryPolicy } from '../question-socket.ts'

export interface FpingParts {
  /** Found on the path. */
  readonly program?: string
  /** Echoes a second. */
  readonly perSecond: number
}

interface Waiting {
  readonly address: string
  resolve(milliseconds: number): void
  reject(fault: AskFault): void
}

interface Batch extends RetryPolicy {
  readonly waiting: Waiting[]
}

/** How long others are waited for, and how many are in one run. */
const gatherTime = 200
const maxAtOnce = 2000
/** Runs under way. */
const lanes = 4
/** Beyond what its options allow it to take. */
const grace = 10_000
/** Of what it prints. */
const maxBytes = 1_000_000

export class FpingReach {
  readonly #program: string
  /** Milliseconds between two echoes of one run. */
  readonly #interval: number
  readonly #gathering = new Map<string, Batch>()
  readonly #lanes = new KeyedQueue()
  readonly #stopping = new AbortController()
  #next = 0

  constructor({ program = 'fping', perSecond }: FpingParts) {
    this.#program = program
    this.#interval = Math.max(1, Math.ceil((lanes * 1000) / perSecond))
  }

  /** The milliseconds of the round trip if the machine is there; else throws an `AskFault`. */
  ask(address: string, { attempts, timeout }: RetryPolicy): Promise<number> {
    const key = `${attempts} ${timeout}`
    let batch = this.#gathering.get(key)
    if (!batch || batch.waiting.length >= maxAtOnce) {
      const begun: Batch = { attempts, timeout, waiting: [] }
      batch = begun
      this.#gathering.set(key, begun)
      setTimeout(() => {
        if (this.#gathering.get(key) === begun) this.#gathering.delete(key)
        this.#next = (this.#next + 1) % lanes
        void this.#lanes.run(String(this.#next), () => this.#run(begun))
      }, gatherTime)
    }
    const { promise, resolve, reject } = Promise.withResolvers<number>()
    batch.waiting.push({ address, resolve, reject })
    return promise
  }

  stop(): void {
    this.#stopping.abort()
  }

  async #run({ attempts, timeout, waiting }: Batch): Promise<void> {
    const addresses = [...new Set(waiting.map(({ address }) => address))]
    // -e: with the round trip; -r: repetitions; -B1: each after the same time.
    const options = ['-e', '-r', attempts - 1, '-t', timeout, '-B', '1', '-i', this.#interval].map(String)
    const limit = addresses.length * this.#interval * attempts + attempts * timeout + grace
    const said = await this.#said(options, `${addresses.join('\n')}\n`, limit)
    const times = roundTrips(said.out)
    for (const { address, resolve, reject } of waiting) {
      const time = times.get(address)
      if (time === undefined)
        reject(
          new AskFault('unsent', `cannot send an echo to ${address}: ${said.problem || 'fping is silent'}`),
        )
      else if (time === 'silent') {
        const often = attempts === 1 ? 'once' : `${attempts} times`
        const within = `${(attempts * timeout) / 1000} s`
        reject(new AskFault('silent', `no echo from ${address}, asked ${often} within ${within}`))
      } else resolve(time)
    }
  }

  /** What it prints; addresses come by its input, where they cannot be taken for options. */
  #said(options: readonly string[], input: string, limit: number): Promise<{ out: string; problem: string }> {
    const { promise, resolve } = Promise.withResolvers<{ out: string; problem: string }>()
    const signal = AbortSignal.any([this.#stopping.signal, AbortSignal.timeout(limit)])
    const env = { PATH: process.env.PATH ?? '' }
    const child = spawn(this.#program, [...options], { env, signal, killSignal: 'SIGKILL' })
    let out = ''
    let errors = ''
    child.stdout.on('data', (piece: Buffer) => {
      if (out.length < maxBytes) out += piece.toString('latin1')
    })
    child.stderr.on('data', (piece: Buffer) => {
      if (errors.length < 2000) errors += piece.toString('latin1')
    })
    child.on('error', (error: NodeJS.ErrnoException) => {
      const isMissing = error.code === 'ENOENT'
      resolve({ out, problem: isMissing ? 'fping is not installed on this machine' : error.message })
    })
    child.on('close', () => resolve({ out, problem: errors.split('\n')[0] ?? '' }))
    // It may have ended before it has read everything.
    child.stdin.on('error', () => undefined)
    child.stdin.end(input)
    return promise
  }
}

/** Lines such as `192.0.2.7 is alive (0.35 ms)` and `192.0.2.8 is unreachable`. */
export function roundTrips(text: string): Map<string, number | 'silent'> {
  const found = new Map<string, number | 'silent'>()
  for (const line of text.split('\n')) {
    const [address = '', is, state, time = ''] = line.trim().split(' ')
    if (is !== 'is') continue
    const milliseconds = Number(time.slice(1))
    if (state === 'alive' && milliseconds >= 0) found.set(address, milliseconds)
    else if (state === 'unreachable') found.set(address, 'silent')
  }
  return found
}
