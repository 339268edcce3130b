// The channels of one person, in the order in which they are used.

import { useState } from 'preact/hooks'
import { ask, listWhole } from '../core/api.ts'
import { Section } from '../parts/facts.tsx'
import type { Values } from '../parts/form.tsx'
import { Icon } from '../parts/icon.tsx'
import type { IconName } from '../parts/icons.ts'
import { type Column, Table } from '../parts/list.tsx'
import { useLoad, When } from '../parts/load.tsx'
import { DeleteDialog, DeleteMore, RecordDialog } from '../parts/records.tsx'
import { complain } from '../parts/toast.tsx'
import { channelTexts as words } from '../texts/notify-texts.ts'
import { texts } from '../texts/shared-texts.ts'
import {
  Address,
  type Channel,
  ChannelButtons,
  ChannelState,
  channelBody,
  channelFields,
  channelName,
  channelPath,
  channelToForm,
  type GatewayName,
  gatewayNames,
  gatewayOf,
} from './channel.tsx'

interface Loaded {
  readonly channels: readonly Channel[]
  readonly gateways: readonly GatewayName[]
}

async function load(contactId: string, over: AbortSignal): Promise<Loaded> {
  const [channels, gateways] = await Promise.all([
    listWhole<Channel>(channelPath, { contactId }, over),
    gatewayNames(over),
  ])
  channels.sort((a, b) => Number(a.position) - Number(b.position) || Number(a.id) - Number(b.id))
  return { channels, gateways }
}

/** Seconds after the first channel, for the next one. */
const defaultDelay = '300'

/** Positions are counted anew: two channels may have had the same one. */
async function reorder(channels: readonly Channel[]): Promise<void> {
  for (const [index, channel] of channels.entries()) {
    const position = String(index + 1)
    if (channel.position === position) continue
    const body = { ...channelToForm(channel), position }
    await ask('PUT', `${channelPath}/${channel.id}`, { body })
  }
}

const swapped = (channels: readonly Channel[], a: number, b: number) =>
  channels.map((one, at) => (at === a ? (channels[b] ?? one) : at === b ? (channels[a] ?? one) : one))

type Open = { readonly kind: 'new' } | { readonly kind: 'edit' | 'delete'; readonly channel: Channel }

interface DialogsProps extends Loaded {
  readonly contactId: string
  readonly open: Open
  readonly close: () => void
  readonly again: () => void
}

function Dialogs({ contactId, channels, gateways, open, close, again }: DialogsProps) {
  if (open.kind === 'delete')
    return (
      <DeleteDialog
        title={texts.records.deleteTitle(words.one, channelName(open.channel))}
        hint={texts.records.deleteHint}
        path={`${channelPath}/${open.channel.id}`}
        close={close}
        done={again}
      />
    )
  const shape = {
    noun: words.one,
    path: channelPath,
    fields: channelFields(gateways, false),
    keyOf: ({ id }: Channel) => id,
    toForm: channelToForm,
    fromForm: (values: Values) => ({ ...channelBody(gateways, values), contactId }),
    blank: { gatewayId: gateways[0]?.id ?? '', delay: channels.length === 0 ? '0' : defaultDelay },
  }
  return (
    <RecordDialog
      before={open.kind === 'edit' ? open.channel : undefined}
      shape={shape}
      close={close}
      again={again}
    />
  )
}

interface ButtonsProps {
  readonly channel: Channel
  readonly isFirst: boolean
  readonly isLast: boolean
  readonly move: (by: -1 | 1) => void
  readonly open: (open: Open) => void
  readonly again: () => void
}

function Buttons({ channel, isFirst, isLast, move, open, again }: ButtonsProps) {
  const name = channelName(channel)
  const arrow = (label: string, icon: IconName, by: -1 | 1, disabled: boolean) => (
    <button type="button" class="plain icon" disabled={disabled} aria-label={label} onClick={() => move(by)}>
      <Icon name={icon} />
    </button>
  )
  return (
    <>
      <ChannelButtons channel={channel} again={again} />
      {arrow(words.up(name), 'arrowUp', -1, isFirst)}
      {arrow(words.down(name), 'arrowDown', 1, isLast)}
      <button
        type="button"
        class="plain"
        aria-label={texts.records.editOne(name)}
        onClick={() => open({ kind: 'edit', channel })}
      >
        {texts.records.editShort}
      </button>
      <DeleteMore name={name} ask={() => open({ kind: 'delete', channel })} />
    </>
  )
}

interface ListedProps extends Loaded {
  readonly contactId: string
  readonly again: () => void
}

function Listed({ contactId, channels, gateways, again }: ListedProps) {
  const [open, setOpen] = useState<Open | undefined>(undefined)
  const move = (index: number, by: -1 | 1) =>
    void reorder(swapped(channels, index, index + by))
      .catch(complain)
      .then(again)
  const indexOf = (channel: Channel) => channels.indexOf(channel)
  const columns: readonly Column<Channel>[] = [
    { title: words.order, kind: 'number', cell: (channel) => indexOf(channel) + 1 },
    { title: words.gateway, cell: gatewayOf(gateways) },
    { title: words.address, kind: 'wide', cell: Address },
    { title: words.when, cell: ({ delay }) => words.at(Number(delay)) },
    { title: words.state, cell: ChannelState },
    {
      title: texts.records.actions,
      kind: 'actions',
      cell: (channel) => (
        <Buttons
          channel={channel}
          isFirst={indexOf(channel) === 0}
          isLast={indexOf(channel) === channels.length - 1}
          move={(by: -1 | 1) => move(indexOf(channel), by)}
          open={setOpen}
          again={again}
        />
      ),
    },
  ]
  return (
    <>
      {channels.length > 0 ? (
        <Table columns={columns} rows={channels} caption={words.title} keyOf={({ id }: Channel) => id} />
      ) : (
        <p>{gateways.length > 0 ? words.emptyHint : words.noGateways}</p>
      )}
      {gateways.length > 0 && (
        <div class="buttons">
          <button type="button" class="main" onClick={() => setOpen({ kind: 'new' })}>
            {texts.records.create(words.one)}
          </button>
        </div>
      )}
      {open && (
        <Dialogs {...{ contactId, channels, gateways, open, again }} close={() => setOpen(undefined)} />
      )}
    </>
  )
}

export function ChannelsOf({ contactId, title }: { contactId: string; title: string }) {
  const loaded = useLoad((over) => load(contactId, over), [contactId])
  return (
    <Section title={title} hint={words.about}>
      <When
        loaded={loaded}
        show={(data: Loaded) => <Listed {...data} contactId={contactId} again={loaded.again} />}
      />
    </Section>
  )
}
