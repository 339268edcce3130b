// Overrides of a schedule: somebody is on call instead of whom the schedule names.

import { useMemo } from 'preact/hooks'
import type { Column } from '../parts/list.tsx'
import { Records } from '../parts/records.tsx'
import { Time } from '../parts/time.tsx'
import { onCallTexts as words } from '../texts/on-call-texts.ts'
import { type Override, overrideShape, spanFrom } from './override.ts'

const columns: readonly Column<Override>[] = [
  { title: words.contact, cell: ({ contactName, contactId }) => <b>{contactName ?? contactId}</b> },
  { title: words.from, cell: ({ fromTime }) => <Time at={Number(fromTime)} /> },
  { title: words.to, cell: ({ toTime }) => <Time at={Number(toTime)} /> },
  { title: words.reason, kind: 'wide', cell: ({ reason }) => reason },
  { title: words.createdBy, kind: 'rare', cell: ({ createdBy }) => createdBy },
]

export function Overrides({ scheduleId }: { scheduleId: string }) {
  const shape = useMemo(() => overrideShape(scheduleId, spanFrom(Date.now() / 1000)), [scheduleId])
  return (
    <Records
      {...shape}
      queryPrefix="override"
      title={words.overrides}
      about={words.overridesAbout}
      fixed={{ scheduleId, orderBy: 'fromTime', desc: true }}
      columns={columns}
      nameOf={({ contactName, contactId }: Override) => contactName ?? contactId}
      emptyHint={words.overridesEmpty}
    />
  )
}
