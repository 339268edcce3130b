// What has just been done, shown for a while at the edge of the page, with a button to undo it where that is possible.

import { signal } from '@preact/signals'
import { isSignedOut } from '../core/refused.ts'
import { texts } from '../texts/shared-texts.ts'
import { Icon } from './icon.tsx'

interface Toast {
  readonly id: number
  readonly text: string
  readonly isError: boolean
  readonly undo?: (() => Promise<void>) | undefined
}

const toasts = signal<readonly Toast[]>([])
let last = 0

/** Long enough to be read, and to reach the button. */
const shownFor = { plain: 6000, undo: 12_000, error: 15_000 }

function drop(id: number): void {
  toasts.value = toasts.value.filter((toast) => toast.id !== id)
}

function add(toast: Omit<Toast, 'id'>, milliseconds: number): void {
  last += 1
  const id = last
  toasts.value = [...toasts.value.slice(-3), { ...toast, id }]
  setTimeout(() => drop(id), milliseconds)
}

export function say(text: string, undo?: () => Promise<void>): void {
  add({ text, isError: false, undo }, undo ? shownFor.undo : shownFor.plain)
}

export function complain(error: unknown): void {
  if (isSignedOut(error)) return
  add({ text: error instanceof Error ? error.message : String(error), isError: true }, shownFor.error)
}

async function takeBack({ id, undo }: Toast): Promise<void> {
  drop(id)
  try {
    await undo?.()
    say(texts.actions.undone)
  } catch (error) {
    complain(error)
  }
}

export const Toasts = () => (
  <div class="toasts" role="status" aria-live="polite">
    {toasts.value.map((toast) => (
      <div class={`toast ${toast.isError ? 'bad' : ''}`} key={toast.id}>
        <span>
          {toast.isError && (
            <>
              <strong>{texts.errors.title}.</strong>{' '}
            </>
          )}
          {toast.text}
        </span>
        {toast.undo && (
          <button type="button" class="plain" onClick={() => takeBack(toast)}>
            {texts.undo}
          </button>
        )}
        <button type="button" class="plain icon" aria-label={texts.close} onClick={() => drop(toast.id)}>
          <Icon name="close" />
        </button>
      </div>
    ))}
  </div>
)
