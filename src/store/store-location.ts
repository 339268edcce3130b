// A file in the data folder that names its store in PostgreSQL, so that a command that was not told of it does not work
// on an older store that is still in the folder.

import { rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Fault } from '../fault.ts'
import { readPrivate, writePrivate } from './private-files.ts'

/** The settings needed to open the store. */
const storedSettings = ['store', 'store-password-file', 'key-file'] as const
export type StoreLocation = Readonly<Record<(typeof storedSettings)[number], string>>

const fileIn = (folder: string) => join(folder, 'store.json')

/** Undefined if the store is in the folder itself. */
export function storeLocation(folder: string): StoreLocation | undefined {
  const file = fileIn(folder)
  const text = readPrivate(file)
  if (text === undefined) return undefined
  try {
    const found = JSON.parse(text)
    if (storedSettings.every((name) => typeof found[name] === 'string')) return found
  } catch {
    // Reported below.
  }
  const message = `${file} does not name a store: start the service with the setting store, or remove the file if the store is in the folder`
  throw new Fault('unavailable', message)
}

export function saveStoreLocation(folder: string, settings: StoreLocation): void {
  const whole = (file: string) => (file === '' ? '' : resolve(file))
  const { store, 'store-password-file': password, 'key-file': key } = settings
  const found: StoreLocation = { store, 'store-password-file': whole(password), 'key-file': whole(key) }
  writePrivate(fileIn(folder), `${JSON.stringify(found)}\n`)
}

export const forgetStoreLocation = (folder: string) => rmSync(fileIn(folder), { force: true })

/** To be called before using the store in the folder. */
export function requireStoreInFolder(folder: string): void {
  const elsewhere = storeLocation(folder)
  if (!elsewhere) return
  const message = `the store of the data folder ${folder} is ${elsewhere.store}: name it with --store or BELFRY_STORE. To use a store in the folder instead, remove ${fileIn(folder)}`
  throw new Fault('invalid', message)
}
