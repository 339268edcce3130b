// The maintenance windows that cover a device: in force, or to come.

import { hrefOf } from '../core/address.ts'
import { list, listWhole } from '../core/api.ts'
import { may } from '../core/session.ts'
import { useEvery, useLoad, When } from '../parts/load.tsx'
import { WindowState } from '../rules/maintenance-page.tsx'
import type { Window } from '../rules/window.ts'
import { aroundTexts as words } from '../texts/around-texts.ts'
import type { Device } from './devices.tsx'

export interface HoldingView {
  readonly symbolId: string
  readonly allDevices?: string
  readonly member: readonly string[]
  readonly view: readonly string[]
}

/** The views that a device is in: itself, or over views that they contain. */
export function viewsOf(id: string, views: readonly HoldingView[]): ReadonlySet<string> {
  const found = new Set(
    views.filter((one) => one.allDevices === 'true' || one.member.includes(id)).map((one) => one.symbolId),
  )
  for (let before = -1; before !== found.size; ) {
    before = found.size
    for (const one of views) if (one.view.some((inner) => found.has(inner))) found.add(one.symbolId)
  }
  return found
}

type Places = Pick<Window, 'device' | 'zone' | 'view' | 'interface'>

/** One that names no place at all covers its events everywhere. */
export const covers = (
  { device, zone, view, interface: ports }: Places,
  { id, zoneId = '1' }: Pick<Device, 'id' | 'zoneId'>,
  inViews: ReadonlySet<string>,
) =>
  device.length + zone.length + view.length + ports.length === 0 ||
  device.includes(id) ||
  zone.includes(zoneId) ||
  view.some((one) => inViews.has(one)) ||
  ports.some(({ deviceId }) => deviceId === id)

/** The page of maintenance has all of them. */
const maxWindows = 1000

async function load(device: Device, over: AbortSignal): Promise<Window[]> {
  const { rows } = await list<Window>('/fault/maintenance', { size: maxWindows }, over)
  const near = rows.filter(({ active, nextTime }) => active === 'true' || Number(nextTime) > 0)
  const hasViews = near.some(({ view }) => view.length > 0)
  const views = hasViews ? await listWhole<HoldingView>('/plat/res/view/custom', {}, over) : []
  const inViews = viewsOf(device.id, views)
  return near.filter((window) => covers(window, device, inViews))
}

export function DeviceMaintenance({ device }: { device: Device }) {
  const loaded = useLoad((over) => load(device, over), [device.id, device.zoneId])
  useEvery(60, loaded)
  return (
    <>
      <When
        loaded={loaded}
        show={(windows: readonly Window[]) =>
          windows.length === 0 ? (
            <p class="hint">{words.noMaintenance}</p>
          ) : (
            <ul class="lines">
              {windows.map((window) => (
                <li key={window.id}>
                  <span>
                    <a href={hrefOf('window', window.id)}>{window.name}</a>
                  </span>
                  <span class="hint">
                    <WindowState window={window} />
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      />
      {may('operator') && (
        <p>
          <a href={hrefOf('window', 'new', { device: device.id, name: device.label })}>{words.plan}</a>
        </p>
      )}
    </>
  )
}
