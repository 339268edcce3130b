// Modules as they really come, in Debian and npm packages (`node test/material.ts` fetches them), with Debian's
// snmptranslate as a second opinion.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { standardEvents } from '../../src/events/event-file.ts'
import { propose } from '../../src/events/mib-proposals.ts'
import { Library } from '../../src/mibs/module-library.ts'
import { readModules } from '../../src/mibs/module-reader.ts'
import { modules } from '../material.ts'
import { requireCheap } from '../processor-time.ts'
import { withoutTool } from '../tools.ts'

const folders = [modules.npm, modules.debian]
const missing =
  !folders.every((folder) => existsSync(folder)) && 'modules are missing: node test/material.ts fetches them'
// On a build machine nothing is skipped: there missing material is a failure.
const skip = process.env.CI === 'true' ? false : missing

const found = missing ? [] : folders.flatMap((folder) => globSync(`${folder}/**`, { withFileTypes: true }))
const files = found
  .filter((entry) => entry.isFile())
  .map(({ parentPath, name }) => join(parentPath, name))
  .sort()
const read = files.map((file) => {
  const source = readFileSync(file, 'latin1')
  return { file, source, ...readModules(source) }
})
const all = read.flatMap(({ modules: inside }) => inside)
const library = new Library([...new Map(all.map((module) => [module.name, module])).values()])

test('the material is there', { skip }, () => {
  assert.equal(missing, false)
  assert.ok(all.length >= 55, `only ${all.length} modules`)
})

test('every module is read whole; remarks are rare and about real mistakes', { skip }, () => {
  const reported = read.flatMap(({ file, modules: found, remarks }) =>
    [...found.flatMap((module) => module.remarks), ...remarks].map((remark) => ({
      file: basename(file),
      ...remark,
    })),
  )
  assert.deepEqual(
    reported.filter(({ kind }) => kind === 'lost'),
    [],
  )
  assert.ok(reported.length <= 5, JSON.stringify(reported, null, 1))
})

test('nearly every name is known once all are loaded, and the base is needed by none', { skip }, () => {
  const unknown = [...library.modules.values()].flatMap((module) => module.unknown)
  assert.ok(unknown.length <= 10, JSON.stringify(unknown, null, 1))
  const base = /^(SNMPv2-(SMI|TC|CONF)|RFC1155-SMI|RFC-121[25])$/
  const rest = [...new Map(all.map((module) => [module.name, module])).values()].filter(
    ({ name }) => !base.test(name),
  )
  const without = [...new Library(rest).modules.values()].flatMap((module) => module.unknown)
  assert.ok(without.length <= unknown.length, JSON.stringify(without, null, 1))
})

test('objects that everybody knows are where everybody knows them', { skip }, () => {
  const found = (oid: string) => {
    const { object, index } = library.find(oid) ?? assert.fail(oid)
    return `${object.name} ${index}`.trim()
  }
  assert.equal(found('1.3.6.1.2.1.1.5.0'), 'sysName')
  assert.equal(found('1.3.6.1.2.1.2.2.1.10.4'), 'ifInOctets 4')
  assert.equal(found('1.3.6.1.2.1.31.1.1.1.6.4'), 'ifHCInOctets 4')
  assert.equal(found('1.3.6.1.4.1.2021.10.1.3.1'), 'laLoad 1')
  assert.equal(found('1.3.6.1.4.1.9586.100.5.2.3.1.4.2'), 'vrrpInstanceState 2')
  assert.equal(library.find('1.3.6.1.4.1.9586.100.5.2.3.1.4.2')?.object.values.get(2), 'master')
  assert.equal(library.find('1.3.6.1.2.1.2.2.1.3.1')?.object.values.get(6), 'ethernetCsmacd')
  assert.equal(library.notification('1.3.6.1.6.3.1.1.5.3')?.name, 'linkDown')
})

test('snmptranslate finds every object at the same place', {
  ...withoutTool('snmptranslate', 'snmp'),
  ...(skip && { skip }),
}, () => {
  const path = [...new Set(files.map((file) => dirname(file)))].join(':')
  const { stdout, error } = spawnSync('snmptranslate', ['-M', path, '-m', 'ALL', '-Tz'], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    env: { ...process.env, MIBS: '' },
  })
  assert.equal(error, undefined)
  const theirs = new Map<string, Set<string>>()
  for (const [, name = '', oid = ''] of stdout.matchAll(/^"([^"]+)"\s+"([\d.]+)"$/gm)) {
    theirs.set(name, (theirs.get(name) ?? new Set()).add(oid))
  }
  const ours = [...library.modules.values()].flatMap(({ objects }) => objects)
  const compared = ours.filter(({ name }) => theirs.has(name))
  assert.ok(compared.length > 1500, `only ${compared.length} of ${ours.length} objects compared`)
  const different = compared.filter(({ name, oid }) => !theirs.get(name)?.has(oid))
  // Of names that two modules define it shows one place.
  const twice = (name: string) =>
    new Set(ours.filter((one) => one.name === name).map(({ oid }) => oid)).size > 1
  assert.deepEqual(
    different
      .filter(({ name }) => !twice(name))
      .map(({ module, name, oid }) => [module, name, oid, theirs.get(name)]),
    [],
  )
})

test('proposals for standard notifications agree with the catalogue that was written by hand', {
  skip,
}, () => {
  const proposals = propose(library, () => false)
  assert.ok(proposals.length >= 20)
  for (const { event, confidence } of proposals.filter((one) => one.confidence === 'high')) {
    const known = standardEvents.find(({ eventOid }) => eventOid === event.eventOid)
    if (!known || known.name.endsWith('Start')) continue
    const proposed = [event.alarmLevel, event.recovers]
    assert.deepEqual(proposed, [known.alarmLevel, known.recovers ?? []], `${event.name} (${confidence})`)
  }
})

test('cut anywhere, and with any octets changed, modules are read without an exception and quickly', {
  skip,
}, () => {
  const sources = read.map(({ source }) => source).filter((source) => source.length < 60_000)
  const change = fc.record({
    source: fc.constantFrom(...sources, ''),
    from: fc.double({ min: 0, max: 1, noNaN: true }),
    to: fc.double({ min: 0, max: 1, noNaN: true }),
    flips: fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.integer({ min: 0, max: 255 })), {
      maxLength: 20,
    }),
    inserted: fc.constantFrom(
      '',
      '"',
      '{',
      '(',
      '--',
      '::=',
      'END',
      'MACRO',
      'OBJECT-TYPE',
      "'",
      '\0',
      'DEFINITIONS ::= BEGIN',
    ),
  })
  const mutate = ({
    source,
    from,
    to,
    flips,
    inserted,
  }: typeof change extends fc.Arbitrary<infer T> ? T : never) => {
    const bytes = Buffer.from(source, 'latin1')
    for (const [place, value] of flips) bytes[Math.floor(place * (bytes.length - 1))] = value
    const text = bytes.toString('latin1')
    const at = Math.floor(to * text.length)
    return text.slice(Math.floor(from * from * text.length), at) + inserted + text.slice(at)
  }
  fc.assert(
    fc.property(change, (how) => {
      const { modules: found, remarks } = requireCheap(() => {
        const read = readModules(mutate(how))
        propose(new Library(read.modules), () => false)
        return read
      }, 400)
      for (const { line, reason } of [...remarks, ...found.flatMap((module) => module.remarks)]) {
        assert.ok(Number.isInteger(line) && line >= 1)
        assert.match(reason, /^[\x20-\x7e\xa1-\ud7ff]{1,600}$/)
      }
      assert.deepEqual(JSON.parse(JSON.stringify(found)), found, 'what is kept is what was read')
    }),
    { numRuns: 150 },
  )
})
