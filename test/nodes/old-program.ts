// The last program that called itself 0.1.0, as the history of this repository has it.

import { execFileSync, spawnSync } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { temporaryFolder } from '../support.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const git = (...args: string[]) => spawnSync('git', ['-C', root, ...args], { encoding: 'utf8' }).stdout ?? ''

/** The commit that raised the version. */
const raised = git('log', '-1', '--format=%H', '-S"version": "0.1.0"', '--', 'package.json').trim()

/** The option `skip` of a test that needs it: a copy without its history has no older program. */
export const withoutHistory = { skip: raised === '' && 'needs a clone with its history' }

/** Unpacks it; returns its command. */
export function unpackOldProgram(): string {
  const folder = temporaryFolder()
  const archive = execFileSync('git', ['-C', root, 'archive', `${raised}^`], { maxBuffer: 2 ** 30 })
  execFileSync('tar', ['-x', '-C', folder], { input: archive })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  return join(folder, 'bin/belfry.js')
}
