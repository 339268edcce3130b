// Operations on devices, besides those of every collection.

import { wholeList } from '../../schema/list.ts'
import {
  interfaceDocument,
  listInterfaces,
  readInterface,
} from '../handlers/inventory/device-interface-handlers.ts'
import { at, page, record, viewer } from '../operation.ts'

export const deviceOperations = [
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
]
