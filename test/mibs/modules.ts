// The modules that were written for the tests.

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Library } from '../../src/mibs/module-library.ts'
import { readModules } from '../../src/mibs/module-reader.ts'

export const moduleFile = (name: string) => fileURLToPath(new URL(`./modules/${name}`, import.meta.url))
export const moduleText = (name: string) => readFileSync(moduleFile(name), 'utf8')

export const smi = moduleText('ACME-SMI.mib')
export const tower = moduleText('ACME-TOWER-MIB.mib')
export const clock = moduleText('ACME-CLOCK-V1-MIB.mib')

export const libraryOf = (...sources: readonly string[]) =>
  new Library(sources.flatMap((source) => readModules(source).modules))
