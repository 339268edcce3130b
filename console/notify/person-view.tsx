// One person: facts, and how the person is reached. It is the page of a contact, and everybody's own.

import { useState } from 'preact/hooks'
import { hrefOf } from '../core/address.ts'
import { list, listWhole, type Rows } from '../core/api.ts'
import { may, session } from '../core/session.ts'
import { Facts, Section } from '../parts/facts.tsx'
import { type Column, Table } from '../parts/list.tsx'
import { useLoad, When } from '../parts/load.tsx'
import { RecordDialog } from '../parts/records.tsx'
import { Time } from '../parts/time.tsx'
import { channelTexts, peopleTexts, toldTexts, meTexts as words } from '../texts/notify-texts.ts'
import { onCallTexts } from '../texts/on-call-texts.ts'
import { CalendarFeeds } from './calendar-feeds.tsx'
import { ChannelsOf } from './channels-of.tsx'
import { type Contact, contactShape, quietText, type Team } from './contact.tsx'
import type { Shift } from './shift-days.ts'
import { type Notification, notificationPath, toldColumns } from './told.tsx'

const rowsShown = 10

/** The newest; the ledger has all of them. */
function ToldTo({ contactId, title }: { contactId: string; title: string }) {
  const query = { contactId, orderBy: 'id', desc: true, size: rowsShown }
  const loaded = useLoad((over) => list<Notification>(notificationPath, query, over), [contactId])
  return (
    <Section title={title}>
      <When
        loaded={loaded}
        show={({ rows, total }: Rows<Notification>) => (
          <>
            {rows.length === 0 ? (
              <p class="hint">{toldTexts.none}</p>
            ) : (
              <Table columns={toldColumns} rows={rows} caption={title} keyOf={({ id }: Notification) => id} />
            )}
            {total > rows.length && <a href={hrefOf('told', '', { contactId })}>{toldTexts.all}</a>}
          </>
        )}
      />
    </Section>
  )
}

/** In the next four weeks, which is what the service answers. */
function NextShifts({ contactId, title }: { contactId: string; title: string }) {
  const loaded = useLoad((over) => list<Shift>('/notify/shift', { contactId }, over), [contactId])
  return (
    <Section title={title}>
      <When
        loaded={loaded}
        show={({ rows }: Rows<Shift>) =>
          rows.length === 0 ? (
            <p class="hint">{onCallTexts.noShifts}</p>
          ) : (
            <Table
              columns={shiftColumns}
              rows={rows}
              caption={title}
              keyOf={({ scheduleId, fromTime }: Shift) => `${scheduleId} ${fromTime}`}
            />
          )
        }
      />
    </Section>
  )
}

const shiftColumns: readonly Column<Shift>[] = [
  { title: onCallTexts.schedule, cell: ({ scheduleName }) => scheduleName },
  { title: onCallTexts.from, cell: ({ fromTime }) => <Time at={Number(fromTime)} /> },
  { title: onCallTexts.to, cell: ({ toTime }) => <Time at={Number(toTime)} /> },
]

interface PersonProps {
  readonly contact: Contact
  readonly title: string
  readonly again: () => void
}

export function Person({ contact, title, again }: PersonProps) {
  const [editing, setEditing] = useState(false)
  const isOwn = contact.operatorId !== undefined && contact.operatorId === session.value.operatorId
  const mayChange = isOwn || may('administrator')
  const { data: teams = [] } = useLoad((over) => listWhole<Team>('/notify/team', {}, over), [])
  const isIn = teams.filter(({ contactId }) => contactId.includes(contact.id))
  return (
    <article class="page">
      <header class="page-head">
        <h1>{title}</h1>
        {contact.enabled === 'false' && <span class="tag">{peopleTexts.disabled}</span>}
        <span class="gap" />
        {mayChange && (
          <button type="button" onClick={() => setEditing(true)}>
            {words.edit}
          </button>
        )}
      </header>
      <Section title={isOwn ? words.facts : words.aboutPerson}>
        <Facts
          facts={[
            [peopleTexts.name, contact.name],
            [peopleTexts.operator, contact.operatorName ?? peopleTexts.nobody],
            [peopleTexts.timeZone, contact.timeZone ?? peopleTexts.ofService],
            [peopleTexts.quiet, quietText(contact)],
            [words.teams, isIn.map(({ name }) => name).join(', ')],
          ]}
        />
      </Section>
      {mayChange ? (
        <ChannelsOf contactId={contact.id} title={isOwn ? channelTexts.own : channelTexts.title} />
      ) : (
        <p class="hint">{words.onlyTheirs}</p>
      )}
      <NextShifts contactId={contact.id} title={isOwn ? onCallTexts.myShifts : onCallTexts.shifts} />
      {isOwn && <CalendarFeeds contactId={contact.id} />}
      {mayChange && <ToldTo contactId={contact.id} title={isOwn ? toldTexts.mine : toldTexts.theirs} />}
      {editing && (
        <RecordDialog
          before={contact}
          shape={contactShape(may('administrator'))}
          close={() => setEditing(false)}
          again={again}
        />
      )}
    </article>
  )
}
