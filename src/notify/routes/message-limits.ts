// How many messages leave within an hour: of a route, and to a person. Whoever would have got more is told so once.

import type { Change } from '../message.ts'
import type { Incident, NotifiedChannel } from './incident.ts'
import type { IncidentWork } from './incident-work.ts'
import { limitDetail } from './ledger.ts'
import type { Quotas } from './quotas.ts'
import { lastResort } from './targets.ts'

/** A recipient, and what limits messages to it. */
export interface Limited<R> {
  readonly recipient: R
  readonly limit: string | undefined
}

export const limitReason = (limit: string) => `more than the hourly limit of ${limit}`

export class MessageLimits {
  readonly #work: IncidentWork
  readonly #quotas: Quotas

  constructor(work: IncidentWork, quotas: Quotas) {
    this.#work = work
    this.#quotas = quotas
  }

  /**
   * Counts a message to each recipient. Those for whom a limit leaves no room are told once that there is one. The one
   * message of a storm or a summary stands for all that are not sent: it is counted, and leaves in any case.
   */
  async apply<R extends NotifiedChannel>(
    incident: Incident,
    route: { readonly id: bigint; readonly hourlyLimit: number },
    recipients: readonly R[],
    change: Change,
  ): Promise<Limited<R>[]> {
    const limited: Limited<R>[] = []
    for (const recipient of recipients) {
      const reached = await this.#reached(route, recipient)
      const limit = change === 'summary' ? undefined : reached
      if (limit !== undefined) await this.#tell(incident, limit, recipient)
      limited.push({ recipient, limit })
    }
    return limited
  }

  /** A channel that belongs to nobody has a limit like that of a person. The last resort has only its own. */
  async #reached(
    { id, hourlyLimit }: { readonly id: bigint; readonly hourlyLimit: number },
    { contactId, channelId }: NotifiedChannel,
  ): Promise<string | undefined> {
    if (await this.#quotas.exceeds('route', id, hourlyLimit)) return `route ${id}`
    if (id === lastResort.id) return undefined
    const [kind, holder] =
      contactId === 0n ? (['channel', channelId] as const) : (['contact', contactId] as const)
    return (await this.#quotas.exceeds(kind, holder)) ? `${kind} ${holder}` : undefined
  }

  async #tell(incident: Incident, limit: string, { channelId, contactId }: NotifiedChannel): Promise<void> {
    if (!(await this.#quotas.tellsFirst(limit, channelId))) return
    const { alarmId, step } = incident
    this.#work.addRow(incident, {
      ...{ alarmId, logNumber: 0n, change: 'summary', step, channelId, contactId },
      ...{ detail: `${limitDetail}${limit}`, dueAt: this.#work.tx.now },
    })
  }
}
