// Addresses from which operators have logged in: how long they are known, and by whom.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { KnownAddresses } from '../../src/access/known-addresses.ts'
import { Logins } from '../../src/access/logins.ts'
import { operators, seal } from '../../src/resources/access/operator.ts'
import { create } from '../../src/resources/collection.ts'
import { eventually } from '../push/station.ts'
import { everyStore } from '../support.ts'

const day = 24 * 3_600_000

for (const { store, database, clock } of await everyStore()) {
  test(`an address is known for 30 days after the last login, also after a restart, on ${store.name}`, async () => {
    const logins = new Logins({
      database,
      realm: 'Belfry',
      clock: () => clock.now,
      onRefusedLogin: () => undefined,
    })
    const password = seal(await logins.passwords.credential('alice', 'Belfry', 'alice horse staple'))
    const id = await create(database, operators, { name: 'alice', role: 'administrator', password })
    const places = new KnownAddresses({ database, clock: () => clock.now })
    const afterRestart = () => new KnownAddresses({ database, clock: () => clock.now })
    assert.equal(await places.has(id, '192.0.2.1'), false)
    places.note(id, '192.0.2.1')
    const saved = async () => (await database.all('select last_time from login_place'))[0]?.last_time
    await eventually(async () => (await saved()) !== undefined, 'it is saved')
    for (const others of ['192.0.2.2', '2001:db8::1']) assert.equal(await places.has(id, others), false)
    assert.equal(await places.has(id + 1n, '192.0.2.1'), false)
    clock.now += 29 * day
    assert.equal(await afterRestart().has(id, '192.0.2.1'), true)
    // The time counts from the last login.
    const before = await saved()
    places.note(id, '192.0.2.1')
    await eventually(async () => (await saved()) !== before, 'it is saved again')
    clock.now += 29 * day
    assert.equal(await afterRestart().has(id, '192.0.2.1'), true)
    clock.now += 2 * day
    assert.equal(await places.has(id, '192.0.2.1'), false)
    assert.equal(await afterRestart().has(id, '192.0.2.1'), false)
  })
}
