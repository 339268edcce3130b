// Handlers for trap rules: warnings when one is saved, and a dry run of what it would have done.

import { dryRunEvent as runOnStoredTraps } from '../../../alarms/engine/event-dry-run.ts'
import { readLedger } from '../../../alarms/engine/trap-ledger.ts'
import { Fault } from '../../../fault.ts'
import { ledgerLine, type TrapRecord, trap, traps } from '../../../resources/alarms/trap.ts'
import { trapEvent, trapEvents } from '../../../resources/alarms/trap-event.ts'
import { type TrapRule, trapRule, trapRules } from '../../../resources/alarms/trap-rule.ts'
import { read, unsaved } from '../../../resources/collection.ts'
import { RuleTrial } from '../../../rules/rule-trial.ts'
import { ruleWarnings } from '../../../rules/rule-warnings.ts'
import { ZoneTime } from '../../../rules/zone-time.ts'
import { oneValue } from '../../../schema/list.ts'
import { readDraft } from '../../../schema/read-document.ts'
import { groups, required, set } from '../../../schema/resource.ts'
import { instant, int, ip, long, text } from '../../../schema/scalar.ts'
import { type Handler, readDocument } from '../../call.ts'
import { sendRecord } from '../../responses.ts'
import { answerRows } from '../list-handlers.ts'
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
    /** The warnings that saving it would return. */
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
  const trial = new RuleTrial(database, modules, config['time-zone'])
  const isGone = () => call.response.destroyed
  const ran = await call.memory.dryRuns.run(() => trial.dryRun(rule, isGone))
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
  const trial = new RuleTrial(call.database, call.modules, call.config['time-zone'])
  const understood = record.bin !== 'refused' && record.bin !== 'malformed'
  if (understood) record.rules = await trial.explain(record)
  sendRecord(call.response, call.form, trap, record)
}

// Handler for the ledger of datagrams: every outcome with its reasons, of all senders or of one.

export const listLedger: Handler = async (call) => {
  const { database, parameters } = call
  const source = oneValue(parameters, 'sourceIp')
  const lines = await readLedger(database, source === undefined ? undefined : readSource(source))
  answerRows(call, ledgerLine, lines)
}

function readSource(text: string): string {
  try {
    return ip.read(text)
  } catch (cause) {
    throw new Fault('invalid', `sourceIp: ${(cause as Error).message}`, { field: 'sourceIp', cause })
  }
}

// Handler for a dry run of an event definition on recent traps.

export const eventTrialDocument = {
  name: 'eventTrial',
  fields: {
    /** Stored traps of the event that were examined, and their outcomes. */
    examined: required(long),
    alarms: required(long),
    recoveries: required(long),
    filtered: required(long),
    stored: required(long),
    /** How many different resources the alarms would be about, and how many alarms the recoveries would have ended. */
    resources: required(long),
    ended: required(long),
    /** Alarms of it that are open now, and stay as they are. */
    open: required(long),
    /** What became of the traps when they came. */
    before: groups({ bin: required(text()), count: required(long) }),
    /** With the text that the alarm would have. */
    example: groups({
      id: required(long),
      receivedTime: required(instant),
      sourceIp: required(ip),
      bin: required(text()),
      alarmDesc: required(text({ maxLength: 10_000 }), { absent: 'empty' }),
    }),
  },
}

export const dryRunEvent: Handler = async (call) => {
  const { database, modules, response } = call
  const draft = readDraft(trapEvent, await readDocument(call, trapEvent.name), 'create')
  const { bins, examples, ...counts } = await runOnStoredTraps(
    database,
    modules,
    unsaved(trapEvents, draft),
    () => response.destroyed,
  )
  sendRecord(response, call.form, eventTrialDocument, {
    ...Object.fromEntries(Object.entries(counts).map(([name, n]) => [name, BigInt(n)])),
    before: [...bins].map(([bin, n]) => ({ bin, count: BigInt(n) })),
    example: examples.map(({ trap, alarmDesc }) => ({ ...trap, alarmDesc })),
  })
}
