import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { isLogin } from '../../src/access/login.ts'
import { Logins } from '../../src/access/logins.ts'
import { Registrations } from '../../src/push/registrations.ts'
import { operators, seal } from '../../src/resources/access/operator.ts'
import { create, erase, modify } from '../../src/resources/collection.ts'
import { stores } from '../support.ts'

for (const engine of stores) {
  suite(`operators on ${engine.name}`, () => {
    test('are known at once when they are made, changed and removed, with all that is theirs', async () => {
      let now = 1_800_000_000_000
      const database = await engine.openMigrated(() => now)
      const refusals: string[] = []
      const logins = new Logins({
        database,
        realm: 'Belfry',
        clock: () => now,
        onRefusedLogin: ({ reason }) => refusals.push(reason),
      })
      const sealed = async (name: string) =>
        seal(await logins.passwords.credential(name, 'Belfry', `${name} horse staple`))
      const basic = (name: string) =>
        logins.basic(Buffer.from(`${name}:${name} horse staple`).toString('base64'), '192.0.2.1')
      assert.equal((await logins.directory.entries()).byId.size, 0)
      await create(database, operators, {
        name: 'alice',
        role: 'administrator',
        password: await sealed('alice'),
      })
      const bob = await create(database, operators, {
        name: 'bob',
        role: 'viewer',
        password: await sealed('bob'),
      })
      const login = await basic('bob')
      assert.ok(isLogin(login) && logins.hasPermission(login))
      const twice = create(database, operators, {
        name: 'BOB',
        role: 'viewer',
        password: await sealed('BOB'),
      })
      await assert.rejects(twice, /name BOB is taken/)
      await modify(database, operators, bob, { name: 'bob', role: 'operator', enabled: false })
      assert.ok(!isLogin(await basic('bob')) && !logins.hasPermission(login))
      assert.deepEqual(refusals, ['the operator is disabled'])
      const registrations = new Registrations(database)
      await registrations.claim({ uuid: 'desk', query: '', holder: String(bob) })
      await assert.rejects(registrations.requireHolder('desk', '1'), /another operator/)
      await erase(database, operators, bob)
      await registrations.requireHolder('desk', '1')
      assert.ok(!isLogin(await basic('bob')))
      assert.equal(refusals.at(-1), 'unknown operator')
      await assert.rejects(erase(database, operators, 1n), /last enabled administrator/)
      now += 1
      for (const table of ['credential', 'login', 'operator']) {
        const rows = await database.all(`select count(*) as n from ${table}`)
        assert.equal(rows[0]?.n, table === 'login' ? 0n : 1n, table)
      }
    })
  })
}
