// A channel: an address on a gateway, as records and forms have it, and how it is confirmed.

import { useState } from 'preact/hooks'
import { ask, list } from '../core/api.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Form, type FormField, type Values } from '../parts/form.tsx'
import { complain, say } from '../parts/toast.tsx'
import { gatewayTexts, channelTexts as words } from '../texts/notify-texts.ts'
import { type Sending, SendTest } from './send-test.tsx'

export interface Channel {
  readonly id: string
  readonly contactId?: string
  readonly gatewayId: string
  readonly name?: string
  readonly address?: string
  readonly position: string
  readonly delay: string
  readonly confirmed: string
}

export interface GatewayName {
  readonly id: string
  readonly name: string
  readonly kind: string
  readonly enabled: string
  readonly addressHint?: string
}

export const channelPath = '/notify/channel'

export const gatewayNames = async (over: AbortSignal) =>
  (await list<GatewayName>('/notify/gateway/name', {}, over)).rows

/** These lead to one place by themselves. */
const withoutAddress = ['slackWebhook', 'teams', 'snmp']

const addressField = ({ id, kind, addressHint }: GatewayName): FormField => ({
  name: 'address',
  label: words.address,
  hint: addressHint ?? words.addressHints[kind] ?? words.addressHint,
  required: kind !== 'webhook',
  shown: ({ gatewayId }) => gatewayId === id,
})

const hasAddress = ({ kind }: GatewayName) => !withoutAddress.includes(kind)

export function channelFields(gateways: readonly GatewayName[], isForOthers: boolean): readonly FormField[] {
  return [
    ...(isForOthers
      ? [{ name: 'contactId', label: words.contact, of: 'contact' as const, none: words.nobody }]
      : []),
    {
      name: 'gatewayId',
      label: words.gateway,
      kind: 'choice',
      choices: Object.fromEntries(gateways.map(({ id, name }) => [id, name])),
      required: true,
    },
    ...gateways.filter(hasAddress).map(addressField),
    { name: 'name', label: words.name, hint: words.nameHint },
    {
      name: 'delay',
      label: words.delay,
      kind: 'number',
      shown: ({ contactId = '' }) => !isForOthers || contactId !== '',
    },
  ]
}

/** An address that was typed for another gateway is not sent along. */
export const channelBody = (gateways: readonly GatewayName[], values: Values): Values => {
  const gateway = gateways.find(({ id }) => id === values.gatewayId)
  return { ...values, address: gateway && hasAddress(gateway) ? (values.address ?? '') : '' }
}

export const channelToForm = ({ contactId = '', gatewayId, name = '', address = '', delay }: Channel) => ({
  ...{ contactId, gatewayId, name, address, delay },
})

export const channelName = ({ name, address, id }: Channel) => name || address || `#${id}`

/** The name of its gateway. */
export const gatewayOf =
  (gateways: readonly GatewayName[]) =>
  ({ gatewayId }: Channel) =>
    gateways.find(({ id }) => id === gatewayId)?.name ?? gatewayId

/** Names by which channels can be told apart: where several have the same, with their gateway and number. */
export function distinctNames(
  channels: readonly Channel[],
  gateways: readonly GatewayName[],
): ReadonlyMap<string, string> {
  const times = new Map<string, number>()
  for (const channel of channels) {
    const name = channelName(channel)
    times.set(name, (times.get(name) ?? 0) + 1)
  }
  const nameOf = (channel: Channel) => {
    const name = channelName(channel)
    if (times.get(name) === 1 && (channel.name || channel.address)) return name
    return words.ofGateway(name, gatewayOf(gateways)(channel), channel.id)
  }
  return new Map(channels.map((channel) => [channel.id, nameOf(channel)]))
}

export const Address = ({ name, address }: Channel) => (
  <>
    <b>{address}</b> {name && <span class="hint">{name}</span>}
  </>
)

interface ConfirmProps {
  readonly channel: Channel
  readonly close: () => void
  readonly done: () => void
}

/** By a code that is sent there; an administrator confirms what belongs to nobody. */
function Confirm({ channel, close, done }: ConfirmProps) {
  const isRoom = channel.contactId === undefined
  const [isSent, setSent] = useState(false)
  const path = `${channelPath}/${channel.id}`
  const sendCode = async () => {
    try {
      const { data } = await ask<Sending>('POST', `${path}/code`)
      if (data.outcome !== 'delivered') throw new Error(data.reason)
      setSent(true)
      say(words.codeSent)
    } catch (error) {
      complain(error)
    }
  }
  const confirm = async ({ code = '' }: Values) => {
    await ask('PUT', `${path}/confirm`, { body: isRoom ? {} : { code: code.trim() } })
    say(words.isConfirmed)
    close()
    done()
  }
  return (
    <Dialog title={words.confirmTitle(channelName(channel))} onClose={close}>
      <p>{isRoom ? words.confirmRoom : words.confirmHint}</p>
      {!isRoom && (
        <div class="buttons">
          <button type="button" class={isSent ? '' : 'main'} onClick={sendCode}>
            {words.sendCode}
          </button>
        </div>
      )}
      <Form
        fields={isRoom ? [] : [{ name: 'code', label: words.code, required: true }]}
        values={{}}
        submitText={words.confirm}
        onSubmit={confirm}
        onCancel={close}
      />
    </Dialog>
  )
}

export const ChannelState = ({ confirmed }: Channel) =>
  confirmed === 'true' ? <span>{words.confirmed}</span> : <span class="tag danger">{words.notConfirmed}</span>

/** Buttons that confirm an address, and test one that counts. */
export function ChannelButtons({ channel, again }: { channel: Channel; again: () => void }) {
  const [open, setOpen] = useState<'confirm' | 'test' | undefined>(undefined)
  const close = () => setOpen(undefined)
  const isConfirmed = channel.confirmed === 'true'
  const name = channelName(channel)
  return (
    <>
      {!isConfirmed && (
        <button
          type="button"
          class="plain"
          aria-label={words.confirmOne(name)}
          onClick={() => setOpen('confirm')}
        >
          {words.confirm}
        </button>
      )}
      {isConfirmed && (
        <button
          type="button"
          class="plain"
          aria-label={gatewayTexts.testOne(name)}
          onClick={() => setOpen('test')}
        >
          {gatewayTexts.test}
        </button>
      )}
      {open === 'confirm' && <Confirm channel={channel} close={close} done={again} />}
      {open === 'test' && <SendTest name={name} path={`${channelPath}/${channel.id}/test`} close={close} />}
    </>
  )
}
