// A filter by level: any of them, as the chips above the open alarms are.

import { texts } from '../texts/shared-texts.ts'
import { LevelShape } from './level.tsx'

interface LevelsProps {
  readonly label: string
  /** Numbers of levels, with commas between them. None: all. */
  readonly value: string
  readonly set: (value: string) => void
}

export function LevelsFilter({ label, value, set }: LevelsProps) {
  const chosen = value.split(',').filter(Boolean)
  const turn = (level: string) =>
    set((chosen.includes(level) ? chosen.filter((one) => one !== level) : [...chosen, level]).sort().join())
  return (
    <div class="levels-filter">
      <b aria-hidden="true">{label}</b>
      <div class="chips" role="group" aria-label={label}>
        {Object.entries(texts.levels).map(([level, name]) => (
          <button
            key={level}
            type="button"
            class="chip"
            aria-pressed={chosen.includes(level)}
            onClick={() => turn(level)}
          >
            <LevelShape level={Number(level)} />
            <span>{name}</span>
          </button>
        ))}
      </div>
    </div>
  )
}
