// Suggestions of the service while one types: devices by a part of their name, and the like.

import { useEffect, useState } from 'preact/hooks'
import { list } from '../core/api.ts'
import { html } from '../core/html.ts'

/** The most that are suggested. */
export const most = 8
const rest = 200

export interface Found {
  readonly value: string
  readonly label: string
}

/** What the service finds for a text, once typing pauses. */
export function useFound(text: string, find: (text: string) => Promise<readonly Found[]>): readonly Found[] {
  const [found, setFound] = useState<readonly Found[]>([])
  useEffect(() => {
    if (text.trim().length < 2) {
      setFound([])
      return
    }
    let over = false
    const timer = setTimeout(() => {
      find(text.trim()).then(
        (rows) => !over && setFound(rows),
        () => undefined,
      )
    }, rest)
    return () => {
      over = true
      clearTimeout(timer)
    }
  }, [text])
  return found
}

export const devicesLike = async (text: string): Promise<readonly Found[]> => {
  const { rows } = await list<{ id: string; label: string; ip: string }>('/plat/res/device', {
    label: `*${text}*`,
    size: most,
    orderBy: 'label',
  })
  return rows.map(({ id, label, ip }) => ({ value: id, label: `${label} (${ip})` }))
}

interface SuggestProps {
  readonly found: readonly Found[]
  readonly pick: (one: Found) => void
}

export const Suggestions = ({ found, pick }: SuggestProps) =>
  found.length > 0 &&
  html`<ul class="suggestions">
    ${found.map((one) => html`<li key=${one.value}><button type="button" class="plain" onClick=${() => pick(one)}>${one.label} <span class="mono hint">${one.value}</span></button></li>`)}
  </ul>`
