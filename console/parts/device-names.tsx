// The names of devices, by id: lists of traps and bindings contain ids alone.

import { useEffect, useState } from 'preact/hooks'
import { hrefOf } from '../core/address.ts'
import { list } from '../core/api.ts'

const known = new Map<string, string>()

/** Requests those that are not known yet; the page is drawn again when they are. */
export function useDeviceNames(ids: readonly string[]): void {
  const [, draw] = useState(0)
  const missing = [...new Set(ids)].filter((id) => id !== '0' && id !== '' && !known.has(id)).slice(0, 200)
  useEffect(() => {
    if (missing.length === 0) return
    list<{ id: string; label: string }>('/plat/res/device', {
      id: missing.join(),
      size: missing.length,
    }).then(
      ({ rows }) => {
        for (const id of missing) known.set(id, '')
        for (const { id, label } of rows) known.set(id, label)
        draw((n) => n + 1)
      },
      () => undefined,
    )
  }, [missing.join()])
}

/** Empty where the device was deleted, undefined where its name is not known yet. */
export const deviceName = (id: string): string | undefined => known.get(id)

/** Longer names are divided at their hyphens where there is little room. */
const shortName = 30

/** A device by its name; by what else is known of it where it has none. */
export function DeviceLink({ id, otherwise }: { id: string; otherwise: string }) {
  const name = known.get(id)
  if (id === '0' || id === '' || name === '') return <span>{otherwise}</span>
  const text = name ?? otherwise
  return (
    <a href={hrefOf('device', id)} class={text.length <= shortName ? 'whole' : ''}>
      {text}
    </a>
  )
}
