// The settling node compares the settings of all nodes: a difference that stays is an alarm. While one node after the
// other is changed, they differ for a while.

import type { Raising } from '../../alarms/engine/engine.ts'
import { openOwn, raiseOwn, recoverOwn } from '../../alarms/service/service-alarms.ts'
import type { Keys } from '../../keys/key-ring.ts'
import { storeNow } from '../nodes/membership.ts'
import { differences, listProfiles } from '../nodes/node-profile.ts'
import type { Database } from '../../store/database.ts'

interface SettingsWatchParts {
  readonly database: Database
  readonly settler: Raising
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
    const { database, settler, keys, minutes } = this.#parts
    const profiles = await listProfiles(database)
    const byNode = differences(profiles, await keys.idInUse())
    const byName = Map.groupBy(
      [...byNode].flatMap(([node, names]) => names.map((name) => ({ node, name }))),
      ({ name }) => about(name),
    )
    const open = await openOwn(database, event)
    for (const resource of open) {
      if (!byName.has(resource))
        await recoverOwn(settler, event, resource, `${nameIn(resource)} is the same at all nodes`)
    }
    const lastChange = Math.max(...profiles.map(({ changedAt }) => changedAt))
    if ((await storeNow(database)) - lastChange < minutes * 60_000) return
    for (const [resource, found] of byName) {
      if (open.has(resource)) continue
      const nodes = found.map(({ node }) => node).join(', ')
      const text = `The setting ${nameIn(resource)} is not the same at all nodes: compare ${nodes}`
      await raiseOwn(settler, event, resource, text)
    }
  }
}

const nameIn = (resource: string) => resource.slice(about('').length)
