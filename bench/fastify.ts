// Fastify is a yardstick, not a dependency: it is installed beside the benchmarks when one needs it.

import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('.', import.meta.url))
const installed = () => existsSync(new URL('node_modules/fastify/package.json', import.meta.url))

/** Returns whether it is there, after an attempt to install it where it is not. */
export function haveFastify(): boolean {
  if (installed()) return true
  console.log('Fastify, the yardstick, is not installed: npm ci --prefix bench')
  const quiet = ['ci', '--silent', '--no-audit', '--no-fund', '--ignore-scripts']
  // npm says where it is to the scripts it runs; elsewhere it is looked for by name.
  const { npm_execpath: npm } = process.env
  if (npm) spawnSync(process.execPath, [npm, ...quiet], { cwd: folder })
  else spawnSync('npm', quiet, { cwd: folder, shell: process.platform === 'win32' })
  return installed()
}
