// Operations on traps, on dry runs of trap rules, and on modules.

import { mibModules } from '../../resources/alarms/mib-module.ts'
import { ledgerLine, trap, traps } from '../../resources/alarms/trap.ts'
import { trapEvents } from '../../resources/alarms/trap-event.ts'
import { trapRules } from '../../resources/alarms/trap-rule.ts'
import { wholeList } from '../../schema/list.ts'
import { answerList } from '../handlers/list-handlers.ts'
import { listLedger } from '../handlers/traps/ledger-handlers.ts'
import * as mibs from '../handlers/traps/mib-handlers.ts'
import { dryRunEvent, eventTrialDocument } from '../handlers/traps/trap-event-handlers.ts'
import { dryRunDocument, dryRunRule, explainTrap } from '../handlers/traps/trap-rule-handlers.ts'
import { at, done, operator, page, record, viewer } from '../operation.ts'

export const trapOperations = [
  ...at(traps.path, 'trap', {
    GET: viewer('List', 'recent traps', (call) => answerList(call, traps), {
      list: traps.list,
      gives: page(trap),
    }),
  }),
  ...at(`${traps.path}/{id}`, 'trap', {
    GET: viewer('Read', 'a trap and what processed it', explainTrap, { gives: record(trap) }),
  }),
  ...at('/fault/trapLedger', 'trapLedger', {
    GET: viewer('List', 'how many datagrams ended in which bin, and why', listLedger, {
      parameters: { sourceIp: 'Of this sender alone' },
      pages: wholeList,
      gives: page(ledgerLine),
    }),
  }),
  // It changes nothing.
  ...at(`${trapRules.path}/dryRun`, 'trapRule', {
    POST: viewer('Try', 'what a trap rule would have filtered; nothing is saved', dryRunRule, {
      takes: trapRules.resource,
      gives: record(dryRunDocument),
    }),
  }),
  ...at(`${trapEvents.path}/dryRun`, 'trapEvent', {
    POST: viewer(
      'Try',
      'what an event definition would have made of kept traps; nothing is saved',
      dryRunEvent,
      {
        takes: trapEvents.resource,
        gives: record(eventTrialDocument),
      },
    ),
  }),
]

export const mibOperations = [
  ...at(mibModules.path, 'mibModule', {
    GET: viewer('List', 'loaded modules (MIBs), with what could not be read of each', mibs.listModules, {
      list: mibModules.list,
      gives: page(mibs.mibModuleDocument),
    }),
    POST: operator('Load', 'the modules of a file, whose text is the body', mibs.loadModuleFile, {
      parameters: {
        file: 'What the file is called',
        unknown: 'false: no remarks on names that are not known, for which all modules are looked through',
      },
      takes: 'text',
      gives: record(mibs.mibLoadDocument),
    }),
  }),
  ...at(`${mibModules.path}/{name}`, 'mibModule', {
    GET: viewer('Read', 'a module with its objects and notifications', mibs.readModule, {
      gives: record(mibs.mibModuleDocument),
    }),
    DELETE: operator('Delete', 'a module; definitions that were accepted stay', mibs.deleteModule, {
      gives: done,
    }),
  }),
  ...at('/fault/mibProposal', 'mibProposal', {
    GET: viewer('List', 'event definitions proposed from loaded modules', mibs.listModuleProposals, {
      parameters: { module: 'The name of a module', confidence: 'The least: high, medium or low' },
      pages: wholeList,
      gives: page(mibs.mibProposalDocument),
    }),
  }),
  ...at('/fault/mibProposal/accept', 'mibProposal', {
    POST: operator('Accept', 'proposals, which become event definitions', mibs.acceptModuleProposals, {
      takes: mibs.mibAccept,
      gives: page(mibs.mibAcceptedDocument),
    }),
  }),
]
