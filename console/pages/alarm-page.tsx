// One alarm: what is wrong, since when, why it is an alarm, and what can be done about it.

import { useState } from 'preact/hooks'
import { ActionDialog, begin } from '../alarms/actions.tsx'
import { actions, unacknowledge, worked } from '../alarms/doing.ts'
import { learnWindows } from '../alarms/held.ts'
import { useAlarmKeys } from '../alarms/keyboard.tsx'
import { openAlarms } from '../alarms/live.ts'
import { type AlarmRow, rowOf, shelfEnd } from '../alarms/row.ts'
import { suppressorText } from '../alarms/suppressors.ts'
import { go, hrefOf } from '../core/address.ts'
import { list, read } from '../core/api.ts'
import { Refused } from '../core/refused.ts'
import { may } from '../core/session.ts'
import { lastedText, now, serverTimeText, timeText } from '../core/time-text.ts'
import { AlarmTold } from '../notify/alarm-told.tsx'
import { Facts, Section } from '../parts/facts.tsx'
import { Level } from '../parts/level.tsx'
import { useEvery, useLoad, When } from '../parts/load.tsx'
import { More } from '../parts/more.tsx'
import { Empty } from '../parts/problem.tsx'
import { DeleteDialog } from '../parts/records.tsx'
import { Time } from '../parts/time.tsx'
import { alarmTexts as words } from '../texts/alarm-texts.ts'
import { texts } from '../texts/shared-texts.ts'
import { CheckSection } from './alarm-check.tsx'
import { Next } from './alarm-next.tsx'
import { readParameters } from './alarm-parameters.ts'
import { type AlarmDetail, Relations, Similar } from './alarm-related.tsx'
import { type Trap, Why } from './alarm-why.tsx'
import { Coverage } from './coverage.tsx'
import { ImpactSection } from './impact.tsx'
import { Timeline } from './timeline.tsx'

interface Around {
  readonly alarm: AlarmDetail
  readonly traps: readonly Trap[]
  readonly before: readonly AlarmDetail[]
  /** The address of the history, where there are more of them. */
  readonly allBefore: string
}

/** The one behind it is the oldest; there may be thousands. */
const trapsRead = 1
const similarRead = 12

async function loadAround(id: string, over: AbortSignal): Promise<Around> {
  const alarm = await read<AlarmDetail>(`/fault/alarm/${encodeURIComponent(id)}`, {}, over)
  const where =
    alarm.deviceId === '0' || alarm.deviceId === ''
      ? { deviceIp: alarm.deviceIp }
      : { deviceId: alarm.deviceId }
  const same = { ...where, faultOid: alarm.OID }
  const [traps, before] = await Promise.all([
    list<Trap>('/fault/trap', { alarmId: id, orderBy: 'id', size: trapsRead }, over),
    list<AlarmDetail>('/fault/alarm', { ...same, orderBy: 'id', desc: true, size: similarRead }, over),
    learnWindows(alarm.suppressedBy ?? []),
  ])
  const earlier = before.rows.filter((one) => one.id !== id && one.isReceoverFault !== '1')
  const allBefore = before.total > before.rows.length ? hrefOf('history', '', same) : ''
  return { alarm, traps: traps.rows, before: earlier, allBefore }
}

function Actions({ row, isOver }: { row: AlarmRow; isOver: boolean }) {
  if (!may('operator') || isOver) return null
  const offered = actions.filter((action) => action !== 'acknowledge' || !row.acknowledged)
  return (
    <div class="buttons">
      {offered.map((action) => (
        <button
          key={action}
          type="button"
          class={action === 'acknowledge' ? 'main' : ''}
          title={texts.actions.hints[action]}
          onClick={() => begin(action, [row])}
        >
          {texts.actions[action]}
        </button>
      ))}
      {row.acknowledged && (
        <button type="button" onClick={() => void unacknowledge(row)}>
          {texts.actions.unacknowledge}
        </button>
      )}
    </div>
  )
}

function DeviceLink({ alarm }: { alarm: AlarmDetail }) {
  const name = alarm.deviceName === '' ? alarm.deviceIp : alarm.deviceName
  if (alarm.deviceId === '0' || alarm.deviceId === '') return <span>{name}</span>
  return <a href={hrefOf('device', alarm.deviceId)}>{name}</a>
}

/** The end of a shelf, by the service's zone. */
const shelfHover = ({ shelvedUntil }: AlarmRow) =>
  shelfEnd(shelvedUntil) === '' ? '' : serverTimeText(shelvedUntil)

/** Its state so far, for alarms that are not over. */
function standingOf({ shelvedUntil, heldBy }: AlarmRow): string {
  if (shelvedUntil > 0) return words.shelved(shelfEnd(shelvedUntil))
  return heldBy === '' ? words.stillOpen : heldBy
}

/** Maintenance windows as links to them. */
const HeldBy = ({ by }: { by: readonly string[] }) =>
  by.map((one, index) => {
    const [, window] = /^maintenance (\d+)$/.exec(one) ?? []
    const text = suppressorText(one)
    return (
      <span key={one}>
        {index > 0 && ', '}
        {window ? <a href={hrefOf('window', window)}>{text}</a> : text}
      </span>
    )
  })

function AlarmFacts({ alarm, row }: { alarm: AlarmDetail; row: AlarmRow }) {
  const end = Number(alarm.recTime)
  const lasted = (end > 0 ? end : now.value / 1000) - row.time
  const until = Number(alarm.ackUntil)
  const acknowledged = row.acknowledged ? (
    <span title={serverTimeText(row.acknowledgedAt)}>
      {words.byAt(row.acknowledgedBy, timeText(row.acknowledgedAt))}
    </span>
  ) : (
    end === 0 && words.notAcknowledged
  )
  return (
    <Facts
      facts={[
        [words.device, <DeviceLink alarm={alarm} />],
        [words.address, alarm.deviceIp],
        [words.since, <Time at={row.time} />],
        [end > 0 ? words.lasted : words.openFor, lastedText(lasted)],
        [
          words.reports,
          row.repeats > 1 && (
            <span title={serverTimeText(row.lastTime)}>
              {words.reportsText(row.repeats, timeText(row.lastTime))}
            </span>
          ),
        ],
        [words.acknowledged, acknowledged],
        [
          words.ended,
          end > 0 && (
            <>
              <Time at={end} />
              {alarm.recUserName !== '$SYSTEM' && ` ${words.byAt(alarm.recUserName, '')}`}
            </>
          ),
        ],
        [words.ackUntil, row.acknowledged && until > 0 && <Time at={until} />],
        [words.heldBack, alarm.suppressed === 'true' && <HeldBy by={alarm.suppressedBy ?? []} />],
        [words.owner, row.owner || alarm.owner],
        [words.note, row.note || alarm.note],
        [words.remark, row.remark],
        [words.resource, alarm.resource],
        [
          words.event,
          <>
            {alarm.eventName} <span class="mono hint">{alarm.OID}</span>
          </>,
        ],
        [words.category, alarm.alarmCategoryDesc],
        [words.source, alarm.originalTypeDesc],
        [words.id, alarm.id],
      ]}
    />
  )
}

function Parameters({ paras }: { paras: string }) {
  const parameters = readParameters(paras)
  if (parameters.length === 0) return <p class="hint">{words.noParameters}</p>
  return (
    <table class="small">
      <thead>
        <tr>
          <th scope="col">{words.name}</th>
          <th scope="col">{words.value}</th>
        </tr>
      </thead>
      <tbody>
        {parameters.map(({ name, value, isKey }) => (
          <tr key={name}>
            <th scope="row">
              {name}
              {isKey && (
                <>
                  {' '}
                  <span class="tag">{words.key}</span>
                </>
              )}
            </th>
            <td>{value}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function AlarmView({ alarm, traps, before, allBefore }: Around) {
  const [deleting, setDeleting] = useState(false)
  void openAlarms.version.value
  const known = openAlarms.rows.get(alarm.id)
  // What the stream has sent since is newer than what was read.
  const row = known ?? rowOf(alarm, undefined, 0)
  const isOver = row.endedAt > 0 || alarm.recStatus === '1'
  useAlarmKeys(row, isOver)
  return (
    <article class="page alarm-page">
      <header class={`alarm-head edge-${row.level}`}>
        <p>
          <Level level={row.level} />{' '}
          <span class="hint" title={isOver ? '' : shelfHover(row)}>
            {isOver ? words.ended : standingOf(row)}
          </span>
        </p>
        <h1>{row.text}</h1>
        <Actions row={row} isOver={isOver} />
        {isOver && may('operator') && (
          <div class="buttons">
            <More
              label={texts.moreActions}
              actions={[{ text: words.delete, isDangerous: true, act: () => setDeleting(true) }]}
            />
          </div>
        )}
      </header>
      <div class="columns">
        <div>
          <Section title={words.facts}>
            <AlarmFacts alarm={alarm} row={row} />
          </Section>
          <Section title={words.parameters} hint={words.parametersHint}>
            <Parameters paras={alarm.paras} />
          </Section>
          <Section title={words.why}>
            <Why alarm={alarm} trap={traps[0]} />
          </Section>
        </div>
        <div>
          <Section title={words.timeline}>
            <Timeline id={alarm.id} on={[alarm, known]} />
          </Section>
          {!isOver && <CheckSection id={alarm.id} />}
          <AlarmTold id={alarm.id} on={[alarm]} />
          <Relations alarm={alarm} row={known} />
          {alarm.deviceId !== '0' && alarm.deviceId !== '' && (
            <>
              <ImpactSection id={alarm.id} />
              <Coverage about={alarm} />
            </>
          )}
          <Section title={words.similar} hint={words.similarHint}>
            <Similar alarms={before} />
            {allBefore !== '' && (
              <p>
                <a href={allBefore}>{words.allSimilar}</a>
              </p>
            )}
          </Section>
          <Next alarm={alarm} row={row} isOver={isOver} />
        </div>
      </div>
      <ActionDialog />
      {deleting && (
        <DeleteDialog
          title={words.delete}
          hint={words.deleteHint}
          path={`/fault/alarm/${alarm.id}`}
          close={() => setDeleting(false)}
          done={() => go(hrefOf('history'))}
        />
      )}
    </article>
  )
}

export default function AlarmPage({ id }: { id: string }) {
  void openAlarms.version.value
  // The stream first reports that it is over; how, and after how long, is then read.
  const isOver = (openAlarms.rows.get(id)?.endedAt ?? 0) > 0
  const loaded = useLoad((over) => loadAround(id, over), [id, isOver, worked.value])
  useEvery(10, loaded)
  if (loaded.error instanceof Refused && loaded.error.status === 404)
    return (
      <Empty title={words.gone}>
        <p>{words.goneHint}</p>
        <a class="button" href={hrefOf('alarms')}>
          {texts.errors.toAlarms}
        </a>
      </Empty>
    )
  return <When loaded={loaded} show={(around: Around) => <AlarmView {...around} />} />
}
