// Finds the files that `belfry mib load` reads: those named, and those in named folders.

import { statSync } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, join, relative, sep } from 'node:path'
import { moduleFileLimit, modulesPerFile } from '../mibs/module-text.ts'
import { statReadable } from './command.ts'

export interface ModuleFile {
  readonly file: string
  /** Its path inside the folder that was named, or its name. */
  readonly shownAs: string
  /** It was named itself, not found in a folder: a file without a module is an error then. */
  readonly isNamed: boolean
}

export async function filesOf(name: string): Promise<ModuleFile[]> {
  const found = await statReadable(name)
  if (!found.isDirectory()) return [{ file: name, shownAs: basename(name), isNamed: true }]
  const inside = await readdir(name, { withFileTypes: true, recursive: true })
  // A link to a folder is not followed, because it may lead back here.
  const entries = inside.filter((one) => one.isFile() || one.isSymbolicLink())
  const files = entries.map((one) => join(one.parentPath, one.name)).filter(isFile)
  return files.sort().map((file) => ({
    file,
    shownAs: relative(name, file).replaceAll(sep, '/'),
    isNamed: false,
  }))
}

const isFile = (file: string) => statSync(file, { throwIfNoEntry: false })?.isFile() ?? false

export const looksLikeModule = (body: Buffer) => /\bDEFINITIONS\b[^"]{0,40}::=/i.test(body.toString('latin1'))

/** The names before `DEFINITIONS`; texts and comments may have it as well. */
export function moduleNames(body: Buffer): string[] {
  const text = body.toString('latin1')
  const places = text.matchAll(/\bDEFINITIONS\b/gi).take(modulesPerFile)
  return [...places].flatMap(({ index }) => {
    const before = text.slice(Math.max(0, index - headLength), index).trimEnd()
    const end = before.endsWith('}') ? before.lastIndexOf('{') : before.length
    const name =
      before
        .slice(0, Math.max(0, end))
        .trimEnd()
        .split(/[^\w-]/)
        .at(-1) ?? ''
    return name === '' ? [] : [name]
  })
}

/** A name, and perhaps its place in the tree. */
const headLength = 400

/** The content of the file, or why it cannot be read. */
export async function readWhole(file: string): Promise<Buffer | string> {
  try {
    const { size } = await stat(file)
    return size > moduleFileLimit ? `it is larger than ${moduleFileLimit} bytes` : await readFile(file)
  } catch (error) {
    return `it cannot be read: ${(error as Error).message}`
  }
}
