// Days of the week, any of them.

import { ruleTexts as words } from '../texts/trap-texts.ts'

/** The week begins on Monday; 0 is Sunday. */
const order = [1, 2, 3, 4, 5, 6, 0]

interface WeekdaysProps {
  readonly chosen: readonly number[]
  readonly change: (days: readonly number[]) => void
}

export const Weekdays = ({ chosen, change }: WeekdaysProps) => (
  <div class="chips" role="group" aria-label={words.weekdays}>
    {order.map((day) => (
      <button
        key={day}
        type="button"
        class="chip"
        aria-pressed={chosen.includes(day)}
        title={words.days[day]}
        onClick={() => change(chosen.includes(day) ? chosen.filter((one) => one !== day) : [...chosen, day])}
      >
        {words.short[day]}
      </button>
    ))}
  </div>
)
