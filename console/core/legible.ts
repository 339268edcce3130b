// Text from the network, made legible wherever it is shown: every node that Preact makes, and so every text and every
// attribute, has its invisible characters made visible.

import { options, type VNode } from 'preact'
import { visible } from './visible.ts'

/** What a field holds stays as it is: people edit it, and it is sent. */
const kept = new Set(['value', 'defaultValue'])

/** Titles and labels are read as well, or read out. Properties of a component are no attributes: it makes elements of them. */
function makeLegible(node: VNode<Record<string, unknown>>): void {
  // A text is a node without a type.
  const text: unknown = node.props
  if (typeof text === 'string') Object.assign(node, { props: visible(text) })
  if (typeof node.type !== 'string') return
  for (const name in node.props) {
    const given = node.props[name]
    if (typeof given !== 'string' || kept.has(name) || name === 'children') continue
    const shown = visible(given)
    if (shown !== given) node.props = { ...node.props, [name]: shown }
  }
}

export function startLegible(): void {
  const before = options.vnode
  options.vnode = (node) => {
    makeLegible(node as VNode<Record<string, unknown>>)
    before?.(node)
  }
}
