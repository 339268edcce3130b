// Choosing by name, one or several: from a list that is here, or from what the service finds while one types. A combobox
// as ARIA describes it: the focus stays in the field, and the keys move through what is offered.

import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { texts } from '../texts/shared-texts.ts'
import { type Finding, type Option, type Source, useFinding } from './finding.ts'
import { Icon } from './icon.tsx'

const words = texts.list

/** Attributes of a field: that it is required, was refused, and what describes it. */
export interface FieldState {
  readonly required?: boolean
  readonly 'aria-invalid'?: boolean | undefined
  readonly 'aria-describedby'?: string | undefined
}

export interface PickerProps {
  /** Of the input, which a label is for. */
  readonly id: string
  /** What is chosen, as that label says it. */
  readonly label: string
  readonly from: Source
  readonly chosen: readonly string[]
  /** `picked` is the one that was added. */
  readonly change: (values: readonly string[], picked?: Option) => void
  /** One is shown in the field itself; several are chips before it. */
  readonly isOne?: boolean
  /** What choosing nothing means, where one may be chosen or none. */
  readonly none?: string | undefined
  /** What is typed may be taken although it was not found. One such value is what the field contains. */
  readonly accepts?: (text: string) => boolean
  readonly nameOf?: (value: string) => string
  readonly show?: (value: string) => ComponentChildren
  /** What the button of a chip does, for the name. */
  readonly removal?: (name: string) => string
  readonly placeholder?: string
  readonly hint?: string
  readonly state?: FieldState
}

const asItIs = (value: string) => value

/** What is offered now: all that was found and is not chosen, and nothing where that is a choice. */
function offeredOf(
  { isOne, none, chosen }: PickerProps,
  { found }: Finding,
  text: string,
): readonly Option[] {
  if (!isOne) return found.filter(({ value }) => !chosen.includes(value))
  const isNothing = none !== undefined && text === '' && chosen.length > 0
  return isNothing ? [{ value: '', label: none }, ...found] : found
}

/** What is typed, whether something is offered, and the one that the keys have come to. */
function usePicking(props: PickerProps) {
  const { from, chosen, change, isOne = false, none, accepts, nameOf = asItIs } = props
  const [typed, setTyped] = useState<string | undefined>(undefined)
  const [isOpen, setOpen] = useState(false)
  const [active, setActive] = useState(-1)
  const text = typed?.trim() ?? ''
  const finding = useFinding(from, text, isOpen)
  const offered = isOpen ? offeredOf(props, finding, text) : []
  const isTaken = (value: string) => value !== '' && (accepts?.(value) ?? false)
  const close = () => {
    setOpen(false)
    setActive(-1)
  }
  const pick = (option: Option) => {
    setTyped(undefined)
    close()
    if (isOne) change(option.value === '' ? [] : [option.value], option)
    else change([...chosen, option.value], option)
  }
  const type = (value: string) => {
    setTyped(value)
    setOpen(true)
    setActive(-1)
    const isValue = isOne && (accepts !== undefined || (value === '' && none !== undefined))
    if (isValue && value !== (chosen[0] ?? '')) change(value === '' ? [] : [value])
  }
  /** What was typed becomes a chip, or is forgotten: it is not what is chosen. */
  const leave = () => {
    if (!isOne && isTaken(text) && !chosen.includes(text)) change([...chosen, text])
    setTyped(undefined)
    close()
  }
  const enter = () => {
    const [first, ...others] = offered
    const only = text !== '' && others.length === 0 && !isTaken(text) ? first : undefined
    const option = offered[active] ?? only
    if (option) pick(option)
    else if (!isOne && isTaken(text)) leave()
    return option !== undefined
  }
  const cancel = () => {
    if (offered.length === 0) setTyped(undefined)
    close()
  }
  const shown = isOne && chosen[0] !== undefined ? (accepts ? chosen[0] : nameOf(chosen[0])) : ''
  return {
    ...{
      value: typed ?? shown,
      isTyped: typed !== undefined,
      offered,
      active,
      setActive,
      open: () => setOpen(true),
    },
    ...{ unshown: finding.total - finding.found.length, close, pick, type, leave, enter, cancel },
  }
}

type Picking = ReturnType<typeof usePicking>

/** Keys that mean something else elsewhere do so here only while something is offered. */
function onKey(event: KeyboardEvent, picking: Picking, isText: boolean): void {
  const { offered, active, setActive } = picking
  const last = offered.length - 1
  const isExpanded = last >= 0
  const move = {
    Home: 0,
    End: last,
    ArrowDown: active < last ? active + 1 : 0,
    ArrowUp: active > 0 ? active - 1 : last,
  }
  const { key } = event
  if (key === 'ArrowDown' || key === 'ArrowUp') {
    if (!isExpanded) picking.open()
    if (event.altKey && key === 'ArrowUp') picking.close()
    else setActive(isExpanded ? move[key] : 0)
  } else if ((key === 'Home' || key === 'End') && active >= 0 && isExpanded) setActive(move[key])
  else if (key === 'Escape' && (isExpanded || picking.isTyped)) {
    picking.cancel()
    event.stopPropagation()
  } else if (key !== 'Enter' || (!picking.enter() && isText)) return
  event.preventDefault()
}

interface ChipsProps extends Pick<PickerProps, 'label' | 'chosen' | 'nameOf' | 'show' | 'removal'> {
  readonly remove: (value: string) => void
}

/** What is chosen, each with a button that takes it off. */
export function Chips({ label, chosen, nameOf = asItIs, show = nameOf, removal, remove }: ChipsProps) {
  if (chosen.length === 0) return null
  const named = removal ?? ((name: string) => words.without(label, name))
  return (
    <ul class="tokens">
      {chosen.map((value) => (
        <li key={value}>
          {show(value)}
          <button
            type="button"
            class="plain icon"
            aria-label={named(nameOf(value))}
            onClick={() => remove(value)}
          >
            <Icon name="close" />
          </button>
        </li>
      ))}
    </ul>
  )
}

interface OfferedProps {
  readonly id: string
  readonly label: string
  readonly picking: Picking
}

/** The field keeps the focus while one is clicked. */
function Offered({ id, label, picking: { offered, active, unshown, pick } }: OfferedProps) {
  const box = useRef<HTMLDivElement>(null)
  // The field may be at the bottom of a dialog, and what it offers below the edge.
  useEffect(() => box.current?.scrollIntoView({ block: 'nearest' }), [offered.length])
  useEffect(() => {
    if (active >= 0) document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: 'nearest' })
  }, [active])
  return (
    <div class="options" ref={box} onMouseDown={(event: Event) => event.preventDefault()}>
      <div role="listbox" id={id} aria-label={label}>
        {offered.map((one, index) => (
          <div
            key={one.value}
            role="option"
            id={`${id}-${index}`}
            aria-selected={index === active}
            onClick={() => pick(one)}
          >
            {one.label}
            {one.note && <span class="mono hint">{one.note}</span>}
          </div>
        ))}
      </div>
      {unshown > 0 && <p class="hint">{words.moreFound(unshown)}</p>}
    </div>
  )
}

export function Picker(props: PickerProps) {
  const { id, label, chosen, change, isOne = false, accepts, placeholder = '', hint = '', state = {} } = props
  const list = useId()
  const input = useRef<HTMLInputElement>(null)
  const picking = usePicking(props)
  const { offered, active } = picking
  const isExpanded = offered.length > 0
  const described = [state['aria-describedby'], hint !== '' && `${id}-hint`].filter(Boolean).join(' ')
  const remove = (value: string) => {
    change(chosen.filter((one) => one !== value))
    input.current?.focus()
  }
  return (
    <div class="picker">
      {!isOne && <Chips {...props} remove={remove} />}
      <input
        {...state}
        id={id}
        ref={input}
        type="text"
        role="combobox"
        autocomplete="off"
        spellcheck={false}
        placeholder={placeholder}
        aria-autocomplete="list"
        aria-expanded={isExpanded}
        aria-controls={isExpanded ? list : undefined}
        aria-activedescendant={offered[active] ? `${list}-${active}` : undefined}
        aria-describedby={described || undefined}
        value={picking.value}
        onInput={(event) => picking.type(event.currentTarget.value)}
        onFocus={(event) => isOne && !accepts && event.currentTarget.select()}
        onClick={picking.open}
        onBlur={picking.leave}
        onKeyDown={(event) => onKey(event, picking, isOne && accepts !== undefined)}
      />
      {hint !== '' && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {isExpanded && <Offered id={list} label={label} picking={picking} />}
    </div>
  )
}
