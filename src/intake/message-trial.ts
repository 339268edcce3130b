// Tries a definition of messages before it is saved. What is tried goes from node to node as JSON, with the addresses of the
// devices that the definition names.

import {
  addressesNamedBy,
  type MessageDefinition,
  namesDevices,
} from '../resources/alarms/message-definition.ts'
import type { Reader } from '../store/database.ts'
import { MessageMatcher } from '../syslog/message-matcher.ts'
import { DefinitionScopes, preparedDefinitions } from '../syslog/own-definitions.ts'

type Draft = Omit<MessageDefinition, 'id'>

export interface TriedDefinition {
  readonly definition: Omit<Draft, 'device' | 'typeName' | 'zone'>
  /** Undefined: it names no device. */
  readonly addresses: readonly string[] | undefined
}

const id = 0n

export async function triedOf(reader: Pick<Reader, 'all'>, draft: Draft): Promise<TriedDefinition> {
  const { device, typeName, zone, ...definition } = draft
  const named = { id, device, typeName, zone }
  if (!namesDevices(named)) return { definition, addresses: undefined }
  const sets = (await addressesNamedBy(reader, [named])).get(id) ?? []
  return { definition, addresses: [...new Set(sets.flatMap((set) => [...set]))] }
}

/** Knows messages by this definition alone. */
export function matcherOf({ definition, addresses }: TriedDefinition): MessageMatcher {
  const scopes = new DefinitionScopes(new Map([[id, [new Set(addresses)]]]))
  const device = addresses === undefined ? [] : [id]
  return new MessageMatcher(
    preparedDefinitions([{ ...definition, id, device, typeName: [], zone: [] }], scopes),
  )
}
