// Suggestions of the service while one types: devices by a part of their name, and the like.

import { useEffect, useState } from 'preact/hooks'
import { list } from '../core/api.ts'
import { texts } from '../texts/shared.ts'

/** The most that are suggested. */
export const most = 8
const rest = 200

export interface Found {
  readonly value: string
  readonly label: string
}

export interface Finding {
  readonly found: readonly Found[]
  /** How many there are in all: it may be more than are suggested. */
  readonly total: number
}

const nothing: Finding = { found: [], total: 0 }

/** What the service finds for a text, once typing pauses; without what is chosen already. */
export function useFound(
  text: string,
  find: (text: string) => Promise<Finding>,
  isChosen: (value: string) => boolean = () => false,
): Finding {
  const [finding, setFinding] = useState(nothing)
  useEffect(() => {
    if (text.trim().length < 2) {
      setFinding(nothing)
      return
    }
    let over = false
    const timer = setTimeout(() => {
      find(text.trim()).then(
        (found) => !over && setFinding(found),
        () => undefined,
      )
    }, rest)
    return () => {
      over = true
      clearTimeout(timer)
    }
  }, [text])
  const found = finding.found.filter(({ value }) => !isChosen(value))
  return { found, total: finding.total - finding.found.length + found.length }
}

export const devicesLike = async (text: string): Promise<Finding> => {
  const { rows, total } = await list<{ id: string; label: string; ip: string }>('/plat/res/device', {
    label: `*${text}*`,
    size: most,
    orderBy: 'label',
  })
  return { found: rows.map(({ id, label, ip }) => ({ value: id, label: `${label} (${ip})` })), total }
}

/** Enter chooses where there is one to choose, and never sends the form around it. */
export const pickOnEnter =
  ({ found }: Finding, pick: (one: Found) => void) =>
  (event: KeyboardEvent): void => {
    if (event.key !== 'Enter') return
    event.preventDefault()
    const [first, ...others] = found
    if (first && others.length === 0) pick(first)
  }

interface SuggestProps {
  readonly finding: Finding
  readonly pick: (one: Found) => void
}

export const Suggestions = ({ finding: { found, total }, pick }: SuggestProps) =>
  found.length > 0 && (
    <ul class="suggestions">
      {found.map((one) => (
        <li key={one.value}>
          <button type="button" class="plain" onClick={() => pick(one)}>
            {one.label}
            {one.label !== one.value && (
              <>
                {' '}
                <span class="mono hint">{one.value}</span>
              </>
            )}
          </button>
        </li>
      ))}
      {total > found.length && <li class="hint">{texts.list.moreFound(total - found.length)}</li>}
    </ul>
  )
