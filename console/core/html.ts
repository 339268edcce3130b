// Markup as tagged templates. Values are always text or elements, never markup, so that data from the network cannot
// become markup.

import htm from 'htm'
import { type ComponentChildren, h, type VNode } from 'preact'

export type Children = ComponentChildren

type Template = (strings: TemplateStringsArray, ...values: unknown[]) => VNode

// Its types describe another form of the package than browsers load.
export const html = (htm as unknown as { bind(make: unknown): Template }).bind(h)
