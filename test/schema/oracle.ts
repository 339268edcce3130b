// An independent reader of XML (libxml2), to compare ours with.

import { type ParseOptions, XmlCData, XmlDocument, XmlElement, XmlText, type XmlTreeNode } from 'libxml2-wasm'
import type { Element } from '../../src/schema/read-document.ts'

/** The tree as libxml2 sees it; throws where libxml2 refuses the document. */
export function libxmlTree(bytes: Uint8Array, options: ParseOptions = {}): Element {
  const document = XmlDocument.fromBuffer(bytes, options)
  try {
    return treeOf(document.root)
  } finally {
    document.dispose()
  }
}

function treeOf(element: XmlElement): Element {
  const items: Element[] = []
  let text = ''
  for (let node: XmlTreeNode | null = element.firstChild; node; node = node.next) {
    if (node instanceof XmlElement) items.push(treeOf(node))
    else if (node instanceof XmlText || node instanceof XmlCData) text += node.content
  }
  return { name: element.name, text, items }
}
