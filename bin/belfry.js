#!/usr/bin/env node
// Plain JavaScript, so that a Node too old for the program can hand over to a newer one, or say what is needed.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import {
  endWithLauncher,
  findNode,
  isNewEnough,
  keepCompiled,
  runOn,
  sayWhatIsNeeded,
  tellLauncher,
} from './runtime.js'

const args = process.argv.slice(2)
const newer = isNewEnough ? undefined : findNode()
if (newer) runOn(newer, [fileURLToPath(import.meta.url), ...args])
else if (!isNewEnough) sayWhatIsNeeded()
else {
  endWithLauncher()
  keepCompiled()
  // A clone runs its sources, also while a package is being made of it; a packed package carries JavaScript.
  const source = new URL('../src/main.ts', import.meta.url)
  const built = new URL('../dist/main.js', import.meta.url)
  try {
    const { main } = await import(existsSync(source) ? source.href : built.href)
    await main(args, process.env)
    tellLauncher()
  } catch (error) {
    // Even a module, or a thread, cannot be loaded then.
    if (!/\bE[MN]FILE\b|too many open files/.test(String(error))) throw error
    console.error('belfry: no file descriptors are left: raise the limit of open files (ulimit -n)')
    process.exitCode = 1
  }
}
