// New certificates are used however the files are replaced; alarms about those that cannot be used or expire soon.

import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { pino } from 'pino'
import { CertificateWatch } from '../../src/http/wire/certificate-watch.ts'
import { TlsFiles } from '../../src/http/wire/tls.ts'
import { World } from '../alarms/world.ts'
import { stores, temporaryFolder } from '../support.ts'
import { withoutTool } from '../tools.ts'
import { Authority, copyPair, type PairFiles } from './certificates.ts'

const needed = withoutTool('openssl', 'openssl')
const dayLength = 24 * 3600 * 1000

describe('certificates', { ...needed }, async () => {
  if (needed.skip) return
  const authority = new Authority()
  const world = await World.open(stores[0] ?? assert.fail('no engine'))
  const { time } = world

  /** The files and the watch over them; `used` is what the server was given. */
  async function watching(given?: PairFiles) {
    time.now = Date.now()
    const folder = temporaryFolder()
    const files = given ?? { certificate: join(folder, 'tls.crt'), key: join(folder, 'tls.key') }
    if (!given) copyPair(authority.issue(), files)
    const clock = () => time.now
    const tls = (await TlsFiles.open(files, clock)) ?? assert.fail('no files')
    const used = [tls.options.cert]
    const start = (watched: TlsFiles | undefined) =>
      new CertificateWatch({
        files: watched,
        database: world.database,
        engine: world.engine,
        log: pino({ level: 'silent' }),
        clock,
        resource: 'TLS certificate',
        renew: () => used.push(tls.options.cert),
      })
    return { files, used, watch: start(tls), start, tls }
  }

  const open = async () => {
    const rows = await world.database.all(
      "select event_name, alarm_desc from alarm where rec_status = 0 and resource = 'TLS certificate' order by event_name",
    )
    return rows.map((row) => [row.event_name, String(row.alarm_desc)] as const)
  }
  const names = async () => (await open()).map(([name]) => name)

  test('files that are copied over or renamed into place are used once key and certificate match', async () => {
    const { files, used, watch } = await watching()
    await watch.check()
    assert.equal(used.length, 1)
    copyPair(authority.issue(), files)
    await watch.check()
    assert.equal(used.length, 2)
    const next = authority.issue()
    renameSync(next.certificate, files.certificate)
    await watch.check()
    assert.equal(used.length, 2, 'a new certificate with the old key')
    renameSync(next.key, files.key)
    await watch.check()
    assert.equal(used.length, 3)
    assert.deepEqual(used.at(-1), readFileSync(files.certificate))
    assert.deepEqual(await names(), [], 'a moment is no reason for an alarm')
  })

  test('a symbolic link that is changed to another folder is noticed', async () => {
    const home = temporaryFolder()
    for (const name of ['..1', '..2']) {
      mkdirSync(join(home, name))
      copyPair(authority.issue(), {
        certificate: join(home, name, 'tls.crt'),
        key: join(home, name, 'tls.key'),
      })
    }
    symlinkSync('..1', join(home, '..data'))
    for (const name of ['tls.crt', 'tls.key']) symlinkSync(join('..data', name), join(home, name))
    const { used, watch } = await watching({ certificate: join(home, 'tls.crt'), key: join(home, 'tls.key') })
    symlinkSync('..2', join(home, '..new'))
    renameSync(join(home, '..new'), join(home, '..data'))
    await watch.check()
    assert.deepEqual(used, [
      readFileSync(join(home, '..1', 'tls.crt')),
      readFileSync(join(home, '..2', 'tls.crt')),
    ])
  })

  test('a bad pair leaves the old one in use, and is an alarm until it is good again', async () => {
    const { files, used, watch, start, tls } = await watching()
    const good = readFileSync(files.key)
    writeFileSync(files.key, 'no key')
    for (let checks = 0; checks < 3; checks += 1) await watch.check()
    assert.equal(used.length, 1)
    const [[name, text] = assert.fail('no alarm'), ...more] = await open()
    assert.deepEqual([name, more], ['certificateRefused', []])
    assert.match(text, /tls\.key is not a private key in PEM form; the one before is still in use$/)
    writeFileSync(files.key, good)
    await watch.check()
    assert.deepEqual(await names(), [])
    rmSync(files.certificate)
    await watch.check()
    await watch.check()
    assert.deepEqual(await names(), ['certificateRefused'])
    // After a restart it is neither raised again nor forgotten.
    const restarted = start(tls)
    await restarted.check()
    await restarted.check()
    assert.equal((await open()).length, 1)
    copyPair(authority.issue(), files)
    await restarted.check()
    assert.equal(used.length, 2)
    assert.deepEqual(await names(), [])
  })

  test('fourteen days before the end there is an alarm, and it recovers with the new certificate', async () => {
    const { files, watch, start } = await watching()
    await watch.check()
    assert.deepEqual(await names(), [])
    time.now += 77.5 * dayLength
    await watch.check()
    await watch.check()
    const [[name, text] = assert.fail('no alarm'), ...more] = await open()
    assert.deepEqual([name, more], ['certificateExpiring', []])
    assert.match(text, /^The TLS certificate of localhost ends in 12 days, on \d{4}-\d\d-\d\d$/)
    copyPair(authority.issue({ days: 30 }), files)
    for (let checks = 0; checks < 2; checks += 1) await watch.check()
    assert.deepEqual(
      await names(),
      ['certificateExpiring', 'certificateRefused'],
      'one that has ended is not taken',
    )
    copyPair(authority.issue({ days: 900 }), files)
    await watch.check()
    assert.deepEqual(await names(), [])
    time.now += 2000 * dayLength
    await watch.check()
    assert.match((await open())[0]?.[1] ?? '', / ended on /)
    // Where TLS is no longer wanted there is nothing left to warn of.
    await start(undefined).check()
    assert.deepEqual(await names(), [])
  })
})
