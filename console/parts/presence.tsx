// The operator shows to be present, before what outlasts the session: with the present password, or by signing in again
// where there is none here.

import { leaveForProvider } from '../core/openid.ts'
import { session } from '../core/session.ts'
import { texts } from '../texts/shared-texts.ts'
import type { FormField, Values } from './form.tsx'
import { complain } from './toast.tsx'

const words = texts.presence

const again: FormField = {
  name: 'presentPassword',
  label: words.again,
  control: () => (
    <p>
      {words.provider}{' '}
      <button type="button" onClick={() => leaveForProvider().catch(complain)}>
        {words.again}
      </button>
    </p>
  ),
}

/** The last field of a form, where one is needed. */
export function presenceFields(): readonly FormField[] {
  const { presence } = session.value
  if (presence === 'provider') return [again]
  if (presence !== 'password') return []
  return [
    { name: 'presentPassword', label: words.password, kind: 'present', required: true, hint: words.hint },
  ]
}

/** It is no part of what is saved. */
export function apart(values: Values): { values: Values; presentPassword: string } {
  const { presentPassword = '', ...others } = values
  return { values: others, presentPassword }
}
