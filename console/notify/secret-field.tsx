// A secret in a form: it can be written, and is never shown. A hint says that one is set.

import { useId } from 'preact/hooks'
import type { ChoosingProps, FormField, Values } from '../parts/form.tsx'
import { gatewayTexts as words } from '../texts/notify-texts.ts'
import { texts } from '../texts/shared-texts.ts'

/** A secret in the form: nothing keeps it, this removes it, and what is typed has a sign before it. */
const removed = '-'
const typedSign = '='

/** Names of those that are set, as the field `secretSet` of the form has them. */
const names = (values: Values) => (values.secretSet ?? '').split(' ').filter(Boolean)

type SecretKind = 'password' | 'text' | 'area'

/** An input that is always empty at first, beside the remark that something is set. */
const secretOf = (name: string, kind: SecretKind, required: boolean) =>
  function Secret({ value, values, error, change }: ChoosingProps) {
    const id = useId()
    const label = words.secrets[name] ?? name
    const isSet = names(values).includes(name)
    const isRemoved = value === removed
    const hint = isRemoved ? words.willGo : isSet ? words.isSet : ''
    const input = {
      id,
      spellcheck: false,
      disabled: isRemoved,
      'aria-invalid': error !== '' ? true : undefined,
      'aria-describedby': hint === '' ? undefined : `${id}-hint`,
      value: value.startsWith(typedSign) ? value.slice(1) : '',
      onInput: (event: Event) => {
        const { value: text } = event.target as HTMLInputElement
        change(text === '' ? '' : typedSign + text)
      },
    }
    return (
      <>
        <label for={id}>
          {label} {!required && <span class="hint">{texts.form.optional}</span>}
        </label>
        {kind === 'area' && <textarea rows={3} {...input} />}
        {kind === 'text' && <input type="text" autocomplete="off" {...input} />}
        {kind === 'password' && <input type="password" autocomplete="new-password" {...input} />}
        {hint !== '' && (
          <p class="hint" id={`${id}-hint`}>
            {hint}{' '}
            {!required && (
              <button
                type="button"
                class="plain"
                aria-label={isRemoved ? words.keepSecret(label) : words.removeSecret(label)}
                onClick={() => change(isRemoved ? '' : removed)}
              >
                {isRemoved ? words.keep : words.remove}
              </button>
            )}
          </p>
        )}
      </>
    )
  }

export const secretField = (name: string, kind: SecretKind = 'password', required = true): FormField => ({
  name,
  label: words.secrets[name] ?? name,
  // What is typed here is not kept when the form is left.
  kind: 'password',
  control: secretOf(name, kind, required),
})

/** As it is sent: nothing where it stays as it is. */
export function typedSecret(name: string, value: string): Values {
  if (value === removed) return { [name]: '' }
  return value === '' ? {} : { [name]: value.slice(typedSign.length) }
}
