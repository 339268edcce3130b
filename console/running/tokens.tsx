// Tokens: credentials of programs, in place of a name and a password.

import { useState } from 'preact/hooks'
import { hrefOf } from '../core/address.ts'
import { ask } from '../core/api.ts'
import { may, session } from '../core/session.ts'
import { dayEnds } from '../core/time-text.ts'
import { type Choosable, useChoosable } from '../parts/by-name.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Form, type FormField, type Values } from '../parts/form.tsx'
import { type Column, List, useList } from '../parts/list.tsx'
import { apart, presenceFields } from '../parts/presence.tsx'
import { Empty } from '../parts/problem.tsx'
import { DeleteDialog } from '../parts/records.tsx'
import { Ago, Time } from '../parts/time.tsx'
import { complain, say } from '../parts/toast.tsx'
import { tokenTexts as words } from '../texts/service-texts.ts'
import { texts } from '../texts/shared-texts.ts'

interface Token {
  readonly id: string
  readonly operatorId: string
  readonly operatorName?: string
  readonly scope?: string
  readonly description?: string
  readonly prefix: string
  readonly createdTime: string
  readonly expiryTime?: string
  readonly lastUseTime: string
  readonly token?: string
}

const columns: readonly Column<Token>[] = [
  { title: words.description, kind: 'wide', cell: ({ description }) => <b>{description}</b> },
  { title: words.operator, cell: ({ operatorName }) => operatorName },
  { title: words.scope, cell: ({ scope }) => scope },
  { title: words.prefix, kind: 'mono', cell: ({ prefix }) => `${prefix}…` },
  {
    title: words.lastUse,
    cell: ({ lastUseTime }) => (lastUseTime === '0' ? words.never : <Ago at={Number(lastUseTime)} />),
  },
  { title: words.expires, cell: ({ expiryTime }) => <Time at={Number(expiryTime ?? 0)} /> },
]

/** Administrators make tokens for everyone, others for themselves. */
const fieldsFor = (isForOthers: boolean): readonly FormField[] => [
  { name: 'description', label: words.description, hint: words.descriptionHint },
  { name: 'scope', label: words.scope, hint: words.scopeHint, required: true },
  { name: 'expiryTime', label: words.expires, kind: 'date', hint: words.expiresHint },
  ...(isForOthers
    ? [{ name: 'operatorId', label: words.operator, of: 'operator' as const, required: true }]
    : []),
  ...presenceFields(),
]

interface MakeProps {
  readonly operators: Choosable
  readonly close: () => void
  readonly made: (token: Token) => void
}

function Make({ operators, close, made }: MakeProps) {
  const save = async (given: Values) => {
    const { values, presentPassword } = apart(given)
    const { expiryTime = '', ...others } = values
    const body = expiryTime === '' ? others : { ...others, expiryTime: dayEnds(expiryTime) }
    const { data } = await ask<Token>('POST', '/plat/token', { body, presentPassword })
    close()
    made(data)
  }
  const { all, isMany } = operators
  const first = session.value.operatorId || (all[0]?.value ?? '')
  return (
    <Dialog title={words.create} onClose={close}>
      <Form
        fields={fieldsFor(isMany || all.length > 0)}
        values={{ scope: 'events', ...(first !== '' && { operatorId: first }) }}
        submitText={words.create}
        onSubmit={save}
        onCancel={close}
      />
    </Dialog>
  )
}

function Made({ token, close }: { token: Token; close: () => void }) {
  const copy = () => navigator.clipboard.writeText(token.token ?? '').then(() => say(words.copied), complain)
  return (
    <Dialog title={words.made} onClose={close}>
      <p>{words.madeHint}</p>
      <code class="secret" tabindex={0}>
        {token.token}
      </code>
      <footer>
        <button type="button" onClick={copy}>
          {words.copy}
        </button>
        <button type="button" class="main" onClick={close}>
          {texts.close}
        </button>
      </footer>
    </Dialog>
  )
}

export default function TokensPage() {
  const [open, setOpen] = useState(false)
  const [made, setMade] = useState<Token | undefined>(undefined)
  const [revoked, setRevoked] = useState<Token | undefined>(undefined)
  const operators = useChoosable('operator', may('administrator'))
  const isOpen = session.value.state === 'open'
  const buttons: Column<Token> = {
    title: texts.records.actions,
    kind: 'actions',
    cell: (token) => (
      <button
        type="button"
        class="plain"
        aria-label={words.revokeTitle(token.prefix)}
        onClick={() => setRevoked(token)}
      >
        {words.revoke}
      </button>
    ),
  }
  const button = !(isOpen && !operators.isMany && operators.all.length === 0) && (
    <button type="button" class="main" onClick={() => setOpen(true)}>
      {words.create}
    </button>
  )
  const props = {
    path: '/plat/token',
    columns: [...columns, buttons],
    filters: may('administrator')
      ? [{ name: 'operatorId', label: words.operator, of: 'operator' as const }]
      : [],
    caption: words.title,
    keyOf: ({ id }: Token) => id,
    empty: (
      <Empty title={words.empty}>
        <p>{button ? words.about : words.noOperators}</p>
        {button || (
          <a class="button" href={hrefOf('operators')}>
            {texts.menu.operators}
          </a>
        )}
      </Empty>
    ),
  }
  const loaded = useList(props)
  return (
    <section class="page">
      <header class="page-head">
        <h1>{words.title}</h1>
        <span class="gap" />
        {button}
      </header>
      <p class="hint about">{words.about}</p>
      <List {...props} loaded={loaded} />
      {open && (
        <Make
          operators={operators}
          close={() => setOpen(false)}
          made={(token: Token) => {
            setMade(token)
            loaded.again()
          }}
        />
      )}
      {made && <Made token={made} close={() => setMade(undefined)} />}
      {revoked && (
        <DeleteDialog
          title={words.revokeTitle(revoked.prefix)}
          hint={words.revokeHint}
          path={`/plat/token/${revoked.id}`}
          isGrave={revoked.operatorId !== session.value.operatorId}
          close={() => setRevoked(undefined)}
          done={loaded.again}
        />
      )}
    </section>
  )
}
