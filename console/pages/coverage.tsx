// Maintenance that covers what an alarm is about: planned, in force or over.

import { hrefOf } from '../core/address.ts'
import { listWhole, read } from '../core/api.ts'
import { Section } from '../parts/facts.tsx'
import { useLoad } from '../parts/load.tsx'
import { WindowState } from '../rules/maintenance-page.tsx'
import type { Window } from '../rules/window.ts'
import { alarmTexts as words } from '../texts/alarm-texts.ts'

interface About {
  readonly deviceId: string
  readonly OID: string
}

interface View {
  readonly symbolId: string
  readonly allDevices?: string
  readonly member: readonly string[]
  readonly view?: readonly string[]
}

interface Place {
  readonly deviceId: string
  readonly zoneId: string
  /** Views that the device belongs to. */
  readonly views: ReadonlySet<string>
}

/** Those that name the device, or all devices, and whatever contains one of these. */
export function viewsOf(deviceId: string, views: readonly View[]): ReadonlySet<string> {
  const holding = new Set<string>()
  for (let before = -1; holding.size > before; ) {
    before = holding.size
    for (const { symbolId, allDevices, member, view = [] } of views)
      if (allDevices === 'true' || member.includes(deviceId) || view.some((id) => holding.has(id)))
        holding.add(symbolId)
  }
  return holding
}

/** By place, where the window names any, and by event, where it names some. */
function covers(window: Window, OID: string, { deviceId, zoneId, views }: Place): boolean {
  const { device, interface: ports, zone, view, event } = window
  const isEverywhere = [device, ports, zone, view].every((named) => named.length === 0)
  const isThere =
    device.includes(deviceId) ||
    zone.includes(zoneId) ||
    view.some((id) => views.has(id)) ||
    ports.some((port) => port.deviceId === deviceId)
  const isEvent = event.some((oid) => OID === oid || OID.startsWith(`${oid}.`))
  return (isEverywhere || isThere) && (event.length === 0 || isEvent)
}

export function Coverage({ about }: { about: About }) {
  const { deviceId, OID } = about
  const loaded = useLoad(
    async (over) => {
      const [windows, views, { zoneId = '' }] = await Promise.all([
        listWhole<Window>('/fault/maintenance', {}, over),
        listWhole<View>('/plat/res/view/custom', {}, over),
        read<{ zoneId?: string }>(`/plat/res/device/${encodeURIComponent(deviceId)}`, {}, over),
      ])
      const place = { deviceId, zoneId, views: viewsOf(deviceId, views) }
      return windows.filter((window) => covers(window, OID, place))
    },
    [deviceId, OID],
  )
  const windows = loaded.data ?? []
  if (windows.length === 0) return null
  return (
    <Section title={words.coverage}>
      <ul class="lines">
        {windows.map((window) => (
          <li key={window.id}>
            <a href={hrefOf('window', window.id)}>{window.name}</a>
            <span>
              <WindowState window={window} />
            </span>
          </li>
        ))}
      </ul>
    </Section>
  )
}
