// The published OpenAPI document, written from the descriptions.

import type { Filter } from './filter.ts'
import { type Json, listSchema, reference, scalarSchema, shapeSchema } from './json-schema.ts'
import type { List, SizeRule } from './list.ts'
import type { Resource, Shape } from './resource.ts'
import { bool, int, long } from './scalar.ts'

export interface PublishedCollection {
  readonly path: string
  readonly resource: Resource
  readonly list: List
  readonly noun: string
  readonly created: 200 | 201
  /** Where the parent of a new record is named: in a query parameter, or by creating at the parent's own path. */
  readonly parent?: { readonly parameter: string } | 'path'
}

/** An operation that does not follow from a collection. */
export interface PublishedOperation {
  readonly method: 'get' | 'post' | 'put' | 'delete'
  readonly path: string
  readonly shape: Shape
  readonly verb: string
  readonly noun: string
  /** Its query parameters are those of the list. */
  readonly list?: List
  /** Query parameters of its own, with what they mean. */
  readonly parameters?: Readonly<Record<string, string>>
  readonly body?: Shape
  /** The body is plain text. */
  readonly text?: true
  readonly gives: {
    readonly [status: number]: 'page' | 'record' | 'stream' | 'file' | 'location' | 'nothing'
  }
}

/** Fault code → status and what it means. */
type PublishedFaults = Readonly<Record<string, { readonly status: number; readonly meaning: string }>>

interface Published {
  readonly version: string
  readonly service: Shape
  readonly error: Shape
  readonly collections: readonly PublishedCollection[]
  readonly operations: readonly PublishedOperation[]
  readonly faults: PublishedFaults
}

const introduction =
  'Bodies are XML; JSON is served to callers that ask for it. In JSON all scalars are strings, and repeated things ' +
  'are arrays, also one or none; requests may use JSON numbers. HEAD answers like GET without a body, and OPTIONS ' +
  'lists the methods of a path. Unknown query parameters are ignored.'

export function openApi({ version, service, error, collections, operations, faults }: Published): Json {
  const operation = operationOf(faults)
  const rows = [...collections.map(({ resource }) => resource), ...operations.filter(isPage).map(shapeOf)]
  const bodies = operations.flatMap(({ body }) => body ?? [])
  // What is answered describes more than what is sent under the same name.
  const shapes = [service, error, ...bodies, ...rows, ...operations.map(shapeOf)]
  const root = { 200: { description: 'The service and its collections', content: content(service.name) } }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Belfry',
      version,
      description: introduction,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }, { url: '/imcrs', description: 'The same, for programs that expect this root' }],
    // None as long as there is no operator.
    security: [{ digest: [] }, { basic: [] }, { token: [] }, {}],
    paths: {
      '/': { get: operation(service.name, 'Read', 'who answers here', root, reading) },
      '/health': { get: { ...plainText('health', 'Whether the service is ready'), security: [] } },
      '/metrics': { get: plainText('metrics', 'Measurements in the text form of Prometheus') },
      ...Object.assign({}, ...collections.map((collection) => pathsOf(operation, collection))),
      ...otherPaths(operation, operations),
    },
    components: {
      securitySchemes: {
        digest: { type: 'http', scheme: 'digest', description: 'SHA-256 or MD5, qop=auth' },
        basic: { type: 'http', scheme: 'basic', description: 'Over TLS only' },
        token: { type: 'http', scheme: 'bearer', description: 'Over TLS, or from the loopback' },
      },
      schemas: {
        ...Object.fromEntries(shapes.map((shape) => [shape.name, shapeSchema(shape)])),
        ...Object.fromEntries(rows.map(({ name }) => [`${name}List`, listSchema(name)])),
      },
      headers: {
        Total: header('How many records match, whatever part of them this answer holds'),
        Location: header('The address of the new record'),
        'Error-Code': header('The code of the error document'),
        'Error-Message': header('The message of the error document, percent-encoded where needed'),
      },
      responses: Object.fromEntries(
        Object.entries(faults).map(([code, { meaning }]) => [
          code,
          { description: meaning, ...headers('Error-Code', 'Error-Message'), content: content(error.name) },
        ]),
      ),
    },
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
const writing = ['not-found', 'conflict', 'too-large', 'unsupported-media-type', ...reading]

type Operation = (name: string, verb: string, noun: string, success: Json, faults: readonly string[]) => Json

function operationOf(published: PublishedFaults): Operation {
  return (name, verb, noun, success, faults) => {
    const refused = faults.map((code) => [
      published[code]?.status,
      { $ref: `#/components/responses/${code}` },
    ])
    const responses = { ...success, ...Object.fromEntries(refused) }
    return { summary: `${verb}: ${noun}`, operationId: name + verb, tags: [name], responses }
  }
}

function pathsOf(operation: Operation, collection: PublishedCollection): Json {
  const { path, resource, list, noun, created, parent } = collection
  const { name } = resource
  const make = (verb: string, success: Json, faults: readonly string[]) =>
    operation(name, verb, noun, success, faults)
  const requestBody = { required: true, content: content(name) }
  const page = { description: 'One page', ...headers('Total'), content: content(`${name}List`) }
  const made = { [created]: { description: 'Created', ...headers('Location') } }
  const found = { description: 'The record', content: content(name) }
  const files = { ...content(`${name}List`), 'text/csv': { schema: { type: 'string' } } }
  const parents = parent === undefined || parent === 'path' ? [] : [parentParameter(parent.parameter)]
  return {
    [path]: {
      get: { ...make('List', { 200: page }, reading), parameters: listParameters(list) },
      post: { ...make('Create', made, writing), parameters: parents, requestBody },
    },
    [`${path}/{id}`]: {
      parameters: [idParameter],
      get: make('Read', { 200: found }, ['not-found', ...reading]),
      put: { ...make('Modify', { 204: { description: 'Modified' } }, writing), requestBody },
      delete: make('Delete', { 204: { description: 'Deleted' } }, ['gone', ...reading]),
      ...(parent === 'path' && { post: { ...make('CreateInside', made, writing), requestBody } }),
    },
    [`/plat/data/${name}`]: {
      get: {
        ...make('Export', { 200: { description: 'All records', content: files } }, reading),
        parameters: [query('format', { type: 'string', enum: ['xml', 'json', 'csv'] }, 'Instead of Accept')],
      },
      post: {
        ...make('Import', { 200: imported }, writing),
        parameters: [
          query('progress', flag, 'Answer with lines of JSON while records are read'),
          query('replace', flag, 'A record takes the place of the one that has its id'),
        ],
        requestBody: { required: true, content: files },
      },
    },
  }
}

const idParameter = { name: 'id', in: 'path', required: true, schema: scalarSchema(long) }
const shapeOf = ({ shape }: PublishedOperation) => shape
const isPage = ({ gives }: PublishedOperation) => Object.values(gives).includes('page')

function otherPaths(operation: Operation, operations: readonly PublishedOperation[]): Json {
  const paths = Object.groupBy(operations, ({ path }) => path)
  return Object.fromEntries(
    Object.entries(paths).map(([path, group = []]) => [
      path,
      {
        ...pathParameters(path),
        ...Object.fromEntries(group.map((one) => [one.method, otherOperation(operation, one)])),
      },
    ]),
  )
}

function pathParameters(path: string): Json {
  if (path.endsWith('/{id}')) return { parameters: [idParameter] }
  if (!path.endsWith('/{name}')) return {}
  return { parameters: [{ name: 'name', in: 'path', required: true, schema: { type: 'string' } }] }
}

function otherOperation(operation: Operation, one: PublishedOperation): Json {
  const { method, shape, verb, noun, list, parameters = {}, body, text, gives } = one
  const own = Object.entries(parameters).map(([name, meaning]) => query(name, { type: 'string' }, meaning))
  const answers = {
    page: { description: 'One page', ...headers('Total'), content: content(`${shape.name}List`) },
    record: { description: 'The record', content: content(shape.name) },
    stream: {
      description: 'Documents without end, an empty line behind each',
      content: { ...content(shape.name), 'text/event-stream': { schema: { type: 'string' } } },
    },
    file: {
      description: 'A file',
      content: { 'application/vnd.sqlite3': { schema: { type: 'string', format: 'binary' } } },
    },
    location: { description: 'Done', ...headers('Location') },
    nothing: { description: 'Done' },
  }
  const success = Object.fromEntries(Object.entries(gives).map(([status, given]) => [status, answers[given]]))
  const missing = {
    get: one.path.endsWith('}') ? ['not-found'] : [],
    delete: ['gone'],
    post: writing,
    put: writing,
  }
  return {
    ...operation(shape.name, verb, noun, success, [...missing[method], ...reading]),
    ...((list || own.length > 0) && { parameters: [...(list ? listParameters(list) : []), ...own] }),
    ...(body && { requestBody: { required: true, content: content(body.name) } }),
    ...(text && { requestBody: { required: true, content: plain } }),
  }
}

const flag = { ...scalarSchema(bool), default: 'false' }
const header = (description: string) => ({ description, schema: { type: 'string' } })
const headers = (...names: string[]) => ({
  headers: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }])),
})
const content = (name: string) => ({
  'application/xml': { schema: reference(name) },
  'application/json': { schema: reference(name) },
})
const imported = {
  description: 'How many records were imported',
  content: {
    'application/json': { schema: { type: 'object', properties: { imported: { type: 'string' } } } },
  },
}

const plain = { 'text/plain': { schema: { type: 'string' } } }

const plainText = (operationId: string, summary: string) => ({
  summary,
  operationId,
  responses: { 200: { description: 'Text', content: plain } },
})

const query = (name: string, schema: Json, description: string) => ({
  name,
  in: 'query',
  description,
  schema,
})

const parentParameter = (name: string) => ({
  ...query(name, scalarSchema(long), 'The id of the record that will hold the new one'),
  required: true,
})

function listParameters({ filters, orders, sortable, descendingAlone, size }: List): Json[] {
  const names = Object.keys(orders)
  const order = [
    query('orderBy', { type: 'string', enum: names, default: names[0] }, 'What the list is ordered by'),
    query('desc', flag, `Reverses the order${descendingAlone ? '' : '; only together with orderBy'}`),
  ]
  const number = (byDefault: number) => ({ ...scalarSchema(int()), default: String(byDefault) })
  return [
    ...Object.entries(filters).map(filterParameter),
    ...(sortable ? order : []),
    query('start', number(0), 'Records to pass over; negative means 0'),
    query('size', number(size.default), sizeWords(size)),
    query('total', flag, 'Answers the header Total and no body'),
  ]
}

/** A text filter takes patterns, so of the field's own schema only codes and number formats hold. */
function filterParameter([name, filter]: [string, Filter]): Json {
  const { enum: values, format } = scalarSchema(filter.scalar)
  const schema = Object.entries({ enum: values, format, default: filter.defaultValue })
  const known = Object.fromEntries(schema.filter(([, value]) => value !== undefined))
  const one = { type: 'string', ...known }
  return {
    ...query(name, filter.several ? { type: 'array', items: one } : one, filter.accepted),
    ...(filter.required && { required: true }),
  }
}

function sizeWords({ default: usual, negative, max }: SizeRule): string {
  const cut = max === undefined ? '' : `; more than ${max} means ${max}`
  return `Records in the answer at most; negative means ${negative === 'default' ? usual : negative}${cut}`
}
