// A pooler before PostgreSQL: one that keeps sessions is not noticed; one that assigns them per transaction is refused
// with a sentence that says what to do.

import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { freePort } from '../free-port.ts'
import { until } from '../intake/sending.ts'
import { newDatabase } from '../postgres-database.ts'
import { startService } from '../support.ts'

const isThere = spawnSync('pgbouncer', ['--version']).status === 0
const skip = !isThere && process.env.CI !== 'true' && 'install the Debian package pgbouncer for this'
const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

/** The address of the same database behind a pooler. */
async function pooled(address: string, mode: 'session' | 'transaction'): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'belfry-pooler-'))
  if (nobody.uid !== undefined) chownSync(folder, nobody.uid, nobody.gid)
  const { hostname, port, pathname } = new URL(address)
  const own = await freePort()
  writeFileSync(join(folder, 'users'), '"postgres" ""\n')
  writeFileSync(
    join(folder, 'ini'),
    `[databases]\n* = host=${hostname} port=${port}\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = ${own}
unix_socket_dir =\nauth_type = trust\nauth_file = ${join(folder, 'users')}\npool_mode = ${mode}\n`,
  )
  const pooler = spawn('pgbouncer', [join(folder, 'ini')], { ...nobody, stdio: 'ignore' })
  after(async () => {
    await end(pooler)
    rmSync(folder, { recursive: true, force: true })
  })
  await until('the pooler listens', () => isListening(own))
  return `postgres://postgres@127.0.0.1:${own}${pathname}`
}

async function end(pooler: ChildProcess): Promise<void> {
  const gone = new Promise((resolve) => pooler.once('exit', resolve))
  if (pooler.kill()) await gone
}

const isListening = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })

test('a pooler that keeps sessions is not noticed', { skip }, async () => {
  const service = await startService({ store: await pooled(await newDatabase(), 'session') })
  assert.equal((await service.get('/health')).status, 200)
  await service.stop()
})

test('one that assigns a session per transaction is refused, with a sentence', { skip }, async () => {
  const address = await newDatabase()
  await (await startService({ store: address })).stop()
  const store = await pooled(address, 'transaction')
  await assert.rejects(startService({ store }), /assigns a session per transaction: .*pool_mode = session/)
})
