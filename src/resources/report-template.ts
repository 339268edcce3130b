import { list } from '../schema/list.ts'
import { assigned, echo, empty, many, may, need, resource } from '../schema/resource.ts'
import { coded, long, text } from '../schema/scalar.ts'
import { collection } from './collection.ts'

const definition = { 0: 'pre-defined', 1: 'custom' }

// The contract's field list and its sample spell the report type differently: both spellings are written.
export const reportTemplate = resource(
  'reportTemplate',
  {
    id: assigned(long),
    name: need(text(), { keyed: true }),
    location: may(text(), empty),
    reportTypeId: may(long, empty),
    reportTypeID: echo('reportTypeId'),
    reportTypeName: need(text(), { keyed: true }),
    reportType: echo('reportTypeName'),
    customeDef: may(coded(definition), empty),
    parameter: many({ parameterName: need(text()), dataType: need(text()) }),
    operatorGroup: many({ operatorGroupId: need(long), operatorGroupName: may(text(), empty) }),
  },
  { table: 'report_template', key: 'id' },
)

export const reportTemplates = collection({
  resource: reportTemplate,
  noun: 'report template',
  list: list('/report/reportTemplate', reportTemplate, {
    filters: ({ wildcard, choice }) => ({
      templateName: wildcard('name'),
      reportType: wildcard('reportTypeName'),
      reportDefinedType: choice('customeDef', coded({ '-1': 'all', ...definition }), { all: -1, default: 1 }),
    }),
    counted: ['customeDef'],
  }),
  rules: {
    async saving(_tx, record) {
      // A template that a program creates is a custom one unless it says otherwise.
      record.customeDef ??= 1
    },
  },
})
