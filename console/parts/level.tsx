// A level as a shape, a word and a colour: each of them alone is enough to recognise it.

import { texts } from '../texts/shared-texts.ts'

/** Paths in a square of 16 pixels, by level. */
export const levelShapes: Readonly<Record<number, string>> = {
  1: 'M5 1h6l4 4v6l-4 4H5l-4-4V5z',
  2: 'M8 1.5 15.500 14.500H.5z',
  3: 'M8 .8 15.200 8 8 15.200.8 8z',
  4: 'M8 1.500a6.500 6.500 0 1 0 0 13 6.500 6.500 0 0 0 0-13z',
  5: 'M2.500 2.500h11v11h-11z',
}

export const LevelShape = ({ level }: { level: number }) => (
  <svg class={`shape level-${level}`} viewBox="0 0 16 16" aria-hidden="true">
    <path d={levelShapes[level] ?? levelShapes[5]} />
  </svg>
)

export const Level = ({ level }: { level: number }) => (
  <span class="level">
    {LevelShape({ level })}
    {texts.levels[level] ?? level}
  </span>
)
