// What is seldom done, or cannot be taken back, stands apart: in a menu behind a button with three dots.

import { useId, useRef } from 'preact/hooks'
import { Icon } from './icon.tsx'
import { placeBelow } from './place.ts'

export interface MoreAction {
  readonly text: string
  /** Where the text alone does not say what it is about. */
  readonly label?: string
  readonly title?: string
  /** It cannot be taken back. */
  readonly isDangerous?: boolean
  readonly act: () => void
}

interface MoreProps {
  /** The name of the button. */
  readonly label: string
  /** Those that are false are not possible now. */
  readonly actions: readonly (MoreAction | false | undefined)[]
}

const steps: Readonly<Record<string, (at: number, count: number) => number>> = {
  ArrowDown: (at, count) => (at + 1) % count,
  ArrowUp: (at, count) => (at - 1 + count) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
}

export function More({ label, actions: given }: MoreProps) {
  const actions = given.filter((one) => one !== false && one !== undefined)
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const menu = useRef<HTMLDivElement>(null)
  if (actions.length === 0) return null
  const items = () => [...(menu.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])]
  const onToggle = ({ newState }: { newState: string }) => {
    button.current?.setAttribute('aria-expanded', String(newState === 'open'))
    if (newState !== 'open') return
    items()[0]?.focus()
    // The button moves away from under it.
    addEventListener('scroll', () => menu.current?.hidePopover(), { capture: true, once: true })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const all = items()
    const step = steps[event.key]
    if (event.key === 'Tab') menu.current?.hidePopover()
    // Keys are those of the menu as long as it is open, and not of the list below it or the dialog around it.
    event.stopPropagation()
    if (event.key === 'Escape') {
      menu.current?.hidePopover()
      event.preventDefault()
    }
    if (!step) return
    event.preventDefault()
    all[step(all.indexOf(document.activeElement as HTMLElement), all.length)]?.focus()
  }
  return (
    <>
      <button
        type="button"
        class="plain icon more-button"
        ref={button}
        aria-label={label}
        title={label}
        aria-haspopup="menu"
        aria-expanded={false}
        popovertarget={id}
      >
        <Icon name="more" />
      </button>
      <div
        class="more-menu"
        id={id}
        ref={menu}
        popover="auto"
        role="menu"
        aria-label={label}
        onBeforeToggle={({ newState }: { newState: string }) => {
          if (newState === 'open' && button.current && menu.current) placeBelow(button.current, menu.current)
        }}
        onToggle={onToggle}
        onKeyDown={onKeyDown}
      >
        {actions.map(({ text, label: name, title, isDangerous = false, act }) => (
          <button
            key={text}
            type="button"
            role="menuitem"
            tabindex={-1}
            class={`plain ${isDangerous ? 'danger-item' : ''}`}
            aria-label={name}
            title={title}
            onClick={() => {
              menu.current?.hidePopover()
              act()
            }}
          >
            {isDangerous && <Icon name="trash" />}
            {text}
          </button>
        ))}
      </div>
    </>
  )
}
