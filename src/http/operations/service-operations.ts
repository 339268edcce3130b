// Operations on the service itself and on the store as a whole.

import { auditLog } from '../../resources/access/audit-log.ts'
import { wholeList } from '../../schema/list.ts'
import { bool, long } from '../../schema/scalar.ts'
import { exportData } from '../handlers/files/export-handlers.ts'
import { answerDeviceMetrics } from '../handlers/inventory/device-metrics.ts'
import { answerList } from '../handlers/list-handlers.ts'
import { nodeDocument, showNodes } from '../handlers/node-handlers.ts'
import { readOne } from '../handlers/record-handlers.ts'
import {
  answerHealth,
  answerMetrics,
  answerRoot,
  answerTrapHealth,
  clockDocument,
  confirm,
  type Listed,
  listSettings,
  serviceDocument,
  settingDocument,
  showClock,
} from '../handlers/service-handlers.ts'
import {
  backUp,
  check,
  keyRotationDocument,
  repair,
  rotateKey,
  storeCheckDocument,
} from '../handlers/store-handlers.ts'
import {
  administrator,
  anyone,
  at,
  done,
  file,
  type Operation,
  page,
  plainText,
  record,
  viewer,
} from '../operation.ts'
import { exporting } from './collection-operations.ts'

/** The service itself; its root document names the lists there are. */
export const serviceOperations = (lists: () => readonly Listed[]): Operation[] => [
  ...at('/', 'service', {
    GET: viewer('Read', 'who answers here', answerRoot(lists), { gives: record(serviceDocument) }),
  }),
  ...at('/health', 'health', {
    GET: anyone('Read', 'whether the service is ready', answerHealth, { gives: plainText, ownForm: true }),
  }),
  ...at('/health/traps', 'trapHealth', {
    GET: anyone('Read', 'whether this service can receive and keep traps', answerTrapHealth, {
      gives: plainText,
      ownForm: true,
    }),
  }),
  ...at('/metrics/devices', 'metrics', {
    GET: viewer(
      'ReadDevices',
      'what is known of devices, in the text form of Prometheus',
      answerDeviceMetrics,
      {
        parameters: {
          ports: { meaning: 'With their ports, which may be many', scalar: bool },
          zoneId: { meaning: 'Those of this zone alone', scalar: long },
        },
        gives: plainText,
        ownForm: true,
      },
    ),
  }),
  ...at('/metrics', 'metrics', {
    GET: viewer('Read', 'measurements in the text form of Prometheus', answerMetrics, {
      gives: plainText,
      ownForm: true,
    }),
  }),
]

/** The store as a whole, and who changed what in it. */
export const storeOperations = [
  ...at('/plat/backup', 'service', {
    GET: administrator('BackUp', 'the whole store as it is at one moment, as a file; one at a time', backUp, {
      gives: file,
      ownForm: true,
      scope: 'backup',
    }),
  }),
  ...at('/plat/check', 'storeCheck', {
    GET: administrator('Check', 'what is wrong with the store, if anything; one at a time', check, {
      gives: record(storeCheckDocument),
    }),
  }),
  ...at('/plat/check/repair', 'storeCheck', {
    POST: administrator('Repair', 'wrong totals by counting anew, and check the store', repair, {
      gives: record(storeCheckDocument),
    }),
  }),
  ...at('/plat/node', 'node', {
    GET: viewer('List', 'the services that run on the store, and which of them is the leader', showNodes, {
      pages: wholeList,
      gives: page(nodeDocument),
    }),
  }),
  ...at('/plat/clock', 'clock', {
    GET: viewer('Read', "the store's clock, and whether what is old is deleted by it", showClock, {
      gives: record(clockDocument),
    }),
  }),
  ...at('/plat/clock/confirm', 'clock', {
    PUT: administrator('Confirm', "that the store's clock is right after it was in doubt", confirm, {
      gives: done,
    }),
  }),
  ...at('/plat/setting', 'setting', {
    GET: administrator('List', 'settings, with where each comes from', listSettings, {
      pages: wholeList,
      gives: page(settingDocument),
    }),
  }),
  ...at('/plat/key/rotation', 'key', {
    POST: administrator(
      'Rotate',
      'seals secrets in the store with the newest key of the key file',
      rotateKey,
      {
        gives: record(keyRotationDocument),
      },
    ),
  }),
  ...at(auditLog.path, 'audit', {
    GET: administrator('List', 'entries of the audit log', (call) => answerList(call, auditLog), {
      list: auditLog.list,
      gives: page(auditLog.resource),
    }),
  }),
  ...at(`${auditLog.path}/{id}`, 'audit', {
    GET: administrator('Read', 'an entry of the audit log', readOne(auditLog), {
      gives: record(auditLog.resource),
    }),
  }),
  ...at(`/plat/data/${auditLog.resource.name}`, 'audit', {
    GET: administrator('Export', 'the audit log', exportData(auditLog), exporting(auditLog.resource)),
  }),
]
