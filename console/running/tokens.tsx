// Tokens: credentials of programs, in place of a name and a password.

import { useState } from 'preact/hooks'
import { hrefOf } from '../core/address.ts'
import { may, session } from '../core/session.ts'
import { type Column, List, useList } from '../parts/list.tsx'
import { More } from '../parts/more.tsx'
import { Empty } from '../parts/problem.tsx'
import { DeleteDialog } from '../parts/records.tsx'
import { Ago, Time } from '../parts/time.tsx'
import { tokenTexts as words } from '../texts/service-texts.ts'
import { texts } from '../texts/shared-texts.ts'
import { MakeToken, useCanMakeToken } from './make-token.tsx'

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

export default function TokensPage() {
  const [open, setOpen] = useState(false)
  const [revoked, setRevoked] = useState<Token | undefined>(undefined)
  const canMake = useCanMakeToken()
  const buttons: Column<Token> = {
    title: texts.records.actions,
    kind: 'actions',
    cell: (token) => (
      <More
        label={texts.more(token.prefix)}
        actions={[
          {
            ...{ text: words.revoke, label: words.revokeTitle(token.prefix), isDangerous: true },
            act: () => setRevoked(token),
          },
        ]}
      />
    ),
  }
  const button = canMake && (
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
      {open && <MakeToken start={{ scope: 'events' }} close={() => setOpen(false)} done={loaded.again} />}
      {revoked && (
        <DeleteDialog
          title={words.revokeTitle(revoked.prefix)}
          hint={words.revokeHint}
          path={`/plat/token/${revoked.id}`}
          isDangerous={revoked.operatorId !== session.value.operatorId}
          close={() => setRevoked(undefined)}
          done={loaded.again}
        />
      )}
    </section>
  )
}
