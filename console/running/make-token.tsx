// A new token: for what, what it may do, and for how long. It is shown once.

import { useState } from 'preact/hooks'
import { ask } from '../core/api.ts'
import { may, session } from '../core/session.ts'
import { dayEnds } from '../core/time-text.ts'
import { useChoosable } from '../parts/by-name.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { type ChoosingProps, Form, type FormField, type Values } from '../parts/form.tsx'
import { apart, presenceFields } from '../parts/presence.tsx'
import { SecretDialog } from '../parts/secret-dialog.tsx'
import { tokenTexts as words } from '../texts/service-texts.ts'

const roles = ['viewer', 'operator', 'administrator']
/** Of a RADIUS server, which can do nothing else. */
const alone = 'access'

/** The words of a scope after one of them was chosen or left: one role at most, and `access` by itself. */
function scopeAfter(before: readonly string[], word: string): readonly string[] {
  if (before.includes(word)) return before.filter((one) => one !== word)
  if (word === alone) return [alone]
  const isOther = (one: string) => one !== alone && !(roles.includes(word) && roles.includes(one))
  return [...before.filter(isOther), word]
}

function Scope({ value, change }: ChoosingProps) {
  const chosen = value.split(',').filter(Boolean)
  return (
    <fieldset class="choices">
      <legend>{words.scope}</legend>
      {Object.entries(words.scopes).map(([word, text]) => (
        <label key={word} class="check">
          <input
            type="checkbox"
            name={`scope-${word}`}
            checked={chosen.includes(word)}
            onChange={() => change(scopeAfter(chosen, word).join())}
          />
          <span>
            {text} <span class="hint mono">{word}</span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}

/** Administrators make tokens for everyone, others for themselves. */
const fieldsFor = (isForOthers: boolean): readonly FormField[] => [
  { name: 'description', label: words.description, hint: words.descriptionHint },
  { name: 'scope', label: words.scope, control: Scope },
  { name: 'expiryTime', label: words.expires, kind: 'date', hint: words.expiresHint },
  ...(isForOthers
    ? [{ name: 'operatorId', label: words.operator, of: 'operator' as const, required: true }]
    : []),
  ...presenceFields(),
]

interface MakeProps {
  readonly start: Values
  readonly close: () => void
  readonly done?: () => void
}

/** Whether there is an operator to whom a token can belong. */
export function useCanMakeToken(): boolean {
  const { all, isMany } = useChoosable('operator', may('administrator'))
  return session.value.state !== 'open' || isMany || all.length > 0
}

export function MakeToken({ start, close, done }: MakeProps) {
  const [made, setMade] = useState<string | undefined>(undefined)
  const { all, isMany } = useChoosable('operator', may('administrator'))
  const save = async (given: Values) => {
    const { values, presentPassword } = apart(given)
    const { expiryTime = '', ...others } = values
    const body = expiryTime === '' ? others : { ...others, expiryTime: dayEnds(expiryTime) }
    const { data } = await ask<{ token: string }>('POST', '/plat/token', { body, presentPassword })
    setMade(data.token)
    done?.()
  }
  const first = session.value.operatorId || (all[0]?.value ?? '')
  if (made !== undefined)
    return <SecretDialog title={words.made} hint={words.madeHint} secret={made} close={close} />
  return (
    <Dialog title={words.create} onClose={close}>
      <Form
        key={first}
        fields={fieldsFor(isMany || all.length > 0)}
        values={{ ...start, ...(first !== '' && { operatorId: first }) }}
        submitText={words.create}
        onSubmit={save}
        onCancel={close}
      />
    </Dialog>
  )
}
