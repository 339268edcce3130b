// On the leader, compares the settings of all nodes, and raises an alarm about a difference that lasts. While nodes are
// changed one after the other, they differ for a while.

import type { Logger } from 'pino'
import type { AlarmChanger } from '../../alarms/engine/engine.ts'
import {
  openServiceAlarms,
  raiseServiceAlarm,
  recoverServiceAlarm,
} from '../../alarms/service/service-alarms.ts'
import { addressesOfThisMachine } from '../../config/networks.ts'
import type { Key } from '../../keys/key-file.ts'
import { KeyFileWatch, type Keys } from '../../keys/key-ring.ts'
import type { Database, Store } from '../../store/database.ts'
import { storeNow } from '../nodes/membership.ts'
import {
  differences,
  listProfiles,
  type Profile,
  readProfile,
  type SettingDigests,
  writeListeners,
  writeProfile,
} from '../nodes/node-profile.ts'

interface SettingsWatchParts {
  readonly database: Database
  readonly alarms: AlarmChanger
  readonly keys: Pick<Keys, 'idInUse'>
  /** How many minutes without a change settings may differ. */
  readonly minutes: number
}

const event = 'settingsDiffer'
const about = (name: string) => `setting=${name}`

export class SettingsWatch {
  readonly #parts: SettingsWatchParts

  constructor(parts: SettingsWatchParts) {
    this.#parts = parts
  }

  async check(): Promise<void> {
    const { database, alarms, keys, minutes } = this.#parts
    const profiles = await listProfiles(database)
    const byNode = differences(profiles, await keys.idInUse())
    const byName = Map.groupBy(
      [...byNode].flatMap(([node, names]) => names.map((name) => ({ node, name }))),
      ({ name }) => about(name),
    )
    const open = await openServiceAlarms(database, event)
    for (const resource of open) {
      if (!byName.has(resource))
        await recoverServiceAlarm(alarms, event, resource, `${nameIn(resource)} is the same at all nodes`)
    }
    const lastChange = Math.max(...profiles.map(({ changedAt }) => changedAt))
    if ((await storeNow(database)) - lastChange < minutes * 60_000) return
    for (const [resource, found] of byName) {
      if (open.has(resource)) continue
      const nodes = found.map(({ node }) => node).join(', ')
      const text = `The setting ${nameIn(resource)} is not the same at all nodes: compare ${nodes}`
      await raiseServiceAlarm(alarms, event, resource, text)
    }
  }
}

const nameIn = (resource: string) => resource.slice(about('').length)

interface ProfileWatchParts {
  readonly keys: Keys
  readonly database: Store
  readonly log: Logger
  readonly nodeName: string
  /** The settings to compare, by name. They do not change while the service runs. */
  readonly deciding: ReadonlyMap<string, string>
  /** The ports at which this node listens; none before it does. */
  ports(): readonly number[]
}

/** Publishes the keys and settings of this node, so that they can be compared, and where it listens. */
export class ProfileWatch {
  readonly #parts: ProfileWatchParts
  readonly #keyFile: KeyFileWatch
  /** The profile as last written. */
  #written: string | undefined
  #listeners = ''

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
    if (text !== this.#written) {
      const isChanged = this.#written === undefined && !this.#isSameAs(await readProfile(database, nodeName))
      await writeProfile(database, profile, isChanged)
      this.#written = text
    }
    await this.#publishListeners()
  }

  /** Addresses may come and go while the node runs: that of keepalived moves to another machine. */
  async #publishListeners(): Promise<void> {
    const { database, nodeName, ports } = this.#parts
    const listeners = addressesOfThisMachine().flatMap((address) =>
      ports().map((port) => `${address} ${port}`),
    )
    const text = listeners.join()
    if (text === this.#listeners) return
    await writeListeners(database, nodeName, listeners)
    this.#listeners = text
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
