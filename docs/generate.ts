// Writes what the documents take from the code: schemas, settings, the table of errors. `npm run generate` runs it, and
// a test compares its result with the files, so that they cannot drift apart.

import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { removedSettings } from '../src/config/removed-settings.ts'
import { settingsBySubject } from '../src/config/settings.ts'
import { CatalogueFile } from '../src/events/catalogue-file.ts'
import type { FaultCode } from '../src/fault.ts'
import { openApi } from '../src/http/openapi.ts'
import { operations } from '../src/http/operations.ts'
import { statusOf } from '../src/http/responses.ts'
import { mayAct, roles } from '../src/resources/access/role.ts'
import { xmlSchema } from '../src/schema/xml-schema.ts'
import { withFieldTables } from './field-tables.ts'
import { documents, rows } from './published.ts'
import { drawHouse, floors, roomOf } from './rooms.ts'

const root = new URL('../', import.meta.url)
const packageFile = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'))

const meanings: Readonly<Record<FaultCode, string>> = {
  invalid:
    'Something in the request is wrong: a query parameter, the number in the path, the body, or a field of it',
  unauthorized: 'No credentials, or wrong ones. The header WWW-Authenticate says which are accepted',
  forbidden: 'The caller may not do this: the role, or the scope of the token, is not enough',
  'not-found': 'There is nothing at this path, or no such record, or no such parent for a new record',
  'method-not-allowed': 'The path exists but not with this method; the header Allow lists those it has',
  'not-acceptable': 'The Accept header names neither XML nor JSON',
  conflict:
    'The request is well formed but breaks a rule of the data: a name or address taken, ranges that overlap',
  gone: 'The record to delete is not there',
  'too-large':
    'The body is larger than the setting body-limit (for an import: than 256 MiB; without credentials: 16 KiB)',
  'unsupported-media-type': 'The body is neither XML nor JSON, is compressed, or is not in UTF-8',
  'too-many-requests':
    'The address holds more connections than the setting connections-per-address, too many logins failed, or too many reports and PDFs are waited for. The header Retry-After says when to try again',
  internal: 'A bug. The message carries a reference under which the log has the details',
  unavailable:
    'The store cannot be reached, or the service is stopping. The header Retry-After says when to try again',
}

function openApiText(): string {
  const faults = Object.entries(statusOf).map(([code, status]) => [
    code,
    { status, meaning: meanings[code as FaultCode] },
  ])
  const document = openApi({
    version: packageFile.version,
    operations,
    faults: Object.fromEntries(faults),
  })
  return `${JSON.stringify(document, null, 2)}\n`
}

const generatedNote = '<!-- Written by npm run generate. Do not edit by hand. -->'

function settingsPage(): string {
  const cell = (text: string) => text.replaceAll('|', '\\|')
  const sections = Object.entries(settingsBySubject).map(([subject, settings]) => {
    const rows = Object.entries(settings).map(([name, { form, byDefault, help }]) => {
      const usual = byDefault === '' ? 'empty' : `\`${byDefault}\``
      return `| \`${name}\` | ${cell(form)} | ${usual} | ${cell(help)} |`
    })
    return `## ${subject}\n\n| Name | Form | Default | Meaning |\n|---|---|---|---|\n${rows.join('\n')}\n`
  })
  const removed = Object.entries(removedSettings).map(([name, instead]) => `| \`${name}\` | ${instead} |`)
  return `${generatedNote}

# Settings

A setting can be given in three places. In this order of precedence:

1. a flag on the command line, \`--\` and the name: \`npm start -- --trap-senders 10.0.0.0/8\`
2. an environment variable, \`BELFRY_\` and the name in capitals with underscores:
   \`BELFRY_TRAP_SENDERS=10.0.0.0/8 npm start\`
3. a JSON file, named by \`--config FILE\` or \`BELFRY_CONFIG\`: \`{"trap-senders": "10.0.0.0/8"}\`

A setting that is in none of them has its default. A name that is not on this page, or a value that cannot be read,
stops the program with a message that says what is accepted. Settings are read once, at the start.

${sections.join('\n')}
## Removed settings

Earlier versions had these settings. One that is still given is ignored: the service starts, logs a warning, and raises
the alarm \`settingIgnored\`, which recovers with the next start without it. Other commands print the warning.

| Name | Instead |
|---|---|
${removed.join('\n')}
`
}

/** The page stays as it is; the table between the marks is replaced. */
function errorsPage(): string {
  const page = readFileSync(new URL('docs/errors.md', root), 'utf8')
  const rows = Object.entries(statusOf).map(
    ([code, status]) => `| \`${code}\` | ${status} | ${meanings[code as FaultCode]}. |`,
  )
  const table = ['| Code | Status | Meaning |', '|---|---|---|', ...rows].join('\n')
  return page.replace(
    /(<!-- codes: [^>]*-->)[\s\S]*(<!-- end of codes -->)/,
    (_all, begin: string, end: string) => `${begin}\n${table}\n${end}`,
  )
}

/** Who may do what, as the table of operations says it. */
function permissionsPage(): string {
  const rows = operations.map(({ path, method, needs, scope }) => {
    const may = roles.map((role) => (needs === 'anyone' || mayAct(role, needs) ? 'yes' : ''))
    const word = scope === undefined ? '' : `\`${scope}\``
    return `| ${method} | \`${path}\` | ${[needs === 'anyone' ? 'yes' : '', ...may, word].join(' | ')} |`
  })
  return `${generatedNote}

# Who may do what

Once there is an operator. HEAD is like GET. OPTIONS, unknown paths and unknown methods are answered to everyone who
has shown credentials, and to nobody else. What the words mean, and which callers need no credentials, is described in
[security.md](../security.md#operators-and-roles). The last column has the word that must be in the scope of a token;
where there is none, a role must be in it.

| Method | Path | without credentials | ${roles.join(' | ')} | scope of a token |
|---|---|---|---|---|---|---|
${rows.join('\n')}
`
}

const source = new URL('src/', root)
const sourceFiles = globSync('**/*.ts', { cwd: source }).sort()

/** The first sentence of the comment at the head of a file. */
function purposeOf(file: string): string {
  const text = readFileSync(new URL(file, source), 'utf8')
  const [head = ''] = /^(?:\/\/.*\n)+|^\/\*\*[\s\S]*?\*\//.exec(text) ?? []
  const words = head
    .replace(/^(\/\/|\/\*\*| ?\*\/| \*)/gm, '')
    .replace(/\s+/g, ' ')
    .trim()
  return words.replace(/(?<=[.:]) [A-Z][\s\S]*$/, '').replace(/[.:]$/, '')
}

/** Every file of src/, by room and folder, with what it says of itself. */
function treePage(): string {
  const sections = floors.flat().map(({ name, holds }) => {
    const rows = sourceFiles
      .filter((file) => roomOf(file) === name)
      .map((file) => `| [${file}](../../src/${file}) | ${purposeOf(file).replaceAll('|', '\\|')} |`)
    return `## ${name}\n\n${holds[0]?.toUpperCase()}${holds.slice(1)}.\n\n| File | Purpose |\n|---|---|\n${rows.join('\n')}\n`
  })
  return `${generatedNote}

# Every file of the source tree

By room, from the top floor down: a room imports only from those after it (see
[architecture.md](../architecture.md#what-may-import-what)). The purpose is the first sentence of each file.

${sections.join('\n')}`
}

/** The page stays as it is; the rows between the marks are replaced. */
function architecturePage(): string {
  const page = readFileSync(new URL('docs/architecture.md', root), 'utf8')
  const rooms = floors.flat().map(({ name, holds }) => {
    const files = sourceFiles.filter((file) => roomOf(file) === name).length
    return `| [${name}](generated/tree.md#${name.replace('/', '')}) | ${holds} | ${files} |`
  })
  const table = ['| Room | What is in it | Files |', '|---|---|---|', ...rooms].join('\n')
  const rows = floors.map((floor) => floor.map(({ name }) => name).join('   ')).join('\n')
  return page
    .replace(
      /(<!-- rooms: [^>]*-->)[\s\S]*(<!-- end of rooms -->)/,
      (_all, begin: string, end: string) => `${begin}\n${table}\n${end}`,
    )
    .replace(
      /(<!-- floors: [^>]*-->)[\s\S]*(<!-- end of floors -->)/,
      (_all, begin: string, end: string) => `${begin}\n\`\`\`\n${rows}\n\`\`\`\n${end}`,
    )
}

/** The page stays as it is; the figures of the catalogue of vendors' events between the marks are replaced. */
function modulesPage(): string {
  const page = readFileSync(new URL('docs/mibs.md', root), 'utf8')
  const bytes = readFileSync(new URL('definitions/vendors/events.bin', root))
  const { figures, vendors } = new CatalogueFile(bytes)
  const count = (number: number) => number.toLocaleString('en')
  const rows = [
    ['made on', figures.made],
    ['from', `${count(figures.files)} files, ${count(figures.modules)} modules`],
    ['notifications', count(figures.events)],
    ['of vendors (enterprise numbers)', count(Object.keys(vendors).length)],
    ['that end a fault', `${count(figures.ends)}, of ${count(figures.endedFaults)} faults`],
    ['that say the state in a variable', count(figures.states)],
    ['that a module names, but whose OID is unknown', count(figures.lost)],
    ['size of the file', `${(bytes.length / 1e6).toFixed(1)} MB`],
  ]
  const table = ['| | |', '|---|---|', ...rows.map(([name, value]) => `| ${name} | ${value} |`)].join('\n')
  const missing = `Folders of vendors whose modules define no notification (${figures.without.length}): ${figures.without.join(', ')}.`
  return page.replace(
    /(<!-- catalogue: [^>]*-->)[\s\S]*(<!-- end of catalogue -->)/,
    (_all, begin: string, end: string) => `${begin}\n${table}\n\n${missing}\n${end}`,
  )
}

const subjects = globSync('docs/interface/*.md', { cwd: root }).sort()
const interfacePages = subjects.map((path): [string, string] => [
  path,
  withFieldTables(readFileSync(new URL(path, root), 'utf8')),
])

/** Every page about the interface with its sections, in the order in which the index names the pages. */
function interfaceIndex(): string {
  const page = readFileSync(new URL('docs/interface.md', root), 'utf8')
  const contents = (path: string) => {
    const text = readFileSync(new URL(`docs/${path}`, root), 'utf8')
    const sections = [...text.matchAll(/^## (.*)$/gm)].map(
      ([, title = '']) => `[${title}](${path}#${anchorOf(title)})`,
    )
    return sections.join(', ')
  }
  return page.replace(
    /^(\| \[[^\]]*\]\((interface\/[\w-]+\.md)\) \|[^|]*\|).*$/gm,
    (_all, begin: string, path: string) => {
      return `${begin} ${contents(path)} |`
    },
  )
}

/** As the code forges make them: lower case, punctuation dropped, spaces to hyphens. */
export const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')

/** Path from the root of the project → what the file must hold. */
export function generatedFiles(): Map<string, string> {
  return new Map([
    ...interfacePages,
    ['docs/interface.md', interfaceIndex()],
    ['docs/generated/belfry.xsd', xmlSchema(documents, rows)],
    ['docs/generated/openapi.json', openApiText()],
    ['docs/generated/permissions.md', permissionsPage()],
    ['docs/settings.md', settingsPage()],
    ['docs/errors.md', errorsPage()],
    ['docs/house.svg', drawHouse(labelOf)],
    ['docs/mibs.md', modulesPage()],
    ['docs/architecture.md', architecturePage()],
    ['docs/generated/tree.md', treePage()],
  ])
}

/** A room is a folder of src/, a file beside them, or both. */
function labelOf(room: string): string {
  const isThere = (name: string) => existsSync(new URL(`src/${name}`, root))
  return [`${room}.ts`, `${room}/`].filter(isThere).join(', ')
}

if (import.meta.main) {
  for (const [path, text] of generatedFiles()) {
    writeFileSync(new URL(path, root), text)
    console.log(`${path} written`)
  }
}
