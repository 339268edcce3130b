// Operations on terminals: requests and reports of RADIUS servers, and terminal locations.

import { terminalStays, terminals } from '../../resources/inventory/terminal.ts'
import { topologyDocument } from '../../resources/inventory/topology.ts'
import { wholeList } from '../../schema/list.ts'
import { long, text } from '../../schema/scalar.ts'
import {
  interfaceDocument,
  listInterfaces,
  readInterface,
  showTopology,
} from '../handlers/inventory/inventory-handlers.ts'
import * as radius from '../handlers/inventory/radius-handlers.ts'
import { answerList } from '../handlers/list-handlers.ts'
import { readOne } from '../handlers/record-handlers.ts'
import * as kinds from '../imc/imc-kinds.ts'
import { ipMacArp, listArp, locate, locateTypes, realtimeLocation } from '../imc/imc-locate.ts'
import { at, done, operator, page, record, viewer } from '../operation.ts'

/** Requests and reports of RADIUS servers, with a token that is valid for nothing else. */
export const radiusOperations = [
  ...at('/res/access/authorize', 'accessRequest', {
    POST: operator('Authorize', 'whether a terminal is admitted at a port of a device', radius.authorize, {
      parameters: {
        as: { meaning: 'radius: attributes by name, as FreeRADIUS reads them', scalar: radius.asForm },
      },
      takes: radius.accessRequest,
      gives: record(radius.accessDecision),
      scope: 'access',
    }),
  }),
  ...at('/res/access/accounting', 'accountingRequest', {
    POST: operator('Account', 'a terminal: it is there, is still there, or has left', radius.account, {
      takes: radius.accountingRequest,
      gives: done,
      scope: 'access',
    }),
  }),
]

export const terminalOperations = [
  ...at(terminals.path, 'terminal', {
    GET: viewer(
      'List',
      'terminals that were seen, each with where it is',
      (call) => answerList(call, terminals),
      {
        list: terminals.list,
        gives: page(terminals.resource),
      },
    ),
  }),
  ...at(`${terminals.path}/{id}`, 'terminal', {
    GET: viewer('Read', 'a terminal', readOne(terminals), { gives: record(terminals.resource) }),
    DELETE: operator('Erase', 'a terminal, with all that is kept of where it was', radius.eraseTerminal, {
      gives: done,
    }),
  }),
  ...at(terminalStays.path, 'terminalStay', {
    GET: viewer('List', 'where terminals have been', (call) => answerList(call, terminalStays), {
      list: terminalStays.list,
      gives: page(terminalStays.resource),
    }),
  }),
]

// Operations on devices, besides those of every collection.

export const deviceOperations = [
  ...at('/plat/topology', 'topology', {
    GET: viewer('Show', 'all devices with their zones, and the links between them', showTopology, {
      parameters: {
        deviceId: { meaning: 'Only this device, those beside it, and their links with it', scalar: long },
      },
      gives: record(topologyDocument),
    }),
  }),
  ...at('/plat/res/device/{id}/interface', 'interface', {
    GET: viewer('List', 'the interfaces of a device, as iMC shows them', listInterfaces, {
      pages: wholeList,
      gives: page(interfaceDocument),
    }),
  }),
  ...at('/plat/res/device/{id}/interface/{name}', 'interface', {
    GET: viewer('Read', 'one interface of a device, by its ifIndex', readInterface, {
      gives: record(interfaceDocument),
    }),
  }),
  ...at('/plat/res/vendor', 'vendor', {
    GET: viewer('List', 'vendors of devices, as iMC lists them', kinds.listVendors, {
      pages: wholeList,
      gives: page(kinds.vendorDocument),
    }),
  }),
  ...at('/plat/res/category', 'category', {
    GET: viewer('List', 'categories of devices, as iMC lists them', kinds.listCategories, {
      pages: wholeList,
      gives: page(kinds.categoryDocument),
    }),
  }),
  ...at('/plat/res/series', 'series', {
    GET: viewer('List', 'the types of devices that people typed in, as iMC lists series', kinds.listSeries, {
      pages: wholeList,
      gives: page(kinds.seriesDocument),
    }),
  }),
  ...at('/plat/res/model', 'model', {
    GET: viewer('List', 'the models that devices name, as iMC lists them', kinds.listModels, {
      pages: wholeList,
      gives: page(kinds.modelDocument),
    }),
  }),
  ...at('/res/access/realtimeLocate', 'realtimeLocation', {
    GET: viewer('Locate', 'at which port a terminal is now, as iMC tells it', locate, {
      parameters: {
        type: { meaning: '1: value is a MAC address; 2: an IP address', scalar: locateTypes },
        value: { meaning: 'The address', scalar: text(), required: true },
      },
      pages: wholeList,
      gives: page(realtimeLocation),
    }),
  }),
  ...at('/res/access/ipMacArp/{id}', 'ipMacArp', {
    GET: viewer('List', 'the ARP table of a device, as iMC lists it', listArp, {
      pages: wholeList,
      gives: page(ipMacArp),
    }),
  }),
]
