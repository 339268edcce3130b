// What the routes say about an alarm, and who would be told when: the answer to a dry run. Nothing is sent.

import { ask } from '../core/api.ts'
import { type Column, Table } from '../parts/list.tsx'
import { Time } from '../parts/time.tsx'
import { routeTexts as words } from '../texts/notify-texts.ts'

export interface Verdict {
  readonly routeId: string
  readonly routeName: string
  readonly taken: string
  readonly reason: string
}

interface Message {
  readonly time: string
  readonly routeId: string
  readonly routeName: string
  readonly step: string
  readonly contactId: string
  readonly contactName: string
  readonly channelId: string
  readonly channelName?: string
  readonly remark: string
}

export interface Plan {
  /** The maintenance windows that the alarm would come in, and their end; 0 where they have none. */
  readonly suppressedBy: string
  readonly suppressedUntil: string
  readonly route: readonly Verdict[]
  readonly message: readonly Message[]
}

/** A day and a time of day in the zone of this browser, as the service takes them; empty where they are none. */
export function secondsAt(day = '', hour = ''): string {
  const at = new Date(`${day}T${hour}`).getTime()
  return Number.isNaN(at) ? '' : String(Math.floor(at / 1000))
}

/** Of an alarm that exists, by its id, or of one that is made up. */
export async function planOf(alarm: Readonly<Record<string, string>>): Promise<Plan> {
  const body = Object.fromEntries(Object.entries(alarm).filter(([, value]) => value !== ''))
  return (await ask<Plan>('POST', '/notify/dryRun', { body })).data
}

/** In the order in which routes are asked. */
export const Verdicts = ({ all }: { all: readonly Verdict[] }) => (
  <ol class="reasons">
    {all.map(({ routeId, routeName, taken, reason }) => (
      <li key={routeId}>
        <b>{routeName}</b> {taken === 'true' ? words.taken : words.notTaken}:{' '}
        <span class="hint">{reason}</span>
      </li>
    ))}
  </ol>
)

const columns: readonly Column<Message>[] = [
  { title: words.time, cell: ({ time }) => <Time at={Number(time)} /> },
  { title: words.route, cell: ({ routeName }) => routeName },
  { title: words.stepShort, kind: 'number', cell: ({ step }) => step },
  {
    title: words.who,
    cell: ({ contactName, channelId, channelName }) =>
      contactName || channelName || (channelId === '0' ? '' : words.channel(channelId)),
  },
  { title: words.remark, kind: 'wide', cell: ({ remark }) => remark },
]

const isTold = ({ channelId }: Message) => channelId !== '0'

export const PlanView = ({ plan }: { plan: Plan }) => (
  <>
    {plan.suppressedBy !== '' && (
      <p>
        {words.suppressed(plan.suppressedBy)}{' '}
        {plan.suppressedUntil === '0' ? (
          words.noEnd
        ) : (
          <>
            {words.suppressedUntil} <Time at={Number(plan.suppressedUntil)} />
          </>
        )}
      </p>
    )}
    {!plan.message.some(isTold) && <p>{words.nobody}</p>}
    {plan.message.length > 0 && (
      <Table
        columns={columns}
        rows={plan.message}
        caption={words.plan}
        keyOf={({ routeId, step, contactId, channelId }: Message) =>
          [routeId, step, contactId, channelId].join()
        }
      />
    )}
    <Verdicts all={plan.route} />
  </>
)
