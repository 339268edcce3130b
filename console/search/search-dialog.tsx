// Search everything: a field, and below it what was found, by kind. A combobox as ARIA describes it: the focus stays in
// the field, and the keys move through the results.

import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { closeSearch, earlyText } from '../core/searching.ts'
import { Dialog } from '../parts/dialog.tsx'
import { LevelShape } from '../parts/level.tsx'
import { searchTexts as words } from '../texts/search-texts.ts'
import { askedFor, type Group, knownHere, type Result, together } from './search-results.ts'

interface Asked {
  readonly text: string
  readonly groups: readonly Group[]
  readonly failed: boolean
}

/** Milliseconds after a key before the service is asked. */
const pause = 150

/** The answer for the text, or for an earlier one while it is awaited. */
function useAsked(text: string): Asked {
  const [asked, setAsked] = useState<Asked>({ text: '', groups: [], failed: false })
  useEffect(() => {
    const over = new AbortController()
    const timer = setTimeout(() => {
      askedFor(text, over.signal).then(
        (groups) => !over.signal.aborted && setAsked({ text, groups, failed: false }),
        () => !over.signal.aborted && setAsked({ text, groups: [], failed: true }),
      )
    }, pause)
    return () => {
      clearTimeout(timer)
      over.abort()
    }
  }, [text])
  return asked
}

interface OptionProps {
  readonly result: Result
  readonly id: string
  readonly isActive: boolean
}

/** A link: it can be opened in another tab as well. */
function ResultLink({ result: { href, label, note, level }, id, isActive }: OptionProps) {
  const link = useRef<HTMLAnchorElement>(null)
  useEffect(() => {
    if (isActive) link.current?.scrollIntoView({ block: 'nearest' })
  }, [isActive])
  return (
    <a ref={link} role="option" id={id} href={href} tabindex={-1} aria-selected={isActive} draggable={false}>
      {level !== undefined && <LevelShape level={level} />}
      <span class="found">{label}</span>
      {note && <span class="hint">{note}</span>}
    </a>
  )
}

interface ResultsProps {
  readonly id: string
  readonly groups: readonly Group[]
  readonly current: Result | undefined
  readonly idOf: (result: Result) => string
}

function Results({ id, groups, current, idOf }: ResultsProps) {
  const onClick = (event: MouseEvent) => {
    const isHere = !event.ctrlKey && !event.metaKey && !event.shiftKey
    // The link itself is followed by the page, which listens further out.
    if (isHere && (event.target as Element).closest('[role=option]')) closeSearch()
  }
  return (
    // The field keeps the focus while one is clicked.
    <div
      role="listbox"
      id={id}
      class="options"
      aria-label={words.title}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onClick}
    >
      {groups.map(({ kind, results }) => (
        <div key={kind} role="group" aria-label={words.groups[kind]}>
          <p class="kind" aria-hidden="true">
            {words.groups[kind]}
          </p>
          {results.map((result) => (
            <ResultLink key={result.href} result={result} id={idOf(result)} isActive={current === result} />
          ))}
        </div>
      ))}
    </div>
  )
}

function statusText(text: string, asked: Asked, count: number): string {
  if (asked.text !== text) return words.asking
  if (asked.failed) return words.unasked
  if (text === '') return ''
  return count === 0 ? words.nothing(text) : words.found(count)
}

export default function SearchDialog() {
  const [typed, setTyped] = useState(earlyText)
  const [active, setActive] = useState(0)
  const listId = useId()
  const text = typed.trim()
  const asked = useAsked(text)
  const here = knownHere(text)
  const groups = together([...here, ...asked.groups])
  const all = groups.flatMap(({ results }) => results)
  const current = Math.min(active, all.length - 1)
  // Enter was pressed before the answer was there, and no other key since.
  const [entered, setEntered] = useState('')
  const follow = () => document.getElementById(`${listId}-${current}`)?.click()
  useEffect(() => {
    if (entered !== '' && entered === asked.text) follow()
  }, [entered, asked])
  const idOf = (result: Result) => `${listId}-${all.indexOf(result)}`
  const onKeyDown = (event: KeyboardEvent) => {
    const move = { ArrowDown: 1, ArrowUp: -1 }[event.key] ?? 0
    if (move !== 0 && all.length > 0) {
      setActive((current + move + all.length) % all.length)
      setEntered('')
    } else if (event.key === 'Enter') {
      const isOfText =
        asked.text === text || here.some(({ results }) => results.some((one) => one === all[current]))
      if (isOfText || active > 0) follow()
      else setEntered(text)
    } else return
    event.preventDefault()
  }
  return (
    <Dialog title={words.title} onClose={closeSearch}>
      <div class="search-all">
        <input
          type="text"
          role="combobox"
          aria-label={words.title}
          aria-describedby={`${listId}-hint`}
          aria-autocomplete="list"
          aria-expanded={all.length > 0}
          aria-controls={listId}
          aria-activedescendant={all[current] ? `${listId}-${current}` : undefined}
          autocomplete="off"
          spellcheck={false}
          autofocus
          value={typed}
          onInput={(event) => {
            setTyped(event.currentTarget.value)
            setActive(0)
            setEntered('')
          }}
          onKeyDown={onKeyDown}
        />
        <p class="hint" id={`${listId}-hint`}>
          {words.hint}
        </p>
        <Results id={listId} groups={groups} current={all[current]} idOf={idOf} />
        <p class="hint" role="status">
          {statusText(text, asked, all.length)}
        </p>
      </div>
    </Dialog>
  )
}
