// Creates a data folder for a command, and removes it again if the command fails.

import { existsSync, readdirSync, rmdirSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Config } from '../config/config.ts'
import { KeyFile } from '../keys/key-file.ts'

/** To be called before anything is made; returns what removes it again, once nobody holds the folder. */
export function removeNewFolderOnFailure(config: Config): () => void {
  const folder = resolve(config.data)
  const before = existsSync(folder) ? readdirSync(folder) : []
  const missing = missingFolders(folder)
  const { path: key } = new KeyFile(config)
  const isKeyNew = !existsSync(key)
  return () => {
    if (isKeyNew) rmSync(key, { force: true })
    for (const name of existsSync(folder) ? readdirSync(folder) : [])
      if (!before.includes(name)) rmSync(join(folder, name), { recursive: true, force: true })
    try {
      for (const one of missing) rmdirSync(one)
    } catch {
      // Somebody has put something there meanwhile, or it was not made.
    }
  }
}

/** The folder and those above it that are not there, the innermost first. */
function missingFolders(folder: string): string[] {
  return existsSync(folder) ? [] : [folder, ...missingFolders(dirname(folder))]
}
