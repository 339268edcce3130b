import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readIncidents } from '../../src/cli/demo/incident-file.ts'

const device = { device: 'switch', role: 'acc' }
const port = { port: 'port', of: 'switch' }
const down = { down: 'port', at: 'switch', because: 'a cable of {switch}' }
const incident = (fields: object) =>
  JSON.stringify({
    about: 'incidents',
    incidents: [{ name: 'a fault', cast: [device, port], steps: [down], ...fields }],
  })

test('an incident is read', () => {
  const [read] = readIncidents(incident({}), 'some.json')
  assert.deepEqual(read, {
    cast: [
      { kind: 'device', name: 'switch', role: 'acc', isOnlyNamed: false },
      { kind: 'port', name: 'port', of: 'switch' },
    ],
    steps: [{ kind: 'down', port: 'port', at: 'switch', because: 'a cable of {switch}' }],
  })
})

const mistakes: readonly [object, string][] = [
  [{ cast: [{ device: 'switch', role: 'desk' }] }, 'choice 1: role is "desk": one of rtr, fw, core'],
  [{ cast: [port, device] }, 'choice 1: of is switch, and no device or parent was chosen by that name'],
  [
    { cast: [{ role: 'acc' }] },
    'choice 1: device or parent or ports or choice or number or chance or port is missing',
  ],
  [
    { cast: [device, { number: 'n', from: 1, to: 'many' }] },
    'choice 2: to is "many": a number from 0 to 100',
  ],
  [
    { steps: [{ ...down, at: 'port' }] },
    'step 1: at is port, and no device or parent was chosen by that name',
  ],
  [{ steps: [{ ...down, if: 'port' }] }, 'step 1: if is port, and no chance was chosen by that name'],
  [{ steps: [{ ...down, because: '{nobody} knows' }] }, 'step 1: because has {nobody}, which was not chosen'],
  [
    { steps: [{ ...down, because: '{port.address}' }] },
    'step 1: because has {port.address}, which was not chosen',
  ],
  [
    { steps: [{ event: 'coldStart', at: 'switch', text: 'x', variables: { a: '{b}' } }] },
    'step 1: variables/a has {b}',
  ],
  [{ steps: [{ work: 'rests', at: 'switch', text: 'x' }] }, 'step 1: work is "rests": one of begins, ends'],
  [{ repeat: 'port' }, 'repeat is port, and no number was chosen by that name'],
  [{ when: 'now' }, 'when is not a known field'],
]

for (const [fields, message] of mistakes) {
  test(`a mistake is reported with its place: ${message}`, () => {
    assert.throws(
      () => readIncidents(incident(fields), 'some.json'),
      (error: Error) => error.message.startsWith(`some.json: incident 1 ("a fault"): ${message}`),
    )
  })
}
