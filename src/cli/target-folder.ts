// Writes files into a folder that another user may own, also as root: links of that user must not redirect the write.

import {
  closeSync,
  constants,
  createWriteStream,
  lstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
} from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { join, parse, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Fault } from '../fault.ts'

/** As in the kernel. */
const linkLimit = 40

/** Writes a file beside the one that has its name, and puts it in its place: nothing is written through that one. */
export async function writeInto(folder: string, name: string, body: Readable): Promise<void> {
  await withFolder(folder, async (place) => {
    const [file, part] = [join(place, name), join(place, `${name}.part`)]
    await rm(part, { force: true })
    try {
      await pipeline(body, createWriteStream(part, { flags: 'wx' }))
      await rename(part, file)
    } catch (error) {
      await rm(part, { force: true })
      throw error
    }
  })
}

/** Gives the path under which the folder is reached while it is open, whatever is renamed or linked meanwhile. */
async function withFolder<T>(folder: string, work: (place: string) => Promise<T>): Promise<T> {
  // Only Linux has paths for what is open. Elsewhere the files themselves are safe, the way to them is not.
  if (process.platform !== 'linux') {
    mkdirSync(folder, { recursive: true })
    return work(folder)
  }
  const opened = openWay(resolve(folder))
  try {
    return await work(placeOf(opened))
  } finally {
    closeSync(opened)
  }
}

const placeOf = (opened: number) => `/proc/self/fd/${opened}`

const asFolder = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW

/** Opens a folder step by step, and makes what is missing. Links are followed where they are root's or one's own. */
function openWay(path: string): number {
  const { root } = parse(path)
  const steps = path.split('/')
  let at = openSync(root, asFolder)
  let links = 0
  try {
    while (steps.length > 0) {
      const step = steps.shift() ?? ''
      if (step === '' || step === '.') continue
      // Not joined: `..` of a link is the folder above the one that is open.
      const next = `${placeOf(at)}/${step}`
      const found = lstatSync(next, { throwIfNoEntry: false }) ?? makeStep(next)
      if (found.isSymbolicLink()) {
        links += 1
        if (links > linkLimit) throw new Fault('invalid', `--to ${path}: there are too many links on the way`)
        requireTrusted(path, step, found.uid)
        const target = readlinkSync(next)
        steps.unshift(...target.split('/'))
        if (!target.startsWith('/')) continue
        closeSync(at)
        at = openSync(root, asFolder)
        continue
      }
      const opened = openSync(next, asFolder)
      closeSync(at)
      at = opened
    }
    return at
  } catch (error) {
    closeSync(at)
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOTDIR' || code === 'ELOOP') throw new Fault('invalid', `--to ${path} is not a folder`)
    throw error
  }
}

function makeStep(path: string) {
  mkdirSync(path)
  return lstatSync(path)
}

function requireTrusted(path: string, step: string, owner: number): void {
  if (owner === 0 || owner === process.geteuid?.()) return
  const message = `--to ${path}: ${step} is a link of another user's, which is not followed. Name the folder that it leads to`
  throw new Fault('invalid', message)
}
