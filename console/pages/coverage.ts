// Maintenance that covers what an alarm is about: planned, in force or over.

import { hrefOf } from '../core/address.ts'
import { list, read } from '../core/api.ts'
import { html } from '../core/html.ts'
import { Section } from '../parts/facts.ts'
import { useLoad } from '../parts/load.ts'
import { WindowState } from '../rules/maintenance.ts'
import type { Window } from '../rules/window.ts'
import { alarmTexts as words } from '../texts/alarm.ts'

interface About {
  readonly deviceId: string
  readonly OID: string
}

/** By device, port or zone, and by event where the window names some. Views are left to the service. */
function covers({ device, interface: ports, zone, event }: Window, { deviceId, OID }: About, zoneId: string) {
  const named =
    device.includes(deviceId) || zone.includes(zoneId) || ports.some((port) => port.deviceId === deviceId)
  const isEvent = event.some((oid) => OID === oid || OID.startsWith(`${oid}.`))
  return named && (event.length === 0 || isEvent)
}

export function Coverage({ about }: { about: About }) {
  const { deviceId, OID } = about
  const loaded = useLoad(
    async (over) => {
      const [windows, { zoneId = '' }] = await Promise.all([
        list<Window>('/fault/maintenance', { size: 200 }, over),
        read<{ zoneId?: string }>(`/plat/res/device/${encodeURIComponent(deviceId)}`, {}, over),
      ])
      return windows.rows.filter((window) => covers(window, about, zoneId))
    },
    [deviceId, OID],
  )
  const windows = loaded.data ?? []
  if (windows.length === 0) return null
  return html`<${Section} title=${words.coverage}>
    <ul class="lines">
      ${windows.map((window) => html`<li key=${window.id}><a href=${hrefOf('window', window.id)}>${window.name}</a><span><${WindowState} window=${window} /></span></li>`)}
    </ul>
  <//>`
}
