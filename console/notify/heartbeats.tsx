// Heartbeats: programs that report in regularly, and whose silence raises an alarm. Below them, for administrators, those
// that the service itself sends.

import { useState } from 'preact/hooks'
import { root } from '../core/address.ts'
import { may } from '../core/session.ts'
import { Dialog } from '../parts/dialog.tsx'
import type { FormField, Values } from '../parts/form.tsx'
import type { Column } from '../parts/list.tsx'
import { Records } from '../parts/records.tsx'
import { copyAndSay } from '../parts/secret-dialog.tsx'
import { Ago } from '../parts/time.tsx'
import { MakeToken, useCanMakeToken } from '../running/make-token.tsx'
import { heartbeatTexts as words } from '../texts/notify-texts.ts'
import { texts } from '../texts/shared-texts.ts'
import { OutgoingHeartbeats } from './outgoing-heartbeats.tsx'

interface Heartbeat {
  readonly id: string
  readonly name: string
  readonly description?: string
  readonly everySeconds: string
  readonly graceSeconds: string
  readonly enabled: string
  readonly lastTime: string
  readonly silent: string
}

function State({ enabled, silent, lastTime }: Heartbeat) {
  if (enabled === 'false') return <span class="tag">{words.off}</span>
  if (silent === 'true') return <span class="tag danger">{words.silent}</span>
  return <span>{lastTime === '0' ? words.waits : words.alive}</span>
}

const columns: readonly Column<Heartbeat>[] = [
  {
    title: words.name,
    kind: 'wide',
    cell: ({ name, description }) => (
      <>
        <b>{name}</b> {description && <span class="hint">{description}</span>}
      </>
    ),
  },
  { title: words.state, cell: State },
  {
    title: words.last,
    cell: ({ lastTime }) => (lastTime === '0' ? words.never : <Ago at={Number(lastTime)} />),
  },
  {
    title: words.expected,
    cell: ({ everySeconds, graceSeconds }) => words.expectedText(Number(everySeconds), Number(graceSeconds)),
  },
]

const fields: readonly FormField[] = [
  { name: 'name', label: words.name, hint: words.nameHint, required: true },
  { name: 'description', label: words.description },
  { name: 'everySeconds', label: words.every, kind: 'number', half: true, required: true },
  { name: 'graceSeconds', label: words.grace, kind: 'number', half: true, hint: words.graceHint },
  { name: 'enabled', label: words.enabled, kind: 'check' },
]

const addressOf = ({ name }: Heartbeat) =>
  `${location.origin}${root}/events/heartbeat/${encodeURIComponent(name)}`

/** For a shell: quoted, as a name may have any character but a quote that is not encoded. */
const commandOf = (heartbeat: Heartbeat, hasToken: boolean) =>
  `curl -X POST${hasToken ? " -H 'Authorization: Bearer TOKEN'" : ''} '${addressOf(heartbeat).replaceAll("'", '%27')}'`

/** The address that the program reports to, and a token for it that can do nothing else. */
function Reporting({ heartbeat }: { heartbeat: Heartbeat }) {
  const [open, setOpen] = useState<'how' | 'token' | undefined>(undefined)
  const close = () => setOpen(undefined)
  const canMake = useCanMakeToken()
  const command = commandOf(heartbeat, canMake)
  return (
    <>
      <button
        type="button"
        class="plain"
        aria-label={words.howOf(heartbeat.name)}
        onClick={() => setOpen('how')}
      >
        {words.how}
      </button>
      {open === 'how' && (
        <Dialog title={words.howOf(heartbeat.name)} onClose={close}>
          <p>{words.howHint}</p>
          <code class="secret" tabindex={0}>
            {command}
          </code>
          <p class="hint">{canMake ? words.tokenHint : words.openHint}</p>
          <footer>
            <button type="button" onClick={() => void copyAndSay(command)}>
              {texts.secret.copy}
            </button>
            {canMake && (
              <button type="button" onClick={() => setOpen('token')}>
                {words.makeToken}
              </button>
            )}
            <button type="button" class="main" onClick={close}>
              {texts.close}
            </button>
          </footer>
        </Dialog>
      )}
      {open === 'token' && (
        <MakeToken
          start={{ scope: 'heartbeat', description: words.tokenFor(heartbeat.name) }}
          close={() => setOpen('how')}
        />
      )}
    </>
  )
}

const blank: Values = { everySeconds: '3600', graceSeconds: '300', enabled: 'true' }

export default function HeartbeatsPage() {
  const reporting: Column<Heartbeat> = {
    title: words.reports,
    cell: (heartbeat) => <Reporting heartbeat={heartbeat} />,
  }
  return (
    <Records
      title={words.title}
      noun={words.one}
      about={words.about}
      path="/notify/heartbeat"
      columns={may('operator') ? [...columns, reporting] : columns}
      filters={[{ name: 'name', label: words.name, anywhere: true }]}
      fixed={{ orderBy: 'name' }}
      fields={fields}
      changes="administrator"
      blank={blank}
      toForm={({ name, description = '', everySeconds, graceSeconds, enabled }: Heartbeat) => ({
        ...{ name, description, everySeconds, graceSeconds, enabled },
      })}
      keyOf={({ id }: Heartbeat) => id}
      nameOf={({ name }: Heartbeat) => name}
      emptyHint={words.emptyHint}
      deleteHint={words.deleteHint}
      every={15}
    >
      {may('administrator') && <OutgoingHeartbeats />}
    </Records>
  )
}
