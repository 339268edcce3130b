// Names and values beside each other, and parts of a page with a heading.

import type { ComponentChildren } from 'preact'

export type Fact = readonly [name: string, value: ComponentChildren]

/** Those without a value are left out. */
export const Facts = ({ facts }: { facts: readonly Fact[] }) => (
  <dl class="facts">
    {facts
      .filter(([, value]) => value !== '' && value !== null && value !== undefined && value !== false)
      .map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
)

interface SectionProps {
  readonly title: string
  readonly hint?: string
  readonly children?: ComponentChildren
  readonly class?: string
}

export const Section = ({ title, hint, children, class: name = '' }: SectionProps) => (
  <section class={`part ${name}`}>
    <h2>{title}</h2>
    {hint && <p class="hint">{hint}</p>}
    {children}
  </section>
)
