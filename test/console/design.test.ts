// The rules of docs/console-design.md that a program can check: the style uses the tokens alone, colours have contrast, and
// icons are those that are used.

import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('../../console/', import.meta.url))
const read = (name: string) => readFileSync(`${folder}${name}`, 'utf8')
const styles = globSync('style/*.css', { cwd: folder })
const base = read('style/base.css')

/** Declarations of all files, with the file they are in. */
const declarations = styles.flatMap((file) =>
  [...read(file).matchAll(/^\s+([a-z-]+):\s*([^;{}]+);/gm)].map(([, property = '', value = '']) => ({
    property,
    value: value.replaceAll(/\s+/g, ' '),
    where: `${basename(file)}: ${property}: ${value}`,
  })),
)

const among = (properties: RegExp) => declarations.filter(({ property }) => properties.test(property))

test('space between things is on the grid', () => {
  const token = /^(?:0|auto|-?[1-3]px|var\(--(?:s\d+|cell)\)|calc\(-1 \* var\(--s\d+\)\)|-14px)$/
  const off = among(/^(?:padding|margin|gap|row-gap|column-gap)/)
    .filter(({ property, value }) => !property.startsWith('--') && !value.includes('calc(var('))
    .filter(
      ({ value }) =>
        !value
          .replaceAll('calc(-1 * ', 'calc(-1_*_')
          .split(' ')
          .every((one) => token.test(one.replaceAll('_', ' '))),
    )
  // The middle of an empty page is a part of its height.
  assert.deepEqual(
    off.map(({ where }) => where).filter((where) => !where.includes('12vh')),
    [],
  )
  const steps = [...base.matchAll(/--s(\d+): ([\d.]+)rem/g)].map(([, name, rem]) => [
    Number(name),
    Math.round(Number(rem) * 14),
  ])
  assert(steps.length > 5)
  for (const [name, pixels] of steps) assert.equal(pixels, name, `--s${name}`)
})

test('text has one of the sizes of the scale, or that of the text around it', () => {
  const size = /^(?:var\(--text-[a-z-]+\)|inherit|0\.92em)$/
  assert.deepEqual(
    among(/^font-size$/)
      .filter(({ value }) => !size.test(value))
      .map(({ where }) => where),
    [],
  )
})

test('colours, corners and shadows have names, which are in one file', () => {
  const raw = declarations.filter(
    ({ where, value }) =>
      !where.startsWith('base.css') && /#[0-9a-f]{3}|rgb\(|hsl\(|light-dark\(/i.test(value),
  )
  assert.deepEqual(
    raw.map(({ where }) => where),
    [],
  )
  const corners = among(/^border-radius$/).filter(
    ({ value }) => !/^(?:var\(--round[a-z-]*\)|0|50%)$/.test(value),
  )
  assert.deepEqual(
    corners.map(({ where }) => where),
    [],
  )
})

type Theme = 'light' | 'dark'

/** Relative luminance, as WCAG 2 defines it. */
function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

function colour(name: string, theme: Theme): string {
  const [, light = '', dark = ''] =
    new RegExp(`--${name}: light-dark\\((#\\w{6}), (#\\w{6})\\)`).exec(base) ?? []
  assert(light !== '' && dark !== '', `there is no colour --${name}`)
  return theme === 'light' ? light : dark
}

function contrast(one: string, other: string, theme: Theme): number {
  const [high = 0, low = 0] = [one, other].map((name) => luminance(colour(name, theme))).sort((a, b) => b - a)
  return (high + 0.05) / (low + 0.05)
}

const grounds = ['paper', 'ground', 'raised', 'hover', 'chosen', 'tint-1']

/** What is read on what, and what is only recognised: WCAG asks for 4.5 and for 3. */
const pairs: readonly (readonly [least: number, over: string, under: readonly string[]])[] = [
  [4.5, 'ink', [...grounds, 'shift-1', 'shift-2', 'shift-3', 'shift-4', 'shift-5', 'shift-6']],
  [4.5, 'soft', grounds],
  [4.5, 'accent', grounds],
  [4.5, 'amber-ink', ['amber']],
  [4.5, 'good', ['paper', 'ground', 'raised', 'hover']],
  [4.5, 'on-accent', ['accent']],
  [4.5, 'on-level-1', ['level-1']],
  [4.5, 'level-1', ['paper', 'ground', 'raised', 'hover', 'tint-1']],
  ...[2, 3, 4, 5].map((level) => [3, `level-${level}`, grounds] as const),
  [3, 'edge', ['paper', 'ground', 'raised']],
]

for (const theme of ['light', 'dark'] as const)
  test(`colours have contrast where it is ${theme}, which is also how the wall looks`, () => {
    const low = pairs.flatMap(([least, over, under]) =>
      under
        .map((ground) => ({ ground, is: contrast(over, ground, theme) }))
        .filter(({ is }) => is < least)
        .map(({ ground, is }) => `${over} on ${ground}: ${is.toFixed(2)}, not ${least}`),
    )
    assert.deepEqual(low, [])
  })

test('every icon is used: of a page in the menu, or where its name is written', () => {
  const [, table = ''] = /export const icons = \{([\s\S]*?)\} as const/.exec(read('parts/icons.ts')) ?? []
  const names = [...table.matchAll(/(\w+)(?::\s*\w+)?(?=[,\s}])/g)].map(([, name = '']) => name)
  assert(names.length > 30)
  const inMenu = [...read('core/pages.ts').matchAll(/^ {2}(\w+): \{/gm)].map(([, name]) => name)
  const code = globSync('**/*.tsx', { cwd: folder }).map(read).join('\n')
  const unused = names.filter(
    (name) => !inMenu.includes(name) && !code.includes(`'${name}'`) && !code.includes(`"${name}"`),
  )
  assert.deepEqual(unused, [])
})

test('signs that fonts draw differently are icons', () => {
  const signs = globSync('**/*.tsx', { cwd: folder }).flatMap((file) =>
    [...read(file).matchAll(/[✕✓▾▴▸▲▼↑↓⋯×🔍]/gu)].map(([sign]) => `${file}: ${sign}`),
  )
  // Of a count: "× 3".
  assert.deepEqual(
    signs.filter((one) => !one.endsWith('×')),
    [],
  )
})
