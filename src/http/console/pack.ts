// Writes the bundled console for the package, with the licences of the libraries it contains.

import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { bundle } from './bundle.ts'
import { languages } from './language.ts'

const root = new URL('../../../', import.meta.url)
const target = new URL('dist/console/', root)

function licenceOf(library: string): string {
  const folder = new URL(`node_modules/${library}/`, root)
  const [name] = globSync('LICEN[CS]E*', { cwd: fileURLToPath(folder) })
  if (!name) throw new Error(`${library} is part of the console, but its licence was not found`)
  return `${library}\n\n${readFileSync(new URL(name, folder), 'utf8').trim()}\n`
}

for (const language of languages) {
  const { files, libraries } = await bundle(language, { hasSourceMaps: false })
  const folder = new URL(`${language}/`, target)
  mkdirSync(folder, { recursive: true })
  for (const [name, content] of files) writeFileSync(new URL(name, folder), content)
  writeFileSync(new URL('LICENCES.txt', folder), libraries.map(licenceOf).join('\n\n'))
}
