// Saves the record of an editor page: creates or changes it, shows the outcome, and returns to the list.

import { go, hrefOf } from '../core/address.ts'
import { ask } from '../core/api.ts'
import { Refused } from '../core/refused.ts'
import { texts } from '../texts/shared-texts.ts'
import { type Labels, messageFor } from './refusal.ts'
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
  /** Called once it is saved. */
  readonly done: () => void
  /** Of the fields on the page, for what was refused. */
  readonly labels?: Labels
  readonly refuse?: (refused: Refused) => void
}

export async function submitRecord(
  event: Event,
  { path, id, body, saved, next, done, labels = {}, refuse }: Submission,
): Promise<void> {
  event.preventDefault()
  try {
    const { remarks } =
      id === 'new' ? await ask('POST', path, { body }) : await ask('PUT', `${path}/${id}`, { body })
    say(remarks === '' ? saved : texts.records.savedWith(remarks))
    done()
    go(hrefOf(next))
  } catch (error) {
    if (!(error instanceof Refused) || error.field === '') return complain(error)
    complain(new Error(messageFor(error, labels)))
    refuse?.(error)
  }
}
