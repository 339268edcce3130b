// Bundles the sources of the console with esbuild: in memory when the service runs from a clone, and once for the
// package.

import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { BuildOptions, Metafile, Plugin } from 'esbuild'
import { Fault } from '../../fault.ts'
import type { Language } from './language.ts'

const sources = fileURLToPath(new URL('../../../console/', import.meta.url))
/** What most people open. The other pages are loaded when they are opened, and take from it what they share with it. */
const firstView = 'first-view.ts'
const style = 'style.css'
/** The part of the font that nearly every text needs; other parts are fetched when a letter needs them. */
const font = 'inter-latin-wght-normal.woff2'
/**
 * Pages that share nothing with the console: the one that links in messages open, to which people come without a
 * session, and the one of the demo's phones, which the demo serves.
 */
const pagesAlone = [
  { html: 'act/act.html', entryPoints: ['act/act-page.tsx'] },
  { html: 'phones/phones.html', entryPoints: ['phones/phones-page.tsx', 'phones/phones.css'] },
]

export interface Bundle {
  /** Contents by name. */
  readonly files: ReadonlyMap<string, Uint8Array>
  /** Packages that are part of them. */
  readonly libraries: readonly string[]
}

/** The paths of all sources. */
export const sourceFiles = (): string[] =>
  globSync('**/*.{ts,tsx,css,html,svg}', { cwd: sources }).map((name) => join(sources, name))

const options = {
  absWorkingDir: sources,
  entryPoints: [firstView, style],
  // Every page needs the first view, so that all of its modules are one file, which nothing is divided from.
  inject: [firstView],
  outdir: '.',
  bundle: true,
  splitting: true,
  format: 'esm',
  target: 'esnext',
  loader: { '.woff2': 'file' },
  // Their address has the version in it, like that of all files.
  assetNames: '[name]',
  minify: true,
  legalComments: 'none',
  metafile: true,
  write: false,
  logLevel: 'silent',
} as const satisfies BuildOptions

const alone = (entryPoints: string[]) =>
  ({ ...options, entryPoints, inject: [], splitting: false }) as const satisfies BuildOptions

/** Each text of another language than English is in a module of the same name, in the folder of the language. */
const textsIn = (language: Language): Plugin => ({
  name: 'texts',
  setup({ onResolve }) {
    onResolve({ filter: /\/texts\/[\w-]+\.ts$/ }, ({ path }) =>
      language === 'en' ? undefined : { path: join(sources, 'texts', language, basename(path)) },
    )
  },
})

/** Source maps let developers of the console read it in their browser as it was written. */
export async function bundle(
  language: Language,
  { hasSourceMaps }: { hasSourceMaps: boolean },
): Promise<Bundle> {
  const common = { plugins: [textsIn(language)], sourcemap: hasSourceMaps }
  const { outputFiles, metafile } = await build({ ...options, ...common })
  const others = await Promise.all(
    pagesAlone.map(({ entryPoints }) => build({ ...alone(entryPoints), ...common })),
  )
  const written = (html: string) =>
    readFileSync(join(sources, html), 'utf8').replace('lang="en"', `lang="${language}"`)
  const made = [...outputFiles, ...others.flatMap((one) => one.outputFiles)].map(
    ({ path, contents }) => [path.slice(sources.length), contents] as const,
  )
  const plain = ['icon.svg'].map((name) => [name, readFileSync(join(sources, name))] as const)
  const page = written('index.html').replace('<!-- links -->', linksOf(metafile))
  return {
    files: new Map([
      ...made,
      ...plain,
      ['index.html', Buffer.from(page)],
      ...pagesAlone.map(({ html }) => [basename(html), Buffer.from(written(html))] as const),
    ]),
    libraries: librariesOf(metafile),
  }
}

/** Of all services of this process: esbuild has one program for all of them, which is ended after the last work. */
let underWay = 0

async function build(wanted: typeof options | ReturnType<typeof alone>) {
  const esbuild = await import('esbuild').catch((cause) => {
    const text = 'the console is made by esbuild, which is not installed: run npm ci'
    throw new Fault('unavailable', text, { cause })
  })
  underWay += 1
  try {
    return await esbuild.build(wanted)
  } finally {
    underWay -= 1
    if (underWay === 0) await esbuild.stop()
  }
}

/** What a browser needs for the first view, so that it requests all of it at once. */
function linksOf({ outputs }: Metafile): string {
  const scripts = new Set<string>()
  const add = (name: string) => {
    if (scripts.has(name)) return
    scripts.add(name)
    for (const { path, kind } of outputs[name]?.imports ?? []) if (kind === 'import-statement') add(path)
  }
  for (const [name, { entryPoint }] of Object.entries(outputs))
    if (entryPoint === firstView || entryPoint?.startsWith('alarms/page.')) add(name)
  return [
    `<link rel="stylesheet" href="./${style}">`,
    `<link rel="preload" href="./${font}" as="font" type="font/woff2" crossorigin>`,
    ...[...scripts].map((name) => `<link rel="modulepreload" href="./${name}">`),
  ].join('\n    ')
}

const librariesOf = ({ inputs }: Metafile): string[] => {
  const names = Object.keys(inputs).map((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1])
  return [...new Set(names.filter((name) => name !== undefined))].sort()
}
