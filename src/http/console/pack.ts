// Writes the bundled console for the package, with the licences of the libraries it contains. What is the same in every
// language, such as fonts and style, is there once.

import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { sharedFolder } from './assets.ts'
import { bundle } from './bundle.ts'
import { type Language, languages } from './language.ts'

const root = new URL('../../../', import.meta.url)
const target = new URL('dist/console/', root)

function licenceOf(library: string): string {
  const folder = new URL(`node_modules/${library}/`, root)
  const [name] = globSync('LICEN[CS]E*', { cwd: fileURLToPath(folder) })
  if (!name) throw new Error(`${library} is part of the console, but its licence was not found`)
  return `${library}\n\n${readFileSync(new URL(name, folder), 'utf8').trim()}\n`
}

const bundles: { language: Language; files: Map<string, Uint8Array> }[] = []
for (const language of languages) {
  const { files, libraries } = await bundle(language, { hasSourceMaps: false })
  const licences = Buffer.from(libraries.map(licenceOf).join('\n\n'))
  bundles.push({ language, files: new Map([...files, ['LICENCES.txt', licences]]) })
}
const isShared = (name: string, content: Uint8Array) =>
  bundles.every(({ files }) => Buffer.compare(files.get(name) ?? Buffer.alloc(0), content) === 0)
for (const { language, files } of bundles)
  for (const [name, content] of files) {
    const folder = new URL(`${isShared(name, content) ? sharedFolder : language}/`, target)
    mkdirSync(folder, { recursive: true })
    writeFileSync(new URL(name, folder), content)
  }
