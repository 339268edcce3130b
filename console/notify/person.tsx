// The page of a contact.

import { hrefOf } from '../core/address.ts'
import { read } from '../core/api.ts'
import { Refused } from '../core/refused.ts'
import { useLoad, When } from '../parts/load.tsx'
import { Empty } from '../parts/problem.tsx'
import { peopleTexts, meTexts as words } from '../texts/notify-texts.ts'
import { type Contact, contactPath } from './contact.tsx'
import { Person } from './person-view.tsx'

export default function PersonPage({ id }: { id: string }) {
  const loaded = useLoad((over) => read<Contact>(`${contactPath}/${id}`, {}, over), [id])
  if (loaded.error instanceof Refused && loaded.error.status === 404)
    return (
      <Empty title={words.gone}>
        <a class="button" href={hrefOf('people')}>
          {peopleTexts.title}
        </a>
      </Empty>
    )
  return (
    <When
      loaded={loaded}
      show={(contact: Contact) => <Person contact={contact} title={contact.name} again={loaded.again} />}
    />
  )
}
