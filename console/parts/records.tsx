// Records that people create, change and delete in a dialog: zones, views, bindings and the like.

import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { ask } from '../core/api.ts'
import { may, type Role } from '../core/session.ts'
import { texts } from '../texts/shared-texts.ts'
import { type Kind, OneByName } from './by-name.tsx'
import { Dialog } from './dialog.tsx'
import { Field, Form, type FormField, type Values } from './form.tsx'
import { type Column, List, type ListProps, useList } from './list.tsx'
import { useEvery } from './load.tsx'
import { More } from './more.tsx'
import { apart, presenceFields } from './presence.tsx'
import { complain, say } from './toast.tsx'

const words = texts.records

export interface RecordsProps<T> extends Omit<ListProps<T>, 'caption' | 'empty'> {
  readonly title: string
  /** The noun for one of them, as in "New zone". */
  readonly noun: string
  /** What the page is about, in a sentence or two. */
  readonly about: string
  readonly fields: readonly FormField[]
  readonly changes?: Role
  readonly nameOf: (row: T) => string
  /** The record as the form shows it, and back. */
  readonly toForm?: (row: T) => Values
  readonly fromForm?: (values: Values, before: T | undefined) => unknown
  /** Parameters of the request that saves it. */
  readonly queryOf?: (values: Values, before: T | undefined) => Readonly<Record<string, string>>
  readonly blank?: Values
  readonly emptyHint: string
  readonly deletable?: (row: T) => boolean
  readonly deleteHint?: string
  /** The operator must be present to delete one. */
  readonly isDeletingDangerous?: boolean
  /** Its form has much in it. */
  readonly isWide?: boolean
  /** What else is asked when one is deleted. */
  readonly deleteChoice?: (row: T) => DeleteChoice
  /** Further buttons of a row; `again` reloads the list. */
  readonly actions?: (row: T, again: () => void) => ComponentChildren
  /** Below the list. */
  readonly children?: ComponentChildren
  /** Below all of it: what can be done with selected rows; `again` reloads the list. */
  readonly bar?: (again: () => void) => ComponentChildren
  /** The list is read again at this interval, in seconds. */
  readonly every?: number
}

/** A parameter of the request. */
interface DeleteChoice {
  readonly name: string
  readonly label: string
  /** What choosing nothing means. */
  readonly none: string
  readonly of: Kind
  readonly without: string
}

type Open<T> = { readonly kind: 'new' } | { readonly kind: 'edit' | 'delete'; readonly row: T }

const texted = (row: unknown) =>
  Object.fromEntries(
    Object.entries(row as Record<string, unknown>).filter(([, value]) => typeof value === 'string'),
  ) as Values

type Shape<T> = Pick<
  RecordsProps<T>,
  'noun' | 'fields' | 'path' | 'keyOf' | 'toForm' | 'fromForm' | 'queryOf' | 'blank' | 'isWide'
>

interface DialogProps<T> {
  /** None: a new one is made. */
  readonly before: T | undefined
  readonly shape: Shape<T>
  readonly close: () => void
  readonly again: () => void
}

export function RecordDialog<T>({ before, shape, close, again }: DialogProps<T>) {
  const { noun, fields, path, keyOf, toForm = texted, fromForm = (values) => values, queryOf } = shape
  const save = async (given: Values) => {
    const { values, presentPassword } = apart(given)
    const body = fromForm(values, before)
    const query = queryOf?.(values, before) ?? {}
    const { remarks } = before
      ? await ask('PUT', `${path}/${encodeURIComponent(keyOf(before))}`, { query, body, presentPassword })
      : await ask('POST', path, { query, body, presentPassword })
    say(remarks === '' ? words.saved : words.savedWith(remarks))
    close()
    again()
  }
  return (
    <Dialog
      title={before ? words.edit(noun) : words.create(noun)}
      onClose={close}
      wide={shape.isWide ?? false}
    >
      <Form
        fields={fields}
        values={before ? toForm(before) : (shape.blank ?? {})}
        submitText={texts.save}
        onSubmit={save}
        onCancel={close}
        draftKey={`${path} ${before ? keyOf(before) : 'new'}`}
      />
    </Dialog>
  )
}

interface DeleteProps {
  readonly title: string
  readonly hint: string
  readonly path: string
  readonly choice?: DeleteChoice | undefined
  /** The operator must be present. */
  readonly isDangerous?: boolean
  readonly close: () => void
  readonly done: () => void
}

/** Asks before something is deleted for good. */
export function DeleteDialog({ title, hint, path, choice, isDangerous = false, close, done }: DeleteProps) {
  const [busy, setBusy] = useState(false)
  const [chosen, setChosen] = useState('')
  const [presentPassword, setPresent] = useState('')
  const fields = isDangerous ? presenceFields() : []
  const remove = async (event: Event) => {
    event.preventDefault()
    setBusy(true)
    try {
      const query = choice && { query: { [choice.name]: chosen } }
      const { remarks } = await ask('DELETE', path, { ...query, presentPassword })
      say(remarks === '' ? words.deleted : words.deletedWith(remarks))
      close()
      done()
    } catch (error) {
      complain(error)
      setBusy(false)
    }
  }
  return (
    <Dialog title={title} onClose={close}>
      <form onSubmit={remove}>
        <p>{hint}</p>
        {choice && (
          <div class="field">
            <label for="delete-choice">{choice.label}</label>
            <OneByName
              id="delete-choice"
              label={choice.label}
              kind={choice.of}
              any={choice.none}
              without={choice.without}
              value={chosen}
              change={setChosen}
            />
          </div>
        )}
        {fields.map((field) => (
          <Field
            key={field.name}
            field={field}
            value={presentPassword}
            values={{}}
            error=""
            errorAt=""
            change={setPresent}
          />
        ))}
        <footer>
          <button type="button" autofocus onClick={close}>
            {texts.cancel}
          </button>
          <button type="submit" class="main danger" disabled={busy}>
            {words.delete}
          </button>
        </footer>
      </form>
    </Dialog>
  )
}

/** The menu of a record of which there is nothing else to do that is not in sight. */
export const DeleteMore = ({ name, ask: open }: { name: string; ask: () => void }) => (
  <More
    label={texts.more(name)}
    actions={[{ text: words.delete, label: words.deleteOne(name), isDangerous: true, act: open }]}
  />
)

export function Records<T>(props: RecordsProps<T>) {
  const {
    title,
    noun,
    about,
    changes = 'operator',
    nameOf,
    keyOf,
    path,
    deletable = () => true,
    queryPrefix,
  } = props
  const [open, setOpen] = useState<Open<T> | undefined>(undefined)
  const loaded = useList({ ...props, caption: title, empty: null })
  useEvery(props.every ?? 0, loaded)
  const close = () => setOpen(undefined)
  const buttons: Column<T> = {
    title: words.actions,
    kind: 'actions',
    cell: (row) => (
      <>
        {props.actions?.(row, loaded.again)}
        <button
          type="button"
          class="plain"
          aria-label={words.editOne(nameOf(row))}
          onClick={() => setOpen({ kind: 'edit', row })}
        >
          {words.editShort}
        </button>
        {deletable(row) && <DeleteMore name={nameOf(row)} ask={() => setOpen({ kind: 'delete', row })} />}
      </>
    ),
  }
  const mayChange = may(changes)
  const columns = mayChange ? [...props.columns, buttons] : props.columns
  const button = (
    <button type="button" class="main" onClick={() => setOpen({ kind: 'new' })}>
      {words.create(noun)}
    </button>
  )
  const empty = (
    <div class="empty">
      <h2>{words.none(title)}</h2>
      <p>{props.emptyHint}</p>
      {mayChange && button}
    </div>
  )
  return (
    <section class={queryPrefix ? 'part' : 'page'}>
      <header class="page-head">
        {queryPrefix ? <h2>{title}</h2> : <h1>{title}</h1>}
        <span class="gap" />
        {mayChange && button}
      </header>
      <p class="hint about">{about}</p>
      <List {...props} columns={columns} caption={title} empty={empty} loaded={loaded} />
      {props.children}
      {props.bar?.(loaded.again)}
      {open && open.kind !== 'delete' && (
        <RecordDialog
          before={open.kind === 'edit' ? open.row : undefined}
          shape={props}
          close={close}
          again={loaded.again}
        />
      )}
      {open?.kind === 'delete' && (
        <DeleteDialog
          title={words.deleteTitle(noun, nameOf(open.row))}
          hint={props.deleteHint ?? words.deleteHint}
          path={`${path}/${encodeURIComponent(keyOf(open.row))}`}
          choice={props.deleteChoice?.(open.row)}
          isDangerous={props.isDeletingDangerous ?? false}
          close={close}
          done={loaded.again}
        />
      )}
    </section>
  )
}
