// What a route would have sent in the last week, over the alarms that are stored. Nothing is sent.

import { ask } from '../core/api.ts'
import { Dialog } from '../parts/dialog.tsx'
import { type Column, Table } from '../parts/list.tsx'
import { useLoad, When } from '../parts/load.tsx'
import { routeTexts as words } from '../texts/notify-texts.ts'
import { numberText, texts } from '../texts/shared-texts.ts'
import { fromForm, type Route, routePath, toForm } from './route.ts'

interface Share {
  readonly deviceIp: string
  readonly deviceName: string
  readonly messages: string
}

interface Trial {
  readonly examined: string
  readonly taken: string
  readonly takenBefore: string
  readonly messages: string
  readonly limited: string
  readonly device: readonly Share[]
}

const columns: readonly Column<Share>[] = [
  { title: words.device, kind: 'wide', cell: ({ deviceName, deviceIp }) => deviceName || deviceIp },
  { title: words.plan, kind: 'number', cell: ({ messages }) => numberText(Number(messages)) },
]

/** As a new route is sent: without what is empty. */
const bodyOf = (route: Route) =>
  Object.fromEntries(Object.entries(fromForm(toForm(route))).filter(([, value]) => value !== ''))

export function RouteHistory({ route, close }: { route: Route; close: () => void }) {
  const loaded = useLoad(
    async (over) =>
      (await ask<Trial>('POST', `${routePath}/dryRun`, { body: bodyOf(route), signal: over })).data,
    [route.id],
  )
  return (
    <Dialog title={words.historyOf(route.name)} onClose={close}>
      <When
        loaded={loaded}
        show={({ examined, taken, takenBefore, messages, limited, device }: Trial) => (
          <>
            <p>
              {words.historyText(Number(messages), Number(taken), Number(examined))}
              {takenBefore !== '0' && ` ${words.historyBefore(Number(takenBefore))}`}
              {limited !== '0' && ` ${words.historyLimited(Number(limited))}`}
            </p>
            {device.length > 0 && (
              <Table
                columns={columns}
                rows={device}
                caption={words.device}
                keyOf={({ deviceIp }: Share) => deviceIp}
              />
            )}
          </>
        )}
      />
      <footer>
        <button type="button" class="main" onClick={close}>
          {texts.close}
        </button>
      </footer>
    </Dialog>
  )
}
