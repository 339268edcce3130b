// What leads the field: the devices and events with most alarms, what is out of reach, and clients that lag.

import { hrefOf } from '../core/address.ts'
import { may } from '../core/session.ts'
import { ageText } from '../core/time-text.ts'
import { Bar } from '../parts/bar.tsx'
import { LevelShape } from '../parts/level.tsx'
import { Age } from '../parts/time.tsx'
import { overviewTexts as words } from '../texts/overview-texts.ts'
import { numberText, texts } from '../texts/shared-texts.ts'
import type { Overview } from './overview-charts.tsx'

export interface Client {
  readonly uuid: string
  readonly connected: string
  readonly lag: string
  readonly lagSeconds: string
}

export function Devices({ device }: Pick<Overview, 'device'>) {
  if (device.length === 0) return <p class="hint">{words.noDevices}</p>
  const most = Number(device[0]?.count ?? 1)
  return (
    <ul class="ranks">
      {device.map((one) => (
        <li key={`${one.deviceId} ${one.deviceIp}`}>
          <span>
            <LevelShape level={Number(one.alarmLevel)} />{' '}
            <a href={hrefOf('alarms', '', { device: one.deviceName || one.deviceIp })}>
              {one.deviceName || one.deviceIp}
            </a>
          </span>
          <Bar part={Number(one.count)} whole={most} />
          <b>{numberText(Number(one.count))}</b>
        </li>
      ))}
    </ul>
  )
}

export function Events({ event }: Pick<Overview, 'event'>) {
  if (event.length === 0) return <p class="hint">{words.noEvents}</p>
  const most = Number(event[0]?.count ?? 1)
  return (
    <ul class="ranks">
      {event.map((one) => (
        <li key={one.OID}>
          <span>
            <a href={hrefOf('history', '', { faultOid: one.OID })}>{one.eventName || one.OID}</a>
            {may('operator') && (
              <>
                {' · '}
                <a
                  href={hrefOf('rule', 'new', { oid: one.OID })}
                  aria-label={words.makeRule(one.eventName || one.OID)}
                >
                  {words.rule}
                </a>
              </>
            )}
          </span>
          <Bar part={Number(one.count)} whole={most} />
          <b>{numberText(Number(one.count))}</b>
        </li>
      ))}
    </ul>
  )
}

const maxUnreachable = 12
/** The service sends no more of them. */
const maxSent = 50
const maxBehind = 8

export const OutOfReach = ({ outOfReach }: Pick<Overview, 'outOfReach'>) =>
  outOfReach.length === 0 ? (
    <p class="hint">{words.noOutOfReach}</p>
  ) : (
    <>
      <ul class="lines">
        {outOfReach.slice(0, maxUnreachable).map((one) => (
          <li key={one.id}>
            <b>{one.deviceName}</b>
            <span>
              <a href={hrefOf('alarm', one.id)}>{one.alarmDesc}</a>
            </span>
            <Age at={Number(one.faultTime)} />
          </li>
        ))}
      </ul>
      {outOfReach.length > maxUnreachable && (
        <p class="hint">
          {(outOfReach.length < maxSent ? texts.list.notShown : words.atLeastMore)(
            outOfReach.length - maxUnreachable,
          )}
        </p>
      )}
    </>
  )

/** Behind by more than what is under way. */
const lagSeconds = 10

export function Clients({ clients }: { clients: readonly Client[] }) {
  const named = clients.filter(({ uuid }) => uuid !== '')
  const behind = named.filter((client) => Number(client.lagSeconds) > lagSeconds)
  if (behind.length === 0) return <p class="hint">{words.clientsFine(named.length)}</p>
  return (
    <>
      <p>{words.clientsLagging(behind.length)}</p>
      <ul class="lines">
        {behind.slice(0, maxBehind).map(({ uuid, lag, lagSeconds: age }) => (
          <li key={uuid}>
            <b>{uuid}</b>
            <span>{words.behind(Number(lag), ageText(Number(age)))}</span>
          </li>
        ))}
      </ul>
      {behind.length > maxBehind && <p class="hint">{texts.list.notShown(behind.length - maxBehind)}</p>}
    </>
  )
}
