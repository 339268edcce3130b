// One small dialog in the middle of the page. The browser's own element keeps the focus inside and closes by Escape.

import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { texts } from '../texts/shared-texts.ts'

interface DialogProps {
  readonly title: string
  readonly onClose: () => void
  readonly wide?: boolean
  readonly children?: ComponentChildren
}

export function Dialog({ title, onClose, wide = false, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const dialog = element.current
    dialog?.showModal()
    // It gives the focus back as it closes; removed while it is open, it would take it along.
    return () => dialog?.close()
  }, [])
  const outside = (event: MouseEvent) => {
    if (event.target === element.current) onClose()
  }
  return (
    <dialog
      ref={element}
      class={wide ? 'wide' : ''}
      aria-labelledby="dialog-title"
      onCancel={onClose}
      onClick={outside}
    >
      <div class="dialog">
        <header>
          <h2 id="dialog-title">{title}</h2>
          <button type="button" class="plain icon" aria-label={texts.close} onClick={onClose}>
            ✕
          </button>
        </header>
        {children}
      </div>
    </dialog>
  )
}
