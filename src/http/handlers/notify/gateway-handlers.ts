// Handlers for gateways, which administrators define, and for their templates. Others see names and kinds: they choose
// one for an address.

import { Fault } from '../../../fault.ts'
import { gatewayTemplates } from '../../../notify/channels/gateway-templates.ts'
import { gateway, gatewayNames, gateways, gatewaysWith } from '../../../resources/notify/gateway.ts'
import type { Element } from '../../../schema/read-document.ts'
import { groups, optional, required, set } from '../../../schema/resource.ts'
import { bool, long, text } from '../../../schema/scalar.ts'
import { type Call, type Handler, readDocument } from '../../call.ts'
import { answerRows } from '../list-handlers.ts'
import { createOne, deleteOne, modifyOne } from '../record-handlers.ts'
import { observeRoutes } from './route-observer.ts'

export const gatewayNamesPath = `${gateways.path}/name`
export const gatewayTemplatesPath = `${gateways.path}/template`

export const gatewayNameDocument = {
  name: 'gatewayName',
  fields: {
    id: required(long),
    name: required(text()),
    kind: required(text()),
    enabled: required(bool),
    addressHint: optional(text()),
  },
}

export const gatewayTemplateDocument = {
  name: 'gatewayTemplate',
  fields: {
    name: required(text()),
    description: required(text()),
    /** What a gateway takes from it. */
    field: groups({ fieldName: required(text()), value: required(text({ maxLength: 20_000 })) }),
    needs: set(text()),
  },
}

const kept = ({ keys, templates }: Call) =>
  gatewaysWith({ keys, checkTemplates: (record) => templates.checkGateway(record) })

export const listGatewayNames: Handler = async (call) =>
  answerRows(call, gatewayNameDocument, await gatewayNames(call.database))

export const listGatewayTemplates: Handler = async (call) => {
  const templates = [...gatewayTemplates().values()].map(({ gateway: given, ...template }) => ({
    ...template,
    field: Object.entries(given).map(([fieldName, value]) => ({ fieldName, value })),
  }))
  answerRows(call, gatewayTemplateDocument, templates)
}

const itemNamed = ({ items }: Element, name: string) => items.find((item) => item.name === name)

/** What the body does not mention comes from the template it names. */
async function readWithTemplate(call: Call): Promise<Element> {
  const root = await readDocument(call, gateway.name)
  const name = itemNamed(root, 'template')?.text.trim()
  if (name === undefined || name === '') return root
  const templates = gatewayTemplates()
  const template = templates.get(name)
  if (!template) {
    const message = `there is no template ${name}: expected one of ${[...templates.keys()].join(', ')}`
    throw new Fault('invalid', message, { field: 'template' })
  }
  const more = Object.entries(template.gateway)
    .filter(([field]) => !itemNamed(root, field))
    .map(([field, value]) => ({ name: field, text: value, items: [] }))
  return { ...root, items: [...root.items, ...more] }
}

export const createGateway: Handler = (call) => createOne(kept(call), { reader: readWithTemplate })(call)
export const modifyGateway: Handler = (call) => modifyOne(kept(call), { observer: observeRoutes })(call)
export const deleteGateway: Handler = (call) => deleteOne(kept(call))(call)
