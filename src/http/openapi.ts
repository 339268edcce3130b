// Generates the published OpenAPI document from the table of operations.

import { type JsonObject, listSchema, reference, scalarSchema, shapeSchema } from '../schema/json-schema.ts'
import type { List, SizeRule } from '../schema/list.ts'
import type { Filter } from '../schema/list-filter.ts'
import type { Shape } from '../schema/resource.ts'
import { bool, int, long } from '../schema/scalar.ts'
import { imcRoot } from './imc/imc-root.ts'
import type { Answer, Body, Operation, Parameter } from './operation.ts'
import { errorDocument } from './responses.ts'

/** Fault code → status and what it means. */
type PublishedFaults = Readonly<Record<string, { readonly status: number; readonly meaning: string }>>

interface Published {
  readonly version: string
  readonly operations: readonly Operation[]
  readonly faults: PublishedFaults
}

const introduction =
  'Bodies are XML; JSON is served to callers that ask for it. In JSON all scalars are strings, and repeated things ' +
  'are arrays, also one or none; requests may use JSON numbers. HEAD answers like GET without a body, and OPTIONS ' +
  'lists the methods of a path. Unknown query parameters are ignored.'

export function openApi({ version, operations, faults }: Published): JsonObject {
  const paths = Object.groupBy(operations, ({ path }) => path)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Belfry',
      version,
      description: introduction,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }, { url: imcRoot, description: 'The same, for programs that expect this root' }],
    // None as long as there is no operator.
    security: [{ digest: [] }, { basic: [] }, { token: [] }, {}],
    paths: Object.fromEntries(
      Object.entries(paths).map(([path, group = []]) => [path, pathItem(path, group, faults)]),
    ),
    components: {
      securitySchemes: {
        digest: { type: 'http', scheme: 'digest', description: 'SHA-256 or MD5, qop=auth' },
        basic: { type: 'http', scheme: 'basic', description: 'Over TLS only' },
        token: { type: 'http', scheme: 'bearer', description: 'Over TLS, or from the loopback' },
      },
      schemas: schemas(operations),
      headers: {
        Total: header('How many records match, whatever part of them this answer holds'),
        Location: header('The address of the new record'),
        'Error-Code': header('The code of the error document'),
        'Error-Message': header('The message of the error document, percent-encoded where needed'),
      },
      responses: Object.fromEntries(
        Object.entries(faults).map(([code, { meaning }]) => [
          code,
          {
            description: meaning,
            ...headers('Error-Code', 'Error-Message'),
            content: content(errorDocument.name),
          },
        ]),
      ),
    },
  }
}

/** Every document that an operation takes or returns. */
function schemas(operations: readonly Operation[]): JsonObject {
  const answers = operations.flatMap(({ gives }) => Object.values(gives))
  const listed = answers.flatMap((answer) =>
    answer.kind === 'page' || answer.kind === 'rows' ? [answer.shape] : [],
  )
  // Response shapes come last: they have more fields than request shapes of the same name.
  const shapes = [
    errorDocument,
    ...operations.flatMap(({ takes }) => taken(takes)),
    ...answers.flatMap(given),
  ]
  return {
    ...Object.fromEntries(shapes.map((shape) => [shape.name, shapeSchema(shape)])),
    ...Object.fromEntries(listed.map(({ name }) => [`${name}List`, listSchema(name)])),
  }
}

/** The shape of a body. */
export function taken(takes: Body | undefined): Shape[] {
  if (takes === undefined || takes === 'text') return []
  if ('oneOrMore' in takes) return [takes.oneOrMore]
  return ['rows' in takes ? takes.rows : takes]
}

/** The shapes of an answer. */
export function given(answer: Answer): readonly Shape[] {
  if (answer.kind === 'stream') return answer.shapes
  return 'shape' in answer && answer.shape ? [answer.shape] : []
}

function pathItem(path: string, group: readonly Operation[], faults: PublishedFaults): JsonObject {
  const carried = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: name === 'id' ? scalarSchema(long) : { type: 'string' },
  }))
  return {
    ...(carried.length > 0 && { parameters: carried }),
    ...Object.fromEntries(group.map((one) => [one.method.toLowerCase(), operationItem(one, faults)])),
  }
}

function operationItem(operation: Operation, faults: PublishedFaults): JsonObject {
  const { subject, verb, words, list, pages, filters, parameters = {}, takes } = operation
  const { bodyOptional, gives, needs } = operation
  const success = Object.entries(gives).map(([status, answer]) => [status, answerItem(answer)])
  const refused = faultsOf(operation).map((code) => [
    faults[code]?.status,
    { $ref: `#/components/responses/${code}` },
  ])
  const queries = [
    ...(list ? listParameters(list) : []),
    ...(pages ? pageParameters(pages) : []),
    ...(filters ? filterParameters(filters) : []),
    ...Object.entries(parameters).map(([name, parameter]) => parameterItem(name, parameter)),
  ]
  return {
    summary: `${verb}: ${words}`,
    operationId: subject + verb,
    tags: [subject],
    ...(queries.length > 0 && { parameters: queries }),
    ...(takes !== undefined && { requestBody: { required: !bodyOptional, content: bodyContent(takes) } }),
    responses: Object.fromEntries([...success, ...refused]),
    ...(needs === 'anyone' && { security: [] }),
  }
}

const reading = [
  'invalid',
  'unauthorized',
  'forbidden',
  'not-acceptable',
  'too-many-requests',
  'internal',
  'unavailable',
]
function faultsOf(operation: Operation): readonly string[] {
  const { method, path, needs, takes, filters, alsoAnswers = [] } = operation
  if (needs === 'anyone') return [...alsoAnswers, 'unavailable']
  if (method === 'DELETE') return [...alsoAnswers, 'gone', ...reading]
  const faults = new Set<string>(alsoAnswers)
  if (path.includes('{')) faults.add('not-found')
  // An action on records that a filter selects is refused if there are too many.
  if (method !== 'GET' && (takes || filters)) faults.add('conflict')
  if (takes) faults.add('too-large').add('unsupported-media-type')
  return [...faults, ...reading]
}

const header = (description: string) => ({ description, schema: { type: 'string' } })
const headers = (...names: string[]) => ({
  headers: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }])),
})
const content = (name: string) => ({
  'application/xml': { schema: reference(name) },
  'application/json': { schema: reference(name) },
})
const text = { schema: { type: 'string' } }
const rowsContent = ({ name }: Shape) => ({ ...content(`${name}List`), 'text/csv': text })

function bodyContent(takes: Body): JsonObject {
  if (takes === 'text') return { 'text/plain': text }
  if ('oneOrMore' in takes) {
    const { name } = takes.oneOrMore
    const schema = { oneOf: [reference(name), reference(`${name}List`)] }
    return { 'application/xml': { schema }, 'application/json': { schema } }
  }
  return 'rows' in takes ? rowsContent(takes.rows) : content(takes.name)
}

function answerItem(answer: Answer): JsonObject {
  switch (answer.kind) {
    case 'page':
      return { description: 'One page', ...headers('Total'), content: content(`${answer.shape.name}List`) }
    case 'rows':
      return { description: 'All records', content: rowsContent(answer.shape) }
    case 'record': {
      const made = answer.located ? headers('Location') : {}
      return { description: 'The record', ...made, content: content(answer.shape.name) }
    }
    case 'stream':
      return {
        description: 'Documents without end, an empty line after each',
        content: { ...content(answer.shapes[0].name), 'text/event-stream': text },
      }
    case 'file':
      return {
        description: 'A file',
        content: { 'application/vnd.sqlite3': { schema: { type: 'string', format: 'binary' } } },
      }
    case 'report':
      return {
        description: 'The report',
        content: {
          'text/html': text,
          'text/csv': text,
          'application/json': { schema: { type: 'object' } },
          'application/pdf': { schema: { type: 'string', format: 'binary' } },
        },
      }
    case 'text':
      return { description: 'Text', content: { 'text/plain': text } }
    case 'imported':
      return {
        description: 'How many records were imported',
        content: {
          'application/json': {
            schema: {
              type: 'object',
              properties: {
                imported: { type: 'string' },
                replaced: { type: 'string' },
                unchanged: { type: 'string' },
                refused: { type: 'string' },
                record: { type: 'array', items: { type: 'object' } },
              },
            },
          },
        },
      }
    case 'location':
      return {
        description: answer.shape ? 'Done; the document is the answer to a list' : 'Done',
        ...headers('Location'),
        ...(answer.shape && { content: content(answer.shape.name) }),
      }
    case 'nothing':
      return { description: 'Done' }
  }
}

const flag = { ...scalarSchema(bool), default: 'false' }

/** In a query string the name is repeated: the default of OpenAPI for arrays. */
const repeated = (items: JsonObject) => ({ type: 'array', items })

const query = (name: string, schema: JsonObject, description: string) => ({
  name,
  in: 'query',
  description,
  schema,
})

function parameterItem(name: string, parameter: string | Parameter): JsonObject {
  if (typeof parameter === 'string') return query(name, { type: 'string' }, parameter)
  const { meaning, scalar, required, several } = parameter
  const one = scalar === bool ? flag : scalar ? scalarSchema(scalar) : { type: 'string' }
  const schema = several ? repeated(one) : one
  return { ...query(name, schema, meaning), ...(required && { required }) }
}

function listParameters({ filters, orders, sortable, descendingWithoutOrder, size }: List): JsonObject[] {
  const names = Object.keys(orders)
  const order = [
    query('orderBy', { type: 'string', enum: names, default: names[0] }, 'What the list is ordered by'),
    query('desc', flag, `Reverses the order${descendingWithoutOrder ? '' : '; only together with orderBy'}`),
  ]
  return [...filterParameters({ filters }), ...(sortable ? order : []), ...pageParameters(size)]
}

function pageParameters(size: SizeRule): JsonObject[] {
  const number = (byDefault: number) => ({ ...scalarSchema(int()), default: String(byDefault) })
  return [
    query('start', number(0), 'Records to pass over; negative means 0'),
    query('size', number(size.default), sizeWords(size)),
    query('total', flag, 'Answers the header Total and no body'),
  ]
}

const filterParameters = ({ filters }: Pick<List, 'filters'>) => Object.entries(filters).map(filterParameter)

/** A text filter takes patterns, so of the field's own schema only codes and number formats apply. */
function filterParameter([name, filter]: [string, Filter]): JsonObject {
  const { enum: values, format } = scalarSchema(filter.scalar)
  const schema = Object.entries({ enum: values, format, default: filter.defaultValue })
  const known = Object.fromEntries(schema.filter(([, value]) => value !== undefined))
  const one = { type: 'string', ...known }
  return {
    ...query(name, filter.multiple ? repeated(one) : one, filter.accepted),
    ...(filter.required && { required: true }),
  }
}

function sizeWords({ default: byDefault, negative, max }: SizeRule): string {
  const cut = max === undefined ? '' : `; more than ${max} means ${max}`
  return `Records in the answer at most; negative means ${negative === 'default' ? byDefault : negative}${cut}`
}
