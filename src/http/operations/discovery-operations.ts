// Operations on discoveries, which search for devices, and on what they have found.

import { discoveredList } from '../../resources/inventory/discovered.ts'
import { discoveries } from '../../resources/inventory/discovery.ts'
import * as handlers from '../handlers/inventory/discovery-handlers.ts'
import { answerList } from '../handlers/list-handlers.ts'
import { createOne, deleteOne, modifyOne, readOne } from '../handlers/record-handlers.ts'
import { administrator, at, done, located, operator, page, record, viewer } from '../operation.ts'

const { resource, path, list } = discoveries
const one = `${path}/{id}`

export const discoveryOperations = [
  ...at(path, 'discovery', {
    GET: viewer(
      'List',
      'discoveries, with how far the last run of each is',
      (call) => answerList(call, discoveries),
      { list, gives: page(resource) },
    ),
    POST: administrator(
      'Create',
      'a discovery: the ranges of addresses in which it searches',
      createOne(discoveries),
      { takes: resource, gives: located(201) },
    ),
  }),
  ...at(one, 'discovery', {
    GET: viewer('Read', 'a discovery, with how far its last run is', readOne(discoveries), {
      gives: record(resource),
    }),
    PUT: administrator('Modify', 'a discovery that is not under way', modifyOne(discoveries), {
      takes: resource,
      gives: done,
    }),
    DELETE: administrator('Delete', 'a discovery, with what it has found', deleteOne(discoveries), {
      gives: done,
    }),
  }),
  ...at(`${one}/start`, 'discovery', {
    POST: operator('Start', 'a run of a discovery', handlers.startRun, {
      gives: done,
      alsoAnswers: ['conflict'],
    }),
  }),
  ...at(`${one}/stop`, 'discovery', {
    POST: operator('Stop', 'the run of a discovery', handlers.stopRun, {
      gives: done,
      alsoAnswers: ['conflict'],
    }),
  }),
  ...at(`${one}/accept`, 'discovery', {
    POST: operator('Accept', 'some of what a discovery has found into the inventory', handlers.accept, {
      takes: handlers.acceptance,
      gives: record(handlers.acceptedDocument),
    }),
  }),
  ...at(discoveredList.path, 'discovered', {
    GET: viewer(
      'List',
      'what discoveries have found, each with the device of the inventory that it is',
      (call) => answerList(call, discoveredList),
      { list: discoveredList.list, gives: page(discoveredList.resource) },
    ),
  }),
]
