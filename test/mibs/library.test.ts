import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Library } from '../../src/mibs/module-library.ts'
import { readModules } from '../../src/mibs/module-reader.ts'
import type { MibObject } from '../../src/mibs/oid-tree.ts'
import { display, label } from '../../src/mibs/value-display.ts'
import { clock, libraryOf, moduleText, smi, tower } from './modules.ts'

const all = libraryOf(tower, smi, clock)
const acme = '1.3.6.1.4.1.32473'
const objects = `${acme}.700.1.1`

const unknown = (...sources: readonly string[]) =>
  [...libraryOf(...sources).modules.values()].flatMap(({ name, unknown: reported }) =>
    reported.map(({ line, reason }) => `${name} ${line}: ${reason}`),
  )

const inModule = (name: string, body: string) => `${name} DEFINITIONS ::= BEGIN\n${body}\nEND\n`

test('objects are found by any of their instances, with the row', () => {
  const found = (oid: string) => {
    const one = all.find(oid)
    return one && [one.object.name, one.index]
  }
  assert.deepEqual(found(`${objects}.1.0`), ['towerTemperature', ''])
  assert.deepEqual(found(`${objects}.1`), ['towerTemperature', ''])
  assert.deepEqual(found(`${objects}.1.7`), ['towerTemperature', '7'], 'what no scalar has is shown')
  assert.deepEqual(found(`${objects}.10.1.3.12`), ['bellHealth', '12'])
  assert.deepEqual(found(`${objects}.10.1.3.0`), ['bellHealth', '0'], 'a row may have the number 0')
  assert.deepEqual(found(`${objects}.11.1.2.3.108.101.102.116`), ['ropeTight', '3.108.101.102.116'])
  assert.deepEqual(found('1.3.6.1.2.1.2.2.1.8.3'), ['ifOperStatus', '3'])
  for (const oid of ['', '1', `${objects}.10.1`, `${objects}.10.1.33.1`, `${objects}.2000`, '9.9.9'])
    assert.equal(all.find(oid), undefined, oid)
})

test('an object is found wherever its definition is in the module, also one that has others below it', () => {
  const scalar = (name: string, place: string) => `${name} OBJECT-TYPE SYNTAX INTEGER ::= { iso ${place} }`
  const body = [
    ['c', '60 9'],
    ['a', '60 1'],
    ['above', '60 4'],
    ['b', '60 3'],
    ['below', '60 4 2'],
    ['large', '60 4294967295'],
  ]
  const library = libraryOf(
    inModule('ORDER', body.map(([name = '', place = '']) => scalar(name, place)).join('\n')),
  )
  const found = (oid: string) => {
    const one = library.find(oid)
    return one && `${one.object.name} ${one.object.oid} ${one.index}`
  }
  const oids = [
    '1.60.1.0',
    '1.60.3.0',
    '1.60.4.0',
    '1.60.4.1.7',
    '1.60.4.2.0',
    '1.60.9.5',
    '1.60.4294967295.0',
  ]
  assert.deepEqual(oids.map(found), [
    'a 1.60.1 ',
    'b 1.60.3 ',
    'above 1.60.4 ',
    'above 1.60.4 1.7',
    'below 1.60.4.2 ',
    'c 1.60.9 5',
    'large 1.60.4294967295 ',
  ])
  for (const oid of ['1.60', '1.60.2.0', '1.60.5.0', '1.60.10.0', '1.61.1'])
    assert.equal(found(oid), undefined, oid)
})

test('without a loaded module nothing is named, not even objects of the built-in base', () => {
  assert.equal(libraryOf().find('1.3.6.1.2.1.2.2.1.8.3'), undefined)
})

test('notifications have the OID of version 2, whichever version their module is in', () => {
  const notification = (oid: string) => all.notification(oid)?.name
  assert.equal(notification(`${acme}.700.1.0.1`), 'bellFailed')
  assert.equal(notification(`${acme}.800.0.1`), 'clockStopped')
  assert.equal(notification('1.3.6.1.6.3.1.1.5.1'), 'clockColdStart', 'generic traps of the enterprise snmp')
})

test('a row that adds columns to another has its numbers', () => {
  const maker = all.find(`${objects}.12.1.1.4`)?.object
  assert.deepEqual([maker?.kind, maker?.row?.index.map(({ name }) => name)], ['column', ['bellIndex']])
})

test('the order of modules does not matter, and the base need not be loaded', () => {
  assert.deepEqual(unknown(tower, smi, clock), [])
  assert.deepEqual(unknown(smi, tower), [])
})

test('what is not known is reported with its line and the module that is missing', () => {
  assert.deepEqual(unknown(tower), [
    'ACME-TOWER-MIB 15: acmeProducts is not known: its module ACME-SMI has not been loaded',
  ])
  assert.deepEqual(unknown(moduleText('broken.mib')), [
    'ACME-BROKEN-MIB 41: nobody is not known: it is neither defined nor imported here',
  ])
  const odd = inModule('B', 'IMPORTS x, Y FROM ACME-SMI;\nb OBJECT IDENTIFIER ::= { x 1 }')
  assert.deepEqual(unknown(odd, smi), ['B 3: x is not known: its module ACME-SMI does not define it'])
  const typed = inModule('C', 'c OBJECT-TYPE SYNTAX Colour ACCESS read-only STATUS current ::= { iso 9 }')
  assert.deepEqual(unknown(typed), ['C 2: Colour is not known: it is neither defined nor imported here'])
  assert.equal(libraryOf(typed).find('1.9.0')?.object.name, 'c', 'it is named all the same')
})

test('names that were not imported are taken from the one module that defines them', () => {
  const careless = inModule('CARELESS', 'mine OBJECT-TYPE SYNTAX Health ACCESS read-only ::= { acme 5 }')
  const library = libraryOf(careless, smi, tower)
  assert.equal(library.find(`${acme}.5.0`)?.object.values.get(3), 'broken')
})

test('a name of another module can be written with that module', () => {
  const dotted = inModule(
    'DOTTED',
    'mine OBJECT IDENTIFIER ::= { ACME-SMI.acme 6 }\nx OBJECT-TYPE SYNTAX ACME-TOWER-MIB.Health ::= { mine 1 }',
  )
  assert.equal(libraryOf(dotted, smi, tower).find(`${acme}.6.1.0`)?.object.values.get(1), 'fine')
})

test('cycles and endless chains are resolved to nothing, and quickly', () => {
  const circle =
    'a OBJECT IDENTIFIER ::= { b 1 }\nb OBJECT IDENTIFIER ::= { a 1 }\nc OBJECT IDENTIFIER ::= { c }\nT ::= U\nU ::= T\nV ::= V\nx OBJECT-TYPE SYNTAX T ::= { iso 7 }\ny OBJECT-TYPE SYNTAX V ::= { iso 8 }\nr OBJECT-TYPE SYNTAX R AUGMENTS { r } ::= { iso 10 }'
  const library = libraryOf(inModule('CIRCLE', circle))
  assert.deepEqual(
    library.named('CIRCLE')[0]?.objects.map(({ name }) => name),
    ['x', 'y', 'r'],
  )
  const chain = Array.from(
    { length: 5000 },
    (_, at) => `n${at + 1} OBJECT IDENTIFIER ::= { n${at} 1 }`,
  ).reverse()
  const long = libraryOf(inModule('CHAIN', `${chain.join('\n')}\nn0 OBJECT IDENTIFIER ::= { iso 3 }`))
  const { objects: kept = [] } = long.named('CHAIN')[0] ?? {}
  assert.equal(kept.length, 127, 'an OID has at most 128 numbers')
  assert.ok(kept.every(({ oid }) => oid.split('.').length <= 128))
})

test('names that have a meaning in JavaScript are ordinary names', () => {
  const body = ['constructor', 'hasOwnProperty', 'toString', 'valueOf']
    .map((name, at) => `${name} OBJECT-TYPE SYNTAX INTEGER { constructor(1) } ::= { iso 50 ${at} }`)
    .join('\n')
  const library = libraryOf(inModule('JS', body))
  assert.equal(library.find('1.50.0.0')?.object.name, 'constructor')
  assert.deepEqual(unknown(inModule('JS', 'a OBJECT IDENTIFIER ::= { valueOf 1 }')).length, 1)
})

describe('values are shown as people read them', () => {
  const object = (more: Partial<MibObject>): MibObject => ({
    module: 'X',
    name: 'x',
    oid: '1',
    kind: 'scalar',
    base: 'OCTET STRING',
    values: new Map(),
    hint: undefined,
    units: undefined,
    access: undefined,
    index: [],
    row: undefined,
    ...more,
  })
  const status = object({
    base: 'INTEGER',
    values: new Map([
      [1, 'up'],
      [2, 'down'],
      [-1, 'odd'],
    ]),
  })
  const bits = object({
    base: 'BITS',
    values: new Map([
      [0, 'clock'],
      [1, 'chime'],
      [9, 'light'],
    ]),
  })
  const hint = (text: string) => object({ hint: text })
  const number = (text: string) => object({ base: 'Integer32', hint: text })
  const date = hint('2d-1d-1d,1d:1d:1d.1d,1a1d:1d')
  const cases: readonly (readonly [string, MibObject, string, string | undefined])[] = [
    ['a named number', status, '2', 'down(2)'],
    ['a negative one', status, '-1', 'odd(-1)'],
    ['a number without a name', status, '7', undefined],
    ['what is no number', status, 'two', undefined],
    ['bits', bits, 'c0:40', 'clock(0),chime(1),light(9)'],
    ['bits that came as text', bits, '@', 'chime(1)'],
    ['bits without a name', bits, '01', 'bit(7)'],
    ['no bits', bits, '00', ''],
    ['a MAC address', hint('1x:'), '00:1b:44:11:3a:b7', undefined],
    ['a MAC address that came as text', hint('1x:'), 'ABCDEF', '41:42:43:44:45:46'],
    ['a date', date, '07:ea:07:01:0c:1e:05:00:2b:02:00', '2026-07-01 12:30:05.0 +02:00'],
    ['a date without a zone', date, '07:ea:0c:18:00:00:00:09', '2026-12-24 00:00:00.9'],
    ['a date of a wrong length', date, '07:ea:0c', undefined],
    ['text', hint('255a'), 'Gi0/1', undefined],
    ['text that ends with a zero', hint('255a'), '47:69:30:00', 'Gi0'],
    ['text that looks like hexadecimal pairs', hint('255a'), '61:62', undefined],
    ['octets that are no text', hint('255a'), 'ff:fe:00', undefined],
    ['an address', hint('1d.1d.1d.1d'), '0a:00:00:07', '10.0.0.7'],
    [
      'an address of version 6',
      hint('2x:2x:2x:2x:2x:2x:2x:2x'),
      '20:01:0d:b8:00:00:00:00:00:00:00:00:00:00:00:07',
      '2001:0db8:0000:0000:0000:0000:0000:0007',
    ],
    ['repeated parts', hint('*1x:/1x:'), '02:aa:bb:cc:dd', 'aa:bb/cc:dd'],
    ['decimals', number('d-2'), '1234', '12.34'],
    ['decimals below one', number('d-2'), '-5', '-0.05'],
    ['hexadecimal', number('x'), '255', 'ff'],
    ['a plain number', number('d'), '255', undefined],
    ['a hint that is none', hint('what?'), '00:01', undefined],
    ['a hint without a length', hint('0x'), '00:01', undefined],
    ['no octets', hint('1x:'), '', undefined],
  ]
  for (const [name, what, value, expected] of cases)
    test(name, () => assert.equal(display(what, value), expected))

  test('the label of a value is known by itself, too', () => {
    assert.equal(label(status, '2'), 'down')
    assert.equal(label(bits, '80'), undefined)
  })
})

test('objects may hang below a notification, as some vendors write it', () => {
  const body =
    'a NOTIFICATION-TYPE OBJECTS { b } DESCRIPTION "a" ::= { iso 60 }\nb OBJECT-TYPE SYNTAX INTEGER ::= { a 1 }'
  const library = libraryOf(inModule('BELOW', body))
  assert.equal(library.find('1.60.1.0')?.object.name, 'b')
  assert.deepEqual(
    library.notification('1.60')?.objects.map(({ name }) => name),
    ['b'],
  )
  assert.deepEqual(unknown(inModule('BELOW', body)), [])
})

test('of a name that is defined twice the first counts, and both objects are shown', () => {
  const library = libraryOf(
    inModule(
      'TWICE',
      'a OBJECT-TYPE SYNTAX INTEGER { x(1) } ::= { iso 61 }\na OBJECT-TYPE SYNTAX INTEGER { y(1) } ::= { iso 62 }\nt NOTIFICATION-TYPE OBJECTS { a } DESCRIPTION "" ::= { iso 63 }',
    ),
  )
  assert.deepEqual(
    library.notification('1.63')?.objects.map(({ oid }) => oid),
    ['1.61'],
  )
  assert.equal(library.find('1.62.0')?.object.values.get(1), 'y')
})

test('a notification that a module defines for both versions of SNMP is one', () => {
  const body =
    'e OBJECT IDENTIFIER ::= { iso 64 }\nt NOTIFICATION-TYPE DESCRIPTION "" ::= { e 5 }\nt TRAP-TYPE ENTERPRISE e DESCRIPTION "" ::= 5'
  assert.deepEqual(
    libraryOf(inModule('BOTH', body))
      .named('BOTH')[0]
      ?.notifications.map(({ oid }) => oid),
    ['1.64.5'],
  )
})

describe('modules of one name', () => {
  const rack = (enterprise: number, revision: string, object: string) =>
    inModule(
      'RACK-MIB',
      `rack MODULE-IDENTITY LAST-UPDATED "${revision}" ORGANIZATION "a" CONTACT-INFO "b" DESCRIPTION "c" ::= { enterprises ${enterprise} }\n${object} OBJECT-TYPE SYNTAX INTEGER ::= { rack 1 }`,
    )
  const at = (enterprise: number) => `1.3.6.1.4.1.${enterprise}.1.0`

  test('of two vendors are both known', () => {
    const library = libraryOf(rack(32473, '202601010000Z', 'rackA'), rack(32474, '202601010000Z', 'rackB'))
    assert.deepEqual(
      [library.find(at(32473))?.object.name, library.find(at(32474))?.object.name],
      ['rackA', 'rackB'],
    )
    assert.equal(library.named('RACK-MIB').length, 2)
  })

  test('and of two revisions: what both describe is taken from the later, in whichever order they come', () => {
    const [old, late] = [rack(32473, '9801010000Z', 'rackOld'), rack(32473, '202601010000Z', 'rackNew')]
    for (const sources of [
      [old, late],
      [late, old],
    ])
      assert.equal(libraryOf(...sources).find(at(32473))?.object.name, 'rackNew')
  })

  test('are imported from the same folder first', () => {
    const base = (arc: number) =>
      inModule(
        'BASE',
        `b${arc} OBJECT IDENTIFIER ::= { iso 70 ${arc} }\nplace OBJECT IDENTIFIER ::= { b${arc} 1 }`,
      )
    const user = (name: string) =>
      inModule('USER', `IMPORTS place FROM BASE;\n${name} OBJECT-TYPE SYNTAX INTEGER ::= { place 1 }`)
    const inFolder = (folder: string, ...sources: readonly string[]) =>
      sources
        .flatMap((source) => readModules(source).modules)
        .map((module) => ({ ...module, folder, enterprise: folder }))
    const library = new Library([
      ...inFolder('v6', base(6), user('six')),
      ...inFolder('v7', base(7), user('seven')),
    ])
    assert.equal(library.find('1.70.6.1.1.0')?.object.name, 'six')
    assert.equal(library.find('1.70.7.1.1.0')?.object.name, 'seven')
  })
})

test('a name that several modules define and none was imported from is not known, for that reason', () => {
  const place = 'place OBJECT IDENTIFIER ::= { iso 80 }'
  assert.deepEqual(
    unknown(
      inModule('ONE', place),
      inModule('TWO', place),
      inModule('USER', 'a OBJECT IDENTIFIER ::= { place 1 }'),
    ),
    ['USER 2: place is not known: it is not imported here, and 2 of the loaded modules define it'],
  )
})
