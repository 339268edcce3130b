// The store as a whole: a download of a backup, and a check.

import { useState } from 'preact/hooks'
import { root } from '../core/address.ts'
import { ask, save } from '../core/api.ts'
import { session } from '../core/session.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Section } from '../parts/facts.tsx'
import { Form, type Values } from '../parts/form.tsx'
import { type Column, Table } from '../parts/list.tsx'
import { presenceFields } from '../parts/presence.tsx'
import { complain } from '../parts/toast.tsx'
import { storeTexts as words } from '../texts/service-texts.ts'

interface Part {
  readonly name: string
  readonly looked: string
  readonly found: readonly string[]
}

interface Check {
  readonly sound: string
  readonly part: readonly Part[]
}

const columns: readonly Column<Part>[] = [
  { title: words.part, cell: ({ name }) => <b>{name}</b> },
  { title: words.looked, cell: ({ looked }) => looked },
  {
    title: words.found,
    kind: 'wide',
    cell: ({ found }) =>
      found.length === 0 ? (
        <span class="hint">{words.nothing}</span>
      ) : (
        <ul class="remarks">
          {found.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      ),
  },
]

function BackupDialog({ close }: { close: () => void }) {
  const download = async ({ presentPassword = '' }: Values) => {
    await save('/plat/backup', presentPassword)
    close()
  }
  return (
    <Dialog title={words.backup} onClose={close}>
      <p>{words.backupHint}</p>
      <Form
        fields={presenceFields()}
        values={{}}
        submitText={words.backup}
        onSubmit={download}
        onCancel={close}
      />
    </Dialog>
  )
}

export function Store() {
  const [busy, setBusy] = useState(false)
  const [saving, setSaving] = useState(false)
  const isAsked = session.value.presence !== ''
  const [check, setCheck] = useState<Check | undefined>(undefined)
  const look = async () => {
    setBusy(true)
    try {
      setCheck((await ask<Check>('GET', '/plat/check')).data)
    } catch (error) {
      complain(error)
    }
    setBusy(false)
  }
  return (
    <Section title={words.title} hint={words.about}>
      <div class="buttons">
        {isAsked ? (
          <button type="button" onClick={() => setSaving(true)}>
            {words.backup}
          </button>
        ) : (
          <a class="button" href={`${root}/plat/backup`} download>
            {words.backup}
          </a>
        )}
        <button type="button" disabled={busy} onClick={() => void look()}>
          {busy ? words.checking : words.check}
        </button>
      </div>
      {saving && <BackupDialog close={() => setSaving(false)} />}
      <div aria-live="polite" class="stack">
        {check && (
          <>
            <p>
              <b>{check.sound === 'true' ? words.sound : words.unsound}</b>
            </p>
            <Table
              columns={columns}
              rows={check.part}
              caption={words.title}
              keyOf={({ name }: Part) => name}
            />
          </>
        )}
      </div>
    </Section>
  )
}
