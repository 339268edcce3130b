// People: contacts and teams, and for administrators all channels.

import { useMemo } from 'preact/hooks'
import { hrefOf } from '../core/address.ts'
import { may } from '../core/session.ts'
import { NameOf, SeveralByName, useChoosable } from '../parts/by-name.tsx'
import type { ChoosingProps, FormField, Values } from '../parts/form.tsx'
import type { Column } from '../parts/list.tsx'
import { useLoad } from '../parts/load.tsx'
import { Records } from '../parts/records.tsx'
import { channelTexts, peopleTexts as words } from '../texts/notify-texts.ts'
import { numberText } from '../texts/shared-texts.ts'
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
  gatewayNames,
  gatewayOf,
} from './channel.tsx'
import { type Contact, contactShape, quietText, type Team } from './contact.tsx'

const columns: readonly Column<Contact>[] = [
  {
    title: words.name,
    order: 'name',
    cell: ({ id, name, enabled }) => (
      <>
        <a href={hrefOf('person', id)}>
          <b>{name}</b>
        </a>{' '}
        {enabled === 'false' && <span class="tag">{words.disabled}</span>}
      </>
    ),
  },
  {
    title: words.operator,
    cell: ({ operatorName }) => operatorName ?? <span class="hint">{words.nobody}</span>,
  },
  {
    title: words.timeZone,
    cell: ({ timeZone }) => timeZone ?? <span class="hint">{words.ofService}</span>,
  },
  { title: words.quiet, kind: 'wide', cell: quietText },
]

const teamColumns: readonly Column<Team>[] = [
  { title: words.name, order: 'name', cell: ({ name }) => <b>{name}</b> },
  { title: words.description, kind: 'wide', cell: ({ description }) => description },
  { title: words.members, kind: 'number', cell: ({ contactId }) => numberText(contactId.length) },
]

const Members = ({ value, change }: ChoosingProps) => (
  <SeveralByName
    label={words.members}
    kind="contact"
    none={words.noContacts}
    chosen={value.split(' ').filter(Boolean)}
    change={(ids: readonly string[]) => change(ids.join(' '))}
  />
)

const teamFields: readonly FormField[] = [
  { name: 'name', label: words.name, required: true },
  { name: 'description', label: words.description },
  { name: 'contactId', label: words.members, control: Members },
]

const Teams = () => (
  <Records
    queryPrefix="team"
    title={words.teams}
    noun={words.team}
    about={words.teamsAbout}
    changes="administrator"
    path="/notify/team"
    columns={teamColumns}
    filters={[{ name: 'name', label: words.find, anywhere: true }]}
    fields={teamFields}
    toForm={({ name, description = '', contactId }: Team) => ({
      name,
      description,
      contactId: contactId.join(' '),
    })}
    fromForm={({ contactId = '', ...values }: Values) => ({
      ...values,
      contactId: contactId.split(' ').filter(Boolean),
    })}
    keyOf={({ id }: Team) => id}
    nameOf={({ name }: Team) => name}
    emptyHint={words.teamsEmpty}
  />
)

function AllChannels() {
  const contacts = useChoosable('contact')
  const { data: gateways = [] } = useLoad(gatewayNames, [])
  const fields = useMemo(() => channelFields(gateways, true), [gateways])
  const listed: readonly Column<Channel>[] = [
    {
      title: channelTexts.contact,
      cell: ({ contactId }) =>
        contactId === undefined ? (
          <span class="hint">{channelTexts.nobody}</span>
        ) : (
          <a href={hrefOf('person', contactId)}>
            <NameOf among={contacts} id={contactId} />
          </a>
        ),
    },
    { title: channelTexts.gateway, cell: gatewayOf(gateways) },
    { title: channelTexts.address, kind: 'wide', cell: Address },
    { title: channelTexts.state, cell: ChannelState },
  ]
  return (
    <Records
      queryPrefix="channel"
      title={channelTexts.all}
      noun={channelTexts.one}
      about={channelTexts.allAbout}
      changes="administrator"
      path={channelPath}
      columns={listed}
      actions={(channel: Channel, again: () => void) => <ChannelButtons channel={channel} again={again} />}
      filters={[
        { name: 'contactId', label: channelTexts.contact, of: 'contact' },
        { name: 'gatewayId', label: channelTexts.gateway, of: 'gateway' },
      ]}
      fields={fields}
      blank={{ gatewayId: gateways[0]?.id ?? '', delay: '0' }}
      toForm={channelToForm}
      fromForm={(values: Values) => channelBody(gateways, values)}
      keyOf={({ id }: Channel) => id}
      nameOf={channelName}
      emptyHint={gateways.length > 0 ? channelTexts.emptyHint : channelTexts.noGateways}
    />
  )
}

export default function PeoplePage() {
  const isForOthers = may('administrator')
  return (
    <Records
      {...contactShape(isForOthers)}
      title={words.title}
      about={words.about}
      changes="administrator"
      columns={columns}
      filters={[{ name: 'name', label: words.name, anywhere: true }]}
      nameOf={({ name }: Contact) => name}
      emptyHint={words.emptyHint}
      deleteHint={words.deleteHint}
    >
      <Teams />
      {isForOthers && <AllChannels />}
    </Records>
  )
}
