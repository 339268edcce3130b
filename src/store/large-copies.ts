// A copy of a store is a large file: it must neither fill the disk nor hold up the commits of others.

import { open, statfs } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { Fault } from '../fault.ts'

/** Milliseconds. */
const flushEvery = 100

/** What the service itself may need while a large file is written: its journal grows. */
const reserve = 64 * 2 ** 20

/**
 * A file system may flush everything that is new with the next commit that anybody waits for. A file that grows fast is
 * therefore flushed as it grows, so that commits wait for a little of it and not for all.
 */
export async function flushedMeanwhile<T>(file: string, written: Promise<T>): Promise<T> {
  let done = false
  const flushing = (async () => {
    while (!done) {
      await Promise.race([sleep(flushEvery), written.catch(() => undefined)])
      const handle = await open(file, 'r').catch(() => undefined)
      await handle?.datasync().catch(() => undefined)
      await handle?.close()
    }
  })()
  try {
    return await written
  } finally {
    done = true
    await flushing
  }
}

/** Refuses to write this many bytes into a folder where there is no room for them. */
export async function requireRoom(
  folder: string,
  bytes: number,
  what = 'the copy of the store',
): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  const free = bavail * bsize
  if (free >= bytes + reserve) return
  const [needed, left] = [bytes + reserve, free].map((size) => `${Math.ceil(size / 1e6)} MB`)
  throw new Fault('unavailable', `${what} needs ${needed} in ${folder}, where ${left} are free`)
}
