// Drops root privileges: root works on a data folder as the user who owns it.

import { lstatSync, mkdirSync, readFileSync, readlinkSync, type Stats } from 'node:fs'
import { join, parse, resolve } from 'node:path'
import { Fault } from '../fault.ts'

/**
 * Root permanently becomes the owner of the folder, who controls its content. The same applies to the owner of a parent
 * folder, or of a link on the path. Missing folders are created first, so that nobody else can.
 */
export function becomeOwner(folder: string): void {
  if (process.geteuid?.() !== 0 || process.platform === 'win32') return
  const owner = ownerOf(folder)
  if (!owner) return
  const gid = groupOf(owner)
  process.setgroups?.([gid])
  process.setgid?.(gid)
  process.setuid?.(owner.uid)
}

function ownerOf(folder: string): Stats | undefined {
  try {
    return firstOwner(resolve(folder))
  } catch (cause) {
    if (cause instanceof Fault) throw cause
    // Its parent is a file, for example, or was deleted.
    const message = `the data folder ${folder} cannot be used: ${(cause as Error).message}`
    throw new Fault('unavailable', message, { cause })
  }
}

/** The first owner on the path who is not root; undefined if root owns all of it. */
function firstOwner(path: string): Stats | undefined {
  let at = parse(path).root
  const steps = path.slice(at.length).split('/')
  let links = 0
  while (steps.length > 0) {
    const step = steps.shift() ?? ''
    if (step === '' || step === '.') continue
    const next = join(at, step)
    const found = statOf(next) ?? make(next)
    if (found?.uid !== 0) return found
    if (found.isSymbolicLink()) {
      links += 1
      if (links > 40) throw new Fault('unavailable', `the data folder ${path} cannot be used: too many links`)
      const target = readlinkSync(next)
      if (target.startsWith('/')) at = '/'
      steps.unshift(...target.split('/'))
    } else {
      const isLast = steps.every((one) => one === '')
      requireUnshared(next, found, isLast)
      at = next
    }
  }
  return undefined
}

const statOf = (path: string) => lstatSync(path, { throwIfNoEntry: false })

/** Undefined if it cannot be created, which is reported when it is used. */
function make(path: string): Stats | undefined {
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch {
    // Another process was faster, or creation failed.
  }
  return statOf(path)
}

/** In a folder with the sticky bit, others cannot change files that are not theirs, but can add files. */
function requireUnshared(path: string, { mode }: Stats, isLast: boolean): void {
  const [writable, sticky] = [(mode & 0o022) !== 0, (mode & 0o1000) !== 0]
  if (!writable || (sticky && !isLast)) return
  const message = `root does not work in ${path}, where others may write: run this as the user of the service, or take the right away (chmod go-w)`
  throw new Fault('unavailable', message)
}

/** The user's primary group if known: the group of the folder may be root's. */
function groupOf({ uid, gid }: Stats): number {
  try {
    const users = readFileSync('/etc/passwd', 'utf8').split('\n')
    const entry = users.map((line) => line.split(':')).find((fields) => fields[2] === String(uid))
    if (entry?.[3] !== undefined) return Number(entry[3])
  } catch {
    // There is no such file.
  }
  return gid === 0 ? uid : gid
}
