// Reads certificate and key from files, accepts them only if they match, and reads them again when the files change.

import { constants, createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { ServerOptions as HttpOptions } from 'node:http'
import type { Server, ServerOptions } from 'node:https'
import { createSecureContext } from 'node:tls'
import { Fault } from '../../fault.ts'

/** Version 1.2 only with forward secrecy and authenticated encryption; 1.3 has nothing else. */
const modern = {
  minVersion: 'TLSv1.2',
  ciphers: [
    'TLS_AES_128_GCM_SHA256',
    'TLS_AES_256_GCM_SHA384',
    'TLS_CHACHA20_POLY1305_SHA256',
    'ECDHE-ECDSA-AES128-GCM-SHA256',
    'ECDHE-RSA-AES128-GCM-SHA256',
    'ECDHE-ECDSA-AES256-GCM-SHA384',
    'ECDHE-RSA-AES256-GCM-SHA384',
    'ECDHE-ECDSA-CHACHA20-POLY1305',
    'ECDHE-RSA-CHACHA20-POLY1305',
  ].join(':'),
  // A renegotiation costs its sender nothing.
  secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
} as const

/** What a TLS server is started with, or given when the files have changed. */
type TlsOptions = Pick<ServerOptions, 'cert' | 'key' | 'ca' | 'minVersion' | 'ciphers' | 'secureOptions'>

export type TlsServer = Server

const handshakeSeconds = 5

export function createTlsServer(options: HttpOptions, tls: TlsFiles): TlsServer {
  const handshakeTimeout = handshakeSeconds * 1000
  const { createServer } = process.getBuiltinModule('node:https')
  return createServer({ ...options, ...tls.options, ALPNProtocols: ['http/1.1'], handshakeTimeout })
}

/** A certificate with its key, as the two files have them. */
interface Pair {
  readonly certificate: Buffer
  readonly key: Buffer
  readonly authority: Buffer | undefined
  readonly subject: string
  /** When the certificate ends; of a chain, its own. */
  readonly endsAt: number
}

interface Files {
  readonly certificate: string
  readonly key: string
  /** Where callers must have certificates: a file with those of the authorities that have signed them. */
  readonly authority?: string
}

export class TlsFiles {
  readonly #files: Files
  readonly #clock: () => number
  #pair: Pair
  /** What is wrong with the files as they are now: the pair before is still in use. */
  #problem: string | undefined

  private constructor(files: Files, clock: () => number, pair: Pair) {
    this.#files = files
    this.#clock = clock
    this.#pair = pair
  }

  /** Undefined where no files are named; a Fault where they cannot be used. */
  static async open(files: Files, clock: () => number): Promise<TlsFiles | undefined> {
    if (files.certificate === '') return undefined
    return new TlsFiles(files, clock, await readPair(files))
  }

  get options(): TlsOptions {
    const { certificate, key, authority } = this.#pair
    return { cert: certificate, key, ...(authority && { ca: authority }), ...modern }
  }

  get subject(): string {
    return this.#pair.subject
  }

  get endsAt(): number {
    return this.#pair.endsAt
  }

  get problem(): string | undefined {
    return this.#problem
  }

  /**
   * Returns whether there is a new pair to be used. It compares the content: a symbolic link that is pointed to another
   * folder, or a file that is renamed into place, does not look like a change to a watcher of the file.
   */
  async reread(): Promise<boolean> {
    try {
      const found = await readPair(this.#files, this.#pair)
      const isNew = found !== this.#pair
      if (isNew && found.endsAt <= this.#clock()) {
        throw new Fault(
          'invalid',
          `the TLS certificate ${this.#files.certificate} ended on ${day(found.endsAt)}`,
        )
      }
      this.#pair = found
      this.#problem = undefined
      return isNew
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      this.#problem = error.message
      return false
    }
  }
}

/** What is in the files; `known` itself where they hold the same. */
async function readPair(files: Files, known?: Pair): Promise<Pair> {
  const certificate = await contentOf('certificate', files.certificate)
  const key = await contentOf('key', files.key)
  const authority = files.authority ? await contentOf('authority', files.authority) : undefined
  const isSame = (a: Buffer | undefined, b: Buffer | undefined) => a === b || (a && b?.equals(a))
  if (
    known &&
    isSame(known.certificate, certificate) &&
    isSame(known.key, key) &&
    isSame(known.authority, authority)
  )
    return known
  if (authority) readCertificate('authority', files.authority ?? '', authority)
  const own = readCertificate('certificate', files.certificate, certificate)
  if (!own.checkPrivateKey(readKey(files.key, key))) {
    const pair = `the TLS key ${files.key} does not belong to the certificate ${files.certificate}`
    throw new Fault('invalid', `${pair}: the first certificate in the file must be the service's own`)
  }
  try {
    createSecureContext({ cert: certificate, key, ...modern })
  } catch (cause) {
    // OpenSSL's reason names a rule, never content: too short a key, a weak signature, a broken chain.
    const reason = (cause as { reason?: string }).reason ?? 'it is broken'
    throw new Fault('invalid', `the TLS certificate ${files.certificate} cannot be used: ${reason}`)
  }
  return { certificate, key, authority, subject: subjectOf(own), endsAt: Date.parse(own.validTo) }
}

function readCertificate(what: string, file: string, content: Buffer): X509Certificate {
  try {
    return new X509Certificate(content)
  } catch {
    throw new Fault('invalid', `the TLS ${what} ${file} is not a certificate in PEM form`)
  }
}

/** The cause is not passed on: nothing of a key may end up in a log. */
function readKey(file: string, content: Buffer): KeyObject {
  try {
    return createPrivateKey(content)
  } catch {
    const reason = content.includes('ENCRYPTED')
      ? 'is encrypted: expected one without a pass phrase'
      : 'is not a private key in PEM form'
    throw new Fault('invalid', `the TLS key ${file} ${reason}`)
  }
}

const maxBytes = 1024 * 1024

async function contentOf(what: string, file: string): Promise<Buffer> {
  let reason: string
  try {
    const content = await readFile(file)
    if (content.length <= maxBytes) return content
    reason = 'it is larger than a megabyte'
  } catch (cause) {
    reason = (cause as NodeJS.ErrnoException).code ?? 'unknown'
  }
  throw new Fault('invalid', `the TLS ${what} ${file} cannot be read: ${reason}`)
}

/** The name by which people know it. */
function subjectOf({ subject, subjectAltName }: X509Certificate): string {
  const name =
    /^CN=(.*)$/m.exec(subject ?? '')?.[1] ?? subjectAltName?.split(', ')[0]?.replace(/^\w+( \w+)?:/, '')
  return name ?? 'without a name'
}

export const day = (at: number) => new Date(at).toISOString().slice(0, 10)
