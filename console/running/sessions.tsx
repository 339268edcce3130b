// Browsers in which the operator has signed in, and the operator's own name and password.

import { useState } from 'preact/hooks'
import { ask, read } from '../core/api.ts'
import { may, session } from '../core/session.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Form, type Values } from '../parts/form.tsx'
import { type Column, List, useList } from '../parts/list.tsx'
import { useLoad } from '../parts/load.tsx'
import { More } from '../parts/more.tsx'
import { apart, presenceFields } from '../parts/presence.tsx'
import { Empty } from '../parts/problem.tsx'
import { DeleteDialog } from '../parts/records.tsx'
import { Ago, Time } from '../parts/time.tsx'
import { say } from '../parts/toast.tsx'
import { operatorTexts, sessionTexts as words } from '../texts/service-texts.ts'
import { texts } from '../texts/shared-texts.ts'

interface Sitting {
  readonly id: string
  readonly operatorName: string
  readonly way: string
  readonly address: string
  readonly agent: string
  readonly createdTime: string
  readonly lastUseTime: string
  readonly expiryTime: string
}

/** The caller. An operator of an identity provider has no password here. */
interface Self {
  readonly authType: string
  readonly fullName?: string
}

/** Browsers have long names; the last words distinguish them. */
const agentText = (agent: string) =>
  /(Firefox|Edg|OPR|Chrome|Safari)\/[\d.]+/.exec(agent)?.[0]?.replace('Edg/', 'Edge/') ?? agent.slice(0, 40)

const columns: readonly Column<Sitting>[] = [
  {
    title: words.operator,
    cell: ({ id, operatorName }) => (
      <>
        <b>{operatorName}</b>
        {id === session.value.sessionId && (
          <>
            {' '}
            <span class="tag">{words.this}</span>
          </>
        )}
      </>
    ),
  },
  { title: words.address, cell: ({ address }) => address },
  {
    title: words.agent,
    kind: 'wide',
    cell: ({ agent }) => <span title={agent}>{agentText(agent)}</span>,
  },
  { title: words.way, cell: ({ way }) => words.ways[way] ?? way },
  { title: words.began, cell: ({ createdTime }) => <Time at={Number(createdTime)} /> },
  { title: words.last, cell: ({ lastUseTime }) => <Ago at={Number(lastUseTime)} /> },
  { title: words.expires, cell: ({ expiryTime }) => <Time at={Number(expiryTime)} /> },
]

const self = '/plat/operator/self'

function OwnName({
  fullName = '',
  close,
  again,
}: Pick<Self, 'fullName'> & { close: () => void; again: () => void }) {
  const save = async (values: Values) => {
    await ask('PUT', self, { body: values })
    say(operatorTexts.ownNameChanged)
    close()
    again()
  }
  const fields = [{ name: 'fullName', label: operatorTexts.fullName, hint: operatorTexts.ownNameHint }]
  return (
    <Dialog title={operatorTexts.ownNameTitle} onClose={close}>
      <Form fields={fields} values={{ fullName }} submitText={texts.save} onSubmit={save} onCancel={close} />
    </Dialog>
  )
}

function OwnPassword({ close }: { close: () => void }) {
  const save = async (given: Values) => {
    const { values, presentPassword } = apart(given)
    const { keepTokens = 'false', ...body } = values
    await ask('PUT', self, { query: { keepTokens }, body, presentPassword })
    say(keepTokens === 'true' ? operatorTexts.ownChangedOnly : operatorTexts.ownChanged)
    close()
  }
  const fields = [
    {
      name: 'password',
      label: operatorTexts.password,
      kind: 'password' as const,
      required: true,
      hint: operatorTexts.ownHint,
    },
    { name: 'keepTokens', label: operatorTexts.keepTokens, kind: 'check' as const },
    ...presenceFields(),
  ]
  return (
    <Dialog title={operatorTexts.ownTitle} onClose={close}>
      <Form fields={fields} values={{}} submitText={texts.save} onSubmit={save} onCancel={close} />
    </Dialog>
  )
}

export default function SessionsPage() {
  const [ending, setEnding] = useState<Sitting | undefined>(undefined)
  const [own, setOwn] = useState<'name' | 'password' | undefined>(undefined)
  const isSignedIn = session.value.state === 'signed-in'
  const buttons: Column<Sitting> = {
    title: texts.records.actions,
    kind: 'actions',
    cell: (one) => (
      <More
        label={texts.more(one.operatorName)}
        actions={[
          {
            ...{ text: words.end, label: words.endTitle(one.operatorName), isDangerous: true },
            act: () => setEnding(one),
          },
        ]}
      />
    ),
  }
  const props = {
    path: '/plat/session',
    columns: [...columns, buttons],
    filters: may('administrator')
      ? [{ name: 'operatorId', label: words.operator, of: 'operator' as const }]
      : [],
    caption: words.title,
    keyOf: ({ id }: Sitting) => id,
    empty: (
      <Empty title={words.empty}>
        <p>{words.emptyHint}</p>
      </Empty>
    ),
  }
  const loaded = useList(props)
  const caller = useLoad(async () => (isSignedIn ? await read<Self>(self) : undefined), [isSignedIn])
  const hasPassword = caller.data?.authType === '0'
  return (
    <section class="page">
      <header class="page-head">
        <h1>{words.title}</h1>
        <span class="gap" />
        <div class="head-buttons">
          {caller.data && (
            <button type="button" onClick={() => setOwn('name')}>
              {operatorTexts.ownName}
            </button>
          )}
          {hasPassword && (
            <button type="button" onClick={() => setOwn('password')}>
              {operatorTexts.own}
            </button>
          )}
        </div>
      </header>
      <p class="hint about">{words.about}</p>
      <List {...props} loaded={loaded} />
      {ending && (
        <DeleteDialog
          title={words.endTitle(ending.operatorName)}
          hint={words.endHint}
          path={`/plat/session/${ending.id}`}
          isDangerous={ending.id !== session.value.sessionId}
          close={() => setEnding(undefined)}
          done={loaded.again}
        />
      )}
      {own === 'name' && (
        <OwnName
          fullName={caller.data?.fullName ?? ''}
          close={() => setOwn(undefined)}
          again={caller.again}
        />
      )}
      {own === 'password' && <OwnPassword close={() => setOwn(undefined)} />}
    </section>
  )
}
