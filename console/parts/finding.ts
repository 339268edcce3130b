// What there is to choose from for a text: of a list that is here at once, of the service once typing pauses.

import { useEffect, useState } from 'preact/hooks'
import { list } from '../core/api.ts'

export interface Option {
  readonly value: string
  readonly label: string
  /** What else tells it from others, such as an OID. */
  readonly note?: string
}

export interface Finding {
  readonly found: readonly Option[]
  /** How many there are in all: it may be more than were asked for. */
  readonly total: number
}

export type Finder = (text: string) => Promise<Finding>

/** All of them, or how the service is asked for those like a text. */
export type Source = readonly Option[] | Finder

/** The most that the service is asked for. */
export const maxFound = 8
/** Milliseconds after a key before it is asked. */
const pause = 200

const nothing: Finding = { found: [], total: 0 }

export function useFinding(from: Source, text: string, isWanted: boolean): Finding {
  const [answer, setAnswer] = useState(nothing)
  const isAsked = typeof from === 'function'
  useEffect(() => {
    if (!isAsked || !isWanted) {
      setAnswer(nothing)
      return
    }
    let over = false
    const timer = setTimeout(() => {
      from(text).then(
        (found) => !over && setAnswer(found),
        () => undefined,
      )
    }, pause)
    return () => {
      over = true
      clearTimeout(timer)
    }
  }, [text, isAsked, isWanted])
  if (isAsked) return answer
  const wanted = text.toLowerCase()
  const found = from.filter(({ label }) => label.toLowerCase().includes(wanted))
  return { found, total: found.length }
}

/** A filter of the service for a text anywhere in a value; none for no text. */
export const anywhere = (name: string, text: string) => (text === '' ? {} : { [name]: `*${text}*` })

export const devicesLike: Finder = async (text) => {
  const { rows, total } = await list<{ id: string; label: string; ip: string }>('/plat/res/device', {
    ...anywhere('label', text),
    ...{ size: maxFound, orderBy: 'label' },
  })
  return {
    found: rows.map(({ id, label, ip }) => ({ value: id, label: `${label} (${ip})`, note: id })),
    total,
  }
}
