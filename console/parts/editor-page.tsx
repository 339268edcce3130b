// The page of one definition: its form beside what it would do, and what else can be done with it.

import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { go, hrefOf } from '../core/address.ts'
import { ask } from '../core/api.ts'
import { may, session } from '../core/session.ts'
import { texts } from '../texts/shared-texts.ts'
import { Form, type FormField, type Values } from './form.tsx'
import { More, type MoreAction } from './more.tsx'
import { DeleteDialog } from './records.tsx'
import { say } from './toast.tsx'

interface EditorWords {
  readonly create: string
  readonly one: string
  readonly saved: string
  readonly delete: string
  readonly deleteHint: string
}

interface EditorPageProps {
  readonly words: EditorWords
  /** Of the records; `id` is undefined for one that is not saved yet. */
  readonly path: string
  readonly id: string | undefined
  readonly name: string
  /** Where it leads when it is done. */
  readonly list: string
  readonly fields: readonly FormField[]
  readonly first: Values
  readonly bodyOf: (values: Values) => unknown
  readonly draftKey: string
  /** Before the one that deletes it. */
  readonly actions?: readonly MoreAction[]
  readonly about?: ComponentChildren
  /** What it would do, for what is typed. */
  readonly trial: (values: Values) => ComponentChildren
}

export function EditorPage(props: EditorPageProps) {
  const { words, path, id, name, list, fields, first, bodyOf, draftKey, actions = [], about, trial } = props
  const [deleting, setDeleting] = useState(false)
  const [values, setValues] = useState(first)
  const mayChange = may('operator')
  const back = () => go(hrefOf(list))
  const save = async (given: Values) => {
    const body = bodyOf(given)
    if (id === undefined) await ask('POST', path, { body })
    else await ask('PUT', `${path}/${id}`, { body })
    say(words.saved)
    back()
  }
  const remove = { text: words.delete, isDangerous: true, act: () => setDeleting(true) }
  return (
    <article class="page">
      <header class="page-head">
        <h1>{id === undefined ? words.create : `${words.one}: ${name}`}</h1>
        <span class="gap" />
        {id !== undefined && mayChange && <More label={texts.moreActions} actions={[...actions, remove]} />}
      </header>
      {about}
      <div class="columns">
        <div>
          <section class="part">
            {!mayChange && <p class="hint">{texts.errors.onlyLook(session.value.role)}</p>}
            <fieldset disabled={!mayChange}>
              <Form
                fields={fields}
                values={first}
                submitText={texts.save}
                onSubmit={save}
                onCancel={back}
                onChange={setValues}
                isOnlyShown={!mayChange}
                draftKey={draftKey}
              />
            </fieldset>
          </section>
        </div>
        <div>{trial(values)}</div>
      </div>
      {deleting && (
        <DeleteDialog
          title={words.delete}
          hint={words.deleteHint}
          path={`${path}/${id}`}
          close={() => setDeleting(false)}
          done={back}
        />
      )}
    </article>
  )
}
