// Publishes which keys and settings this node has, so that other nodes can compare theirs.

import type { Logger } from 'pino'
import { KeyFileWatch } from '../../keys/key-file-watch.ts'
import type { Keys } from '../../keys/key-ring.ts'
import type { Key } from '../../keys/sealing-key.ts'
import type { Store } from '../../store/database.ts'
import { type Profile, readProfile, type SettingDigests, writeProfile } from '../nodes/node-profile.ts'

interface ProfileWatchParts {
  readonly keys: Keys
  readonly database: Store
  readonly log: Logger
  readonly nodeName: string
  /** The settings to compare, by name. They do not change while the service runs. */
  readonly deciding: ReadonlyMap<string, string>
}

export class ProfileWatch {
  readonly #parts: ProfileWatchParts
  readonly #keyFile: KeyFileWatch
  /** The profile as last written. */
  #written: string | undefined

  constructor(parts: ProfileWatchParts) {
    this.#parts = parts
    this.#keyFile = new KeyFileWatch(parts.keys, parts.log)
  }

  /** Rereads the key file, and writes the profile if it has changed. */
  async check(): Promise<void> {
    const { keys, database, nodeName } = this.#parts
    await this.#keyFile.check()
    const key = await keys.current()
    if (!key) return
    const profile = { node: nodeName, keyIds: keys.idsInFile, ...this.#digestsBy(key) }
    const text = JSON.stringify(profile)
    if (text === this.#written) return
    const isChanged = this.#written === undefined && !this.#isSameAs(await readProfile(database, nodeName))
    await writeProfile(database, profile, isChanged)
    this.#written = text
  }

  /** Whether the previous run of this node had the same settings. */
  #isSameAs(former: Profile | undefined): boolean {
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
}
