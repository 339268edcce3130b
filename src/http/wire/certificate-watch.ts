// Checks the certificate files at intervals: loads a new pair, and raises alarms about problems, which recover.

import type { Logger } from 'pino'
import type { AlarmEngine } from '../../alarms/engine/engine.ts'
import {
  openServiceAlarms,
  raiseServiceAlarm,
  recoverServiceAlarm,
  type ServiceEvent,
} from '../../alarms/service/service-alarms.ts'
import type { Database } from '../../store/database.ts'
import { day, type TlsFiles } from './tls.ts'

const dayLength = 24 * 3600 * 1000
const warningDays = 14

interface CertificateParts {
  readonly files: TlsFiles | undefined
  readonly database: Database
  readonly engine: AlarmEngine
  readonly log: Logger
  readonly clock: () => number
  /** The resources of its alarms. */
  readonly resource: string
  /** Passes the new pair to the server. */
  readonly renew: () => void
}

export class CertificateWatch {
  readonly #parts: CertificateParts
  /** What was wrong at the last check. */
  #seen: string | undefined
  /** Which alarms are open; unknown at the start, since an earlier run may have left some. */
  #open: Set<ServiceEvent> | undefined

  constructor(parts: CertificateParts) {
    this.#parts = parts
  }

  /** Called every few seconds. */
  async check(): Promise<void> {
    const { files, log, renew } = this.#parts
    if (files && (await files.reread())) {
      renew()
      log.info({ subject: files.subject, until: day(files.endsAt) }, 'a new TLS certificate is in use')
    }
    const problem = files?.problem
    // Certificate and key are two files: for a moment one may be new and the other old.
    const lasting = problem !== undefined && problem === this.#seen
    this.#seen = problem
    if (problem === undefined) {
      await this.#report('certificateRefused', undefined, 'Certificate and key can be used again')
    } else if (lasting) await this.#report('certificateRefused', `${problem}; the one before is still in use`)
    await this.#report('certificateExpiring', this.#ending(), 'The certificate has been renewed')
  }

  #ending(): string | undefined {
    const { files, clock } = this.#parts
    if (!files) return undefined
    const left = files.endsAt - clock()
    if (left >= warningDays * dayLength) return undefined
    const days = Math.floor(left / dayLength)
    const when = left <= 0 ? 'ended' : `ends in ${days} ${days === 1 ? 'day' : 'days'},`
    return `The TLS certificate of ${files.subject} ${when} on ${day(files.endsAt)}`
  }

  /** Raises an alarm once, and ends it once. */
  async #report(event: ServiceEvent, wrong: string | undefined, over = ''): Promise<void> {
    const { engine, log, resource } = this.#parts
    this.#open ??= await this.#openNow()
    if (wrong === undefined) {
      if (!this.#open.has(event)) return
      await recoverServiceAlarm(engine, event, resource, over)
      this.#open.delete(event)
    } else if (!this.#open.has(event)) {
      log.error(wrong)
      await raiseServiceAlarm(engine, event, resource, wrong)
      this.#open.add(event)
    }
  }

  async #openNow(): Promise<Set<ServiceEvent>> {
    const { database, resource } = this.#parts
    const events = ['certificateRefused', 'certificateExpiring'] as const
    const open = new Set<ServiceEvent>()
    for (const event of events) if ((await openServiceAlarms(database, event)).has(resource)) open.add(event)
    return open
  }
}
