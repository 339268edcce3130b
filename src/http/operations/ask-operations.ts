// Operations on profiles, by which devices are asked, and on what devices answer.

import { reachabilities } from '../../ask/reach/reachability.ts'
import { arpEntries } from '../../resources/inventory/arp-entry.ts'
import { askProfiles } from '../../resources/inventory/ask-profile.ts'
import { deviceChanges } from '../../resources/inventory/device-change.ts'
import { deviceFactsList } from '../../resources/inventory/device-facts.ts'
import { links } from '../../resources/inventory/link.ts'
import { macEntries } from '../../resources/inventory/mac-entry.ts'
import { neighbours } from '../../resources/inventory/neighbour.ts'
import { ports } from '../../resources/inventory/port.ts'
import { wholeList } from '../../schema/list.ts'
import { anyMac, instant, ip, long } from '../../schema/scalar.ts'
import * as handlers from '../handlers/inventory/ask-handlers.ts'
import { listMacLocations, macLocationDocument } from '../handlers/inventory/location-handlers.ts'
import { listReachHistory, reachHistoryDocument, stepNames } from '../handlers/inventory/reach-handlers.ts'
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
  ...at('/plat/reachHistory', 'reachHistory', {
    GET: viewer(
      'List',
      'how a device answered over time: round trips, and for how long it did not',
      listReachHistory,
      {
        parameters: {
          deviceId: { meaning: 'The device', scalar: long, required: true },
          by: `The length of a step: ${stepNames}; halfHour by default`,
          from: {
            meaning: 'When the period begins; by default a day before it ends, or 30 days',
            scalar: instant,
          },
          until: { meaning: 'When the period ends; by default now', scalar: instant },
        },
        pages: wholeList,
        gives: page(reachHistoryDocument),
      },
    ),
  }),
  ...at(deviceFactsList.path, 'deviceFacts', {
    GET: viewer('List', 'what devices say of themselves', (call) => answerList(call, deviceFactsList), {
      list: deviceFactsList.list,
      gives: page(deviceFactsList.resource),
    }),
  }),
  ...at(`${deviceFactsList.path}/{id}`, 'deviceFacts', {
    GET: viewer('Read', 'what a device says of itself; 404 before it was asked', readOne(deviceFactsList), {
      gives: record(deviceFactsList.resource),
    }),
  }),
  ...at(ports.path, 'port', {
    GET: viewer('List', 'the ports of devices, as these name them', (call) => answerList(call, ports), {
      list: ports.list,
      gives: page(ports.resource),
    }),
  }),
  ...at(neighbours.path, 'neighbour', {
    GET: viewer(
      'List',
      'the neighbours of devices, as these have learnt them by LLDP and CDP',
      (call) => answerList(call, neighbours),
      { list: neighbours.list, gives: page(neighbours.resource) },
    ),
  }),
  ...at(macEntries.path, 'macEntry', {
    GET: viewer(
      'List',
      'the MAC addresses at the ports of devices, as these have learnt them',
      (call) => answerList(call, macEntries),
      { list: macEntries.list, gives: page(macEntries.resource) },
    ),
  }),
  ...at(arpEntries.path, 'arpEntry', {
    GET: viewer(
      'List',
      'the addresses in the tables of ARP and neighbour discovery of devices',
      (call) => answerList(call, arpEntries),
      { list: arpEntries.list, gives: page(arpEntries.resource) },
    ),
  }),
  ...at('/plat/macLocation', 'macLocation', {
    GET: viewer(
      'Locate',
      'where a MAC address is: what people bound, what switches reported, and what devices said when they were asked',
      listMacLocations,
      {
        parameters: {
          mac: { meaning: 'The MAC address; this or ip is required', scalar: anyMac },
          ip: { meaning: 'An address of IP, whose MAC addresses are looked up', scalar: ip },
        },
        pages: wholeList,
        gives: page(macLocationDocument),
      },
    ),
  }),
  ...at(links.path, 'link', {
    GET: viewer(
      'List',
      'the links between devices, as their neighbours show them, from both ends',
      (call) => answerList(call, links),
      { list: links.list, gives: page(links.resource) },
    ),
  }),
  ...at(deviceChanges.path, 'deviceChange', {
    GET: viewer(
      'List',
      'what changed of devices and their ports, as they said when they were asked',
      (call) => answerList(call, deviceChanges),
      { list: deviceChanges.list, gives: page(deviceChanges.resource) },
    ),
  }),
]
