// Markup as tagged templates: nothing has to be built before a browser can run it. Values are always text or elements,
// never markup, so that what comes from the network cannot become any.

import htm from 'htm'
import { type ComponentChildren, type ComponentType, h, type VNode } from 'preact'
import { visible } from './visible.ts'

export type Children = ComponentChildren

const make = (type: string | ComponentType, props: Record<string, unknown> | null, ...children: Children[]) =>
  h(type as string, props, ...children.map((child) => (typeof child === 'string' ? visible(child) : child)))

type Template = (strings: TemplateStringsArray, ...values: unknown[]) => VNode

// Its types describe another form of the package than browsers load.
export const html = (htm as unknown as { bind(make: unknown): Template }).bind(make)
