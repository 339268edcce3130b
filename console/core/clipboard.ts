// Copies text. Browsers offer that only to pages that came over TLS or from this machine; others select it first.

import { texts } from '../texts/shared-texts.ts'

export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  const area = document.createElement('textarea')
  area.value = text
  // What is behind a dialog cannot have the focus.
  const place = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document.body
  place.append(area)
  area.select()
  const isDone = document.execCommand('copy')
  area.remove()
  if (!isDone) throw new Error(texts.secret.notCopied)
}
