// Operations on gateways, contacts, teams and channels.

import { channels } from '../../resources/notify/channel.ts'
import { contacts, teams } from '../../resources/notify/contact.ts'
import { gateways } from '../../resources/notify/gateway.ts'
import { wholeList } from '../../schema/list.ts'
import { answerList } from '../handlers/list-handlers.ts'
import * as tests from '../handlers/notify/channel-test-handlers.ts'
import * as people from '../handlers/notify/contact-handlers.ts'
import * as gatewayHandlers from '../handlers/notify/gateway-handlers.ts'
import { observeRoutes } from '../handlers/notify/route-observer.ts'
import { createOne, deleteOne, modifyOne, readOne } from '../handlers/record-handlers.ts'
import { administrator, at, done, located, page, record, viewer } from '../operation.ts'

const { gatewayNameDocument, gatewayTemplateDocument } = gatewayHandlers

const gatewayOperations = [
  ...at(gateways.path, 'gateway', {
    GET: administrator('List', 'gateways, without their secrets', (call) => answerList(call, gateways), {
      list: gateways.list,
      gives: page(gateways.resource),
    }),
    POST: administrator('Create', 'a gateway', gatewayHandlers.createGateway, {
      takes: gateways.resource,
      gives: located(201),
    }),
  }),
  ...at(`${gateways.path}/{id}`, 'gateway', {
    GET: administrator('Read', 'a gateway, without its secrets', readOne(gateways), {
      gives: record(gateways.resource),
    }),
    PUT: administrator(
      'Modify',
      'a gateway; secrets that are not given stay',
      gatewayHandlers.modifyGateway,
      {
        takes: gateways.resource,
        gives: done,
      },
    ),
    DELETE: administrator('Delete', 'a gateway', gatewayHandlers.deleteGateway, {
      alsoAnswers: ['conflict'],
      gives: done,
    }),
  }),
  ...at(`${gateways.path}/{id}/test`, 'gateway', {
    POST: administrator(
      'Test',
      'a gateway: sends a message, and answers what the other side said',
      tests.testGateway,
      {
        takes: tests.gatewayTest,
        bodyOptional: true,
        gives: record(tests.sendingDocument),
      },
    ),
  }),
  ...at(gatewayHandlers.gatewayNamesPath, 'gatewayName', {
    GET: viewer('List', 'gateways on which addresses can be entered', gatewayHandlers.listGatewayNames, {
      pages: wholeList,
      gives: page(gatewayNameDocument),
    }),
  }),
  ...at(gatewayHandlers.gatewayTemplatesPath, 'gatewayTemplate', {
    GET: administrator('List', 'templates of gateways', gatewayHandlers.listGatewayTemplates, {
      pages: wholeList,
      gives: page(gatewayTemplateDocument),
    }),
  }),
]

const contactOperations = [
  ...at(contacts.path, 'contact', {
    GET: viewer('List', 'contacts', (call) => answerList(call, contacts), {
      list: contacts.list,
      gives: page(contacts.resource),
    }),
    POST: viewer(
      'Create',
      'a contact: anyone, for an administrator; oneself, for others',
      people.createContact,
      {
        takes: contacts.resource,
        gives: located(201),
      },
    ),
  }),
  ...at(`${contacts.path}/{id}`, 'contact', {
    GET: viewer('Read', 'a contact', readOne(contacts), { gives: record(contacts.resource) }),
    PUT: viewer(
      'Modify',
      'a contact: any, for an administrator; their own, for others',
      people.modifyContact,
      {
        takes: contacts.resource,
        gives: done,
      },
    ),
    DELETE: administrator(
      'Delete',
      'a contact and its channels',
      deleteOne(contacts, { observer: observeRoutes }),
      {
        alsoAnswers: ['conflict'],
        gives: done,
      },
    ),
  }),
  ...at(teams.path, 'team', {
    GET: viewer('List', 'teams', (call) => answerList(call, teams), {
      list: teams.list,
      gives: page(teams.resource),
    }),
    POST: administrator('Create', 'a team', createOne(teams), {
      takes: teams.resource,
      gives: located(201),
    }),
  }),
  ...at(`${teams.path}/{id}`, 'team', {
    GET: viewer('Read', 'a team', readOne(teams), { gives: record(teams.resource) }),
    PUT: administrator('Modify', 'a team', modifyOne(teams, { observer: observeRoutes }), {
      takes: teams.resource,
      gives: done,
    }),
    DELETE: administrator('Delete', 'a team', deleteOne(teams, { observer: observeRoutes }), { gives: done }),
  }),
]

const channelOperations = [
  ...at(channels.path, 'channel', {
    GET: viewer('List', 'channels: all, for an administrator; their own, for others', people.listChannels, {
      list: channels.list,
      gives: page(channels.resource),
    }),
    POST: viewer('Create', 'a channel', people.createChannel, {
      takes: channels.resource,
      gives: located(201),
    }),
  }),
  ...at(`${channels.path}/{id}`, 'channel', {
    GET: viewer('Read', 'a channel', people.readChannel, { gives: record(channels.resource) }),
    PUT: viewer('Modify', 'a channel; another address is to be confirmed again', people.modifyChannel, {
      takes: channels.resource,
      gives: done,
    }),
    DELETE: viewer('Delete', 'a channel', people.deleteChannel, { gives: done }),
  }),
  ...at(`${channels.path}/{id}/test`, 'channel', {
    POST: viewer('Test', 'a channel: sends a message, and answers what came of it', tests.testChannel, {
      gives: record(tests.sendingDocument),
    }),
  }),
  ...at(`${channels.path}/{id}/code`, 'channel', {
    POST: viewer('SendCode', 'to the address of a channel', tests.sendCode, {
      gives: record(tests.sendingDocument),
    }),
  }),
  ...at(`${channels.path}/{id}/confirm`, 'channel', {
    PUT: viewer(
      'Confirm',
      'the address of a channel, with the code that was sent to it',
      tests.confirmChannel,
      {
        takes: tests.confirmation,
        bodyOptional: true,
        gives: done,
      },
    ),
  }),
]

export const notifyOperations = [...gatewayOperations, ...contactOperations, ...channelOperations]
