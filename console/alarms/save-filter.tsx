// Saving the filter of the alarms under a name, and deleting the one that is in use.

import { useState } from 'preact/hooks'
import { address } from '../core/address.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Form, type Values } from '../parts/form.tsx'
import { More } from '../parts/more.tsx'
import { say } from '../parts/toast.tsx'
import { texts } from '../texts/shared-texts.ts'
import { queryText } from './filter-terms.ts'
import { forgetFilter, maxSaved, type SavedFilter, savedFilters, saveFilter } from './saved-filters.ts'

const words = texts.alarms.saved

function SaveDialog({ query, close }: { query: string; close: () => void }) {
  const save = async ({ name = '' }: Values) => {
    const isNew = !savedFilters().some((one) => one.name === name.trim())
    if (isNew && savedFilters().length >= maxSaved) throw new Error(words.most(maxSaved))
    saveFilter({ name: name.trim(), query })
    say(words.done(name.trim()))
    close()
  }
  const fields = [{ name: 'name', label: words.name, hint: words.nameHint, required: true }]
  return (
    <Dialog title={words.title} onClose={close}>
      <Form fields={fields} values={{}} submitText={texts.save} onSubmit={save} onCancel={close} />
    </Dialog>
  )
}

/** With the way back. */
function forget(one: SavedFilter): void {
  forgetFilter(one)
  say(words.deleted(one.name), async () => saveFilter(one))
}

export function SaveFilter() {
  const [isOpen, setOpen] = useState(false)
  const query = queryText(address.value.query)
  if (query === '') return null
  const inUse = savedFilters().find((one) => one.query === query)
  if (inUse)
    return (
      <More
        label={texts.more(inUse.name)}
        actions={[{ text: words.delete, isDangerous: true, act: () => forget(inUse) }]}
      />
    )
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        {words.save}
      </button>
      {isOpen && <SaveDialog query={query} close={() => setOpen(false)} />}
    </>
  )
}
