// Trap rules: which traps are filtered, and when.

import { list } from '../../schema/list.ts'
import {
  assigned,
  derived,
  empty,
  many,
  may,
  need,
  type RecordOf,
  resource,
  some,
} from '../../schema/resource.ts'
import { coded, instant, int, long, oid, text } from '../../schema/scalar.ts'
import { collection } from '../collection.ts'
import { forgetHits, showHits } from './hits.ts'
import { checkValidity, validityFields } from './validity.ts'

export const trapRule = resource(
  'trapRule',
  {
    id: assigned(long),
    trapRuleName: may(text(), { ...empty, keyed: true }),
    trapOId: may(oid, empty),
    trapGroup: may(coded({ '-1': 'by event', 0: 'UP/DOWN trap group', 1: 'MNS trap group' }), empty),
    ...validityFields,
    trapDevice: some({
      displayName: need(text()),
      devID: need(int()),
      trapFilterEventParasInfo: many({
        faultOid: may(oid, empty),
        position: may(int(), empty),
        value: may(text(), empty),
        name: may(text(), empty),
      }),
    }),
    trapInterfaces: many({ ifDesc: may(text(), empty), deviceId: may(int(), empty) }),
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
    filters: ({ wildcard, equals, spelled }) => ({
      trapRuleName: wildcard('trapRuleName'),
      trapGroup: equals('trapGroup'),
      trapOId: spelled('trapOId'),
    }),
    orderBy: { id: 'id', trapRuleName: 'trapRuleName' },
  }),
  rules: {
    check: (rule) => checkValidity(rule),
    deleting: (tx, { id }) => forgetHits(tx, 'rule', id),
    show: (database, rules) => showHits(database, 'rule', rules),
  },
})
