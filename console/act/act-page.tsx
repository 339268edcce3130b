// The page that a link in a message opens: the alarm, and a button for what the link is for. Nothing happens before
// somebody presses it. It needs no session: the link itself is the permission, and is in the fragment of the address.

import { render } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { ask } from '../core/api.ts'
import { Facts } from '../parts/facts.tsx'
import { Level } from '../parts/level.tsx'
import { Problem } from '../parts/problem.tsx'
import { actTexts as words } from '../texts/act-texts.ts'
import { texts } from '../texts/shared-texts.ts'

interface LinkedAlarm {
  readonly contactName: string
  readonly action: readonly string[]
  readonly id: string
  readonly alarmLevel: string
  readonly deviceName: string
  readonly deviceIp: string
  readonly alarmDesc: string
  readonly faultTimeDesc: string
  readonly recTimeDesc: string
  readonly ackStatus: string
  readonly ackUserName: string
  readonly owner: string
  readonly shelved: string
}

/** What the address asks for, and the link. */
function linkOf(fragment: string): { readonly wanted: string; readonly link: string } {
  const [, wanted = '', link = ''] = /^#(\w+):(.+)$/.exec(fragment) ?? []
  return { wanted, link }
}

const factsOf = (alarm: LinkedAlarm) => [
  [words.level, <Level key="level" level={Number(alarm.alarmLevel)} />] as const,
  [words.device, [...new Set([alarm.deviceName, alarm.deviceIp])].filter(Boolean).join(', ')] as const,
  [words.since, alarm.faultTimeDesc] as const,
  [words.over, alarm.recTimeDesc] as const,
  [words.acknowledged, alarm.ackStatus === '1' && (alarm.ackUserName || words.somebody)] as const,
  [words.owner, alarm.owner] as const,
  [words.shelved, alarm.shelved === 'true' && words.yes] as const,
]

interface ButtonsProps {
  readonly actions: readonly string[]
  readonly wanted: string
  readonly busy: boolean
  readonly onPress: (action: string) => void
}

/** What the link was for comes first. */
function Buttons({ actions, wanted, busy, onPress }: ButtonsProps) {
  const ordered = actions.toSorted((a, b) => Number(b === wanted) - Number(a === wanted))
  return (
    <p class="buttons">
      {ordered.map((action) => (
        <button
          key={action}
          type="button"
          class={action === wanted ? 'main' : ''}
          disabled={busy}
          onClick={() => onPress(action)}
        >
          {words.actions[action] ?? action}
        </button>
      ))}
    </p>
  )
}

function ActPage() {
  const [{ wanted, link }, setLink] = useState(() => linkOf(location.hash))
  const [alarm, setAlarm] = useState<LinkedAlarm>()
  const [error, setError] = useState<unknown>()
  const [done, setDone] = useState('')
  const [busy, setBusy] = useState(false)
  const send = async (path: string, body: object, said: string) => {
    setBusy(true)
    try {
      setAlarm((await ask<LinkedAlarm>('POST', path, { body })).data)
      setDone(said)
      setError(undefined)
    } catch (cause) {
      setError(cause)
    }
    setBusy(false)
  }
  useEffect(() => {
    // A second link that is opened in the same tab changes the fragment alone.
    const follow = () => setLink(linkOf(location.hash))
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [])
  useEffect(() => {
    setAlarm(undefined)
    if (link !== '') void send('/notify/action/show', { link }, '')
  }, [link])
  const press = (action: string) =>
    void send('/notify/action', { link, action }, words.done[action] ?? words.done.other ?? '')
  return (
    <main id="main" class="act">
      <h1>{alarm ? alarm.alarmDesc : texts.name}</h1>
      {link === '' && <p>{words.noLink}</p>}
      {alarm && <Facts facts={factsOf(alarm)} />}
      {alarm && <p class="hint">{words.actingAs(alarm.contactName)}</p>}
      <p role="status">{done}</p>
      {error !== undefined && <Problem error={error} />}
      {alarm && <Buttons actions={alarm.action} wanted={wanted} busy={busy} onPress={press} />}
      {alarm?.action.length === 0 && done === '' && <p>{words.nothingLeft}</p>}
    </main>
  )
}

const place = document.getElementById('console')
if (place) render(<ActPage />, place)
