// The operators in the past of the demo: at times they look at the open alarms, acknowledge them, and end what no trap ends.

import { applyAction, type OperatorAction } from '../../alarms/actions/operator-actions.ts'
import type { App } from '../../app.ts'
import { addressOf, askJson } from '../service-connection.ts'
import { between, type Chance, pick } from './demo-incident.ts'

const operators = ['meike', 'jonas'] as const

const notes = [
  'Looking at it',
  'The site knows, somebody is on the way',
  'Ticket opened with the carrier',
  'Seen before: the patch cable is to be changed',
  'Waiting for the people on site',
]

/** The hours of a day at which somebody looks: often in the daytime of a working day, else when called. */
export function shiftTimes(isWorkday: boolean, chance: Chance): number[] {
  const count = isWorkday ? between(14, 20, chance) : between(4, 7, chance)
  return Array.from({ length: count }, () =>
    isWorkday && chance() < 0.85 ? 7 + 11 * chance() : 24 * chance(),
  )
}

interface OpenAlarm {
  readonly id: string
  readonly ackStatus: string
  /** Seconds since 1970. */
  readonly faultTime: string
}

const longOpenSeconds = 3 * 3600

export async function goRound(app: App, now: number, chance: Chance): Promise<void> {
  const path = `${addressOf(app)}/fault/alarm?recStatus=0&size=1000`
  const { alarm = [] } = await askJson<{ alarm?: OpenAlarm[] }>(path)
  const name = pick(operators, chance) ?? operators[0]
  const actor = { name, role: 'operator', address: '127.0.0.1' }
  const engine: Pick<App['engine'], 'change'> = { change: (work) => app.engine.change(work, actor) }
  for (const { id, ackStatus, faultTime } of alarm) {
    const action = actionFor(
      { isAcknowledged: ackStatus === '1', age: now / 1000 - Number(faultTime) },
      chance,
    )
    if (action) await applyAction(engine, BigInt(id), action, name)
  }
}

function actionFor(
  { isAcknowledged, age }: { readonly isAcknowledged: boolean; readonly age: number },
  chance: Chance,
): OperatorAction | undefined {
  if (isAcknowledged) return age > longOpenSeconds && chance() < 0.4 ? { action: 'recover' } : undefined
  if (chance() > 0.6) return undefined
  const note = chance() < 0.4 ? pick(notes, chance) : undefined
  return { action: 'acknowledge', ...(note !== undefined && { note }) }
}
