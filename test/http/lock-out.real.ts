// A caller who guesses passwords has to wait; one who knows the password gets in, whatever others do meanwhile.

import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { type Answer, startService } from '../support.ts'
import { digestHeader, guard, passwordOf, startGuarded } from './credentials.ts'
import { idOf, refused } from './reading.ts'

/**
 * Time passes as the test says, however long its requests take: one attempt a second is heard, and which must be known.
 */
const time = { now: Date.now() }
const clock = () => time.now
beforeEach(() => {
  time.now += 16 * 60_000
})
const proxy = { 'trusted-proxies': '127.0.0.1' }
const service = await startGuarded(proxy, { clock })
const day = 24 * 3_600_000
const wrong = 'wrong-password-1'

type Service = typeof service

async function digest(at: Service, name: string, password: string, address: string): Promise<Answer> {
  const header = digestHeader(await at.challenge(), { name, password, uri: '/ram/zone' })
  return at.get('/ram/zone', { Authorization: header, 'X-Forwarded-For': address })
}

/** By the form of Basic, as over TLS. */
const basic = (at: Service, name: string, password: string, address: string): Promise<Answer> =>
  at.get('/ram/zone', {
    Authorization: `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`,
    'X-Forwarded-For': address,
    'X-Forwarded-Proto': 'https',
  })

/** From so many addresses, so often each. */
async function guess(at: Service, name: string, addresses: number, times: number): Promise<void> {
  for (let host = 0; host < addresses; host += 1)
    for (let count = 0; count < times; count += 1)
      assert.notEqual((await digest(at, name, wrong, `198.51.100.${host}`)).status, 200)
}

test('while others guess, the right password is accepted from an address where the operator has logged in within 30 days, also after a restart', async () => {
  const first = await startGuarded(proxy, { clock }, [])
  const name = 'administrator'
  const right = passwordOf(name)
  assert.equal((await digest(first, name, right, '192.0.2.1')).status, 200)
  time.now += 29 * day
  await first.stop()
  const again = guard(await startService({ ...proxy, data: first.config.data }, { clock }))
  await guess(again, name, 50, 1)
  assert.equal((await digest(again, name, right, '192.0.2.1')).status, 200)
  assert.equal((await basic(again, name, right, '192.0.2.1')).status, 200)
  // The time counts from the last attempt.
  time.now += 29 * day
  await guess(again, name, 50, 1)
  assert.equal((await digest(again, name, right, '192.0.2.1')).status, 200)
  await again.stop()
})

test('from any other address attempts wait for their turn for a name that is under attack, and the right password is accepted', async () => {
  await guess(service, 'viewer', 50, 1)
  const right = passwordOf('viewer')
  // Those who have failed before wait behind it.
  const others = Array.from({ length: 10 }, (_, host) =>
    digest(service, 'viewer', wrong, `198.51.100.${host}`).then(() => 'guess'),
  )
  const held = digest(service, 'viewer', right, '192.0.2.2').then(({ status }) => String(status))
  const order: string[] = []
  await Promise.all([held, ...others].map((one) => one.then((label) => order.push(label))))
  assert.ok(order.indexOf('200') < 4, order.join())
  assert.equal((await digest(service, 'operator', passwordOf('operator'), '192.0.2.2')).status, 200)
})

test('a stop does not wait for those who wait for their turn', async () => {
  const own = await startGuarded(proxy, { clock }, [])
  await guess(own, 'administrator', 50, 1)
  const waiting = Array.from({ length: 20 }, (_, host) =>
    digest(own, 'administrator', wrong, `203.0.113.${host}`).then(({ status }) => status),
  )
  await waiting[0]
  await own.stop()
  const statuses = await Promise.all(waiting.map((one) => one.catch(() => 0)))
  assert.ok(statuses.includes(429), statuses.join())
})

test('where the operator has logged in before, guesses from the same address do not keep the operator out', async () => {
  const right = passwordOf('operator')
  assert.equal((await basic(service, 'operator', right, '192.0.2.5')).status, 200)
  let guesses = 0
  const stop = { now: false }
  const guessing = (async () => {
    while (!stop.now) {
      await basic(service, 'operator', `wrong-password-${guesses}`, '192.0.2.5')
      guesses += 1
    }
  })()
  while (guesses < 6) await new Promise((resolve) => setTimeout(resolve, 20))
  for (let count = 0; count < 3; count += 1)
    assert.equal((await digest(service, 'operator', right, '192.0.2.5')).status, 200)
  const [before, began] = [guesses, performance.now()]
  await new Promise((resolve) => setTimeout(resolve, 1200))
  stop.now = true
  await guessing
  const seconds = (performance.now() - began) / 1000
  assert.ok(guesses - before <= seconds + 2, `one a second, not ${guesses - before} in ${seconds}`)
})

test('eight who guess without pause from the same address delay the operator, and do not keep the operator out', async () => {
  const right = passwordOf('administrator')
  assert.equal((await basic(service, 'administrator', right, '192.0.2.9')).status, 200)
  const stop = { now: false }
  let guesses = 0
  const guesser = async () => {
    while (!stop.now) await digest(service, 'administrator', `wrong-password-${guesses++}`, '192.0.2.9')
  }
  const guessing = Array.from({ length: 8 }, guesser)
  while (guesses < 14) await new Promise((resolve) => setTimeout(resolve, 20))
  assert.equal((await digest(service, 'administrator', right, '192.0.2.9')).status, 200)
  stop.now = true
  await Promise.all(guessing)
})

test('guesses that come at once are counted before they are checked', async () => {
  const guesses = Array.from({ length: 40 }, (_, index) =>
    basic(service, 'viewer', `wrong-password-${index}`, '192.0.2.6'),
  )
  const answers = await Promise.all(guesses)
  const checked = answers.filter(({ status }) => status === 401).length
  assert.equal(checked, 5)
  assert.equal(answers.filter(({ status }) => status === 429).length, 35)
})

test('a program that opens many connections at once with the right password is accepted on all of them', async () => {
  const many = Array.from({ length: 30 }, () => basic(service, 'viewer', passwordOf('viewer'), '192.0.2.7'))
  const statuses = (await Promise.all(many)).map(({ status }) => status)
  assert.deepEqual(new Set(statuses), new Set([200]))
})

test('a flood of guesses at names that do not exist does not keep out callers who have logged in before', async () => {
  const right = passwordOf('administrator')
  assert.equal((await basic(service, 'administrator', right, '192.0.2.8')).status, 200)
  time.now += 61_000
  const flood = Array.from({ length: 120 }, (_, index) =>
    basic(service, `nobody-${index}`, wrong, `10.1.${index >> 8}.${index & 255}`),
  )
  const answer = await basic(service, 'administrator', right, '192.0.2.8')
  assert.equal(answer.status, 200, answer.text)
  await Promise.all(flood)
})

test('the last administrator cannot be left without a way to log in', async () => {
  const plain = guard(await startService())
  const record = { name: 'alice', role: 'administrator', password: passwordOf('alice') }
  refused(await plain.sendJson('POST', '/plat/operator', { ...record, digest: false }), 409, 'digest')
  const alice = idOf(await plain.sendJson('POST', '/plat/operator', record))
  const without = await plain.asJson('alice', 'PUT', `/plat/operator/${alice}`, { digest: false })
  refused(without, 409, 'digest')
  assert.match(without.text, /TLS/)
  const bob = { name: 'bob', role: 'administrator', password: passwordOf('bob'), digest: false }
  const made = await plain.asJson('alice', 'POST', '/plat/operator', bob)
  assert.equal(made.status, 201, made.text)
  refused(await plain.as('alice', 'DELETE', `/plat/operator/${alice}`), 409)
  refused(await plain.asJson('alice', 'PUT', `/plat/operator/${alice}`, { role: 'viewer' }), 409)
  refused(await plain.asJson('alice', 'PUT', `/plat/operator/${alice}`, { enabled: false }), 409)
  const carol = { ...bob, name: 'carol', password: passwordOf('carol'), digest: true }
  assert.equal((await plain.asJson('alice', 'POST', '/plat/operator', carol)).status, 201)
  assert.equal((await plain.asJson('alice', 'PUT', `/plat/operator/${alice}`, { digest: false })).status, 204)
  // With TLS, Basic is allowed.
  const behind = guard(await startService(proxy))
  assert.equal((await behind.sendJson('POST', '/plat/operator', { ...record, digest: false })).status, 201)
})
