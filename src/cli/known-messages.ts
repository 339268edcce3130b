// The definitions of users, as `belfry syslog explain` applies them: those of the service that uses the data folder.

import type { Config } from '../config/config.ts'
import { standardEvents } from '../events/event-file.ts'
import { type MessageDefinition, namesDevices } from '../resources/alarms/message-definition.ts'
import { MessageMatcher, type SyslogMeaning } from '../syslog/message-matcher.ts'
import { DefinitionScopes, preparedDefinitions } from '../syslog/own-definitions.ts'
import { readShippedDefinitions } from '../syslog/syslog-definitions.ts'
import type { SyslogMessage } from '../syslog/syslog-message.ts'
import { askJson, runningService } from './service-connection.ts'

/** As the service lists it. */
interface ListedDefinition {
  readonly id: string
  readonly name: string
  readonly message: readonly { readonly pattern?: string; readonly handling: string }[]
  readonly [field: string]: unknown
}

interface ListedDevice {
  readonly id: string
  readonly typeName?: string
  readonly zoneId?: string
}

/** The service has no more. */
const maxMessages = 1000

const texts = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])
const optional = (value: unknown) => (value === undefined ? null : String(value))

const definitionOf = (one: ListedDefinition): MessageDefinition => ({
  id: BigInt(one.id),
  name: one.name,
  ...{ code: texts(one.code), word: texts(one.word), network: texts(one.network) },
  ...{
    device: texts(one.device).map(BigInt),
    typeName: texts(one.typeName),
    zone: texts(one.zone).map(BigInt),
  },
  message: one.message.map(({ pattern, handling }) => ({
    pattern: pattern ?? null,
    handling: Number(handling),
  })),
  unless: optional(one.unless),
  ...{ key: texts(one.key), raises: texts(one.raises), clears: texts(one.clears) },
  eventOid: optional(one.eventOid),
  alarmLevel: one.alarmLevel === undefined ? null : Number(one.alarmLevel),
  alarmCategory: one.alarmCategory === undefined ? null : Number(one.alarmCategory),
  alarmDesc: optional(one.alarmDesc),
  description: optional(one.description) ?? '',
})

export class KnownMessages {
  readonly #matcher: MessageMatcher
  readonly #service: string | undefined
  /** Definitions for devices, types or zones. */
  readonly #placed: readonly MessageDefinition[]
  /** The hosts that each of them is for, as far as they have been looked up. */
  readonly #hosts: ReadonlyMap<bigint, Set<string>>
  readonly #looked = new Set<string>()

  private constructor(service: string | undefined, own: readonly MessageDefinition[]) {
    const { definitions, events } = readShippedDefinitions()
    this.#service = service
    this.#matcher = new MessageMatcher(definitions)
    this.#placed = own.filter(namesDevices)
    this.#hosts = new Map(this.#placed.map(({ id }) => [id, new Set<string>()]))
    const scopes = new DefinitionScopes(new Map(Array.from(this.#hosts, ([id, hosts]) => [id, [hosts]])))
    const shipped = new Map([...standardEvents, ...events].map((event) => [event.eventOid, event]))
    this.#matcher.prefer(preparedDefinitions(own, scopes, shipped))
  }

  static async open(config: Config): Promise<KnownMessages> {
    const service = await runningService(config.data)
    if (service === undefined) return new KnownMessages(undefined, [])
    const { messageDefinition = [] } = await askJson<{ messageDefinition?: ListedDefinition[] }>(
      `${service}/fault/messageDefinition?size=${maxMessages}`,
    )
    return new KnownMessages(service, messageDefinition.map(definitionOf))
  }

  /** A message is taken to be about the device with the address that it has as its host. */
  async match(message: SyslogMessage): Promise<SyslogMeaning | undefined> {
    const { host = '' } = message
    if (this.#placed.length > 0 && host !== '') await this.#lookUp(host)
    return this.#matcher.match(message, host)
  }

  async #lookUp(host: string): Promise<void> {
    if (this.#looked.has(host)) return
    this.#looked.add(host)
    if (!/^[\da-f:.]+$/i.test(host)) return
    const query = new URLSearchParams({ ip: host, size: '1' })
    const { device = [] } = await askJson<{ device?: ListedDevice[] }>(
      `${this.#service}/plat/res/device?${query}`,
    )
    const [found] = device
    if (!found) return
    for (const { id, device: ids, typeName, zone } of this.#placed) {
      const isNamed =
        ids.includes(BigInt(found.id)) ||
        (found.typeName !== undefined && typeName.includes(found.typeName)) ||
        (found.zoneId !== undefined && zone.includes(BigInt(found.zoneId)))
      if (isNamed) this.#hosts.get(id)?.add(host)
    }
  }
}
