// A power cut loses what was written and not yet synced. strace shows what a writer wrote, synced and acknowledged, in
// order; from that, disks are built as a power cut right after an acknowledgement would leave them.

import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { openSqlite } from '../../src/store/sqlite/sqlite.ts'
import { temporaryFolder } from '../support.ts'

const writing = fileURLToPath(new URL('./writing.ts', import.meta.url))

const traced = ['-f', '-e', 'trace=pwrite64,write,fdatasync,fsync,unlink,unlinkat']
const mayTrace = spawnSync('strace', [...traced, 'true'], { stdio: 'ignore' }).status === 0

/** The option `skip` of a test that needs this; on a build machine nothing is skipped. */
export const withoutTracing = {
  skip: !mayTrace && process.env.CI !== 'true' && 'strace is missing, or may not trace here',
}

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

  /** How many writes a sync that begins now covers. */
  pending(file: string): number {
    return this.#pending.get(file)?.length ?? 0
  }

  sync(file: string, covered: number): void {
    const writes = this.#pending.get(file) ?? []
    const rest = writes.splice(covered)
    this.#safe.set(
      file,
      this.#with(file, () => true),
    )
    this.#pending.set(file, rest)
  }

  remove(file: string): void {
    this.#safe.delete(file)
    this.#pending.delete(file)
  }

  /** Some of what was not synced may have reached the disk nevertheless. */
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
  | { readonly kind: 'sync begins' | 'remove'; readonly file: string }
  | { readonly kind: 'sync ends' }
  | { readonly kind: 'promise'; readonly row: number }

/**
 * The calls of a line, in the order of what counts: a write from when it is asked for, a sync when it has come back, for
 * what was asked for before it began. Lines of threads that work at once are cut in two.
 */
function readCalls(line: string): { thread: string; calls: Call[] } {
  const [, thread = '', said = ''] = /^(\d+) +(.*)$/.exec(line) ?? []
  const calls: Call[] = []
  const written = /^pwrite64\(\d+<([^>]+)>, "([^"]*)", \d+, (\d+)/.exec(said)
  const synced = /^f(?:data)?sync\(\d+<([^>]+)>/.exec(said)
  const removed = /^unlink(?:at\(.*?, |\()"([^"]*)"/.exec(said)
  const promised = /^write\(1<[^>]*>, "([^"]*)"/.exec(said)
  if (written) {
    const write = { at: Number(written[3]), bytes: fromHex(written[2] ?? '') }
    calls.push({ kind: 'write', file: nameOf(written[1]), write })
  } else if (synced) calls.push({ kind: 'sync begins', file: nameOf(synced[1]) })
  else if (removed) calls.push({ kind: 'remove', file: nameOf(removed[1]) })
  else if (promised) calls.push({ kind: 'promise', row: Number(fromHex(promised[1] ?? '').toString()) })
  if (/^(<\.\.\. )?f(data)?sync.* = 0$/.test(said)) calls.push({ kind: 'sync ends' })
  return { thread, calls }
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
  const file = join(folder, 'test.db')
  // Nothing of the store has reached the disk; the service reports that instead of creating a new store.
  if (existsSync(file) && statSync(file).size === 0) {
    assert.throws(() => openSqlite(file), /is empty: what it held is lost/)
    return 0
  }
  const database = openSqlite(file)
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

interface Seen {
  promises: number
  cuts: number
  /** How often the store itself was synced, not only its journal. */
  storeSynced: number
  /** Cuts that would have lost something on a disk that ignores every other sync. */
  lostWithoutSync: number
}

/** Traces a writer until it has acknowledged so many rows, and cuts the power after every twentieth of them. */
export async function cutPower(rows: number): Promise<Seen> {
  const folder = temporaryFolder()
  const trace = await traceWriter(folder, rows)
  const disk = new Disk()
  const careless = new Disk()
  const seen: Seen = { promises: 0, cuts: 0, storeSynced: 0, lostWithoutSync: 0 }
  const syncing = new Map<string, { file: string; covered: number; careless: number }>()
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
  const follow = async (given: Call, thread: string) => {
    // A new store is created under another name, and renamed when it is complete.
    const call = 'file' in given ? { ...given, file: given.file.replace('.new', '') } : given
    // The shared memory of the connections is rebuilt after a crash.
    if ('file' in call && !/^test\.db(-wal|-journal)?$/.test(call.file)) return
    if (call.kind === 'remove') for (const one of [disk, careless]) one.remove(call.file)
    else if (call.kind === 'write') {
      disk.write(call.file, call.write)
      careless.write(call.file, call.write)
    } else if (call.kind === 'sync begins') {
      const { file } = call
      syncing.set(thread, { file, covered: disk.pending(file), careless: careless.pending(file) })
    } else if (call.kind === 'sync ends') {
      const sync = syncing.get(thread)
      if (!sync) return
      syncing.delete(thread)
      disk.sync(sync.file, sync.covered)
      if (sync.file === 'test.db') seen.storeSynced += 1
      if (perhaps()) careless.sync(sync.file, sync.careless)
    } else if (call.kind === 'promise' && seen.promises++ % 20 === 10) {
      assert((await cut(disk, () => false)) >= call.row)
      assert((await cut(disk, perhaps)) >= call.row)
      if ((await cut(careless, () => false).catch(() => 0)) < call.row) seen.lostWithoutSync += 1
    }
  }
  for await (const line of createInterface({ input: createReadStream(trace) })) {
    const { thread, calls } = readCalls(line)
    for (const call of calls) await follow(call, thread)
  }
  return seen
}
