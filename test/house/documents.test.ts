// The documents agree with the code: generated files, the interface, and links.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { tabledOn } from '../../docs/field-tables.ts'
import { anchorOf, generatedFiles } from '../../docs/generate.ts'
import { documents, rows } from '../../docs/published.ts'
import { serviceEvents } from '../../src/events/service-events.ts'
import { operations } from '../../src/http/operations.ts'
import { catalog } from '../../src/resources/catalog.ts'
import { startService } from '../support.ts'
import { withoutTool } from '../tools.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')

for (const [path, expected] of generatedFiles()) {
  test(`${path} is what npm run generate writes`, () => {
    assert.equal(read(path), expected, `${path} is out of date: run npm run generate`)
  })
}

interface OpenApi {
  readonly paths: Record<string, Record<string, { operationId?: string }>>
}

const openApi: OpenApi = JSON.parse(read('docs/generated/openapi.json'))
const verbs = ['get', 'post', 'put', 'delete']

test('the OpenAPI document has the paths and methods of the service, no more and no less', () => {
  const served = operations.map(({ method, path }) => `${method} ${path}`)
  const published = Object.entries(openApi.paths).flatMap(([path, item]) =>
    verbs.filter((verb) => verb in item).map((verb) => `${verb.toUpperCase()} ${path}`),
  )
  assert.deepEqual(published.sort(), served.sort(), 'run npm run generate')
})

test('every operation of the OpenAPI document has a name of its own', () => {
  const names = Object.values(openApi.paths).flatMap((item) =>
    verbs.flatMap((verb) => item[verb]?.operationId ?? []),
  )
  assert.deepEqual(
    names.filter((name, index) => names.indexOf(name) < index),
    [],
    'verb and subject in src/http/operations.ts make the name: change one of them',
  )
})

test('every reference in the OpenAPI document can be resolved', () => {
  const references = [...read('docs/generated/openapi.json').matchAll(/"\$ref": "#\/([^"]+)"/g)]
  assert.ok(references.length > 0)
  for (const [, path = ''] of references) {
    let at: unknown = openApi
    for (const step of path.split('/')) at = (at as Record<string, unknown> | undefined)?.[step]
    assert.ok(at, `#/${path} is not there`)
  }
})

const interfacePages = globSync('docs/interface/*.md', { cwd: root })
const described = [...globSync('docs/*.md', { cwd: root }), ...interfacePages].map(read).join('\n')
const wordsIn = (text: string) =>
  new Set([...text.matchAll(/`[^`\n]+`/g)].flatMap(([code]) => code.split(/\W+/)))

test('every collection is described in docs/interface, by its path', () => {
  const text = interfacePages.map(read).join('\n')
  assert.deepEqual(
    catalog.map(({ list }) => list.path).filter((path) => !text.includes(`\`${path}\``)),
    [],
    'add a section to a page of docs/interface, with the path below its heading',
  )
})

test('every query parameter of an operation is described in docs', () => {
  const named = wordsIn(described)
  const missing = operations.flatMap(({ method, path, parameters = {}, list, filters }) =>
    [parameters, list?.filters ?? {}, filters?.filters ?? {}]
      .flatMap(Object.keys)
      .filter((name) => !named.has(name))
      .map((name) => `${name} of ${method} ${path}`),
  )
  assert.deepEqual(missing, [], 'name it, in backticks, in its section of docs/interface')
})

test('every document that the service takes or gives has a table of its fields', () => {
  const tabled = new Set(interfacePages.flatMap((path) => tabledOn(read(path))))
  // One alarm alone has the fields of a listed one; errors have a page.
  const expected = [...documents, ...rows]
    .map(({ name }) => name)
    .filter((name) => name !== 'alarmDetail' && name !== 'error')
  assert.deepEqual(
    expected.filter((name) => !tabled.has(name)),
    [],
    'add <!-- fields: NAME --> and <!-- end of fields --> to a page of docs/interface, and run npm run generate',
  )
})

test('docs/interface.md names every page about the interface', () => {
  const index = read('docs/interface.md')
  assert.deepEqual(
    interfacePages.filter((path) => !index.includes(`](${path.replace('docs/', '')})`)),
    [],
  )
})

test("the service's own alarms are in docs/traps.md and docs/operations.md, with their numbers and levels", () => {
  const [traps, doings] = [read('docs/traps.md'), read('docs/operations.md')]
  for (const [name, { eventOid, alarmLevel }] of Object.entries(serviceEvents)) {
    const number = eventOid.split('.').at(-1)
    const level = name === 'alarmFlapping' ? '(of the alarm|its own)' : alarmLevel
    assert.match(traps, new RegExp(`^\\| \`${name}\` \\| ${number} \\| ${level} \\|`, 'm'))
    assert.match(doings, new RegExp(`^\\| \`${name}\` \\(\\.${number}\\) \\| ${level} \\|`, 'm'))
  }
})

test('docs/interface/event-stream.md describes all parameters of the stream', () => {
  const named = wordsIn(read('docs/interface/event-stream.md'))
  const { parameters = {} } = operations.find(({ path }) => path === '/events') ?? assert.fail('no /events')
  assert.deepEqual(
    Object.keys(parameters).filter((name) => !named.has(name)),
    [],
  )
})

test(
  "libxml2's xmllint accepts the XML schema, and validates the service's answers against it",
  withoutTool('xmllint', 'libxml2-utils'),
  async () => {
    const service = await startService()
    const paths = [
      '/',
      '/ram/zone',
      '/ram/zone/99',
      '/fault/trapRule/1',
      '/report/reportTemplate?reportDefinedType=-1',
    ]
    for (const path of paths) {
      const { text } = await service.get(path)
      const schema = join(root, 'docs/generated/belfry.xsd')
      const { status, stderr } = spawnSync('xmllint', ['--noout', '--schema', schema, '-'], { input: text })
      assert.equal(status, 0, `${path}: ${stderr}`)
    }
  },
)

const pages = globSync(['*.md', 'docs/**/*.md', 'examples/**/*.md', 'bench/*.md'], { cwd: root })

test('every link in the documents leads to a file, and to a heading where it names one', () => {
  const broken = pages.flatMap((page) =>
    [...read(page).matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].flatMap(([, path = '', part]) => {
      const target = path === '' ? page : join(dirname(page), path)
      if (!existsSync(join(root, target))) return [`${page}: ${path}`]
      if (part === undefined || !target.endsWith('.md')) return []
      const headings = [...read(target).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchorOf(heading))
      return headings.includes(part) ? [] : [`${page}: ${path}#${part}`]
    }),
  )
  assert.deepEqual(broken, [], 'these links lead nowhere (page: link)')
})

test('a link that shows the name of a file leads to a file of that name', () => {
  const wrong = pages.flatMap((page) =>
    [...read(page).matchAll(/\[([\w./-]+\.(?:ts|tsx|json|sql))\]\(([^)#\s]+)\)/g)]
      .filter(([, shown = '', path = '']) => basename(shown) !== basename(path))
      .map(([link]) => `${page}: ${link}`),
  )
  assert.deepEqual(wrong, [])
})

test('what the recipes and the architecture look for in a file is there', () => {
  const named = /`([A-Za-z#][\w#]*)`\s+(?:of|in)\s+\[[^\]]*\]\(([^)#\s]+\.tsx?)\)/g
  const missing = ['CONTRIBUTING.md', 'docs/architecture.md'].flatMap((page) =>
    [...read(page).matchAll(named)]
      .filter(([, name = '', path = '']) => !read(join(dirname(page), path)).includes(name))
      .map(([, name, path]) => `${page}: ${name} in ${path}`),
  )
  assert.deepEqual(missing, [])
})

test('every file begins with a line that says what it is for', () => {
  const files = globSync(['src/**/*.ts', 'console/**/*.{ts,tsx}'], { cwd: root })
  assert.deepEqual(
    files.filter((file) => !/^(\/\/ |\/\*\*)/.test(read(file))),
    [],
    'write a comment above the imports',
  )
})
