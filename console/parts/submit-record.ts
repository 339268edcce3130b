// Saves the record of an editor page: creates or changes it, shows the outcome, and returns to the list.

import { go, hrefOf } from '../core/address.ts'
import { ask } from '../core/api.ts'
import { texts } from '../texts/shared-texts.ts'
import { complain, say } from './toast.tsx'

interface Submission {
  readonly path: string
  /** `new` for a record that does not exist yet. */
  readonly id: string
  readonly body: unknown
  /** The message if there are no warnings. */
  readonly saved: string
  /** The page that is opened afterwards. */
  readonly next: Parameters<typeof hrefOf>[0]
}

export async function submitRecord(event: Event, { path, id, body, saved, next }: Submission): Promise<void> {
  event.preventDefault()
  try {
    const { remarks } =
      id === 'new' ? await ask('POST', path, { body }) : await ask('PUT', `${path}/${id}`, { body })
    say(remarks === '' ? saved : texts.records.savedWith(remarks))
    go(hrefOf(next))
  } catch (error) {
    complain(error)
  }
}
