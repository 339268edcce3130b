// Operations on traps, on dry runs of trap rules, and on modules.

import { messageDefinition, messageDefinitions } from '../../resources/alarms/message-definition.ts'
import { mibModules } from '../../resources/alarms/mib-module.ts'
import { ledgerLine, trap, traps } from '../../resources/alarms/trap.ts'
import { trapEvents } from '../../resources/alarms/trap-event.ts'
import { trapRules } from '../../resources/alarms/trap-rule.ts'
import { wholeList } from '../../schema/list.ts'
import { answerList } from '../handlers/list-handlers.ts'
import * as translations from '../handlers/traps/event-translation-handlers.ts'
import * as trials from '../handlers/traps/event-trial-handlers.ts'
import * as messageTrials from '../handlers/traps/message-definition-handlers.ts'
import * as messages from '../handlers/traps/message-handlers.ts'
import * as mibs from '../handlers/traps/mib-handlers.ts'
import {
  dryRunDocument,
  dryRunEvent,
  dryRunRule,
  eventTrialDocument,
  explainTrap,
  listLedger,
} from '../handlers/traps/trap-handlers.ts'
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
  ...at(`${traps.path}/{id}/event`, 'trap', {
    GET: viewer('Define', 'a definition proposed for the event of a trap', trials.proposeDefinition, {
      pages: wholeList,
      gives: page(trials.trapProposalDocument),
    }),
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
  ...at(`${trapEvents.path}/test`, 'trapEvent', {
    POST: viewer('Test', 'which alarm each trap would make; nothing is saved', trials.testEvents, {
      takes: trials.eventTest,
      gives: page(trials.eventTestDocument),
    }),
  }),
  ...at(`${trapEvents.path}/translate`, 'trapEvent', {
    POST: viewer(
      'Translate',
      'files of definitions, also those of other programs, into definitions; nothing is saved',
      translations.translateEvents,
      { takes: translations.eventFiles, gives: record(translations.eventTranslationDocument) },
    ),
  }),
  ...at(`${trapEvents.path}/relabel/{id}`, 'trapEvent', {
    PUT: operator(
      'Relabel',
      'open alarms that were raised before the event had a definition',
      trials.relabelEvent,
      { gives: record(trials.relabelDocument) },
    ),
  }),
]

export const messageOperations = [
  ...at(`${messageDefinitions.path}/proposal`, 'messageDefinition', {
    POST: viewer(
      'Propose',
      'a definition for a message that was received, or for a shape; nothing is saved',
      messageTrials.proposeForMessage,
      { takes: messageTrials.sampleMessage, gives: record(messageTrials.definitionProposalDocument) },
    ),
  }),
  ...at(`${messageDefinitions.path}/dryRun`, 'messageDefinition', {
    POST: viewer(
      'Try',
      'what a message definition makes of the last messages; nothing is saved',
      messageTrials.dryRunDefinition,
      { takes: messageDefinition, gives: record(messageTrials.messageTrialDocument) },
    ),
  }),
  ...at('/fault/syslogMessage', 'syslogMessage', {
    GET: viewer(
      'List',
      'the syslog messages that were received lately, the newest first',
      messages.listMessages,
      {
        parameters: messages.messageParameters,
        pages: messages.messagePages,
        gives: page(messages.messageDocument),
      },
    ),
  }),
  ...at('/fault/syslogShape', 'syslogShape', {
    GET: viewer(
      'List',
      'shapes of syslog messages that no definition knows, what is most likely a fault first',
      messages.listShapes,
      { pages: wholeList, gives: page(messages.shapeDocument) },
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
