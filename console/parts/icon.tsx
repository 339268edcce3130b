// An icon. It only accompanies words, or is the content of a button that has a name: it says nothing by itself.

import { h } from 'preact'
import { type IconName, icons } from './icons.ts'

export const isIcon = (name: string): name is IconName => Object.hasOwn(icons, name)

export const Icon = ({ name }: { name: IconName }) => (
  <svg class="icon-shape" viewBox="0 0 24 24" aria-hidden="true">
    {icons[name].map(([tag, attributes]) => h(tag, attributes))}
  </svg>
)
