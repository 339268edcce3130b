// Takes out of a document what it tells its readers to type.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = new URL('../../', import.meta.url)

export interface Block {
  /** What stands behind the opening marks: `sh`, `nginx`; empty where nothing does. */
  readonly language: string
  readonly text: string
}

/** A section of a page, with the sections inside it, as blocks of code in their order. */
export function blocksOf(page: string, heading: string): Block[] {
  const lines = readFileSync(fileURLToPath(new URL(page, root)), 'utf8').split('\n')
  const start = lines.findIndex((line) => /^#+ /.test(line) && line.replace(/^#+ /, '') === heading)
  assert.ok(start >= 0, `${page} has no section "${heading}"`)
  const depth = /^#+/.exec(lines[start] ?? '')?.[0].length ?? 0
  const found: { language: string; indent: number; lines: string[] }[] = []
  let open: (typeof found)[number] | undefined
  for (const line of lines.slice(start + 1)) {
    const mark = /^( *)```(\S*)$/.exec(line)
    if (open) {
      if (mark && mark[2] === '') open = undefined
      else open.lines.push(line.slice(Math.min(open.indent, /^ */.exec(line)?.[0].length ?? 0)))
    } else if (mark) {
      open = { language: mark[2] ?? '', indent: mark[1]?.length ?? 0, lines: [] }
      found.push(open)
    } else if ((/^#+(?= )/.exec(line)?.[0].length ?? Number.POSITIVE_INFINITY) <= depth) break
  }
  return found.map((block) => ({ language: block.language, text: `${block.lines.join('\n')}\n` }))
}

/** The commands of a section, block by block. */
export function commandsOf(page: string, heading: string): string[] {
  const found = blocksOf(page, heading).filter(({ language }) => language === 'sh')
  assert.ok(found.length > 0, `"${heading}" of ${page} has no commands`)
  return found.map(({ text }) => text)
}
