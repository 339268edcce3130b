// Trap rules: remarks when one is saved, and a dry run of what it would have done.

import { type TrapRecord, trap, traps } from '../../../resources/alarms/trap.ts'
import { type TrapRule, trapRule, trapRules } from '../../../resources/alarms/trap-rule.ts'
import { read, unsaved } from '../../../resources/collection.ts'
import { Hindsight } from '../../../rules/rule-trial.ts'
import { ruleRemarks } from '../../../rules/rule-remarks.ts'
import { ZoneTime } from '../../../rules/zone-time.ts'
import { readDraft } from '../../../schema/read-document.ts'
import { many, need, set } from '../../../schema/resource.ts'
import { instant, int, ip, long, text } from '../../../schema/scalar.ts'
import { sendRecord } from '../../responses.ts'
import { type Handler, readDocument } from '../../call.ts'
import type { RecordOptions, Remarks } from '../record-handlers.ts'

const remarks: Remarks = async ({ database, modules, config, clock }, id) => {
  const rule = (await read(database, trapRules, id)) as TrapRule
  return ruleRemarks(database, modules, new ZoneTime(config['time-zone']), rule, clock())
}

export const ruleOptions: RecordOptions = { remarks }

export const dryRunDocument = {
  name: 'dryRun',
  fields: {
    /** Kept traps that the rule could concern, and those it would have filtered. */
    examined: need(long),
    filtered: need(long),
    /** Alarms that would not have been raised. */
    alarm: many({ alarmLevel: need(int()), count: need(long) }),
    example: many({
      id: need(long),
      receivedTime: need(instant),
      sourceIp: need(ip),
      OID: need(text()),
      bin: need(text()),
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
  const remark = await ruleRemarks(database, modules, new ZoneTime(config['time-zone']), rule, clock())
  const hindsight = new Hindsight(database, modules, config['time-zone'])
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
  const hindsight = new Hindsight(call.database, call.modules, call.config['time-zone'])
  const understood = record.bin !== 'refused' && record.bin !== 'malformed'
  if (understood) record.rules = await hindsight.explain(record)
  sendRecord(call.response, call.form, trap, record)
}
