// The devices of views and zones that the address, or a saved filter, names.

import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals'
import { address } from '../core/address.ts'
import { listWhole, read } from '../core/api.ts'
import { openAlarms } from './live.ts'

/** Ids of devices; undefined stands for all. */
type Members = ReadonlySet<string> | undefined

type Ask = (id: string) => Promise<Members>

const ofView: Ask = async (id) => {
  const path = `/plat/res/view/custom/${encodeURIComponent(id)}`
  const { allDevices, member } = await read<{ allDevices: string; member: string[] }>(path)
  return allDevices === 'true' ? undefined : new Set(member)
}

const firstZone = '1'
const noDevice = '0'

/** What belongs to no known device counts as in the first zone, as in the lists of the service. */
const ofZone: Ask = async (id) => {
  const rows = await listWhole<{ id: string }>('/plat/res/device', { zoneId: id })
  return new Set([...rows.map((device) => device.id), ...(id === firstZone ? [noDevice] : [])])
}

const asks = { view: ofView, zone: ofZone } as const
type Kind = keyof typeof asks

interface Known {
  readonly members: Signal<Members>
  again(): void
}

const known = new Map<string, Known>()

/** Until the devices are known there are none, as for a view or zone that was deleted. */
function knownOf(kind: Kind, id: string): Known {
  const key = `${kind} ${id}`
  const before = known.get(key)
  if (before) return before
  const members = signal<Members>(new Set())
  const again = () =>
    void asks[kind](id).then(
      (found) => {
        members.value = found
      },
      () => undefined,
    )
  known.set(key, { members, again })
  again()
  return { members, again }
}

/** An alarm of a device that is not among them: perhaps the device is new, or has moved. */
const pause = 10_000
let timer: ReturnType<typeof setTimeout> | undefined
openAlarms.onNew(({ deviceId }) => {
  const isStranger = ({ members }: Known) => members.peek()?.has(deviceId) === false
  if (timer !== undefined || ![...known.values()].some(isStranger)) return
  timer = setTimeout(() => {
    timer = undefined
    for (const { again } of known.values()) again()
  }, pause)
})

/** Those that are in the zone and the view of a filter. */
export function membersOf(query: URLSearchParams): Members {
  const [inView, inZone] = (['view', 'zone'] as const).map((kind) => {
    const id = query.get(kind) ?? ''
    return id === '' ? undefined : knownOf(kind, id).members.value
  })
  return inView && inZone ? inView.intersection(inZone) : (inView ?? inZone)
}

export const members: ReadonlySignal<Members> = computed(() => membersOf(address.value.query))
