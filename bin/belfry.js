#!/usr/bin/env node
// Plain JavaScript, so that a Node too old for the program can still say so.
import { existsSync } from 'node:fs'

const [major] = process.versions.node.split('.').map(Number)
if (major < 24) {
  console.error(
    `belfry needs Node 24 or newer and was started with ${process.version}. ` +
      'npm install brings one along on Linux (x64, arm64) and Windows (x64) and npm start uses it; ' +
      'elsewhere install Node 24 first.',
  )
  process.exit(1)
}
// A packed package carries JavaScript; a clone runs its sources.
const built = new URL('../dist/main.js', import.meta.url)
const { main } = await import(
  existsSync(built) ? built.href : new URL('../src/main.ts', import.meta.url).href
)
await main(process.argv.slice(2), process.env)
