// Raises alarms about settings that are set although they no longer exist.

import type { AlarmChanger } from '../../alarms/engine/engine.ts'
import {
  openServiceAlarms,
  raiseServiceAlarm,
  recoverServiceAlarm,
} from '../../alarms/service/service-alarms.ts'
import type { IgnoredSetting } from '../../config/config.ts'
import type { Reader } from '../../store/database.ts'

const event = 'settingIgnored'

/** Raises an alarm for each, and ends alarms about settings that are no longer set. For `node`, see `App`. */
export async function reportIgnoredSettings(
  reader: Reader,
  engine: AlarmChanger,
  ignored: readonly IgnoredSetting[],
  node: string | undefined,
): Promise<void> {
  const own = node === undefined ? '' : `node=${node};`
  const current = new Map(ignored.map(({ name, text }) => [`${own}setting=${name}`, text]))
  const open = await openServiceAlarms(reader, event)
  for (const [resource, text] of current)
    if (!open.has(resource)) await raiseServiceAlarm(engine, event, resource, text)
  for (const resource of open) {
    const isOfOther = node !== undefined && resource.startsWith('node=') && !resource.startsWith(own)
    if (current.has(resource) || isOfOther) continue
    const [, name] = resource.split('setting=')
    await recoverServiceAlarm(engine, event, resource, `${name} is no longer set`)
  }
}
