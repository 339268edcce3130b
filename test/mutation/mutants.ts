// Small changes of a source file, each of which should make a test fail: a comparison the other way, a call left out.
// Types are replaced by spaces before the file is parsed, so that what is found in the tree is in the same place in the
// source.

import { stripTypeScriptTypes } from 'node:module'
import { type Node, parse } from 'acorn'

export interface Mutant {
  readonly file: string
  readonly start: number
  readonly end: number
  readonly instead: string
  readonly line: number
  /** What stands there, and what is put in its place. */
  readonly change: string
}

/** The parts of nodes that are looked at here; acorn has a type for each kind. */
interface Part extends Node {
  readonly operator?: string
  readonly left?: Part
  readonly right?: Part
  readonly argument?: Part | null
  readonly test?: Part | null
  readonly expression?: Part
  readonly callee?: Part
  readonly property?: Part
  readonly name?: string
  readonly value?: unknown
}

type Change = readonly [start: number, end: number, instead: string]

const opposite: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  '&&': '||',
  '||': '&&',
  '&': '|',
  '|': '&',
}

const swapped: Readonly<Record<string, string>> = {
  min: 'max',
  max: 'min',
  some: 'every',
  every: 'some',
  shift: 'pop',
  pop: 'shift',
  floor: 'ceil',
  ceil: 'floor',
  startsWith: 'endsWith',
  endsWith: 'startsWith',
}

/** Changes of SQL: what is found, and what stands for it. */
const sqlChanges: readonly (readonly [RegExp, string])[] = [
  [/ order by (\w+(?:\.\w+)?)(?! desc)(?=\W|$)/, ' order by $1 desc'],
  [/ desc\b/, ''],
  [/ and /, ' or '],
  [/ <= /, ' < '],
  [/ >= /, ' > '],
  [/ < /, ' <= '],
  [/ > /, ' >= '],
  [/ limit 1\b/, ' limit 2'],
  [/ is null/, ' is not null'],
  [/ is not null/, ' is null'],
]
const isSql = (text: string) => /^\s*(select|insert|update|delete|with)\b|\b(where|order by)\b/.test(text)

const isText = (part: Part | undefined) =>
  part?.type === 'TemplateLiteral' || (part?.type === 'Literal' && typeof part.value === 'string')

/** All changes of one node. */
function changesOf(node: Part, code: string): Change[] {
  const text = code.slice(node.start, node.end)
  const whole = (instead: string): Change[] => [[node.start, node.end, instead]]
  switch (node.type) {
    case 'BinaryExpression':
    case 'LogicalExpression': {
      const { left, right, operator = '' } = node
      if (!left || !right) return []
      if (operator === '??') return whole(code.slice(left.start, left.end))
      const instead = opposite[operator]
      if (instead === undefined || (operator === '+' && (isText(left) || isText(right)))) return []
      const at = left.end + code.slice(left.end, right.start).indexOf(operator)
      return [[at, at + operator.length, instead]]
    }
    case 'IfStatement':
    case 'ConditionalExpression': {
      const { test } = node
      return test
        ? [
            [test.start, test.end, 'true'],
            [test.start, test.end, 'false'],
          ]
        : []
    }
    case 'UnaryExpression':
      return node.operator === '!' && node.argument
        ? whole(code.slice(node.argument.start, node.argument.end))
        : []
    case 'Literal':
      if (typeof node.value === 'boolean') return whole(String(!node.value))
      if (typeof node.value === 'number') return whole(String(node.value + 1))
      return typeof node.value === 'string' ? sqlOf(node, text) : []
    case 'TemplateElement':
      return sqlOf(node, text)
    case 'ExpressionStatement':
      return /^(Call|Await|Assignment|Update)/.test(node.expression?.type ?? '') ? whole('void 0') : []
    case 'ReturnStatement':
      return node.argument ? whole('return undefined') : []
    case 'MemberExpression': {
      const { property } = node
      const instead = swapped[property?.name ?? '']
      return property && instead !== undefined ? [[property.start, property.end, instead]] : []
    }
    default:
      return []
  }
}

function sqlOf(node: Part, text: string): Change[] {
  if (!isSql(text)) return []
  return sqlChanges.flatMap(([pattern, instead]): Change[] => {
    const found = pattern.exec(text)
    if (!found) return []
    const start = node.start + found.index
    return [[start, start + found[0].length, found[0].replace(pattern, instead)]]
  })
}

function* nodesOf(node: unknown): Generator<Part> {
  if (Array.isArray(node)) for (const one of node) yield* nodesOf(one)
  if (typeof node !== 'object' || node === null || !('type' in node)) return
  // What a file imports and how it fails loudly is not behaviour.
  if (node.type === 'ImportDeclaration') return
  yield node as Part
  for (const value of Object.values(node)) yield* nodesOf(value)
}

/** Every mutant of a file, in the order of the file. */
export function mutantsOf(file: string, source: string): Mutant[] {
  // Only what is written in the language: it warns once that the function is new.
  const code = stripTypeScriptTypes(source, { mode: 'strip' })
  const tree = parse(code, { ecmaVersion: 'latest', sourceType: 'module' })
  const mutants: Mutant[] = []
  for (const node of nodesOf(tree)) {
    for (const [start, end, instead] of changesOf(node, source)) {
      const line = source.slice(0, start).split('\n').length
      const before = source.slice(start, end)
      if (before === instead || !compiles(code.slice(0, start) + instead + code.slice(end))) continue
      mutants.push({ file, start, end, instead, line, change: `${short(before)}  →  ${short(instead)}` })
    }
  }
  return mutants
}

function compiles(code: string): boolean {
  try {
    parse(code, { ecmaVersion: 'latest', sourceType: 'module' })
    return true
  } catch {
    return false
  }
}

const short = (text: string) => {
  const flat = text.replaceAll(/\s+/g, ' ')
  return flat.length > 80 ? `${flat.slice(0, 80)}…` : flat
}

export const applied = (source: string, { start, end, instead }: Mutant) =>
  source.slice(0, start) + instead + source.slice(end)
