// Sends a test message, and shows the answer of the other side.

import { useState } from 'preact/hooks'
import { ask } from '../core/api.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Facts } from '../parts/facts.tsx'
import { Form, type FormField, type Values } from '../parts/form.tsx'
import { gatewayTexts as words } from '../texts/notify-texts.ts'

export interface Sending {
  /** `delivered` or `failed`. */
  readonly outcome: string
  readonly answer?: string
  readonly reason?: string
}

interface SendTestProps {
  readonly name: string
  readonly path: string
  /** What is asked for before, such as an address. */
  readonly fields?: readonly FormField[]
  readonly close: () => void
}

export function SendTest({ name, path, fields = [], close }: SendTestProps) {
  const [answer, setAnswer] = useState<Sending | undefined>(undefined)
  const send = async (values: Values) => {
    setAnswer(undefined)
    const body = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''))
    setAnswer((await ask<Sending>('POST', path, fields.length > 0 ? { body } : {})).data)
  }
  const isDelivered = answer?.outcome === 'delivered'
  return (
    <Dialog title={words.testOne(name)} onClose={close}>
      <p>{words.testHint}</p>
      <Form isTrial fields={fields} values={{}} submitText={words.send} onSubmit={send} onCancel={close}>
        <div role="status">
          {answer && (
            <>
              <p class={isDelivered ? '' : 'field-error'}>{isDelivered ? words.delivered : words.failed}</p>
              <Facts
                facts={[
                  [words.reason, answer.reason ?? ''],
                  [words.answer, answer.answer ? <span class="mono">{answer.answer}</span> : ''],
                ]}
              />
            </>
          )}
        </div>
      </Form>
    </Dialog>
  )
}
