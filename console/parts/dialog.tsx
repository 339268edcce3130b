// One small dialog in the middle of the page. The browser's own element keeps the focus inside. Escape, the cross and a
// click beside it close it, and ask where something in it would be lost.

import { type ComponentChildren, createContext } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { leaveSafely } from '../core/unsaved.ts'
import { texts } from '../texts/shared-texts.ts'
import { Icon } from './icon.tsx'

/** What has changed inside a dialog, by key: closing that dialog would lose it. */
export const DialogChanges = createContext<Set<string> | undefined>(undefined)

interface DialogProps {
  readonly title: string
  readonly onClose: () => void
  readonly wide?: boolean
  readonly children?: ComponentChildren
}

export function Dialog({ title, onClose, wide = false, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null)
  const changes = useRef(new Set<string>())
  const titleId = useId()
  useLayoutEffect(() => {
    const dialog = element.current
    dialog?.showModal()
    // It gives the focus back as it closes; removed while it is open, it would take it along.
    return () => dialog?.close()
  }, [])
  const close = () => leaveSafely(onClose, changes.current)
  const onKeyDown = (event: KeyboardEvent) => {
    // A list of options that is open inside goes first.
    if (event.defaultPrevented) return
    const field = event.target as HTMLInputElement
    if (event.key === 'Escape') close()
    // Browsers send forms from fields of text alone.
    else if (event.key === 'Enter' && field.matches('select, [type=checkbox], [type=radio]'))
      field.form?.requestSubmit()
    else return
    event.preventDefault()
    // The page below has keys, too, and may be on the screen again before the key gets there.
    event.stopPropagation()
  }
  const onCancel = (event: Event) => {
    event.preventDefault()
    close()
  }
  // A drag that began inside, such as one that selects text, is no click beside it.
  const isPressedOutside = useRef(false)
  const isOutside = ({ target }: Event) => target === element.current
  return (
    <dialog
      ref={element}
      class={wide ? 'wide' : ''}
      aria-labelledby={titleId}
      onCancel={onCancel}
      onKeyDown={onKeyDown}
      onPointerDown={(event: PointerEvent) => {
        isPressedOutside.current = isOutside(event)
      }}
      onClick={(event: MouseEvent) => {
        if (isPressedOutside.current && isOutside(event)) close()
      }}
    >
      <div class="dialog">
        <header>
          <h2 id={titleId}>{title}</h2>
          <button type="button" class="plain icon" aria-label={texts.close} onClick={close}>
            <Icon name="close" />
          </button>
        </header>
        <DialogChanges.Provider value={changes.current}>{children}</DialogChanges.Provider>
      </div>
    </dialog>
  )
}
