// Other programs than this one: the last that called itself 0.2.0, as the history of this repository has it, and this one
// with one more migration.

import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Migration } from '../../src/store/migrate.ts'
import { temporaryFolder } from '../support.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const git = (...args: string[]) => spawnSync('git', ['-C', root, ...args], { encoding: 'utf8' }).stdout ?? ''

/** The commit that raised the version. */
const raised = git('log', '-1', '--format=%H', '-S"version": "0.2.0"', '--', 'package.json').trim()

/** The option `skip` of a test that needs it: a copy without its history has no older program. */
export const withoutHistory = { skip: raised === '' && 'needs a clone with its history' }

function commandIn(folder: string): string {
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  return join(folder, 'bin/belfry.js')
}

/** Unpacks the older program; returns its command. */
export function unpackOldProgram(): string {
  const folder = temporaryFolder()
  const archive = execFileSync('git', ['-C', root, 'archive', `${raised}^`], { maxBuffer: 2 ** 30 })
  execFileSync('tar', ['-x', '-C', folder], { input: archive })
  return commandIn(folder)
}

/** Copies this program, and adds a migration to it; returns its command. */
export function copyWith({ name, script }: Pick<Migration, 'name' | 'script'>): string {
  const folder = temporaryFolder()
  for (const part of ['bin', 'src', 'console', 'migrations', 'definitions', 'examples', 'package.json'])
    cpSync(join(root, part), join(folder, part), { recursive: true })
  writeFileSync(join(folder, 'migrations', name), script)
  return commandIn(folder)
}
