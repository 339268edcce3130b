// Guards for writing large files, such as copies of a store: they must neither fill the disk nor delay commits.

import { open, statfs } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { Fault } from '../fault.ts'

/** Milliseconds. */
const flushInterval = 100

/** What the service may need meanwhile: its journal grows. */
const reservedBytes = 64 * 2 ** 20

/**
 * A file system may flush all new data with the next fsync of any process. A file that grows fast is therefore flushed
 * as it grows, so that commits wait for a small part of it only.
 */
export async function flushedMeanwhile<T>(file: string, written: Promise<T>): Promise<T> {
  let done = false
  const flushing = (async () => {
    while (!done) {
      await Promise.race([sleep(flushInterval), written.catch(() => undefined)])
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

/** Throws if the file system of the folder has not enough room for this many bytes. */
export async function requireDiskSpace(
  folder: string,
  bytes: number,
  what = 'the copy of the store',
): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  const free = bavail * bsize
  if (free >= bytes + reservedBytes) return
  const [needed, left] = [bytes + reservedBytes, free].map((size) => `${Math.ceil(size / 1e6)} MB`)
  throw new Fault('unavailable', `${what} needs ${needed} in ${folder}, where ${left} are free`)
}
