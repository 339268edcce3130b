import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readModules } from '../../src/mibs/module-reader.ts'
import { requireCheap } from '../processor-time.ts'
import { clock, moduleText, smi, tower } from './modules.ts'

const inside = (body: string) => `A-MIB DEFINITIONS ::= BEGIN\n${body}\nEND\n`
const one = (source: string) => {
  const { modules } = readModules(source)
  assert.equal(modules.length, 1)
  return modules[0] ?? assert.fail()
}
const remarks = (source: string, kind: string) =>
  one(source)
    .remarks.filter((remark) => remark.kind === kind)
    .map(({ line, reason }) => `${line}: ${reason}`)

test('a clean module of SMIv2 and one of SMIv1 are read without a remark', () => {
  for (const source of [smi, tower, clock]) {
    const { modules, remarks: outside } = readModules(source)
    assert.deepEqual([outside, modules.map((module) => module.remarks)], [[], [[]]])
  }
})

test('objects carry type, values, units, access and what numbers their rows', () => {
  const { nodes, types, imports } = one(tower)
  const node = (name: string) => nodes.find((candidate) => candidate.name === name)
  assert.deepEqual(node('towerTemperature'), {
    name: 'towerTemperature',
    line: 39,
    path: ['towerObjects', 1],
    syntax: { type: 'Tenths' },
    access: 'read-only',
    units: 'celsius',
  })
  assert.deepEqual(node('ropeEntry')?.index, ['bellIndex', 'ropeSide'])
  assert.equal(node('bellExtraEntry')?.augments, 'bellEntry')
  assert.deepEqual(node('bellTable')?.syntax, { type: 'SEQUENCE OF', rowsOf: 'BellEntry' })
  assert.deepEqual(types.find(({ name }) => name === 'Health')?.syntax, {
    type: 'INTEGER',
    values: [
      ['fine', 1],
      ['limping', 2],
      ['broken', 3],
    ],
  })
  assert.equal(types.find(({ name }) => name === 'Tenths')?.hint, 'd-1')
  assert.deepEqual(
    imports.find(([symbol]) => symbol === 'ifIndex'),
    ['ifIndex', 'IF-MIB'],
  )
})

test('notifications of both versions carry their objects, and what a comment says of their severity', () => {
  assert.deepEqual(
    one(clock).notifications.map(({ name, path, specific, objects, severity }) => [
      name,
      path,
      specific,
      objects,
      severity,
    ]),
    [
      ['clockStopped', ['acmeClock'], 1, ['clockState', 'clockPlace'], 'critical'],
      ['clockStarted', ['acmeClock'], 2, ['clockState', 'clockPlace'], 'informational'],
      ['clockColdStart', ['snmp'], 0, [], undefined],
    ],
  )
  const { notifications } = one(tower)
  assert.equal(notifications.length, 8)
  assert.equal(notifications[0]?.description, 'A bell does not ring any more.')
})

test('errors of vendors are accepted where the meaning is clear, with a remark', () => {
  const sloppy = moduleText('sloppy.mib')
  assert.deepEqual(remarks(sloppy, 'lost'), [])
  assert.deepEqual(remarks(sloppy, 'accepted'), [
    '8: acme_sloppy has an underscore, which names must not have (3 times)',
    '8: Object was read as OBJECT',
    '8: Identifier was read as IDENTIFIER',
    '9: there is a comma too many (2 times)',
    '11: Object-Type was read as OBJECT-TYPE',
    '12: Syntax was read as SYNTAX',
    '13: Max-Access was read as MAX-ACCESS',
    '15: FLAVOUR in bell_state was passed over',
    '20: a comma is missing (2 times)',
    '20: what follows the second -- of a comment was read as part of the module (2 times)',
    '31: END is missing',
  ])
  const { nodes, notifications } = one(sloppy)
  assert.deepEqual(nodes.find(({ name }) => name === 'bellMode')?.syntax?.values, [
    ['loud', 1],
    ['quiet', 2],
    ['10baseT', 3],
  ])
  assert.deepEqual(notifications[0]?.objects, ['bell_state', 'bellMode'])
})

test('what cannot be read is reported with its line and reason, and what follows is read', () => {
  const broken = moduleText('broken.mib')
  assert.deepEqual(remarks(broken, 'lost'), [
    '13: expected ::= of noPlace, found good1',
    '21: expected a number, found two',
    '50: lonely has no ENTERPRISE',
  ])
  assert.deepEqual(remarks(broken, 'accepted'), [
    '31: the text that begins here has no closing quote',
    '48: a character that has no meaning in a module was passed over (6 times)',
  ])
  assert.deepEqual(
    one(broken).nodes.map(({ name }) => name),
    ['acmeBroken', 'good1', 'openText', 'good2', 'orphan', 'good3'],
  )
})

test('a file may hold several modules, and text around them', () => {
  const { modules } = readModules(`Dear all,\n${smi}\nand\n${clock}regards`)
  assert.deepEqual(
    modules.map(({ name }) => name),
    ['ACME-SMI', 'ACME-CLOCK-V1-MIB'],
  )
})

test('a file without a module is reported', () => {
  for (const source of ['', 'hello', 'A ::= B', '\0\0\0']) {
    const { modules, remarks: outside } = readModules(source)
    assert.deepEqual(modules, [])
    assert.match(outside.at(-1)?.reason ?? '', /there is no module in it/)
  }
})

test('a module without END ends where the next begins', () => {
  const { modules } = readModules(`A DEFINITIONS ::= BEGIN\na OBJECT IDENTIFIER ::= { iso 1 }\n${smi}`)
  assert.deepEqual(
    modules.map(({ name, nodes }) => [name, nodes.length]),
    [
      ['A', 1],
      ['ACME-SMI', 2],
    ],
  )
  assert.deepEqual(
    modules[0]?.remarks.map(({ reason }) => reason),
    ['END is missing'],
  )
})

test('macros that a module defines itself are skipped', () => {
  const macro = 'OBJECT-TYPE MACRO ::= BEGIN TYPE NOTATION ::= "SYNTAX" value(VALUE ObjectName) END'
  assert.deepEqual(one(inside(`${macro}\na OBJECT IDENTIFIER ::= { iso 3 }`)).nodes.length, 1)
})

describe('every error is reported with its line', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['a OBJECT IDENTIFIER { iso 1 }', '2: expected ::= behind OBJECT IDENTIFIER, found {'],
    ['a OBJECT IDENTIFIER ::= iso', '2: expected { before a place in the tree, found iso'],
    ['a OBJECT IDENTIFIER ::= { }', '2: a place in the tree is empty'],
    ['a OBJECT IDENTIFIER ::= { iso 4294967296 }', '2: 4294967296 is too large for an object identifier'],
    [
      'a OBJECT IDENTIFIER ::= { iso "x" }',
      '2: expected a name, a number or } in a place in the tree, found "x"',
    ],
    [
      'a OBJECT IDENTIFIER ::= { iso 1',
      '3: expected a name, a number or } in a place in the tree, found END',
    ],
    ['a WHAT-IS-THIS ::= { iso 1 }', '2: expected a definition of a, found WHAT-IS-THIS'],
    ['T ::= TEXTUAL-CONVENTION STATUS current', '3: expected SYNTAX of T, found END'],
    ['T ::= INTEGER { a 1 }', '2: expected ( behind a1, found }'],
    ['a OBJECT-TYPE SYNTAX ::= { iso 1 }', '2: expected a type, found ::='],
    ['t TRAP-TYPE ENTERPRISE iso ::= { iso 1 }', '2: expected the number of the trap t, found {'],
    [
      'n NOTIFICATION-TYPE OBJECTS { a ::= { iso 1 }',
      '2: expected a name or } in a list of names, found ::=',
    ],
    ['IMPORTS a, b;', '2: no module is named for a, b'],
    ['17', '2: expected a definition, found 17'],
  ]
  for (const [body, expected] of cases) {
    test(body, () => assert.deepEqual(remarks(inside(body), 'lost').slice(0, 1), [expected]))
  }
})

test('remarks are bounded in number, and hold no control characters', () => {
  const { remarks: bad } = one(inside('x OBJECT IDENTIFIER ::= { "\u001b[31m\u0007" }\n'.repeat(500)))
  assert.equal(bad.length, 101)
  assert.match(bad.at(-1)?.reason ?? '', /^and 400 more/)
  for (const { reason } of bad) assert.match(reason, /^[\x20-\x7e…]*$/)
})

describe('hostile files end quickly', () => {
  const size = 300_000
  const cases: Readonly<Record<string, string>> = {
    'open braces': '{'.repeat(size),
    'open brackets in a type': inside(`a OBJECT-TYPE SYNTAX INTEGER ${'('.repeat(size)}`),
    'one line of comments': `A DEFINITIONS ::= BEGIN ${'--x--}'.repeat(size / 6)}`,
    quotes: '"'.repeat(size),
    'a text that is never closed': inside(
      `a OBJECT-TYPE DESCRIPTION "${'x OBJECT-TYPE\n'.repeat(size / 14)}`,
    ),
    'texts with definitions in them': inside('d "\nx OBJECT-TYPE\nSYNTAX "'.repeat(size / 24)),
    'names without end': 'a'.repeat(size),
    'names that begin definitions': inside('a OBJECT-TYPE '.repeat(size / 14)),
    'beginnings of modules': 'A DEFINITIONS ::= BEGIN '.repeat(size / 24),
    'identifiers of modules': 'A { '.repeat(size / 4),
    'an enumeration without end': inside(`T ::= INTEGER { ${'a(1), '.repeat(size / 6)}`),
    numbers: inside('9'.repeat(size)),
    dashes: '-'.repeat(size),
    'blank lines': '\n \t'.repeat(size / 3),
    'macros without end': inside('A MACRO '.repeat(size / 8)),
  }
  for (const [name, source] of Object.entries(cases)) {
    test(name, () => {
      // Each takes a fraction of a second; what grows with the square of the size takes minutes.
      requireCheap(() => readModules(source), 400)
    })
  }

  test('a file above the limit is refused unread', () => {
    const { modules, remarks: outside } = readModules(' '.repeat(4 * 1024 * 1024 + 1))
    assert.deepEqual([modules, outside.length], [[], 1])
  })
})

test('names of numbers may be in quotes', () => {
  const source = inside('hour OBJECT-TYPE SYNTAX INTEGER { "0:00"(0), "1:00"(1), late(2) } ::= { iso 1 }')
  assert.deepEqual(one(source).nodes[0]?.syntax?.values, [
    ['0:00', 0],
    ['1:00', 1],
    ['late', 2],
  ])
  assert.deepEqual(remarks(source, 'lost'), [])
  assert.deepEqual(remarks(source, 'accepted'), [
    '2: the name of a number is in quotes, which it must not be (2 times)',
  ])
})

test('a text that quotes a definition ends with its quote; one without its quote ends where a definition begins', () => {
  const quoting = inside(
    'a OBJECT-TYPE SYNTAX INTEGER DESCRIPTION "The old module says:\n  bell TRAP-TYPE\n  ENTERPRISE x\n  DESCRIPTION \'it rings\'\nEnd of it." ::= { iso 1 }\nb OBJECT IDENTIFIER ::= { iso 2 }',
  )
  assert.deepEqual(
    one(quoting).nodes.map(({ name }) => name),
    ['a', 'b'],
  )
  assert.deepEqual(one(quoting).remarks, [])
  const open = inside(
    'a OBJECT-TYPE\n SYNTAX INTEGER\n DESCRIPTION "\n ::= { iso 1 }\n\n-- rest\n\nb OBJECT-TYPE\n SYNTAX INTEGER\n DESCRIPTION "b" ::= { iso 2 }',
  )
  assert.deepEqual(
    one(open).nodes.map(({ name, path }) => [name, path]),
    [
      ['a', ['iso', 1]],
      ['b', ['iso', 2]],
    ],
  )
  assert.deepEqual(remarks(open, 'lost'), [])
})

test('dashes in a row, or before any word, only decorate a comment', () => {
  const source = inside('----  SYNTAX Integer32\n -- --  STATUS current\na OBJECT IDENTIFIER ::= { iso 1 }')
  assert.deepEqual(one(source).remarks, [])
  assert.equal(one(source).nodes.length, 1)
})

test('a name that is defined twice is remarked upon, and both places are kept', () => {
  const source = inside(
    'a OBJECT IDENTIFIER ::= { iso 1 }\nb OBJECT IDENTIFIER ::= { iso 2 }\na OBJECT IDENTIFIER ::= { iso 3 }',
  )
  assert.deepEqual(remarks(source, 'accepted'), [
    '4: a was defined in line 2 already: where the name is used, that definition counts',
  ])
  assert.equal(one(source).nodes.length, 3)
})

test('a module says where it hangs in the tree, and when it was last updated', () => {
  const identity = (body: string) => {
    const { enterprise, revision } = one(inside(body))
    return [enterprise, revision]
  }
  const clauses = 'LAST-UPDATED "202604120000Z" ORGANIZATION "a" CONTACT-INFO "b" DESCRIPTION "c"'
  assert.deepEqual(
    identity(`x OBJECT IDENTIFIER ::= { enterprises 9 }\ny MODULE-IDENTITY ${clauses} ::= { x 1 }`),
    ['enterprises.9', '202604120000Z'],
  )
  assert.deepEqual(identity(`y MODULE-IDENTITY ${clauses} ::= { acme 1 }`), ['acme', '202604120000Z'])
  assert.deepEqual(identity('x OBJECT IDENTIFIER ::= { 1 3 6 1 4 1 9 }'), ['enterprises.9', undefined])
  assert.deepEqual(identity('x OBJECT IDENTIFIER ::= { y 1 }\ny OBJECT IDENTIFIER ::= { x 1 }')[1], undefined)
  assert.deepEqual(identity(''), [undefined, undefined])
})
