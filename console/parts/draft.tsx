// Fields of an editor or a form whose content is not lost: it is asked before they are left, and they are as they were
// when one returns.

import { useContext, useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { draftOf, forgetDraft, keepDraft, markUnsaved, question } from '../core/unsaved.ts'
import { texts } from '../texts/shared-texts.ts'
import { Dialog, DialogChanges } from './dialog.tsx'

const words = texts.draft

/** Asks before something is lost, as long as it is changed. */
function useUnsaved(key: string, isChanged: boolean): void {
  const changes = useContext(DialogChanges)
  useLayoutEffect(() => {
    if (!isChanged) return
    const saved = markUnsaved(key)
    changes?.add(key)
    return () => {
      saved()
      changes?.delete(key)
    }
  }, [key, isChanged])
}

/** The same as an element, for what a dialog holds itself. */
export function Unsaved({ name, isChanged }: { name: string; isChanged: boolean }) {
  useUnsaved(name, isChanged)
  return null
}

export interface Draft<T> {
  readonly value: T
  readonly change: (next: (before: T) => T) => void
  /** It was typed earlier, and not saved. */
  readonly isRestored: boolean
  readonly discard: () => void
  /** It is saved, or not wanted. */
  readonly forget: () => void
}

interface DraftOptions<T> {
  /** What may be kept: passwords may not. */
  readonly kept?: (value: T) => T
  /** Fields that only try something out may be left at any time. */
  readonly isGuarded?: boolean
}

/** `key` names what is edited; without one, nothing is kept for a return. */
export function useDraft<T extends object>(
  key: string | undefined,
  start: T,
  options: DraftOptions<T> = {},
): Draft<T> {
  const { kept = (value) => value, isGuarded = true } = options
  const own = useId()
  const mark = key ?? own
  const [earlier] = useState(() => (key === undefined ? undefined : (draftOf(key) as T | undefined)))
  const [value, setValue] = useState<T>(earlier === undefined ? start : { ...start, ...earlier })
  const [isRestored, setRestored] = useState(earlier !== undefined)
  /** What the fields are compared with: what they were at first, or what was saved last. */
  const base = useRef(JSON.stringify(start))
  const [saves, setSaves] = useState(0)
  const isChanged = JSON.stringify(value) !== base.current
  useUnsaved(mark, isGuarded && isChanged)
  useEffect(() => {
    if (key === undefined) return
    if (isChanged) keepDraft(key, kept(value))
    else forgetDraft(key)
  }, [value, saves])
  return {
    value,
    change: setValue,
    isRestored,
    discard: () => {
      setValue(start)
      setRestored(false)
    },
    forget: () => {
      base.current = JSON.stringify(value)
      forgetDraft(mark)
      setSaves(saves + 1)
    },
  }
}

/** Above fields that are as they were left, and not as they are saved. */
export const RestoredNote = ({ isRestored, discard }: Pick<Draft<unknown>, 'isRestored' | 'discard'>) =>
  isRestored && (
    <p class="restored" role="status">
      {words.restored}{' '}
      <button type="button" class="plain" onClick={discard}>
        {words.discardIt}
      </button>
    </p>
  )

/** Over everything, as long as it is to be decided. */
export function LeaveQuestion() {
  const asked = question.value
  if (!asked) return null
  const stay = () => {
    question.value = undefined
  }
  const leave = () => {
    stay()
    asked.leave()
  }
  return (
    <Dialog title={words.title} onClose={stay}>
      <p>{words.hint}</p>
      <footer>
        <button type="button" onClick={leave}>
          {words.discard}
        </button>
        <button type="button" class="main" autofocus onClick={stay}>
          {words.stay}
        </button>
      </footer>
    </Dialog>
  )
}
