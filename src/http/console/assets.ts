// The files of the console as browsers get them: types stripped, libraries found by path, one style, the modules of the
// first view as one, compressed once.

import { createHash } from 'node:crypto'
import { globSync, readFileSync, statSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { besideJoined, importsOf, join, upFrom } from './joining.ts'

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
/** All files of the style as one: a request for each would cost the first page more than its bytes. */
export const styleName = 'style.css'
/** Likewise the modules that these need: what is requested first, what runs first, and the page that most people open. */
export const scriptName = 'first-view.js'
const firstModules = ['alarms/early', 'main', 'alarms/page']

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

/** As one thread sends it to another. */
export interface FirstView {
  readonly version: string
  readonly modules: readonly string[]
  readonly files: readonly (readonly [string, Asset])[]
}

/** What was a buffer in the other thread. */
const asBuffer = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** One version of all files. Its name changes with every one of them, so that browsers may cache them. */
export class Assets {
  readonly version: string
  readonly #sources: Sources
  readonly #firstModules: readonly string[]
  /** Stripping types costs more than reading, and both the first view and the file itself need the result. */
  readonly #texts = new Map<string, string>()
  #firstView: readonly string[] | undefined
  #joined: ReadonlySet<string> | undefined
  readonly #made = new Map<string, Promise<Asset>>()

  constructor(sources = findSources(), first = firstModules) {
    this.#sources = sources
    this.#firstModules = first.map((one) => `${one}.${isClone ? 'ts' : 'js'}`)
    const hash = createHash('sha256')
    for (const [name, urls] of sources) for (const url of urls) hash.update(name).update(readFileSync(url))
    this.version = hash.digest('hex').slice(0, 16)
  }

  get names(): string[] {
    return [scriptName, ...this.#sources.keys()]
  }

  /** Undefined where there is no such file: only what was found at the start is served. */
  find(name: string): Promise<Asset> | undefined {
    if (!this.#sources.has(name) && name !== scriptName) return undefined
    const made = this.#made.get(name) ?? make(name, this.#served(name))
    this.#made.set(name, made)
    return made
  }

  /** As it was written, except for its types and the names of libraries. */
  text(name: string): string {
    const text = this.#texts.get(name) ?? textOf(name, this.#sources.get(name) ?? [])
    this.#texts.set(name, text)
    return text
  }

  /** The modules of the first view, each behind those that it imports. */
  firstView(): readonly string[] {
    this.#firstView ??= [...this.#inOrder(this.#firstModules, new Set())]
    return this.#firstView
  }

  /** What a browser needs for the first view, beside the page itself. */
  firstFiles(): string[] {
    return [styleName, scriptName, ...this.firstView().filter(isLibrary)]
  }

  /** The first view with all its files: what another thread makes, so that nothing waits for it. */
  async makeFirst(): Promise<FirstView> {
    const files: [string, Asset][] = []
    for (const name of this.firstFiles()) {
      const asset = await this.find(name)
      if (asset) files.push([name, asset])
    }
    return { version: this.version, modules: this.firstView(), files }
  }

  /** Takes over what another thread has made; of another version, nothing. */
  adopt({ version, modules, files }: FirstView): void {
    if (version !== this.version) return
    this.#firstView ??= modules
    for (const [name, { type, bodies }] of files) {
      const { br, gzip, identity } = bodies
      const asset = { type, bodies: { br: asBuffer(br), gzip: asBuffer(gzip), identity: asBuffer(identity) } }
      if (!this.#made.has(name)) this.#made.set(name, Promise.resolve(asset))
    }
  }

  *#inOrder(names: readonly string[], seen: Set<string>): Generator<string> {
    for (const name of names) {
      if (seen.has(name) || !this.#sources.has(name)) continue
      seen.add(name)
      yield* this.#inOrder(importsOf({ name, text: this.text(name) }), seen)
      yield name
    }
  }

  #served(name: string): string {
    if (!/\.[jt]s$/.test(name) || isLibrary(name)) return this.text(name)
    this.#joined ??= new Set(this.firstView().filter((one) => !isLibrary(one)))
    if (name !== scriptName) return besideJoined({ name, text: this.text(name) }, this.#joined, scriptName)
    return join([...this.#joined].map((one) => ({ name: one, text: this.text(one) })))
  }
}

const isLibrary = (name: string) => name.startsWith('lib/')

function textOf(name: string, urls: readonly URL[]): string {
  const content = urls.map((url) => readFileSync(url, 'utf8')).join('\n')
  if (name.endsWith('.ts')) return located(name, stripTypes(content))
  return name.endsWith('.js') ? located(name, content) : content
}

/** For developers of the page: whether the files have changed. */
export function signature(): string {
  if (!isClone) return ''
  const state = (url: URL) => {
    const { mtimeMs, size } = statSync(url)
    return `${mtimeMs} ${size}`
  }
  return [...findSources().values()].flat().map(state).join()
}

/** The files by the name under which they are served, which several may share. */
type Sources = ReadonlyMap<string, readonly URL[]>

function findSources(): Sources {
  const found = (from: URL, pattern: string) =>
    globSync(pattern, { cwd: fileURLToPath(from) })
      .map((name) => name.replaceAll('\\', '/'))
      .sort()
      .map((path): [string, URL[]] => [path, [new URL(path, from)]])
  const resolved = (module: string) => [new URL(import.meta.resolve(module))]
  return new Map([
    ...found(folder, '*.{svg,html}'),
    ...found(scripts, isClone ? '**/*.ts' : '**/*.js'),
    ...Object.entries(libraries).map(([name, module]): [string, URL[]] => [
      libraryPath(name),
      resolved(module),
    ]),
    [styleName, [...found(folder, 'style/*.css').flatMap(([, urls]) => urls), ...resolved(libraryStyle)]],
  ])
}

const libraryPath = (name: string) => `lib/${name.replace(/\W+/g, '-').replace(/^-/, '')}.js`

/** Browsers know no packages: their names become paths, relative to the module. */
function located(name: string, script: string): string {
  const up = upFrom(name)
  return script
    .replace(
      /(\bfrom\s*|\bimport\s*)(["'])([^"'./][^"']*)\2/g,
      (whole, before: string, quote: string, module: string) =>
        Object.hasOwn(libraries, module) ? `${before}${quote}${up}${libraryPath(module)}${quote}` : whole,
    )
    .replace(/^\/\/# sourceMappingURL=.*$/m, '')
}

/** Node warns that this may change; developers of the page need not read that at each start. */
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
