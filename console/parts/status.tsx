// The state of a device or view, drawn like the level of the alarm that causes it.

import { deviceTexts as words } from '../texts/inventory-texts.ts'
import { Icon } from './icon.tsx'
import { LevelShape } from './level.tsx'

/** Numbers count up from 1, normal; levels count down to 1, critical. */
export const Status = ({ status }: { status: string }) => {
  const number = Number(status)
  if (number <= 1)
    return (
      <span class="level normal">
        <Icon name="check" />
        {words.statuses[1]}
      </span>
    )
  return (
    <span class="level">
      <LevelShape level={6 - number} />
      {words.statuses[status] ?? status}
    </span>
  )
}
