// Chooses the format of a response from the Accept header.

import { Fault, shown } from '../fault.ts'
import type { Form } from './call.ts'

export function notAcceptable(accept: string | undefined, expected: string): Fault {
  return new Fault('not-acceptable', `${shown(accept ?? '')} cannot be served: expected ${expected}`)
}

interface Range {
  readonly type: string
  readonly quality: number
  readonly index: number
}

/** A form, and the ranges that ask for it, the most specific first. */
interface Offer<F> {
  readonly form: F
  readonly ranges: readonly string[]
}

export const mediaTypes: readonly Offer<Form>[] = [
  { form: 'xml', ranges: ['application/xml', 'text/xml', 'application/*', 'text/*', '*/*'] },
  { form: 'json', ranges: ['application/json', 'application/*', '*/*'] },
]

export function chooseForm(accept = ''): Form | undefined {
  if (accept === '*/*' || accept === 'application/xml' || accept.trim() === '') return 'xml'
  if (accept === 'application/json') return 'json'
  return choose(accept, mediaTypes)
}

/**
 * The most specific range decides for a type; the best quality wins, then what is named first, then what is offered
 * first. Undefined where no form is acceptable.
 */
export function choose<F>(accept: string, offered: readonly Offer<F>[]): F | undefined {
  const ranges = accept.split(',').map(readRange)
  const offers = offered.flatMap(({ form, ranges: names }) => {
    const spoken = names.map((name) => ranges.find((range) => range.type === name)).find((range) => range)
    return spoken && spoken.quality > 0 ? [{ form, ...spoken }] : []
  })
  offers.sort((a, b) => b.quality - a.quality || a.index - b.index)
  return offers[0]?.form
}

function readRange(text: string, index: number): Range {
  const [type = '', ...options] = text.split(';').map((part) => part.trim().toLowerCase())
  const quality = options.find((option) => option.startsWith('q='))?.slice(2)
  return { type, index, quality: quality === undefined ? 1 : Number(quality) || 0 }
}
