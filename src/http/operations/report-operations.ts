// Operations on report templates, runs, results and schedules.

import { reportRun } from '../../reports/report.ts'
import { reportResults } from '../../resources/reports/report-result.ts'
import { reportSchedules } from '../../resources/reports/report-schedule.ts'
import { reportTemplates } from '../../resources/reports/report-template.ts'
import { wholeList } from '../../schema/list.ts'
import * as reportHandlers from '../handlers/reports/report-handlers.ts'
import * as schedules from '../handlers/reports/report-schedule-handlers.ts'
import { at, done, located, operator, page, record, viewer } from '../operation.ts'

const format = { meaning: 'Instead of Accept', scalar: reportHandlers.formName }
const reportFile = { gives: { 200: { kind: 'report' } }, ownForm: true } as const

export const reportOperations = [
  ...at('/report/report', 'report', {
    GET: viewer('List', 'what can be reported, with the parameters of each', reportHandlers.listReports, {
      pages: wholeList,
      gives: page(reportHandlers.reportDocument),
    }),
  }),
  ...at(`${reportTemplates.path}/{id}/run`, 'reportTemplate', {
    GET: viewer('DescribeRun', 'what a report template runs, and what it takes', reportHandlers.describeRun, {
      gives: record(reportHandlers.templateRunDocument),
    }),
    // It changes nothing; what it finds is kept as a result.
    POST: viewer('Run', 'a report template: a page, CSV, JSON or PDF', reportHandlers.runTemplate, {
      parameters: { format },
      takes: reportRun,
      bodyOptional: true,
      ...reportFile,
    }),
  }),
  ...at(reportResults.path, 'reportResult', {
    GET: viewer('List', 'results of report runs', reportHandlers.listResults, {
      list: reportResults.list,
      gives: page(reportResults.resource),
    }),
  }),
  ...at(`${reportResults.path}/{id}`, 'reportResult', {
    GET: viewer('Read', 'a result as a page, CSV, JSON or PDF', reportHandlers.showResult, {
      parameters: { format },
      ...reportFile,
    }),
    DELETE: operator('Delete', 'a result', reportHandlers.deleteResult, { gives: done }),
  }),
  ...at(reportSchedules.path, 'reportSchedule', {
    GET: viewer('List', 'report schedules', schedules.listSchedules, {
      list: reportSchedules.list,
      gives: page(reportSchedules.resource),
    }),
    POST: operator('Create', 'a report schedule', schedules.createSchedule, {
      takes: reportSchedules.resource,
      gives: located(201),
    }),
  }),
  ...at(`${reportSchedules.path}/{id}`, 'reportSchedule', {
    GET: viewer('Read', 'a report schedule', schedules.readSchedule, {
      gives: record(reportSchedules.resource),
    }),
    PUT: operator('Modify', 'a report schedule', schedules.modifySchedule, {
      takes: reportSchedules.resource,
      gives: done,
    }),
    DELETE: operator('Delete', 'a report schedule; its results stay', schedules.deleteSchedule, {
      gives: done,
    }),
  }),
]
