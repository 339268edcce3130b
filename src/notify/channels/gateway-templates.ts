// Templates of gateways that come with the service, as data: a new gateway takes from one what the caller did not give.

import { readdirSync, readFileSync } from 'node:fs'
import { Fault, shown } from '../../fault.ts'
import { gateway } from '../../resources/notify/gateway.ts'
import { readDraft } from '../../schema/read-document.ts'

export interface GatewayTemplate {
  readonly name: string
  readonly description: string
  /** Fields of a gateway, as a request would have them. */
  readonly gateway: Readonly<Record<string, string>>
  /** Secrets that only the caller knows. */
  readonly needs: readonly string[]
}

const folder = new URL('../../../definitions/gateways/', import.meta.url)

const fields = ['description', 'gateway', 'needs']

export function readTemplate(text: string, name: string): GatewayTemplate {
  const file = `${name}.json`
  let content: Partial<GatewayTemplate>
  try {
    content = JSON.parse(text)
  } catch (cause) {
    throw new Fault('invalid', `${file}: ${(cause as Error).message}`, { cause })
  }
  const strange = Object.keys(content).find((key) => !fields.includes(key))
  if (strange !== undefined)
    throw new Fault('invalid', `${file}: ${shown(strange)} is not known: expected ${fields.join(', ')}`)
  const { description = '', needs = [] } = content
  const given = content.gateway ?? {}
  const items = Object.entries(given).map(([field, value]) => ({ name: field, text: value, items: [] }))
  // As if it came in a request, which must have a name.
  const named = [...items, { name: 'name', text: name, items: [] }]
  try {
    readDraft(gateway, { name: gateway.name, text: '', items: named }, 'create')
  } catch (error) {
    throw error instanceof Fault ? new Fault('invalid', `${file}: ${error.field}: ${error.message}`) : error
  }
  return { name, description, gateway: given, needs }
}

/** By name. They are few and small, and read where somebody asks for them. */
export function gatewayTemplates(): ReadonlyMap<string, GatewayTemplate> {
  const names = readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.slice(0, -'.json'.length))
    .sort()
  return new Map(
    names.map((name) => [name, readTemplate(readFileSync(new URL(`${name}.json`, folder), 'utf8'), name)]),
  )
}
