// Certificates for tests, made by openssl: a root, and pairs signed by it.

import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../support.ts'

export interface PairFiles {
  readonly certificate: string
  readonly key: string
}

/** Asked of openssl in one call: it is slow to start. */
interface IssueOptions {
  readonly name?: string
  /** When it ends, as openssl writes days; in the past for one that has ended. */
  readonly days?: number
}

export class Authority {
  readonly folder = temporaryFolder()
  readonly root = join(this.folder, 'root.pem')
  #made = 0

  constructor() {
    this.#openssl(
      'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout root.key -out root.pem -days 3650 -subj /CN=Test',
    )
  }

  #openssl(args: string): void {
    execFileSync('openssl', args.split(' '), { cwd: this.folder, stdio: 'ignore' })
  }

  /** A new pair, good for localhost and 127.0.0.1. */
  issue({ name = 'localhost', days = 90 }: IssueOptions = {}): PairFiles {
    this.#made += 1
    const stem = `pair${this.#made}`
    const [certificate, key] = [join(this.folder, `${stem}.pem`), join(this.folder, `${stem}.key`)]
    writeFileSync(join(this.folder, 'ext'), 'subjectAltName=DNS:localhost,IP:127.0.0.1\n')
    this.#openssl(
      `req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout ${stem}.key -out ${stem}.csr -subj /CN=${name}`,
    )
    this.#openssl(
      `x509 -req -in ${stem}.csr -CA root.pem -CAkey root.key -CAcreateserial -out ${stem}.pem -days ${days} -extfile ext`,
    )
    chmodSync(key, 0o600)
    return { certificate, key }
  }

  get rootText(): string {
    return readFileSync(this.root, 'utf8')
  }
}

export const settingsOf = ({ certificate, key }: PairFiles) => ({
  'tls-certificate': certificate,
  'tls-key': key,
})

export function copyPair(from: PairFiles, to: PairFiles): void {
  copyFileSync(from.certificate, to.certificate)
  copyFileSync(from.key, to.key)
}
