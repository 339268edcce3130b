// Operations on profiles, by which devices are asked.

import { reachabilities } from '../../ask/reach/reachability.ts'
import { askProfiles } from '../../resources/inventory/ask-profile.ts'
import * as handlers from '../handlers/inventory/ask-handlers.ts'
import { answerList } from '../handlers/list-handlers.ts'
import { readOne } from '../handlers/record-handlers.ts'
import { administrator, at, done, located, page, record, viewer } from '../operation.ts'

const profile = askProfiles.resource
const reach = reachabilities.resource

export const askOperations = [
  ...at(askProfiles.path, 'askProfile', {
    GET: administrator(
      'List',
      'profiles for asking devices, without their secrets',
      (call) => answerList(call, askProfiles),
      { list: askProfiles.list, gives: page(profile) },
    ),
    POST: administrator('Create', 'a profile for asking devices', handlers.createProfile, {
      takes: profile,
      gives: located(201),
    }),
  }),
  ...at(`${askProfiles.path}/{id}`, 'askProfile', {
    GET: administrator('Read', 'a profile, without its secrets', readOne(askProfiles), {
      gives: record(profile),
    }),
    PUT: administrator('Modify', 'a profile; secrets that are not given stay', handlers.modifyProfile, {
      takes: profile,
      gives: done,
    }),
    DELETE: administrator('Delete', 'a profile', handlers.deleteProfile, { gives: done }),
  }),
  ...at(`${askProfiles.path}/{id}/test`, 'askProfile', {
    POST: administrator(
      'Test',
      'a profile: asks one device, and answers what it said',
      handlers.testProfile,
      {
        takes: handlers.profileTest,
        gives: record(handlers.trialDocument),
      },
    ),
  }),
  ...at(reachabilities.path, 'reachability', {
    GET: viewer(
      'List',
      'devices that are asked, each with whether it answers, and why not',
      (call) => answerList(call, reachabilities),
      { list: reachabilities.list, gives: page(reach) },
    ),
  }),
  ...at(`${reachabilities.path}/{id}`, 'reachability', {
    GET: viewer('Read', 'whether a device answers; 404 if it is not asked', readOne(reachabilities), {
      gives: record(reach),
    }),
  }),
]
