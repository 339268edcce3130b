// A disk of so many megabytes for one test, where the machine lets one mount it.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'

/** Where it is mounted; undefined, and the test is skipped, where it cannot be. It goes with the test. */
export function smallDisk(t: TestContext, megabytes: number): string | undefined {
  const disk = mkdtempSync(join(tmpdir(), 'belfry-test-disk-'))
  // In this order: what is mounted cannot be removed.
  t.after(() => {
    spawnSync('umount', ['-l', disk], { stdio: 'ignore' })
    rmSync(disk, { recursive: true, force: true })
  })
  const size = `size=${megabytes}m`
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', size, 'tmpfs', disk], { stdio: 'ignore' })
  if (status !== 0) {
    t.skip('a small disk cannot be mounted here')
    return undefined
  }
  return disk
}

/** A file that takes the room of a disk, but for some bytes; what else is written there meanwhile may need them. */
export function fillDisk(disk: string, spare: number): string {
  const { bavail, bsize } = statfsSync(disk)
  const ballast = join(disk, 'ballast')
  try {
    writeFileSync(ballast, Buffer.alloc(Math.max(0, bavail * bsize - spare)))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  }
  return ballast
}
