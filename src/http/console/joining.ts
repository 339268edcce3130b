// Modules of the console joined into one: fifty small requests take a browser longer than what is in them. Only our own
// modules are, which write imports and exports in few ways; any other way is an error.

/** Its name is its path below the folder of the console, and so is every import. */
export interface Module {
  readonly name: string
  readonly text: string
}

const imports = /(?<=^|;)import(?: (\w+) |\s*(\{[^{}]*\})\s*)from\s*["']([^"']+)["'];?/gm
const laterImports = /\bimport\(\s*["']([^"']+)["']\s*\)/g
const exports = /^export (default )?((?:async )?function|class|const) (\w+)/gm
const otherWays = /^(?:import|export)\s.*/m

/** The modules that this one needs before it can run. */
export const importsOf = ({ name, text }: Module): string[] =>
  [...text.matchAll(imports)].map(([, , , target = '']) => pathOf(name, target))

/**
 * One module that does what these do, in this order, which must be that of their imports. Each is a function of its own,
 * so that names cannot clash, and an export by its identifier; what is not among them is imported.
 */
export function join(modules: readonly Module[]): string {
  const inside = new Set(modules.map(({ name }) => name))
  const outside = new Set<string>()
  const parts = modules.map((module) => {
    for (const path of importsOf(module)) if (!inside.has(path)) outside.add(path)
    return asFunction(module, inside)
  })
  const above = [...outside].map(
    (path) => `import * as ${identifierOf(path)} from ${JSON.stringify(`./${path}`)}`,
  )
  const identifiers = [...inside].map(identifierOf)
  return [...above, ...parts, `export { ${identifiers.join(', ')} }`, ''].join('\n')
}

/** A module beside the joined one: what it needs of that, it takes from there. */
export function besideJoined(module: Module, inside: ReadonlySet<string>, joined: string): string {
  const { name, text } = module
  return text.replace(imports, (whole, standard: Named, named: Named, target: string) => {
    const path = pathOf(name, target)
    if (!inside.has(path)) return whole
    const identifier = identifierOf(path)
    const from = JSON.stringify(upFrom(name) + joined)
    return `import { ${identifier} } from ${from}; ${taken(standard, named, identifier)}`
  })
}

/** The way from a module to the folder of all of them. */
export const upFrom = (name: string) => '../'.repeat(name.split('/').length - 1) || './'

function asFunction({ name, text }: Module, inside: ReadonlySet<string>): string {
  const given: string[] = []
  const body = text
    .replace(imports, (_, standard: Named, named: Named, target: string) =>
      taken(standard, named, identifierOf(pathOf(name, target))),
    )
    .replace(laterImports, (_, target: string) => {
      const path = pathOf(name, target)
      return inside.has(path) ? `Promise.resolve(${identifierOf(path)})` : `import('./${path}')`
    })
    .replace(exports, (_, isDefault: string | undefined, kind: string, own: string) => {
      given.push(isDefault ? `default: ${own}` : own)
      return `${kind} ${own}`
    })
  const [unknown] = otherWays.exec(body) ?? []
  if (unknown !== undefined) throw new Error(`${name} cannot be joined with others: ${unknown}`)
  return `const ${identifierOf(name)} = (() => {\n${body}\nreturn { ${given.join(', ')} }\n})();`
}

type Named = string | undefined

/** What is imported of a module, by its default or as `{ a, b as c }`, as constants. */
const taken = (standard: Named, named: Named, identifier: string) =>
  `const ${named?.replaceAll(/\sas\s/g, ': ') ?? `{ default: ${standard} }`} = ${identifier};`

/** No name in a module begins like this. */
const identifierOf = (path: string) => `$${path.replace(/\.[jt]s$/, '').replaceAll(/\W/g, '_')}`

const pathOf = (from: string, target: string) => new URL(target, `http://console/${from}`).pathname.slice(1)
