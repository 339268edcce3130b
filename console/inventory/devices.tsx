// Devices, with their state.

import { useSignalEffect } from '@preact/signals'
import { useRef, useState } from 'preact/hooks'
import { hrefOf } from '../core/address.ts'
import { may } from '../core/session.ts'
import { type Choosable, NameOf, useChoosable } from '../parts/by-name.tsx'
import type { FormField, Values } from '../parts/form.tsx'
import type { Column } from '../parts/list.tsx'
import { Records } from '../parts/records.tsx'
import { readBack, written } from '../parts/row-values.ts'
import { rowsOf } from '../parts/rows.tsx'
import { Status } from '../parts/status.tsx'
import { deviceTexts as words } from '../texts/inventory-texts.ts'
import { DeviceBar, type Ticked, tickColumn, undone } from './device-bulk.tsx'

export interface Device {
  readonly id: string
  readonly ip: string
  readonly label: string
  readonly mask: string
  readonly status: string
  readonly sysName: string
  readonly sysDescription: string
  readonly sysOid: string
  readonly location: string
  readonly contact: string
  readonly typeName: string
  readonly zoneId?: string
  readonly interfaces: readonly {
    readonly ifIndex: string
    readonly ifDesc: string
    readonly basePort?: string
  }[]
  readonly otherAddress: readonly { readonly ip: string }[]
  readonly parent?: readonly {
    readonly deviceId: string
    readonly ifIndex?: string
    readonly parentIfIndex?: string
  }[]
}

const columnsFor = (zones: Choosable): readonly Column<Device>[] => [
  {
    title: words.label,
    order: 'label',
    cell: ({ id, label }) => <a href={hrefOf('device', id)}>{label}</a>,
  },
  { title: words.status, cell: ({ status }) => <Status status={status} /> },
  { title: words.ip, order: 'ip', cell: ({ ip }) => ip },
  { title: words.type, cell: ({ typeName }) => typeName },
  { title: words.location, kind: 'wide', cell: ({ location }) => location },
  { title: words.zone, cell: ({ zoneId = '1' }) => <NameOf among={zones} id={zoneId} /> },
]

const interfaces = rowsOf({
  field: 'interfaces',
  title: words.interfaces,
  noun: words.interface,
  columns: [
    { name: 'ifDesc', label: words.ifDesc, required: true },
    { name: 'ifIndex', label: words.ifIndex, required: true, size: 'short' },
    { name: 'basePort', label: words.basePort, size: 'short' },
  ],
})

const otherAddresses = rowsOf({
  field: 'otherAddress',
  title: words.otherAddresses,
  hint: words.otherAddressesHint,
  noun: words.otherAddress,
  columns: [{ name: 'ip', label: words.ip, required: true }],
})

const links = rowsOf({
  field: 'parent',
  title: words.neighbours,
  hint: words.linksHint,
  noun: words.link,
  columns: [
    { name: 'deviceId', label: words.parent, kind: 'device', required: true },
    { name: 'ifIndex', label: words.ownPort, size: 'short' },
    { name: 'parentIfIndex', label: words.farPort, size: 'short' },
  ],
})

const fields: readonly FormField[] = [
  { name: 'label', label: words.label, required: true },
  { name: 'ip', label: words.ip, required: true },
  { name: 'zoneId', label: words.zone, of: 'zone', required: true },
  { name: 'typeName', label: words.type },
  { name: 'location', label: words.location },
  { name: 'contact', label: words.contact },
  { name: 'sysName', label: words.sysName, half: true },
  { name: 'sysOid', label: words.sysOid, half: true },
  { name: 'sysDescription', label: words.description },
  { name: 'mask', label: words.mask, placeholder: '255.255.255.0' },
  { name: 'otherAddress', label: words.otherAddresses, control: otherAddresses, placesErrors: true },
  { name: 'parent', label: words.neighbours, control: links, placesErrors: true },
  { name: 'interfaces', label: words.interfaces, control: interfaces, placesErrors: true },
]

const toForm = (device: Device): Values => {
  const { label, ip, zoneId = '1', typeName, location, contact } = device
  const { sysName, sysOid, sysDescription, mask } = device
  return {
    ...{ label, ip, zoneId, typeName, location, contact, sysName, sysOid, sysDescription, mask },
    otherAddress: written(device.otherAddress),
    parent: written(device.parent),
    interfaces: written(device.interfaces),
  }
}

const fromForm = ({ otherAddress, parent, interfaces: ports, ...values }: Values) => ({
  ...values,
  otherAddress: readBack(otherAddress),
  parent: readBack(parent),
  interfaces: readBack(ports),
})

/** How a device is created and changed, here and on its own page. */
export const deviceShape = {
  noun: words.one,
  path: '/plat/res/device',
  fields,
  blank: { zoneId: '1' },
  toForm,
  fromForm,
  keyOf: ({ id }: Device) => id,
  isWide: true,
}

const noneTicked: Ticked = new Map()

export default function DevicesPage() {
  const zones = useChoosable('zone')
  const [ticked, setTicked] = useState(noneTicked)
  const tick = (devices: readonly Device[], isOn: boolean) =>
    setTicked((before) => {
      const after = new Map(before)
      for (const device of devices) {
        if (isOn) after.set(device.id, device)
        else after.delete(device.id)
      }
      return after
    })
  const columns = columnsFor(zones)
  // Undone later, with the dialog long closed.
  const again = useRef(() => {})
  useSignalEffect(() => {
    if (undone.value > 0) again.current()
  })
  return (
    <Records
      {...deviceShape}
      title={words.title}
      about={words.about}
      columns={may('operator') ? [tickColumn({ ticked, tick }), ...columns] : columns}
      filters={[
        { name: 'label', label: words.label, anywhere: true },
        { name: 'ip', label: words.ip, anywhere: true },
        { name: 'sysName', label: words.sysName, anywhere: true },
        { name: 'zoneId', label: words.zone, of: 'zone' },
      ]}
      nameOf={({ label }: Device) => label}
      emptyHint={words.emptyHint}
      bar={(reload) => {
        again.current = reload
        const done = (devices: readonly Device[]) => {
          tick(devices, false)
          reload()
        }
        return <DeviceBar ticked={ticked} clear={() => setTicked(noneTicked)} done={done} />
      }}
    >
      {may('operator') && (
        <p>
          <a href={hrefOf('import', '', { kind: 'device' })}>{words.import}</a>
        </p>
      )}
    </Records>
  )
}
