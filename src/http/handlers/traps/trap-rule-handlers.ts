// Handlers for trap rules: warnings when one is saved, and a dry run of what it would have done.

import { type TrapRecord, trap, traps } from '../../../resources/alarms/trap.ts'
import { type TrapRule, trapRule, trapRules } from '../../../resources/alarms/trap-rule.ts'
import { read, unsaved } from '../../../resources/collection.ts'
import { ruleWarnings } from '../../../rules/rule-remarks.ts'
import { RuleTrial } from '../../../rules/rule-trial.ts'
import { ZoneTime } from '../../../rules/zone-time.ts'
import { readDraft } from '../../../schema/read-document.ts'
import { groups, required, set } from '../../../schema/resource.ts'
import { instant, int, ip, long, text } from '../../../schema/scalar.ts'
import { type Handler, readDocument } from '../../call.ts'
import { sendRecord } from '../../responses.ts'
import type { RecordOptions, Warnings } from '../record-handlers.ts'

const warnings: Warnings = async ({ database, modules, config, clock }, id) => {
  const rule = (await read(database, trapRules, id)) as TrapRule
  return ruleWarnings(database, modules, new ZoneTime(config['time-zone']), rule, clock())
}

export const ruleOptions: RecordOptions = { warnings }

export const dryRunDocument = {
  name: 'dryRun',
  fields: {
    /** Kept traps that the rule could concern, and those it would have filtered. */
    examined: required(long),
    filtered: required(long),
    /** Alarms that would not have been raised. */
    alarm: groups({ alarmLevel: required(int()), count: required(long) }),
    example: groups({
      id: required(long),
      receivedTime: required(instant),
      sourceIp: required(ip),
      OID: required(text()),
      bin: required(text()),
    }),
    /** The remarks that saving it would return. */
    remark: set(text({ maxLength: 1000 })),
  },
}

export const dryRunRule: Handler = async (call) => {
  const { database, modules, config, clock } = call
  const root = await readDocument(call, trapRule.name)
  // A rule that is being changed is not compared with itself.
  const id = root.items.find(({ name }) => name === 'id')?.text.trim()
  const rule = unsaved(trapRules, readDraft(trapRule, root, 'create'), id ? long.read(id) : 0n)
  const remark = await ruleWarnings(database, modules, new ZoneTime(config['time-zone']), rule, clock())
  const hindsight = new RuleTrial(database, modules, config['time-zone'])
  const isGone = () => call.response.destroyed
  const ran = await call.memory.dryRuns.run(() => hindsight.dryRun(rule, isGone))
  const { examined, filtered, alarms, examples } = ran
  sendRecord(call.response, call.form, dryRunDocument, {
    examined: BigInt(examined),
    filtered: BigInt(filtered),
    alarm: [...alarms].sort(([a], [b]) => a - b).map(([alarmLevel, n]) => ({ alarmLevel, count: BigInt(n) })),
    example: examples,
    remark,
  })
}

export const explainTrap: Handler = async (call) => {
  const record = (await read(call.database, traps, call.id)) as TrapRecord
  const hindsight = new RuleTrial(call.database, call.modules, call.config['time-zone'])
  const understood = record.bin !== 'refused' && record.bin !== 'malformed'
  if (understood) record.rules = await hindsight.explain(record)
  sendRecord(call.response, call.form, trap, record)
}
