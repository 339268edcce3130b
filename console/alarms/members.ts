// The devices of the view and of the zone that are chosen in the address.

import { computed, effect, type ReadonlySignal, signal } from '@preact/signals'
import { address } from '../core/address.ts'
import { listWhole, read } from '../core/api.ts'
import { book } from './live.ts'

/** Ids of devices; undefined stands for all. */
type Members = ReadonlySet<string> | undefined

interface Choice {
  /** What is chosen, empty for nothing. */
  readonly id: ReadonlySignal<string>
  readonly members: ReadonlySignal<Members>
  again(): void
}

/**
 * Follows one parameter of the address; until the devices are known there are none, as for a view or zone that was
 * deleted.
 */
function choiceOf(parameter: string, ask: (id: string) => Promise<Members>): Choice {
  const id = computed(() => address.value.query.get(parameter) ?? '')
  const members = signal<Members>(undefined)
  const again = () => {
    const asked = id.peek()
    if (asked === '') return
    ask(asked).then(
      (found) => {
        if (id.peek() === asked) members.value = found
      },
      () => undefined,
    )
  }
  effect(() => {
    members.value = id.value === '' ? undefined : new Set()
    again()
  })
  return { id, members, again }
}

const view = choiceOf('view', async (id) => {
  const path = `/plat/res/view/custom/${encodeURIComponent(id)}`
  const { allDevices, member } = await read<{ allDevices: string; member: string[] }>(path)
  return allDevices === 'true' ? undefined : new Set(member)
})

const firstZone = '1'
const noDevice = '0'

/** What belongs to no known device counts as in the first zone, as in the lists of the service. */
const zone = choiceOf('zone', async (id) => {
  const rows = await listWhole<{ id: string }>('/plat/res/device', { zoneId: id })
  return new Set([...rows.map((device) => device.id), ...(id === firstZone ? [noDevice] : [])])
})

/** An alarm of a device that is not among them: perhaps the device is new, or has moved. */
const pause = 10_000
let timer: ReturnType<typeof setTimeout> | undefined
book.onNew(({ deviceId }) => {
  const isStranger = (choice: Choice) => choice.members.peek()?.has(deviceId) === false
  if (timer !== undefined || ![view, zone].some(isStranger)) return
  timer = setTimeout(() => {
    timer = undefined
    view.again()
    zone.again()
  }, pause)
})

export const members: ReadonlySignal<Members> = computed(() => {
  const [ofView, ofZone] = [view.members.value, zone.members.value]
  return ofView && ofZone ? ofView.intersection(ofZone) : (ofView ?? ofZone)
})
