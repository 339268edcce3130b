// What the XML schema describes: every document that the service takes or gives.

import { given, taken } from '../src/http/openapi.ts'
import { operations } from '../src/http/operations.ts'
import { errorDocument } from '../src/http/responses.ts'
import type { Shape } from '../src/schema/resource.ts'

const answers = operations.flatMap(({ gives }) => Object.values(gives))

/** By the name of the element: what an answer shows is more than what a request may say. */
const named = (shapes: readonly Shape[]) => new Map(shapes.map((shape) => [shape.name, shape]))

const listed = named(answers.flatMap((answer) => (answer.kind === 'page' ? [answer.shape] : [])))

const all = named([
  errorDocument,
  ...operations.flatMap(({ takes }) => taken(takes)),
  ...answers.flatMap(given),
])

/** These also stand in lists. */
export const rows: readonly Shape[] = [...listed.values()]

/** These stand alone. */
export const documents: readonly Shape[] = [...all.values()].filter(({ name }) => !listed.has(name))
