// A power cut takes what was written and not yet synced. strace tells what a writer wrote, synced and promised, in
// order; from that, disks are made as a power cut would leave them right behind a promise.

import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { openSqlite } from '../../src/store/sqlite.ts'
import { temporaryFolder } from '../support.ts'

const writing = fileURLToPath(new URL('./writing.ts', import.meta.url))

const traced = ['-e', 'trace=pwrite64,write,fdatasync,fsync,unlink,unlinkat']
const mayTrace = spawnSync('strace', [...traced, 'true'], { stdio: 'ignore' }).status === 0

interface Write {
  readonly at: number
  readonly bytes: Buffer
}

/** Files as they are on the disk, and what of them is still in the kernel's memory. */
class Disk {
  readonly #safe = new Map<string, Buffer>()
  readonly #pending = new Map<string, Write[]>()

  write(file: string, write: Write): void {
    const writes = this.#pending.get(file)
    if (writes) writes.push(write)
    else this.#pending.set(file, [write])
  }

  sync(file: string): void {
    this.#safe.set(
      file,
      this.#with(file, () => true),
    )
    this.#pending.delete(file)
  }

  remove(file: string): void {
    this.#safe.delete(file)
    this.#pending.delete(file)
  }

  /** Of what was not synced, some may have reached the disk by itself. */
  afterPowerCut(folder: string, reached: () => boolean): void {
    mkdirSync(folder)
    for (const file of new Set([...this.#safe.keys(), ...this.#pending.keys()])) {
      writeFileSync(join(folder, file), this.#with(file, reached))
    }
  }

  #with(file: string, reached: () => boolean): Buffer {
    const safe = this.#safe.get(file) ?? Buffer.alloc(0)
    const writes = (this.#pending.get(file) ?? []).filter(reached)
    const content = Buffer.alloc(Math.max(safe.length, ...writes.map(({ at, bytes }) => at + bytes.length)))
    safe.copy(content)
    for (const { at, bytes } of writes) bytes.copy(content, at)
    return content
  }
}

const fromHex = (text: string) => Buffer.from(text.replaceAll('\\x', ''), 'hex')
const nameOf = (path = '') => basename(path.startsWith('\\x') ? fromHex(path).toString() : path)

type Call =
  | { readonly kind: 'write'; readonly file: string; readonly write: Write }
  | { readonly kind: 'sync' | 'remove'; readonly file: string }
  | { readonly kind: 'promise'; readonly row: number }

function readCall(line: string): Call | undefined {
  const written = /^pwrite64\(\d+<([^>]+)>, "([^"]*)", \d+, (\d+)\) += \d/.exec(line)
  if (written) {
    const write = { at: Number(written[3]), bytes: fromHex(written[2] ?? '') }
    return { kind: 'write', file: nameOf(written[1]), write }
  }
  const synced = /^f(?:data)?sync\(\d+<([^>]+)>\) += 0/.exec(line)
  if (synced) return { kind: 'sync', file: nameOf(synced[1]) }
  const removed = /^unlink(?:at\(.*?, |\()"([^"]*)"/.exec(line)
  if (removed) return { kind: 'remove', file: nameOf(removed[1]) }
  const said = /^write\(1<[^>]*>, "([^"]*)"/.exec(line)
  return said ? { kind: 'promise', row: Number(fromHex(said[1] ?? '').toString()) } : undefined
}

/** Ends the writer that strace runs: strace ends with it. */
function end(strace: ChildProcess): void {
  const children = readFileSync(`/proc/${strace.pid}/task/${strace.pid}/children`, 'utf8').trim()
  for (const pid of children.split(' ')) process.kill(Number(pid), 'SIGKILL')
}

async function traceWriter(folder: string, rows: number): Promise<string> {
  const trace = join(folder, 'trace')
  const options = ['-y', '-xx', '-s', '100000', '-o', trace, ...traced]
  const strace = spawn('strace', [...options, process.execPath, writing, join(folder, 'test.db'), '1'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let ended = false
  for await (const line of createInterface({ input: strace.stdout })) {
    if (Number(line) < rows || ended) continue
    ended = true
    end(strace)
  }
  if (strace.exitCode === null && strace.signalCode === null) await once(strace, 'exit')
  return trace
}

async function rowsOn(folder: string): Promise<number> {
  const database = openSqlite(join(folder, 'test.db'))
  try {
    const [check] = await database.all('pragma integrity_check')
    assert.equal(check?.integrity_check, 'ok')
    const [row] = await database.all('select count(*) as n, max(id) as last from zone')
    assert.equal(row?.n, row?.last ?? 0n, 'no row is missing between others')
    return Number(row?.n)
  } finally {
    await database.close()
  }
}

test('a power cut right behind a promise takes nothing that was promised', {
  skip: !mayTrace && 'strace is missing, or may not trace here',
}, async () => {
  const folder = temporaryFolder()
  const trace = await traceWriter(folder, 3000)
  const disk = new Disk()
  const careless = new Disk()
  const seen = { promises: 0, cuts: 0, storeSynced: 0, lostWithoutSync: 0 }
  let chance = 1
  const perhaps = () => {
    chance = (chance * 48_271) % 2_147_483_647
    return chance % 2 === 0
  }
  const cut = async (from: Disk, reached: () => boolean) => {
    const after = join(folder, `cut-${seen.cuts++}`)
    from.afterPowerCut(after, reached)
    return rowsOn(after)
  }
  for await (const line of createInterface({ input: createReadStream(trace) })) {
    const call = readCall(line)
    // What connections share in memory is made anew after a crash.
    if (call === undefined || ('file' in call && !/^test\.db(-wal|-journal)?$/.test(call.file))) continue
    if (call.kind === 'remove') for (const one of [disk, careless]) one.remove(call.file)
    else if (call.kind === 'write') {
      disk.write(call.file, call.write)
      careless.write(call.file, call.write)
    } else if (call.kind === 'sync') {
      disk.sync(call.file)
      if (call.file === 'test.db') seen.storeSynced += 1
      // This one believes only every other promise to sync.
      if (perhaps()) careless.sync(call.file)
    } else if (call.kind === 'promise' && seen.promises++ % 20 === 10) {
      assert((await cut(disk, () => false)) >= call.row)
      assert((await cut(disk, perhaps)) >= call.row)
      if ((await cut(careless, () => false).catch(() => 0)) < call.row) seen.lostWithoutSync += 1
    }
  }
  assert(seen.cuts > 40 && seen.storeSynced > 1, `${JSON.stringify(seen)}: also the store itself was written`)
  assert(seen.lostWithoutSync > 0, 'a disk that does not sync would have been noticed')
})
