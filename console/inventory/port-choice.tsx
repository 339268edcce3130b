// Ports that are chosen by name: a device, then one of its interfaces.

import { useId, useState } from 'preact/hooks'
import { read } from '../core/api.ts'
import { deviceName, useDeviceNames } from '../parts/device-names.tsx'
import { devicesLike, type Option } from '../parts/finding.ts'
import type { ChoosingProps } from '../parts/form.tsx'
import { useLoad } from '../parts/load.tsx'
import { Chips, Picker } from '../parts/picker.tsx'
import { texts } from '../texts/shared-texts.ts'
import { bindingTexts as words } from '../texts/terminal-texts.ts'
import type { Device } from './devices.tsx'

export interface Port {
  readonly deviceId: string
  readonly ifIndex?: string
  /** In the place of an index: all whose description is like this. */
  readonly ifDesc?: string
}

const typed = (event: Event) => (event.target as HTMLInputElement | HTMLSelectElement).value

type Which = Omit<Port, 'deviceId'>

interface TextChoiceProps {
  readonly label: string
  readonly hint?: string
  readonly isNumber?: boolean
  readonly add: (text: string) => void
}

function TextChoice({ label, hint = '', isNumber = false, add }: TextChoiceProps) {
  const id = useId()
  const [text, setText] = useState('')
  const isReady = isNumber ? /^\d+$/.test(text) : text.trim() !== ''
  return (
    <>
      <label for={id}>{label}</label>
      <div class="buttons">
        <input
          id={id}
          type="text"
          autocomplete="off"
          spellcheck={false}
          inputmode={isNumber ? 'numeric' : undefined}
          placeholder={hint}
          value={text}
          onInput={(event: Event) => setText(typed(event))}
        />
        <button type="button" disabled={!isReady} onClick={() => add(text.trim())}>
          {words.add}
        </button>
      </div>
    </>
  )
}

interface InterfaceProps {
  readonly device: Option
  readonly isByDescription: boolean
  readonly pick: (which: Which) => void
}

/** One of the interfaces that the device is known to have; where none is known, by its index. */
function InterfaceChoice({ device, isByDescription, pick }: InterfaceProps) {
  const id = useId()
  const loaded = useLoad((over) => read<Device>(`/plat/res/device/${device.value}`, {}, over), [device.value])
  if (!loaded.data) return <p class="hint">{words.reading}</p>
  const { interfaces } = loaded.data
  return (
    <>
      {interfaces.length > 0 ? (
        <>
          <label for={id}>{words.portOf(device.label)}</label>
          <Picker
            id={id}
            label={words.portOf(device.label)}
            isOne
            placeholder={words.choosePort}
            from={interfaces.map(({ ifIndex, ifDesc }) => ({
              value: ifIndex,
              label: `${ifDesc} · ${ifIndex}`,
            }))}
            chosen={[]}
            change={([ifIndex = '']) => pick({ ifIndex })}
          />
        </>
      ) : (
        <TextChoice
          label={words.indexOf(device.label)}
          isNumber
          add={(ifIndex: string) => pick({ ifIndex })}
        />
      )}
      {isByDescription && (
        <TextChoice
          label={words.likeOf(device.label)}
          hint="GigabitEthernet1/0/*"
          add={(ifDesc: string) => pick({ ifDesc })}
        />
      )}
    </>
  )
}

interface PortsProps {
  readonly ports: readonly Port[]
  readonly change: (ports: readonly Port[]) => void
  /** Whether ports can also be meant by a description. */
  readonly isByDescription?: boolean
}

const keyOf = ({ deviceId, ifIndex, ifDesc = '' }: Port) => `${deviceId} ${ifIndex || ifDesc}`

export function Ports({ ports, change, isByDescription = false }: PortsProps) {
  const id = useId()
  const [device, setDevice] = useState<Option | undefined>(undefined)
  useDeviceNames(ports.map(({ deviceId }) => deviceId))
  const nameOf = (key: string) => {
    const { deviceId = '', ifIndex, ifDesc = '' } = ports.find((port) => keyOf(port) === key) ?? {}
    return `${deviceName(deviceId) || deviceId}, ${ifIndex ? words.port(ifIndex) : words.ports1(ifDesc)}`
  }
  const add = (which: Which) => {
    if (!device || which.ifIndex === '') return
    const port = { deviceId: device.value, ...which }
    change([...ports.filter((one) => keyOf(one) !== keyOf(port)), port])
    setDevice(undefined)
  }
  return (
    <>
      <b>{words.ports}</b>
      <Chips
        label={words.ports}
        chosen={ports.map(keyOf)}
        nameOf={nameOf}
        show={(key) => (
          <>
            {nameOf(key)} <span class="mono hint">{key}</span>
          </>
        )}
        removal={words.remove}
        remove={(key) => change(ports.filter((port) => keyOf(port) !== key))}
      />
      <label for={id}>{words.addPort}</label>
      <Picker
        id={id}
        label={words.addPort}
        isOne
        none={texts.list.none}
        from={devicesLike}
        placeholder={words.addPortHint}
        chosen={device ? [device.value] : []}
        nameOf={() => device?.label ?? ''}
        change={([value], picked) => setDevice(value === undefined ? undefined : picked)}
      />
      {device && <InterfaceChoice device={device} isByDescription={isByDescription} pick={add} />}
    </>
  )
}

/** A form holds them in one text. */
export const written = (ports: readonly Port[]): string => JSON.stringify(ports)
export const readBack = (text: string): readonly Port[] => JSON.parse(text || '[]')

/** A control of a form. */
export const PortChoice = ({ value, change }: ChoosingProps) => (
  <Ports ports={readBack(value)} change={(ports: readonly Port[]) => change(written(ports))} />
)
