// Ports that are chosen by name: a device, then one of its interfaces. The form holds them as lines of two ids.

import { useId, useState } from 'preact/hooks'
import { read } from '../core/api.ts'
import { html } from '../core/html.ts'
import { deviceName, useDeviceNames } from '../parts/device-names.ts'
import type { ChoosingProps } from '../parts/form.ts'
import { useLoad } from '../parts/load.ts'
import { devicesLike, type Found, Suggestions, useFound } from '../parts/suggest.ts'
import { bindingTexts as words } from '../texts/inventory.ts'
import type { Device } from './devices.ts'

export interface Port {
  readonly deviceId: string
  readonly ifIndex: string
}

export const written = (ports: readonly Port[]) =>
  ports.map(({ deviceId, ifIndex }) => `${deviceId} ${ifIndex}`).join('\n')

export const readBack = (text: string): Port[] =>
  text
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .flatMap(([deviceId, ifIndex = '']) => (deviceId ? [{ deviceId, ifIndex }] : []))

const typed = (event: Event) => (event.target as HTMLInputElement | HTMLSelectElement).value

/** One of the interfaces that the device is known to have; where none is known, by its index. */
function InterfaceChoice({ device, pick }: { device: Found; pick: (ifIndex: string) => void }) {
  const id = useId()
  const [index, setIndex] = useState('')
  const loaded = useLoad((over) => read<Device>(`/plat/res/device/${device.value}`, {}, over), [device.value])
  if (!loaded.data) return html`<p class="hint">${words.reading}</p>`
  const { interfaces } = loaded.data
  if (interfaces.length > 0)
    return html`<label for=${id}>${words.portOf(device.label)}</label>
      <select id=${id} value="" onChange=${(event: Event) => pick(typed(event))}>
        <option value="">${words.choosePort}</option>
        ${interfaces.map(({ ifIndex, ifDesc }) => html`<option key=${ifIndex} value=${ifIndex}>${ifDesc} · ${ifIndex}</option>`)}
      </select>`
  return html`<label for=${id}>${words.indexOf(device.label)}</label>
    <div class="buttons">
      <input id=${id} type="text" inputmode="numeric" value=${index} onInput=${(event: Event) => setIndex(typed(event))} />
      <button type="button" disabled=${!/^\d+$/.test(index)} onClick=${() => pick(index)}>${words.add}</button>
    </div>`
}

export function PortChoice({ value, change }: Pick<ChoosingProps, 'value' | 'change'>) {
  const id = useId()
  const [text, setText] = useState('')
  const [device, setDevice] = useState<Found | undefined>(undefined)
  const found = useFound(device ? '' : text, devicesLike)
  const ports = readBack(value)
  useDeviceNames(ports.map(({ deviceId }) => deviceId))
  const nameOf = ({ deviceId, ifIndex }: Port) =>
    `${deviceName(deviceId) || deviceId}, ${words.port(ifIndex)}`
  const add = (ifIndex: string) => {
    if (!device || ifIndex === '') return
    const port = { deviceId: device.value, ifIndex }
    change(written([...ports.filter((one) => nameOf(one) !== nameOf(port)), port]))
    setDevice(undefined)
    setText('')
  }
  return html`<b>${words.ports}</b>
    ${
      ports.length > 0 &&
      html`<ul class="tokens">
        ${ports.map((port) => html`<li key=${written([port])}>${nameOf(port)} <span class="mono hint">${written([port])}</span><button type="button" class="plain icon" aria-label=${words.remove(nameOf(port))} onClick=${() => change(written(ports.filter((one) => one !== port)))}>✕</button></li>`)}
      </ul>`
    }
    <label for=${id}>${words.addPort}</label>
    <input
      id=${id}
      type="text"
      autocomplete="off"
      placeholder=${words.addPortHint}
      value=${device?.label ?? text}
      onInput=${(event: Event) => {
        setDevice(undefined)
        setText(typed(event))
      }}
    />
    <${Suggestions} found=${found} pick=${setDevice} />
    ${device && html`<${InterfaceChoice} device=${device} pick=${add} />`}`
}
