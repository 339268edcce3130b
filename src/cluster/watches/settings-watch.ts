// The leader compares the settings of all nodes: a difference that stays is an alarm. While one node after the
// other is changed, they differ for a while.

import type { AlarmChanger } from '../../alarms/engine/engine.ts'
import {
  openServiceAlarms,
  raiseServiceAlarm,
  recoverServiceAlarm,
} from '../../alarms/service/service-alarms.ts'
import type { Keys } from '../../keys/key-ring.ts'
import type { Database } from '../../store/database.ts'
import { storeNow } from '../nodes/membership.ts'
import { differences, listProfiles } from '../nodes/node-profile.ts'

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
