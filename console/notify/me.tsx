// Everybody's own page: my channels. Who is not a contact yet can become one here.

import { useState } from 'preact/hooks'
import { list } from '../core/api.ts'
import { session } from '../core/session.ts'
import { useLoad, When } from '../parts/load.tsx'
import { Empty } from '../parts/problem.tsx'
import { RecordDialog } from '../parts/records.tsx'
import { meTexts as words } from '../texts/notify-texts.ts'
import { type Contact, contactPath, contactShape } from './contact.tsx'
import { Person } from './person-view.tsx'

function NotYet({ again }: { again: () => void }) {
  const [open, setOpen] = useState(false)
  const { name, operatorId } = session.value
  const shape = contactShape(false)
  return (
    <Empty title={words.notYet}>
      <p>{words.notYetHint}</p>
      <button type="button" class="main" onClick={() => setOpen(true)}>
        {words.enter}
      </button>
      {open && (
        <RecordDialog
          before={undefined}
          shape={{
            ...shape,
            blank: { ...shape.blank, name },
            fromForm: (values) => ({ ...shape.fromForm(values), operatorId }),
          }}
          close={() => setOpen(false)}
          again={again}
        />
      )}
    </Empty>
  )
}

export default function MePage() {
  const { operatorId } = session.value
  const loaded = useLoad(
    async (over) => {
      if (operatorId === '') return []
      return (await list<Contact>(contactPath, { operatorId, size: 1 }, over)).rows
    },
    [operatorId],
  )
  if (operatorId === '')
    return (
      <Empty title={words.noOperator}>
        <p>{words.noOperatorHint}</p>
      </Empty>
    )
  return (
    <When
      loaded={loaded}
      show={([contact]: readonly Contact[]) =>
        contact ? (
          <Person contact={contact} title={words.title} again={loaded.again} />
        ) : (
          <NotYet again={loaded.again} />
        )
      }
    />
  )
}
