// Generates the published XML schema from the descriptions. It describes what the service writes, in that order; input
// is accepted in any order, which XSD 1.0 cannot express.

import type { Field, Fields, ScalarField, Shape } from './resource.ts'
import type { Facets, Scalar } from './scalar.ts'

/** `documents` only occur alone; `rows` also occur in lists. */
export function xmlSchema(documents: readonly Shape[], rows: readonly Shape[]): string {
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" elementFormDefault="unqualified">',
    ...indent(
      [...documents, ...rows].flatMap((shape) =>
        element(shape.name, '', complexType(shape.fields, shape.name)),
      ),
    ),
    ...indent(listElement(rows)),
    '</xs:schema>',
  ]
  return `${lines.join('\n')}\n`
}

function listElement(rows: readonly Shape[]): string[] {
  const refs = rows.map(({ name }) => `<xs:element ref="${name}" minOccurs="0" maxOccurs="unbounded"/>`)
  return element('list', '', [
    '<xs:complexType>',
    '  <xs:choice>',
    ...indent(indent(refs)),
    '  </xs:choice>',
    '</xs:complexType>',
  ])
}

const indent = (lines: readonly string[]) => lines.map((line) => `  ${line}`)

const element = (name: string, occurs: string, content: readonly string[]) => [
  `<xs:element name="${name}"${occurs}>`,
  ...indent(content),
  '</xs:element>',
]

function complexType(fields: Fields, owner: string): string[] {
  const parts = Object.entries(fields).flatMap(([name, field]) => part(name, field, fields, owner))
  return [
    '<xs:complexType>',
    '  <xs:sequence>',
    ...indent(indent(parts)),
    '  </xs:sequence>',
    '</xs:complexType>',
  ]
}

function part(name: string, field: Field, fields: Fields, owner: string): string[] {
  const source = field.kind === 'echo' ? fields[field.of] : field
  const many = ' minOccurs="0" maxOccurs="unbounded"'
  if (source?.kind === 'scalar' && source.origin === 'secret') return []
  if (source?.kind === 'scalar')
    return element(name, scalarOccurs(source), simpleType(source.scalar, source.absent))
  if (source?.kind === 'set') return element(name, many, simpleType(source.scalar, 'omit'))
  if (source?.kind === 'group') {
    const occurs = source.origin === 'required' ? ' maxOccurs="unbounded"' : many
    return element(name, occurs, complexType(source.fields, owner))
  }
  return [`<xs:element ref="${owner}"${many}/>`]
}

// An export leaves out derived fields; all others that are not optional are always present.
const scalarOccurs = ({ origin, absent, mayBeAbsent }: ScalarField) =>
  origin === 'required' || (origin === 'assigned' && !mayBeAbsent) || absent === 'empty'
    ? ''
    : ' minOccurs="0"'

function simpleType(scalar: Scalar<unknown>, absent: ScalarField['absent']): string[] {
  const rows = facetRows(scalar.facets)
  const base = `xs:${scalar.facets.base}`
  const restriction = [
    '<xs:simpleType>',
    `  <xs:restriction base="${base}">`,
    ...indent(indent(rows)),
    '  </xs:restriction>',
    '</xs:simpleType>',
  ]
  const takesEmpty = base === 'xs:string' && scalar.facets.pattern === undefined
  if (absent !== 'empty' || takesEmpty) return restriction
  const empty = [
    '<xs:simpleType>',
    '  <xs:restriction base="xs:string">',
    '    <xs:length value="0"/>',
    '  </xs:restriction>',
    '</xs:simpleType>',
  ]
  return [
    '<xs:simpleType>',
    '  <xs:union>',
    ...indent(indent([...restriction, ...empty])),
    '  </xs:union>',
    '</xs:simpleType>',
  ]
}

function facetRows({ values, pattern, maxLength, min, max }: Facets): string[] {
  const rows: string[] = []
  if (pattern !== undefined) {
    const value = pattern.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
    rows.push(`<xs:pattern value="${value}"/>`)
  }
  if (maxLength !== undefined) rows.push(`<xs:maxLength value="${maxLength}"/>`)
  if (min !== undefined) rows.push(`<xs:minInclusive value="${min}"/>`)
  if (max !== undefined) rows.push(`<xs:maxInclusive value="${max}"/>`)
  for (const value of values ?? []) rows.push(`<xs:enumeration value="${value}"/>`)
  return rows
}
