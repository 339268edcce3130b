// Random records of every resource, made from its description.

import fc from 'fast-check'
import { dayForms, timeForms, weekdayForms } from '../../src/resources/alarms/validity.ts'
import { messagePattern } from '../../src/schema/message-pattern.ts'
import { pattern } from '../../src/schema/pattern.ts'
import type { AnyRecord, Fields, Resource } from '../../src/schema/resource.ts'
import { instant, ip, mac, oid, type Scalar } from '../../src/schema/scalar.ts'

/** Characters that often cause errors: markup, quotes, separators, line ends, combining marks, other planes. */
const character = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...'&<>"\',;|=\\/%_*?\t\r\n ]') },
  {
    weight: 3,
    arbitrary: fc.constantFrom(...'aZ09äßΣς日\u0085\u00a0\u2028\ufeff\ufffd'.split(''), '😀', '𐐀', ']]>'),
  },
  { weight: 1, arbitrary: fc.integer({ min: 0x20, max: 0xd7ff }).map((code) => String.fromCodePoint(code)) },
)

/** As the service keeps it: trimmed, never empty. */
const keptText = fc
  .array(character, { maxLength: 12 })
  .map((chars) => chars.join('').trim())
  .map((value) => (value === '' ? 'x' : value))

const oids = fc.array(fc.nat(), { minLength: 1, maxLength: 9 }).map((arcs) => arcs.join('.'))
const v6 = fc.ipV6().map((address) => ip.read(address))

function scalarValue(scalar: Scalar<unknown>): fc.Arbitrary<unknown> {
  const { base, values, min, max } = scalar.facets
  if (values) return fc.constantFrom(...values)
  if (scalar === instant) return fc.integer({ min: 0, max: 253_402_300_799 }).map((seconds) => seconds * 1000)
  if (base === 'long') return fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n)
  if (base === 'int') return fc.integer({ min: min ?? -(2 ** 31), max: max ?? 2 ** 31 - 1 })
  if (base === 'boolean') return fc.boolean()
  if (scalar === ip) return fc.oneof(fc.ipV4(), v6)
  if (scalar === pattern || scalar === messagePattern)
    return keptText.map((value) => value.replaceAll(/[\\()[\]{}*+?|^$]/g, '.'))
  if (scalar.accepted === mac.accepted) {
    return fc.uint8Array({ minLength: 6, maxLength: 6 }).map((bytes) =>
      Buffer.from(bytes)
        .toString('hex')
        .replace(/..(?=.)/g, '$&:'),
    )
  }
  if (scalar.accepted === oid.accepted) return oids
  if (scalar.accepted.endsWith('the place of the variable, such as #3'))
    return fc.oneof(
      oids,
      fc.integer({ min: 1, max: 999 }).map((place) => `#${place}`),
    )
  const written: Record<string, string[]> = {
    [dayForms]: ['2026-02-28', '2024/02/29', '20260101', '2026-01-01 8:30', '31'],
    [timeForms]: ['8:30', '23:59:59', '24'],
    'a word of the letters a to z, at most 64': ['down', 'a', 'neighbor'],
    'an address such as 10.0.0.7, or a network such as 10.0.0.0/8': [
      '10.0.0.7',
      '10.0.0.0/8',
      '2001:db8::/32',
    ],
    [weekdayForms]: ['0', '1,2, 3', '6,5,4,3,2,1,0'],
  }
  // A code of a message: whatever it holds, but for the sign that begins it there.
  if (scalar.accepted.startsWith('a code as the list of messages shows it'))
    return keptText.map((value) => value.replaceAll('%', '-'))
  const oneOf = /^one of (.+)$/.exec(scalar.accepted)?.[1]?.split(', ')
  const forms = oneOf ?? written[scalar.accepted]
  return forms ? fc.constantFrom(...forms) : keptText
}

function fieldsValue(fields: Fields): fc.Arbitrary<AnyRecord> {
  const parts: Record<string, fc.Arbitrary<unknown>> = {}
  for (const [name, field] of Object.entries(fields)) {
    if (field.kind === 'echo' || field.origin === 'derived') continue
    if (field.kind === 'scalar') {
      const value = scalarValue(field.scalar)
      parts[name] = field.origin === 'optional' ? fc.option(value, { nil: null }) : value
    } else if (field.kind === 'set') {
      parts[name] = fc.array(scalarValue(field.scalar), { maxLength: 3 })
    } else if (field.kind === 'group') {
      const minLength = field.origin === 'required' ? 1 : 0
      parts[name] = fc.array(fieldsValue(field.fields).filter(saysSomething), { minLength, maxLength: 3 })
    }
  }
  return fc.record(parts, { noNullPrototype: true })
}

/** A member of a group without any content is no member: no record has one. */
const saysSomething = (member: AnyRecord) =>
  Object.values(member).some((value) => (Array.isArray(value) ? value.length > 0 : value !== null))

export const recordOf = (resource: Resource): fc.Arbitrary<AnyRecord> => fieldsValue(resource.fields)
