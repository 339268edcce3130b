// Where no alarm is open: nothing is wrong, or nothing has reported yet, and how to change that.

import { hrefOf } from '../core/address.ts'
import { count, list } from '../core/api.ts'
import { may } from '../core/session.ts'
import { useLoad } from '../parts/load.tsx'
import { texts } from '../texts/shared-texts.ts'

const words = texts.alarms

interface Heard {
  readonly alarms: number
  readonly traps: number
  /** Where traps are received, such as `127.0.0.1:1162`; empty for those who may not know. */
  readonly where: string
}

async function whatWasHeard(over: AbortSignal): Promise<Heard> {
  const settings = async () =>
    (await list<{ name: string; value: string }>('/plat/setting', {}, over)).rows.find(
      ({ name }) => name === 'traps',
    )?.value ?? ''
  const [alarms, traps, where] = await Promise.all([
    count('/fault/alarm'),
    count('/fault/trap'),
    may('administrator') ? settings() : '',
  ])
  return { alarms, traps, where }
}

const onlyHere = /^(127\.|localhost|\[?::1)/

/** Which address devices must send to, and what is in the way. */
function Listening({ where }: { where: string }) {
  const [, host = '', port = ''] = /^(.*):(\d+)$/.exec(where) ?? []
  if (port === '') return null
  return (
    <>
      <p>{words.heardOn(host, port)}</p>
      {onlyHere.test(host) && (
        <p class="remarks">
          {words.onlyHere} <code>--traps 0.0.0.0:{port === '0' ? '1162' : port}</code>
        </p>
      )}
    </>
  )
}

const FirstSteps = ({ where }: { where: string }) => (
  <div class="empty">
    <h2>{words.silent}</h2>
    <p>{words.silentHint}</p>
    <Listening where={where} />
    <p class="hint">{words.firstSteps}</p>
    <code>belfry trap linkDown</code>
  </div>
)

export function Nothing() {
  const { data } = useLoad(whatWasHeard, [])
  if (data === undefined) return <div class="empty" />
  if (data.alarms === 0 && data.traps === 0) return <FirstSteps where={data.where} />
  return (
    <div class="empty good">
      <h2>{words.none}</h2>
      <p>{words.noneHint}</p>
      {data.alarms > 0 && (
        <a class="button" href={hrefOf('history')}>
          {words.lately}
        </a>
      )}
    </div>
  )
}
