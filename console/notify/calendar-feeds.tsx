// Calendar feeds: shifts in a calendar program, by a secret address that can be revoked.

import { useState } from 'preact/hooks'
import { ask, list, type Rows } from '../core/api.ts'
import { NameOf, useChoosable } from '../parts/by-name.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Section } from '../parts/facts.tsx'
import { Form, type FormField, type Values } from '../parts/form.tsx'
import { type Column, Table } from '../parts/list.tsx'
import { useLoad, When } from '../parts/load.tsx'
import { More } from '../parts/more.tsx'
import { DeleteDialog } from '../parts/records.tsx'
import { SecretDialog } from '../parts/secret-dialog.tsx'
import { Time } from '../parts/time.tsx'
import { calendarTexts as words } from '../texts/on-call-texts.ts'
import { texts } from '../texts/shared-texts.ts'

interface Feed {
  readonly id: string
  readonly scheduleId?: string
  readonly contactId?: string
  readonly description?: string
  readonly createdTime: string
  readonly address?: string
}

const path = '/notify/calendarFeed'
/** More than anybody has; administrators see those of everyone. */
const maxShown = 200

const fields: readonly FormField[] = [
  { name: 'scheduleId', label: words.schedule, of: 'schedule', none: words.allSchedules },
  { name: 'contactId', label: words.contact, of: 'contact', none: words.everyone },
  { name: 'description', label: words.description, hint: words.descriptionHint },
]

interface MakeProps {
  readonly contactId: string
  readonly close: () => void
  readonly made: (address: string) => void
}

function Make({ contactId, close, made }: MakeProps) {
  const save = async (values: Values) => {
    const body = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''))
    const { data } = await ask<Feed>('POST', path, { body })
    close()
    made(data.address ?? '')
  }
  return (
    <Dialog title={words.create} onClose={close}>
      <Form
        fields={fields}
        values={{ scheduleId: '', contactId, description: '' }}
        submitText={words.create}
        onSubmit={save}
        onCancel={close}
      />
    </Dialog>
  )
}

interface CalendarFeedsProps {
  /** Whose shifts are suggested; empty: those of everyone. */
  readonly contactId?: string
}

export function CalendarFeeds({ contactId = '' }: CalendarFeedsProps) {
  const [isMaking, setMaking] = useState(false)
  const [address, setAddress] = useState('')
  const [revoked, setRevoked] = useState<Feed | undefined>(undefined)
  const schedules = useChoosable('schedule')
  const contacts = useChoosable('contact')
  const loaded = useLoad((over) => list<Feed>(path, { size: maxShown }, over), [])
  const columns: readonly Column<Feed>[] = [
    {
      title: words.schedule,
      cell: ({ scheduleId }) =>
        scheduleId === undefined ? words.allSchedules : <NameOf among={schedules} id={scheduleId} />,
    },
    {
      title: words.contact,
      cell: (feed) =>
        feed.contactId === undefined ? words.everyone : <NameOf among={contacts} id={feed.contactId} />,
    },
    { title: words.description, kind: 'wide', cell: ({ description }) => description },
    { title: words.created, cell: ({ createdTime }) => <Time at={Number(createdTime)} /> },
    {
      title: texts.records.actions,
      kind: 'actions',
      cell: (feed) => (
        <More
          label={texts.more(feed.id)}
          actions={[
            {
              ...{ text: words.revoke, label: words.revokeOne(feed.id), isDangerous: true },
              act: () => setRevoked(feed),
            },
          ]}
        />
      ),
    },
  ]
  return (
    <Section title={words.title} hint={words.about}>
      <When
        loaded={loaded}
        show={({ rows }: Rows<Feed>) =>
          rows.length > 0 && (
            <Table columns={columns} rows={rows} caption={words.title} keyOf={({ id }: Feed) => id} />
          )
        }
      />
      <div class="buttons">
        <button type="button" onClick={() => setMaking(true)}>
          {words.create}
        </button>
      </div>
      {isMaking && (
        <Make
          contactId={contactId}
          close={() => setMaking(false)}
          made={(made: string) => {
            setAddress(made)
            loaded.again()
          }}
        />
      )}
      {address !== '' && (
        <SecretDialog
          title={words.made}
          hint={words.madeHint}
          secret={address}
          close={() => setAddress('')}
        />
      )}
      {revoked && (
        <DeleteDialog
          title={words.revokeOne(revoked.id)}
          hint={words.revokeHint}
          path={`${path}/${revoked.id}`}
          close={() => setRevoked(undefined)}
          done={loaded.again}
        />
      )}
    </Section>
  )
}
