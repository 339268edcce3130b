// Which terminal may be used where: bindings by MAC address.

import { Refused } from '../core/refused.ts'
import { DeviceLink, useDeviceNames } from '../parts/device-names.tsx'
import type { FormField, Values } from '../parts/form.tsx'
import type { Column } from '../parts/list.tsx'
import { Records } from '../parts/records.tsx'
import { bindingTexts as words } from '../texts/terminal-texts.ts'
import { type Port, PortChoice, readBack, written } from './port-choice.tsx'

export interface Binding {
  readonly id: string
  readonly terminalMac: string
  readonly terminalName?: string
  readonly bindType: string
  readonly maintainer?: string
  readonly vlan?: string
  readonly ifInfo: readonly Port[]
}

const bound = '2'
const shownPorts = 3

function Ports({ binding: { bindType, ifInfo } }: { binding: Binding }) {
  useDeviceNames(ifInfo.slice(0, shownPorts).map(({ deviceId }) => deviceId))
  if (bindType !== bound) return <span class="hint">{words.anywhere}</span>
  return (
    <ul>
      {ifInfo.slice(0, shownPorts).map(({ deviceId, ifIndex }) => (
        <li key={`${deviceId} ${ifIndex}`}>
          <DeviceLink id={deviceId} otherwise={deviceId} />, {words.port(ifIndex ?? '')}
        </li>
      ))}
      {ifInfo.length > shownPorts && <li class="hint">{words.more(ifInfo.length - shownPorts)}</li>}
    </ul>
  )
}

const columns: readonly Column<Binding>[] = [
  { title: words.mac, kind: 'mono', order: 'terminalMac', cell: ({ terminalMac }) => terminalMac },
  { title: words.name, order: 'terminalName', cell: ({ terminalName }) => terminalName },
  { title: words.ports, kind: 'wide', cell: (binding) => <Ports binding={binding} /> },
  { title: words.vlan, kind: 'number', cell: ({ vlan }) => vlan },
  { title: words.maintainer, cell: ({ maintainer }) => maintainer },
]

const fields: readonly FormField[] = [
  { name: 'terminalMac', label: words.mac, required: true, hint: words.macHint },
  { name: 'terminalName', label: words.name },
  { name: 'bindType', label: words.kind, kind: 'choice', choices: words.kinds, required: true },
  { name: 'ifInfo', label: words.ports, control: PortChoice, hint: words.portsHint },
  { name: 'vlan', label: words.vlan, kind: 'number', hint: words.vlanHint },
  { name: 'maintainer', label: words.maintainer },
]

const toForm = (binding: Binding): Values => {
  const { terminalMac, terminalName = '', bindType, maintainer = '', vlan = '', ifInfo } = binding
  return { terminalMac, terminalName, bindType, maintainer, vlan, ifInfo: written(ifInfo) }
}

function fromForm({ ifInfo: ports = '', ...values }: Values) {
  const ifInfo = readBack(ports)
  if (values.bindType === bound && ifInfo.length === 0) throw new Refused(0, '', words.noPort, 'ifInfo')
  return { ...values, ifInfo }
}

export const bindingShape = {
  noun: words.one,
  path: '/res/access/macAccessBind',
  fields,
  blank: { bindType: bound },
  toForm,
  fromForm,
  keyOf: ({ id }: Binding) => id,
}

export default function BindingsPage() {
  return (
    <Records
      title={words.title}
      {...bindingShape}
      about={words.about}
      columns={columns}
      filters={[
        { name: 'terminalMac', label: words.findMac, anywhere: true, hint: '02:00:5e:…' },
        { name: 'terminalName', label: words.name, anywhere: true },
        { name: 'deviceId', label: words.device, kind: 'device' },
        { name: 'maintainer', label: words.maintainer, anywhere: true },
        { name: 'bindType', label: words.kind, choices: words.kinds },
        { name: 'ifIndex', label: words.ifIndex },
        { name: 'zoneId', label: words.zone, of: 'zone' },
      ]}
      nameOf={({ terminalMac }: Binding) => terminalMac}
      emptyHint={words.emptyHint}
    />
  )
}
