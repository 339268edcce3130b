// A request as handlers see it: its target, query and body.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import type { LoginSummary } from '../access/login-summary.ts'
import type { Logins } from '../access/logins.ts'
import type { OpenIdProvider } from '../access/openid-provider.ts'
import type { AlarmWriter } from '../alarms/actions/alarm-actions.ts'
import type { AlarmBatches } from '../alarms/actions/alarm-batches.ts'
import type { ProgramDraft, Raised } from '../alarms/actions/program-alarms.ts'
import type { AlarmEngine } from '../alarms/engine/engine.ts'
import type { AlarmFigures } from '../alarms/history/figures.ts'
import type { Discoverer } from '../ask/discover/discoverer.ts'
import type { QuestionSocket } from '../ask/question-socket.ts'
import type { MessagesOfNodes } from '../cluster/blocks/messages-of-nodes.ts'
import type { Node } from '../cluster/nodes/node.ts'
import type { Config } from '../config/config.ts'
import type { MibLibrary } from '../events/mib-library.ts'
import type { MibProposalList } from '../events/mib-proposal-list.ts'
import { Fault, shown } from '../fault.ts'
import type { ReceiverCounts } from '../intake/receiver.ts'
import type { Keys } from '../keys/key-ring.ts'
import type { Confirmations } from '../notify/channels/confirmation.ts'
import type { MessageTemplates } from '../notify/channels/message-template.ts'
import type { Senders } from '../notify/channels/senders.ts'
import type { ActionLinks } from '../notify/links/action-links.ts'
import type { OnCall } from '../notify/oncall/on-call.ts'
import type { Routing } from '../notify/routes/notifier.ts'
import { TimeSlice } from '../pacing/time-slice.ts'
import type { Push } from '../push/push.ts'
import type { Reports } from '../reports/runs.ts'
import type { Session } from '../resources/access/credentials.ts'
import type { Role } from '../resources/access/role.ts'
import type { Scopes } from '../resources/access/token.ts'
import type { AlarmTexts } from '../resources/alarms/alarm.ts'
import { parseJsonInSteps } from '../schema/json.ts'
import type { Parameters } from '../schema/list.ts'
import type { Element } from '../schema/read-document.ts'
import { parseXmlInSteps } from '../schema/xml.ts'
import type { Database } from '../store/database.ts'
import type { Terminals } from '../terminals/terminals.ts'
import type { Health } from '../upkeep/service-health.ts'
import type { Traffic } from '../upkeep/traffic.ts'
import { readBody } from './body.ts'
import type { ServerMemory } from './call-memory.ts'
import { type Root, takeRoot } from './imc/imc-root.ts'

/** What handlers need beside the request itself. */
export interface Services {
  readonly database: Database
  readonly config: Config
  readonly log: Logger
  readonly version: string
  readonly engine: AlarmEngine
  readonly batches: AlarmBatches
  readonly alarmTexts: AlarmTexts
  readonly modules: MibLibrary
  readonly proposals: MibProposalList
  readonly push: Push
  readonly figures: AlarmFigures
  readonly reports: Reports
  readonly routing: Routing
  readonly clock: () => number
  readonly logins: Logins
  /** The provider through which people may sign in, where the settings name one. */
  readonly openid?: OpenIdProvider | undefined
  /** The syslog messages that all nodes have received lately. */
  readonly messages: MessagesOfNodes
  /** What the trap receiver counts. */
  readonly receiver: ReceiverCounts
  /** As it was found last. */
  readonly health: Health
  readonly traffic: Traffic
  /** Absent where this service has the store for itself. */
  readonly node: Node | undefined
  readonly terminals: Terminals
  readonly keys: Keys
  /** Through which devices are asked. */
  readonly questions: QuestionSocket
  readonly discoverer: Discoverer
  readonly templates: MessageTemplates
  readonly senders: Senders
  readonly confirmations: Confirmations
  readonly onCall: OnCall
  readonly links: ActionLinks
  /** Calls of callers who may not make them, for the audit log. */
  readonly refusedCalls: Pick<LoginSummary, 'add'>
}

/** Who calls. */
export interface Caller {
  readonly name: string
  readonly role: Role
  /** Where the request comes from; `local` for the admin socket. */
  readonly address: string
  /** Identifies the caller; nobody is asked as long as there are no operators. */
  readonly by: 'nobody' | 'local' | 'address' | 'digest' | 'basic' | 'token' | 'session'
  readonly operatorId?: bigint
  /** The rights of the token that was used, out of those of its operator. */
  readonly token?: { readonly id: bigint; readonly scopes: Scopes; readonly operatorRole: Role }
  readonly session?: Pick<Session, 'id' | 'expiryTime' | 'presentTime'>
  /** Valid for this one path alone. */
  readonly only?: 'events' | 'metrics' | 'health' | 'console/session' | 'notify/calendar' | 'notify/action'
  /** Whether the credentials are still valid: an answer may last for months. */
  hasPermission(): boolean
}

/** What is changed through a call is changed by the caller, and recorded in the audit log. */
export interface Call extends Omit<Services, 'engine'> {
  readonly engine: AlarmWriter &
    Pick<AlarmEngine, 'definitions'> & { raise(drafts: readonly ProgramDraft[]): Promise<readonly Raised[]> }
  readonly caller: Caller
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly parameters: Parameters
  /** The representation the caller wants. */
  readonly form: Form
  /** The `{id}` of the path. */
  readonly id: bigint
  /** The `{name}` of the path. */
  readonly name: string
  readonly measurements: Measurements
  readonly memory: ServerMemory
  /** The address of the service root as this caller knows it, without a slash at the end. */
  readonly base: string
  readonly root: Root
  readonly channel: Channel
}

/** Who can read what is sent: nobody else; nobody outside this machine; everyone on the way. */
export type Channel = 'encrypted' | 'loopback' | 'open'

/** The metrics of the service, for Prometheus. */
export interface Measurements {
  readonly contentType: string
  metrics(): Promise<string>
}

export type Form = 'xml' | 'json'

export type Handler = (call: Call) => Promise<void>

export interface Target {
  readonly root: Root
  /** What lies between the slashes, decoded: an encoded slash is part of a step. */
  readonly steps: readonly string[]
  /** The steps as one text, encoded again where they would be mistaken for others. */
  readonly path: string
  readonly query: string
}

/** How often a header was sent; Node itself keeps one, or joins them. */
export function timesSent(rawHeaders: readonly string[], name: string): number {
  let times = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() === name) times += 1
  }
  return times
}

/** Slashes at the end, or two where one is meant, come from concatenated addresses, and are accepted. */
export function readTarget(url: string): Target {
  const relative = url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?#]*/i, '')
  const mark = relative.indexOf('?')
  const rawPath = mark < 0 ? relative : relative.slice(0, mark)
  const query = mark < 0 ? '' : relative.slice(mark + 1)
  const steps: string[] = []
  for (const step of rawPath.split('/')) if (step !== '') steps.push(decode(step, 'the path'))
  const root = takeRoot(steps)
  const written = rawPath.includes('%') ? steps.map((step) => step.replaceAll('/', '%2F')) : steps
  return { root, steps, path: `/${written.join('/')}`, query }
}

function decode(text: string, where: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch (cause) {
    throw new Fault('invalid', `${where} is not valid percent-encoded UTF-8: ${shown(text)}`, { cause })
  }
}

export function readParameters(query: string): Parameters {
  const parameters = new Map<string, string[]>()
  if (query === '') return parameters
  for (const pair of query.split('&')) {
    if (pair === '') continue
    const cut = pair.indexOf('=')
    const plain = pair.replaceAll('+', ' ')
    const name = decode(cut < 0 ? plain : plain.slice(0, cut), 'the query')
    const value = cut < 0 ? '' : decode(plain.slice(cut + 1), name)
    const values = parameters.get(name)
    if (values) values.push(value)
    else parameters.set(name, [value])
  }
  return parameters
}

/** A body is read as it comes: what is compressed is refused, and not taken for something else. */
export function requireNoEncoding({ headers }: IncomingMessage): void {
  const encoding = headers['content-encoding']
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new Fault(
      'unsupported-media-type',
      `the content encoding ${shown(encoding)} is not accepted: expected none`,
    )
  }
}

/** The type of a body that can be read as UTF-8, in small letters; undefined where the caller names none. */
export function mediaTypeOf(request: IncomingMessage): string | undefined {
  requireNoEncoding(request)
  const header = request.headers['content-type']
  if (header === undefined) return undefined
  const [type = '', ...options] = header.split(';').map((part) => part.trim().toLowerCase())
  const charset = options.find((option) => option.startsWith('charset='))?.slice('charset='.length)
  if (charset !== undefined && !/^"?utf-?8"?$/.test(charset)) {
    throw new Fault('unsupported-media-type', `the charset ${shown(charset)} is not accepted: expected UTF-8`)
  }
  return type
}

/** The representation of a body, from its headers alone. */
export function bodyForm(request: IncomingMessage): Form {
  const type = mediaTypeOf(request)
  if (type === 'application/json') return 'json'
  if (type === undefined || type === 'application/xml' || type === 'text/xml') return 'xml'
  const given = shown(request.headers['content-type'] ?? '')
  throw new Fault(
    'unsupported-media-type',
    `the content type ${given} is not accepted: expected application/xml or application/json`,
  )
}

/** Bytes. What somebody sends who has no credentials is a name and a password, or the answer of a provider. */
const anonymousBodyLimit = 2 ** 14

/** The body as a tree with the given root; no body at all is a document without content. */
export async function readDocument({ request, config, caller }: Call, rootName: string): Promise<Element> {
  const form = bodyForm(request)
  const limit = config['body-limit']
  const bytes = await readBody(
    request,
    caller.only === undefined ? limit : Math.min(limit, anonymousBodyLimit),
  )
  if (bytes.length === 0) return { name: rootName, text: '', items: [] }
  const timeSlice = new TimeSlice()
  const yieldIfDue = () => timeSlice.step()
  return form === 'json' ? parseJsonInSteps(bytes, rootName, yieldIfDue) : parseXmlInSteps(bytes, yieldIfDue)
}
