// The definitions by which this service knows messages: those of users, which come first, and the shipped ones.

import type { Logger } from 'pino'
import { Networks } from '../config/networks.ts'
import { standardEvents } from '../events/event-file.ts'
import {
  allMessageDefinitions,
  handling,
  isLevelBySeverity,
  type MessageDefinition,
  messageDefinitions,
  type NamedAddresses,
  namedAddresses,
  namesDevices,
  otherEventOf,
  ownEventOf,
} from '../resources/alarms/message-definition.ts'
import { eventsAt, type TrapEvent, trapEvents } from '../resources/alarms/trap-event.ts'
import { messageFinderOf } from '../schema/message-pattern.ts'
import { addressOf } from '../schema/space.ts'
import type { Database, Reader } from '../store/database.ts'
import { TableCache } from '../store/table-cache.ts'
import { MessageMatcher } from './message-matcher.ts'
import type { ReportedEvent, SyslogCatalogue, SyslogDefinition } from './syslog-definitions.ts'

/** Events that other definitions describe, by OID. */
type Events = ReadonlyMap<string, ReportedEvent>

const does = {
  [handling.none]: 'ignore',
  [handling.raise]: 'raise',
  [handling.end]: 'clear',
  [handling.byState]: 'state',
} as const

/** Which devices definitions are for: it may change while the definitions stay. */
export class DefinitionScopes {
  #addresses: NamedAddresses

  constructor(addresses: NamedAddresses = new Map()) {
    this.#addresses = addresses
  }

  set(addresses: NamedAddresses): void {
    this.#addresses = addresses
  }

  /** Undefined: it is for all. */
  of(definition: MessageDefinition): Pick<Networks, 'has'> | undefined {
    const { id, network } = definition
    if (network.length === 0 && !namesDevices(definition)) return undefined
    const networks = new Networks(network)
    return {
      has: (address) =>
        networks.has(addressOf(address)) || this.#addresses.get(id)?.some((set) => set.has(address)) === true,
    }
  }
}

/** Each message of a definition by itself, in their order. */
export function preparedDefinitions(
  definitions: readonly MessageDefinition[],
  scopes: DefinitionScopes,
  events: Events = new Map(),
): SyslogDefinition[] {
  return definitions.flatMap((definition) => {
    const { name, code, word, message, unless, key, raises, clears } = definition
    const event = eventOf(definition, events)
    const shared = {
      ...{ name, key, words: word, examples: [], isLiteral: true },
      codes: code.map((one) => one.toUpperCase()),
      onlyFrom: scopes.of(definition),
      isLevelBySeverity: isLevelBySeverity(definition),
      unless: unless === null ? undefined : messageFinderOf(unless, true),
      raises: raises.map((value) => value.toLowerCase()),
      clears: clears.map((value) => value.toLowerCase()),
    }
    return message.map(({ pattern, handling: code }) => ({
      ...shared,
      does: does[code as keyof typeof does],
      event: code === handling.none ? undefined : event,
      texts: pattern === null ? [] : [messageFinderOf(pattern, true)],
    }))
  })
}

function eventOf(definition: MessageDefinition, events: Events): ReportedEvent | undefined {
  const own = ownEventOf(definition)
  if (own) return reported(own)
  const other = otherEventOf(definition)
  if (other === undefined) return undefined
  return events.get(other) ?? { eventOid: other, name: definition.name }
}

const reported = ({ eventOid, name, parameter }: Pick<TrapEvent, 'eventOid' | 'name' | 'parameter'>) => ({
  ...{ eventOid, name },
  parameter: parameter.map(({ oid, name, fromIndex }) => ({
    oid,
    name,
    ...(fromIndex && { fromIndex: true as const }),
  })),
})

/** What says which devices definitions are for. */
export const scopeTables = [messageDefinitions.resource.table, 'device', 'device_address'] as const

export class OwnDefinitions {
  readonly matcher: MessageMatcher
  readonly #database: Database
  readonly #cache: TableCache<SyslogDefinition[]>
  readonly #scopes = new DefinitionScopes()
  readonly #addresses: TableCache<NamedAddresses>
  /** Events that are shipped with the program. */
  readonly #shipped: Events
  readonly #log: Logger
  #used: SyslogDefinition[] | undefined

  constructor(database: Database, { definitions, events }: SyslogCatalogue, log: Logger) {
    this.matcher = new MessageMatcher(definitions)
    this.#database = database
    this.#cache = new TableCache(database, messageDefinitions.resource.table, trapEvents.resource.table)
    this.#addresses = new TableCache(database, ...scopeTables)
    this.#shipped = new Map([...standardEvents, ...events].map((event) => [event.eventOid, event]))
    this.#log = log
  }

  /** Reads what has changed. What cannot be read now is read the next time: messages must not wait for it. */
  async refresh(): Promise<void> {
    try {
      const definitions = await this.#cache.get(this.#database, (reader) => this.#read(reader))
      this.#scopes.set(await this.#addresses.get(this.#database, namedAddresses))
      if (definitions === this.#used) return
      this.matcher.prefer(definitions)
      this.#used = definitions
    } catch (error) {
      this.#log.error({ err: error }, 'changed message definitions could not be read')
    }
  }

  async #read(reader: Reader): Promise<SyslogDefinition[]> {
    const all = await allMessageDefinitions(reader)
    const events = new Map(this.#shipped)
    const named = all.map(otherEventOf).filter((oid) => oid !== undefined)
    for (const event of await eventsAt(reader, [...new Set(named)]))
      events.set(event.eventOid, reported(event))
    for (const definition of all) {
      const own = ownEventOf(definition)
      if (own) events.set(own.eventOid, reported(own))
    }
    return preparedDefinitions(all, this.#scopes, events)
  }
}
