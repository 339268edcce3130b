// Reads back what `xmlWriter` wrote of a shape without groups, as the object that JSON shows. The description says which
// fields are lists. It is much faster than a parser of XML, and reads nothing that others have written.

import type { Shape } from './resource.ts'

type Flat = Record<string, string | string[]>

const references: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  '#13': '\r',
  '#10': '\n',
}

/** `emptyLists`: whether a list without members is shown as an empty array, or not at all. */
export function flatXmlReader({ fields }: Shape, emptyLists = false): (elements: string) => Flat {
  const lists = new Set(Object.keys(fields).filter((name) => fields[name]?.kind === 'set'))
  return (elements) => {
    const flat: Flat = {}
    if (emptyLists) for (const name of lists) flat[name] = []
    for (let at = 0; at < elements.length; ) {
      const tagEnd = elements.indexOf('>', at)
      const isEmpty = elements[tagEnd - 1] === '/'
      const name = elements.slice(at + 1, isEmpty ? tagEnd - 1 : tagEnd)
      const textEnd = isEmpty ? tagEnd + 1 : elements.indexOf('<', tagEnd)
      const value = isEmpty ? '' : unescaped(elements.slice(tagEnd + 1, textEnd))
      const list = flat[name]
      if (Array.isArray(list)) list.push(value)
      else flat[name] = lists.has(name) ? [value] : value
      at = isEmpty ? textEnd : textEnd + name.length + '</>'.length
    }
    return flat
  }
}

const unescaped = (text: string) =>
  text.includes('&') ? text.replace(/&(#?\w+);/g, (_, word) => references[word] ?? '') : text
