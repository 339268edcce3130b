// What an alarm affects: the devices and terminals behind the device or the port it is about.

import { hrefOf } from '../core/address.ts'
import { read } from '../core/api.ts'
import { Section } from '../parts/facts.tsx'
import { useLoad, When } from '../parts/load.tsx'
import { alarmTexts as words } from '../texts/alarm-texts.ts'

interface Branch {
  readonly deviceId: string
  readonly deviceName: string
  readonly devices: string
  readonly cutOff: string
  readonly terminals: string
  readonly terminal?: readonly { readonly terminalMac: string; readonly terminalName?: string }[]
  readonly impact?: readonly Branch[]
}

interface Impact extends Branch {
  readonly complete?: string
  readonly zone?: readonly { readonly name: string }[]
}

const maxShown = 12

const Devices = ({ branches }: { branches: readonly Branch[] }) =>
  branches.length > 0 && (
    <ul class="lines">
      {branches.slice(0, maxShown).map((one) => (
        <li key={one.deviceId}>
          <a href={hrefOf('device', one.deviceId)}>{one.deviceName}</a>
          {Number(one.devices) > 0 && <span class="hint">{words.impactMore(Number(one.devices))}</span>}
        </li>
      ))}
      {branches.length > maxShown && <li class="hint">{words.impactMore(branches.length - maxShown)}</li>}
    </ul>
  )

const Terminals = ({ terminals }: { terminals: NonNullable<Branch['terminal']> }) =>
  terminals.length > 0 && (
    <ul class="tokens plain-tokens">
      {terminals.slice(0, maxShown).map(({ terminalMac, terminalName }) => (
        <li key={terminalMac}>
          <a href={hrefOf('bindings', '', { terminalMac })}>{terminalName ?? terminalMac}</a>
        </li>
      ))}
      {terminals.length > maxShown && <li class="hint">{words.impactMore(terminals.length - maxShown)}</li>}
    </ul>
  )

export function ImpactSection({ id }: { id: string }) {
  const loaded = useLoad(
    (over) => read<Impact>(`/fault/alarm/${encodeURIComponent(id)}/impact`, {}, over),
    [id],
  )
  return (
    <Section title={words.impact}>
      <When
        loaded={loaded}
        show={({ complete, devices, cutOff, terminals, zone = [], impact = [], terminal = [] }: Impact) => {
          if (devices === '0' && terminals === '0') return <p class="hint">{words.impactNone}</p>
          return (
            <>
              <p>
                {words.impactCounts(Number(devices), Number(cutOff), Number(terminals))}{' '}
                {zone.length > 0 && words.impactZones(zone.map(({ name }) => name).join(', '))}
              </p>
              {complete === 'false' && <p class="hint">{words.impactIncomplete}</p>}
              <Devices branches={impact} />
              <Terminals terminals={terminal} />
            </>
          )
        }}
      />
    </Section>
  )
}
