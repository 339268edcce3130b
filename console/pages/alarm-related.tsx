// Alarms beside one: its cause, what follows from it, and those like it before.

import { type AlarmRow, type ListedAlarm, rowOf } from '../alarms/row.ts'
import { hrefOf } from '../core/address.ts'
import { list } from '../core/api.ts'
import { lastedText, serverTimeText, timeText } from '../core/time-text.ts'
import { Section } from '../parts/facts.tsx'
import { LevelShape } from '../parts/level.tsx'
import { useLoad } from '../parts/load.tsx'
import { Age } from '../parts/time.tsx'
import { alarmTexts as words } from '../texts/alarm-texts.ts'

export interface AlarmDetail extends ListedAlarm {
  readonly resource: string
  /** The trap that raised it; 0: none did. */
  readonly trapId: string
  /** When its acknowledgement ends; 0: it does not. */
  readonly ackUntil: string
}

export const Similar = ({ alarms }: { alarms: readonly AlarmDetail[] }) => {
  if (alarms.length === 0) return <p class="hint">{words.noSimilar}</p>
  return (
    <ul class="lines">
      {alarms.map((one) => {
        const [from, to] = [Number(one.faultTime), Number(one.recTime)]
        return (
          <li key={one.id}>
            <a href={hrefOf('alarm', one.id)} title={serverTimeText(from)}>
              {timeText(from)}
            </a>
            <span>{one.alarmDesc}</span>
            <span class="hint">{to > 0 ? lastedText(to - from) : words.stillOpen}</span>
          </li>
        )
      })}
    </ul>
  )
}

const maxRelated = 50

/** The cause and what follows, as the service has them: they may be held back, or over. */
export function Relations({ alarm, row }: { alarm: AlarmDetail; row: AlarmRow | undefined }) {
  const hasCause = alarm.parentId !== '0' && alarm.parentId !== ''
  const loaded = useLoad(
    async (over) => {
      const of = (query: object) =>
        list<AlarmDetail>('/fault/alarm', { ...query, size: maxRelated, orderBy: 'id', desc: true }, over)
      const [cause, following] = await Promise.all([
        hasCause ? of({ id: alarm.parentId }) : undefined,
        of({ parentId: alarm.id }),
      ])
      return { cause: cause?.rows ?? [], following: following.rows, total: following.total }
    },
    [alarm, row],
  )
  const { cause = [], following = [], total = 0 } = loaded.data ?? {}
  return (
    <>
      {hasCause && (
        <Section title={words.cause}>
          <p>{words.causeText}</p>
          <Related alarms={cause} />
        </Section>
      )}
      {following.length > 0 && (
        <Section title={words.children} hint={words.childrenHint}>
          <Related alarms={following} />
          {total > following.length && <p class="hint">{words.impactMore(total - following.length)}</p>}
        </Section>
      )}
    </>
  )
}

const Related = ({ alarms }: { alarms: readonly AlarmDetail[] }) => (
  <ul class="lines">
    {alarms.map((one) => {
      const { level, device, text, time } = rowOf(one, undefined, 0)
      return (
        <li key={one.id}>
          <LevelShape level={level} />
          <span>
            <a href={hrefOf('alarm', one.id)}>
              {device}: {text}
            </a>
          </span>
          {one.recStatus === '1' ? <span class="hint">{words.ended}</span> : <Age at={time} />}
        </li>
      )
    })}
  </ul>
)
