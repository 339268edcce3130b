// Several nodes on one store: one writer at a time stays true. Two nodes race for every rule that needs it:
// one wins, the other is refused.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { digestHeader, guard } from '../http/credentials.ts'
import { idOf, refused, values } from '../http/reading.ts'
import { newDatabase } from '../postgres-database.ts'
import { type Answer, startService, type TestService } from '../support.ts'

const store = await newDatabase()
const nodes = await Promise.all([
  startService({ store, node: 'one' }),
  startService({ store, node: 'other' }),
])
const [one, other] = nodes
const rounds = Array.from({ length: 10 }, (_, index) => index)
const scopes = '/res/access/assignedIpScope'

/** The same at both nodes at once, ten times each: exactly one succeeds, and the others learn why not. */
async function race(ask: (node: TestService) => Promise<Answer>, won: number, field?: string): Promise<void> {
  const answers = await Promise.all(rounds.flatMap(() => nodes.map(ask)))
  assert.equal(answers.filter(({ status }) => status === won).length, 1)
  for (const answer of answers) if (answer.status !== won) refused(answer, 409, field)
}

const segment = async (startIp: string, endIp: string) =>
  idOf(await one.sendJson('POST', scopes, { startIp, endIp, name: 'S' }))

test('nodes, one writer: a MAC is bound once', () =>
  race(
    (node) =>
      node.sendJson('POST', '/res/access/macAccessBind', { terminalMac: 'aa:bb:cc:dd:ee:ff', bindType: 1 }),
    201,
    'terminalMac',
  ))

test('nodes, one writer: a zone name is used once', () =>
  race((node) => node.sendJson('POST', '/ram/zone', { name: 'Contested' }), 201, 'name'))

test('nodes, one writer: an address is assigned once', async () => {
  const id = await segment('10.2.0.0', '10.2.0.255')
  await race((node) => node.sendJson('POST', `${scopes}/ip?ipScopeId=${id}`, { ip: '10.2.0.7' }), 200)
})

test('nodes, one writer: the next free address is given to one', async () => {
  const id = await segment('10.1.0.0', '10.1.0.9')
  const asked = rounds.flatMap(() => nodes.map((node) => node.ask('POST', `${scopes}/ip?ipScopeId=${id}`)))
  const answers = await Promise.all(asked)
  assert.equal(answers.filter(({ status }) => status === 200).length, 10)
  for (const answer of answers) if (answer.status !== 200) refused(answer, 409)
  const list = await other.get(`${scopes}/ip?ipScopeId=${id}&size=1000`)
  assert.deepEqual(
    values(list.text, 'ip'),
    rounds.map((index) => `10.1.0.${index}`),
  )
})

test('nodes, one writer: segments do not overlap', async () => {
  const answers = await Promise.all(
    rounds.flatMap((index) =>
      nodes.map((node) =>
        node.sendJson('POST', scopes, {
          startIp: `10.3.0.${index}`,
          endIp: `10.3.0.${index + 1}`,
          name: 'S',
        }),
      ),
    ),
  )
  const created = answers.flatMap(({ status }, index) => (status === 200 ? [Math.floor(index / 2)] : []))
  assert.ok(created.length >= 1)
  created.forEach((start, index) => {
    assert.ok(index === 0 || start - (created[index - 1] ?? 0) >= 2, `${created}`)
  })
  assert.equal(answers.filter(({ status }) => status === 409).length, answers.length - created.length)
})

test('nodes, one writer: of two administrators who delete each other, one remains', async () => {
  const password = (name: string) => `${[...name].reverse().join('')}-horse-staple-9`
  const add = (name: string) => ({ name, role: 'administrator', password: password(name) })
  const alice = idOf(await one.sendJson('POST', '/plat/operator', add('alice')))
  const made = await guard(one).asJson('alice', 'POST', '/plat/operator', add('bob'))
  const bob = idOf(made)
  // Each asks for its challenge first, so that the two requests meet.
  const challenges = await Promise.all(nodes.map((node) => guard(node).challenge()))
  const dismiss = (at: 0 | 1, name: string, id: string) => {
    const uri = `/plat/operator/${id}`
    const Authorization = digestHeader(challenges[at] ?? { realm: '', nonce: '' }, {
      name,
      method: 'DELETE',
      uri,
    })
    return (at === 0 ? one : other).ask('DELETE', uri, { headers: { Authorization } })
  }
  const answers = await Promise.all([dismiss(0, 'alice', bob), dismiss(1, 'bob', alice)])
  const statuses = answers.map(({ status }) => status).sort()
  // The other is refused: as the last administrator, or because it is none any more.
  assert.equal(statuses[0], 204, `${statuses}`)
  assert.ok(statuses[1] === 409 || statuses[1] === 401, `${statuses}`)
  const [row] = await one.database.all("select count(*) as n from operator where role = 'administrator'")
  assert.equal(row?.n, 1n)
})
