// The key file is read again and again: a key that was added to it can be taken into use, here and at other nodes,
// without a restart. What this node has of keys and settings is in the store, where others compare it with theirs.

import type { Logger } from 'pino'
import { Fault } from '../../fault.ts'
import type { Keys } from '../../keys/key-ring.ts'
import type { Key } from '../../keys/sealing-key.ts'
import type { Database } from '../../store/database.ts'
import { type Profile, readProfile, type SettingDigests, writeProfile } from '../nodes/node-profile.ts'

interface ProfileWatchParts {
  readonly keys: Keys
  readonly database: Database
  readonly log: Logger
  /** The name of this node; undefined where it has the store for itself. */
  readonly node: string | undefined
  /** The settings that decide, by name. They are the same for as long as the service runs. */
  readonly deciding: ReadonlyMap<string, string>
}

/** What this node has is in the store from now on. */
export async function openProfile(parts: ProfileWatchParts): Promise<ProfileWatch> {
  const watch = new ProfileWatch(parts)
  await watch.check()
  return watch
}

export class ProfileWatch {
  readonly #parts: ProfileWatchParts
  /** What was wrong with the file at the last look. */
  #trouble: string | undefined
  #written: string | undefined

  constructor(parts: ProfileWatchParts) {
    this.#parts = parts
  }

  async check(): Promise<void> {
    const { keys, database, node } = this.#parts
    this.#refresh()
    const key = node === undefined ? undefined : await keys.current()
    if (node === undefined || !key) return
    const profile = { node, keyIds: keys.idsInFile, ...this.#digestsBy(key) }
    const text = JSON.stringify(profile)
    if (text === this.#written) return
    const isChanged = this.#written === undefined && !this.#hasBeenSo(await readProfile(database, node))
    await writeProfile(database, profile, isChanged)
    this.#written = text
  }

  /** Whether the last run of this node had the same settings. */
  #hasBeenSo(former: Profile | undefined): boolean {
    const key = former && this.#parts.keys.byId(former.keyId)
    return (
      key !== undefined && JSON.stringify(this.#digestsBy(key).digests) === JSON.stringify(former?.digests)
    )
  }

  #digestsBy(key: Key): SettingDigests {
    const digests = Array.from(this.#parts.deciding, ([name, text]) => [
      name,
      key.digest(`setting ${name}`, text),
    ])
    return { keyId: key.id, digests: Object.fromEntries(digests) }
  }

  /** A file that cannot be used is reported once: what was read before is still in use. */
  #refresh(): void {
    try {
      this.#parts.keys.refresh()
      this.#trouble = undefined
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      if (error.message !== this.#trouble) this.#parts.log.error(error.message)
      this.#trouble = error.message
    }
  }
}
