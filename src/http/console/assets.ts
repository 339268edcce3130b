// The files of the console as browsers get them: types stripped, libraries found by path, compressed once.

import { createHash } from 'node:crypto'
import { globSync, readFileSync, statSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

/** A clone serves its sources; a package carries JavaScript beside the rest of the service. Both have the style here. */
const isClone = import.meta.url.endsWith('.ts')
const folder = new URL('../../../console/', import.meta.url)
const scripts = isClone ? folder : new URL('../../console/', import.meta.url)

/** What the page's modules may import by name, and where the service finds it. */
const libraries: Readonly<Record<string, string>> = {
  preact: 'preact',
  'preact/hooks': 'preact/hooks',
  htm: 'htm',
  '@preact/signals-core': '@preact/signals-core',
  '@preact/signals': '@preact/signals',
  uplot: 'uplot/dist/uPlot.esm.js',
}
const libraryStyle = 'uplot/dist/uPlot.min.css'

const types: Readonly<Record<string, string>> = {
  ts: 'text/javascript; charset=UTF-8',
  js: 'text/javascript; charset=UTF-8',
  css: 'text/css; charset=UTF-8',
  svg: 'image/svg+xml',
  html: 'text/html; charset=UTF-8',
}

export type Encoding = 'br' | 'gzip' | 'identity'

export interface Asset {
  readonly type: string
  readonly bodies: Readonly<Record<Encoding, Buffer>>
}

/** One state of all files. Its name changes with every one of them, so that browsers may keep what they have. */
export class Assets {
  readonly version: string
  readonly #sources: ReadonlyMap<string, URL>
  readonly #made = new Map<string, Promise<Asset>>()

  constructor() {
    this.#sources = findSources()
    const hash = createHash('sha256')
    for (const [name, url] of this.#sources) hash.update(name).update(readFileSync(url))
    this.version = hash.digest('hex').slice(0, 16)
  }

  get names(): string[] {
    return [...this.#sources.keys()]
  }

  /** Nothing where there is no such file: only what was found at the start is served. */
  find(name: string): Promise<Asset> | undefined {
    const source = this.#sources.get(name)
    if (!source) return undefined
    const made = this.#made.get(name) ?? make(name, this.#textOf(name, source))
    this.#made.set(name, made)
    return made
  }

  text(name: string): string {
    const source = this.#sources.get(name)
    return source ? this.#textOf(name, source) : ''
  }

  /** The modules that a module needs before it can run, itself first: the page asks for all of them at once. */
  neededBy(name: string): string[] {
    const found = new Set([name])
    for (const one of found) {
      for (const [, target = ''] of this.text(one).matchAll(/\bfrom\s*["'](\.{1,2}\/[^"']+)["']/g)) {
        const path = new URL(target, `http://console/${one}`).pathname.slice(1)
        if (this.#sources.has(path)) found.add(path)
      }
    }
    return [...found]
  }

  #textOf(name: string, source: URL): string {
    const content = readFileSync(source, 'utf8')
    if (name.endsWith('.ts')) return located(name, stripTypes(content))
    return name.endsWith('.js') ? located(name, content) : content
  }
}

/** For those who work on the page: whether the files are other ones than before. */
export function signature(): string {
  if (!isClone) return ''
  return [...findSources().values()].map((url) => `${statSync(url).mtimeMs} ${statSync(url).size}`).join()
}

function findSources(): Map<string, URL> {
  const sources = new Map<string, URL>()
  const add = (from: URL, pattern: string) => {
    for (const name of globSync(pattern, { cwd: fileURLToPath(from) }).sort()) {
      const path = name.replaceAll('\\', '/')
      sources.set(path, new URL(path, from))
    }
  }
  add(folder, '**/*.{css,svg,html}')
  add(scripts, isClone ? '**/*.ts' : '**/*.js')
  for (const [name, module] of Object.entries(libraries))
    sources.set(libraryPath(name), new URL(import.meta.resolve(module)))
  sources.set('lib/uplot.css', new URL(import.meta.resolve(libraryStyle)))
  return sources
}

const libraryPath = (name: string) => `lib/${name.replace(/\W+/g, '-').replace(/^-/, '')}.js`

/** Browsers know no packages: their names become paths, relative to the module. */
function located(name: string, script: string): string {
  const up = '../'.repeat(name.split('/').length - 1) || './'
  return script
    .replace(
      /(\bfrom\s*|\bimport\s*)(["'])([^"'./][^"']*)\2/g,
      (whole, before: string, quote: string, module: string) =>
        Object.hasOwn(libraries, module) ? `${before}${quote}${up}${libraryPath(module)}${quote}` : whole,
    )
    .replace(/^\/\/# sourceMappingURL=.*$/m, '')
}

/** Node warns that this may change; whoever works on the page need not read that at each start. */
function stripTypes(script: string): string {
  const { emitWarning } = process
  process.emitWarning = () => undefined
  try {
    return stripTypeScriptTypes(script)
  } finally {
    process.emitWarning = emitWarning
  }
}

const toBrotli = promisify(brotliCompress)
const toGzip = promisify(gzip)

export async function make(name: string, text: string): Promise<Asset> {
  const identity = Buffer.from(text)
  const params = {
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_QUALITY]: 9,
    [constants.BROTLI_PARAM_SIZE_HINT]: identity.length,
  }
  const [br, zipped] = await Promise.all([toBrotli(identity, { params }), toGzip(identity, { level: 9 })])
  const type = types[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream'
  return { type, bodies: { br, gzip: zipped, identity } }
}
