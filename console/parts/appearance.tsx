// How the console looks for the person at this browser: light or dark, comfortable or compact. Other tabs follow.

import { signal } from '@preact/signals'
import { chooseLanguage, chosenLanguage } from '../core/language.ts'
import { texts } from '../texts/shared-texts.ts'

const words = texts.menu

interface Look {
  /** Also the name of the attribute of the document that styles depend on. */
  readonly name: 'theme' | 'density'
  readonly label: string
  /** The usual one first. */
  readonly values: Readonly<Record<string, string>>
}

function lookOf({ name, label, values }: Look) {
  const key = `belfry ${name}`
  const byDefault = Object.keys(values)[0] ?? ''
  const known = (value: string | null) => (value !== null && Object.hasOwn(values, value) ? value : byDefault)
  const chosen = signal(known(localStorage.getItem(key)))
  return {
    name,
    label,
    values,
    chosen,
    apply(): void {
      chosen.subscribe((value) => {
        document.documentElement.dataset[name] = value
        localStorage.setItem(key, value)
      })
      // It was chosen in another tab.
      addEventListener('storage', ({ key: changed, newValue }) => {
        if (changed === key && newValue !== null) chosen.value = known(newValue)
      })
    },
  }
}

const theme = lookOf({ name: 'theme', label: words.themeLabel, values: words.theme })
const density = lookOf({ name: 'density', label: words.densityLabel, values: words.density })
const looks = [theme, density]

/** With it changes the height of rows. */
export const densityNow = () => density.chosen.value

export function applyAppearance(): void {
  for (const look of looks) look.apply()
}

interface ChoiceProps {
  readonly label: string
  readonly values: Readonly<Record<string, string>>
  readonly chosen: string
  readonly choose: (value: string) => void
}

const Choice = ({ label, values, chosen, choose }: ChoiceProps) => (
  <label>
    {label}
    <select value={chosen} onChange={(event: Event) => choose((event.target as HTMLSelectElement).value)}>
      {Object.entries(values).map(([value, text]) => (
        <option key={value} value={value} selected={value === chosen}>
          {text}
        </option>
      ))}
    </select>
  </label>
)

export const Appearance = () => (
  <>
    {looks.map(({ name, label, values, chosen }) => (
      <Choice
        key={name}
        label={label}
        values={values}
        chosen={chosen.value}
        choose={(value) => {
          chosen.value = value
        }}
      />
    ))}
    <Choice
      label={words.languageLabel}
      values={words.language}
      chosen={chosenLanguage()}
      choose={chooseLanguage}
    />
  </>
)
