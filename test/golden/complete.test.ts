// Nothing is missing in what is recorded: every published operation has an answer that succeeded, and each error that is
// documented for it, or a reason why that error cannot be caused.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { statusOf } from '../../src/http/responses.ts'
import { blocksOf, type Forms, isRecording } from './recorded.ts'
import { chapters } from './steps.ts'
import { unanswered } from './unanswered.ts'
import { nameOf, operationAt } from './walk.ts'

interface Published {
  readonly paths: Record<
    string,
    Record<string, { readonly responses: Record<string, { readonly $ref?: string }> }>
  >
}
const published: Published = JSON.parse(
  readFileSync(new URL('../../docs/generated/openapi.json', import.meta.url), 'utf8'),
)
const methods = ['get', 'post', 'put', 'delete']
const operations = Object.entries(published.paths).flatMap(([path, item]) =>
  methods.flatMap((method) =>
    item[method] ? [{ name: `${method.toUpperCase()} ${path}`, ...item[method] }] : [],
  ),
)

/** Recorded elsewhere, since it needs more than one request. */
const elsewhere: ReadonlyMap<string, string> = new Map([
  ['POST /console/session/openid', 'needs a provider of identities: test/http/openid.test.ts'],
  ['PUT /console/session/openid', 'needs a provider of identities: test/http/openid.test.ts'],
  ['GET /notify/calendar/{name}', 'needs the secret of a feed: test/notify/schedules.test.ts'],
  ['GET /plat/deviceFacts/{id}', 'needs a device that was asked: test/ask/know.test.ts'],
  ['GET /plat/reachability/{id}', 'needs a device that was asked: test/ask/reach.test.ts'],
  ['PUT /fault/alarm/verify/{id}', 'needs a device that is asked: test/ask/verify.test.ts'],
  ['POST /notify/action', 'needs a link of a message: test/notify/links.test.ts'],
  ['POST /notify/action/show', 'needs a link of a message: test/notify/links.test.ts'],
])

/** While files are written they are not complete. */
const skip = isRecording

test('every operation has a recorded success', { skip }, () => {
  const succeeded = new Set<string>()
  for (const chapter of Object.keys(chapters)) {
    for (const title of blocksOf(chapter).keys()) {
      const [method = '', path = ''] = title.split(' ')
      succeeded.add(nameOf(operationAt(method, path.replaceAll(/\{\w+\}/g, '1'))))
    }
  }
  const missing = operations.filter(({ name }) => !succeeded.has(name) && !elsewhere.has(name))
  assert.deepEqual(
    missing.map(({ name }) => name),
    [],
    'add a step to test/golden/steps.ts, and run npm run golden',
  )
})

const codes = new Map(Object.entries(statusOf).map(([code, status]) => [String(status), code]))

/** `GET /ram/zone` → the codes with which it was refused. */
function refusals(): Map<string, Set<string>> {
  const refused = new Map<string, Set<string>>()
  const blocks = blocksOf('refusals')
  const statusIn = (forms: Forms | undefined): string => {
    const text = forms?.get('xml') ?? ''
    return text.startsWith('as ') ? statusIn(blocks.get(text.slice(3))) : text.slice(0, 3)
  }
  for (const [title, forms] of blocks) {
    const name = title.slice(0, title.indexOf(': '))
    refused.set(name, (refused.get(name) ?? new Set()).add(codes.get(statusIn(forms)) ?? ''))
  }
  return refused
}

test('every recorded error of an operation is documented', { skip }, () => {
  const refused = refusals()
  const undocumented = operations.flatMap(({ name, responses }) => {
    const documented = Object.values(responses).map(({ $ref = '' }) => $ref.split('/').at(-1))
    return [...(refused.get(name) ?? [])]
      .filter((code) => code !== 'method-not-allowed' && !documented.includes(code))
      .map((code) => `${code} of ${name}`)
  })
  assert.deepEqual(undocumented, [], 'name it in alsoAnswers of the operation')
})

test('every documented error of an operation is recorded', { skip }, () => {
  const refused = refusals()
  const missing = operations.flatMap(({ name, responses }) =>
    Object.values(responses).flatMap(({ $ref = '' }) => {
      const code = $ref.split('/').at(-1) ?? ''
      const isRecorded = refused.get(name)?.has(code) ?? false
      return code === '' || isRecorded || unanswered[code]?.of.includes(name) ? [] : [`${code} of ${name}`]
    }),
  )
  assert.deepEqual(missing, [], 'add an example to test/golden/probes.ts, and run npm run golden')
  const wrong = Object.entries(unanswered).flatMap(([code, { of }]) =>
    of.filter((name) => refused.get(name)?.has(code)).map((name) => `${code} of ${name}`),
  )
  assert.deepEqual(wrong, [], 'it is answered: take it out of test/golden/unanswered.ts')
})
