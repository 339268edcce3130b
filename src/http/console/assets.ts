// Serves the files of the console: their address changes with their content, and they are compressed once.

import { createHash } from 'node:crypto'
import { statSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { bundle, sourceFiles } from './bundle.ts'
import type { Language } from './language.ts'

/** A clone makes the files of its sources; the package has them. */
const isClone = import.meta.url.endsWith('.ts')
const made = new URL('../../console/', import.meta.url)
/** In the package: the files that are the same in every language. */
export const sharedFolder = 'shared'

const types: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=UTF-8',
  css: 'text/css; charset=UTF-8',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
  html: 'text/html; charset=UTF-8',
  map: 'application/json; charset=UTF-8',
  txt: 'text/plain; charset=UTF-8',
}

export type Encoding = 'br' | 'gzip' | 'identity'

export interface Asset {
  readonly type: string
  /** Without those that would be no smaller. */
  readonly bodies: Readonly<Partial<Record<Encoding, Buffer>> & { identity: Buffer }>
}

type Files = ReadonlyMap<string, Uint8Array>

/** One version of all files in one language. Its name changes with every one of them, so that browsers may cache them. */
export class Assets {
  readonly version: string
  readonly #files: Files
  readonly #compressed = new Map<string, Promise<Asset>>()

  constructor(files: Files) {
    this.#files = files
    const hash = createHash('sha256')
    for (const [name, content] of files) hash.update(name).update(content)
    this.version = hash.digest('hex').slice(0, 16)
  }

  get names(): string[] {
    return [...this.#files.keys()]
  }

  /** Undefined where there is no such file: only what was found at the start is served. */
  find(name: string): Promise<Asset> | undefined {
    const content = this.#files.get(name)
    if (!content) return undefined
    const asset = this.#compressed.get(name) ?? compress(name, content)
    this.#compressed.set(name, asset)
    return asset
  }

  /** A page, where its files are below `folder`. */
  page(name: string, folder: string): string {
    return this.#text(name).replaceAll(
      link,
      (_, attribute: string, file: string) => `${attribute}="${folder}${file}"`,
    )
  }

  /** What a browser needs for the first view, beside the page itself. */
  get firstFiles(): string[] {
    return [...new Set([...this.#text('index.html').matchAll(link)].map(([, , name = '']) => name))]
  }

  #text(name: string): string {
    return Buffer.from(this.#files.get(name) ?? '').toString()
  }
}

const link = /\b(src|href)="\.\/([^"]+)"/g

export const loadAssets = async (language: Language): Promise<Assets> =>
  new Assets(isClone ? (await bundle(language, { hasSourceMaps: true })).files : await packaged(language))

async function packaged(language: Language): Promise<Files> {
  const read = async (folder: URL) => {
    const names = (await readdir(folder)).sort()
    return Promise.all(names.map(async (name) => [name, await readFile(new URL(name, folder))] as const))
  }
  const folders = [sharedFolder, language].map((name) => read(new URL(`${name}/`, made)))
  return new Map((await Promise.all(folders)).flat())
}

/** For developers of the page: whether the sources have changed. */
export function signature(): string {
  if (!isClone) return ''
  const state = (path: string) => {
    const { mtimeMs, size } = statSync(path)
    return `${path} ${mtimeMs} ${size}`
  }
  return sourceFiles().map(state).join()
}

const toBrotli = promisify(brotliCompress)
const toGzip = promisify(gzip)

export async function compress(name: string, content: Uint8Array): Promise<Asset> {
  const identity = Buffer.from(content.buffer, content.byteOffset, content.byteLength)
  const type = types[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream'
  if (type === 'font/woff2') return { type, bodies: { identity } }
  const params = {
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_QUALITY]: 9,
    [constants.BROTLI_PARAM_SIZE_HINT]: identity.length,
  }
  const [br, zipped] = await Promise.all([toBrotli(identity, { params }), toGzip(identity, { level: 9 })])
  return { type, bodies: { br, gzip: zipped, identity } }
}
