// Trap rules: which traps are filtered, and when.

import { list } from '../../schema/list.ts'
import {
  assigned,
  derived,
  empty,
  groups,
  optional,
  type RecordOf,
  required,
  requiredGroups,
  resource,
} from '../../schema/resource.ts'
import { coded, instant, int, long, oid, text } from '../../schema/scalar.ts'
import { collection } from '../collection.ts'
import { forgetHits, showHits } from './hits.ts'
import { checkValidity, validityFields } from './validity.ts'

export const trapRule = resource(
  'trapRule',
  {
    id: assigned(long),
    trapRuleName: optional(text(), { ...empty, keyed: true }),
    trapOId: optional(oid, empty),
    trapGroup: optional(coded({ '-1': 'by event', 0: 'UP/DOWN trap group', 1: 'MNS trap group' }), empty),
    ...validityFields,
    trapDevice: requiredGroups({
      displayName: required(text()),
      devID: required(int()),
      trapFilterEventParasInfo: groups({
        faultOid: optional(oid, empty),
        position: optional(int(), empty),
        value: optional(text(), empty),
        name: optional(text(), empty),
      }),
    }),
    trapInterfaces: groups({ ifDesc: optional(text(), empty), deviceId: optional(int(), empty) }),
    /** How many traps it has filtered, and when the last of them. */
    hits: derived(long),
    lastHit: derived(instant),
  },
  { table: 'trap_rule', key: 'id' },
)

export type TrapRule = RecordOf<typeof trapRule.fields>

export const trapRules = collection({
  resource: trapRule,
  noun: 'trap rule',
  list: list('/fault/trapRule', trapRule, {
    filters: ({ wildcard, equals, anySpelling }) => ({
      trapRuleName: wildcard('trapRuleName'),
      trapGroup: equals('trapGroup'),
      trapOId: anySpelling('trapOId'),
    }),
    orderBy: { id: 'id', trapRuleName: 'trapRuleName' },
  }),
  rules: {
    check: (rule) => checkValidity(rule),
    deleting: (tx, { id }) => forgetHits(tx, 'rule', id),
    show: (database, rules) => showHits(database, 'rule', rules),
  },
})
