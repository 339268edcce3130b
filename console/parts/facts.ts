// Names and values beside each other, and parts of a page with a heading.

import { type Children, html } from '../core/html.ts'

/** Those without a value are left out. */
export const Facts = ({ facts }: { facts: readonly (readonly [string, Children])[] }) =>
  html`<dl class="facts">
    ${facts
      .filter(([, value]) => value !== '' && value !== null && value !== undefined && value !== false)
      .map(([name, value]) => html`<div key=${name}><dt>${name}</dt><dd>${value}</dd></div>`)}
  </dl>`

interface SectionProps {
  readonly title: string
  readonly hint?: string
  readonly children?: Children
  readonly class?: string
}

export const Section = ({ title, hint, children, class: name = '' }: SectionProps) =>
  html`<section class="part ${name}"><h2>${title}</h2>${hint && html`<p class="hint">${hint}</p>`}${children}</section>`
