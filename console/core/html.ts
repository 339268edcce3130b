// Markup as tagged templates: nothing has to be built before a browser can run it. Values are always text or elements,
// never markup, so that data from the network cannot become markup.

import htm from 'htm'
import { type ComponentChildren, type ComponentType, h, type VNode } from 'preact'
import { visible } from './visible.ts'

export type Children = ComponentChildren

/** Also what stands beside other things: a template with several parts, such as a name and a mark, is a list. */
function legible(child: Children): Children {
  if (typeof child === 'string') return visible(child)
  return Array.isArray(child) && child.some(isPlain) ? child.map(legible) : child
}

const isPlain = (child: unknown) => typeof child === 'string' || Array.isArray(child)

/** What a field holds, and what it is found by, stays as it is: people edit it, and it is sent. */
const kept = new Set(['value', 'defaultValue', 'key'])

/** Titles and labels are read as well, or read out. */
function legibleProps(props: Record<string, unknown> | null): Record<string, unknown> | null {
  let legible = props
  for (const name in props) {
    const given = props[name]
    if (typeof given !== 'string' || kept.has(name)) continue
    const shown = visible(given)
    if (shown !== given) legible = { ...legible, [name]: shown }
  }
  return legible
}

/** Properties of a component are no attributes: it makes elements of its own of them. */
const make = (type: string | ComponentType, props: Record<string, unknown> | null, ...children: Children[]) =>
  h(type as string, typeof type === 'string' ? legibleProps(props) : props, ...children.map(legible))

type Template = (strings: TemplateStringsArray, ...values: unknown[]) => VNode

// Its types describe another form of the package than browsers load.
const template = (htm as unknown as { bind(make: unknown): Template }).bind(make)

export const html: Template = (strings, ...values) => legible(template(strings, ...values)) as VNode
