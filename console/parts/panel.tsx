// A few choices that open over the page, below the button that names them: how the page looks, which columns a list has.

import type { ComponentChildren } from 'preact'
import { useId, useRef, useState } from 'preact/hooks'
import { Icon } from './icon.tsx'
import type { IconName } from './icons.ts'
import { placeBelow } from './place.ts'

interface PanelProps {
  readonly label: string
  /** In the place of the label, where there is little room. */
  readonly icon?: IconName
  readonly children?: ComponentChildren
}

/** Closed by a click elsewhere, by Escape, or when the focus moves on. */
export function Panel({ label, icon, children }: PanelProps) {
  const id = useId()
  // What is in it is made when it is asked for: most are never opened.
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  const onFocusOut = ({ relatedTarget }: FocusEvent) => {
    const to = relatedTarget as Node | null
    if (to && !panel.current?.contains(to) && !button.current?.contains(to)) panel.current?.hidePopover()
  }
  // The page below has keys, too: Escape closes this alone.
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !panel.current?.matches(':popover-open')) return
    event.preventDefault()
    event.stopPropagation()
    panel.current.hidePopover()
  }
  return (
    <>
      <button
        type="button"
        class={icon ? 'plain icon' : ''}
        ref={button}
        aria-label={icon && label}
        title={icon && label}
        aria-expanded={false}
        popovertarget={id}
        onKeyDown={onKeyDown}
      >
        {icon ? (
          <Icon name={icon} />
        ) : (
          <>
            {label} <Icon name="descending" />
          </>
        )}
      </button>
      <div
        class="panel"
        id={id}
        ref={panel}
        popover="auto"
        role="group"
        aria-label={label}
        onBeforeToggle={({ newState }: { newState: string }) => {
          if (newState === 'open' && button.current && panel.current)
            placeBelow(button.current, panel.current)
          setOpen(newState === 'open')
        }}
        onToggle={({ newState }: { newState: string }) =>
          button.current?.setAttribute('aria-expanded', String(newState === 'open'))
        }
        onFocusOut={onFocusOut}
        onKeyDown={onKeyDown}
      >
        {isOpen && children}
      </div>
    </>
  )
}
