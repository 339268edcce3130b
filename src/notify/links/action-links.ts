// Links in messages by which people act on an alarm. A link names a contact and an alarm, is sealed with the key of the
// installation, and ends after some days, or when the contact is no longer the operator that it was. It stands in the fragment of an address, which no server or proxy sees.

import { randomBytes } from 'node:crypto'
import { type AlarmWriter, auditAlarm, loadAlarm } from '../../alarms/actions/alarm-actions.ts'
import { applyAction, type OperatorAction } from '../../alarms/actions/operator-actions.ts'
import type { AlarmEngine } from '../../alarms/engine/engine.ts'
import { Fault } from '../../fault.ts'
import type { Keys } from '../../keys/key-ring.ts'
import { audit } from '../../resources/access/audit-entry.ts'
import { mayAct } from '../../resources/access/role.ts'
import { type Alarm, alarms } from '../../resources/alarms/alarm.ts'
import { type ActingContact, readActingContact } from '../../resources/notify/contact.ts'
import type { Actor, Database, Reader, Transaction } from '../../store/database.ts'
import { find } from '../../store/table.ts'
import type { MessageLink } from '../message.ts'

/** What can be done by a link, in the order in which messages show them. */
const labels = {
  acknowledge: 'Acknowledge',
  escalate: 'I cannot, next step',
  assign: 'Assign to me',
  shelve: 'Shelve for an hour',
} as const

export type LinkAction = keyof typeof labels
export const linkActions = Object.keys(labels) as readonly LinkAction[]

/** What a link says. */
interface Link {
  /** The same for all actions that one message offers. */
  readonly id: string
  readonly contactId: bigint
  /** The operator that the contact was when the link was made; 0 where it was none. */
  readonly operatorId: bigint
  readonly alarmId: bigint
  readonly expiryTime: number
  /** The storm or summary that the message was about; 0 where it was about the alarm alone. */
  readonly groupId: bigint
}

/** A link that was opened, and by whom. */
export interface OpenedLink extends Link {
  readonly contact: ActingContact
  /** What its contact may do with it. */
  readonly allowed: readonly LinkAction[]
  /** What was done with it. */
  readonly used: ReadonlySet<string>
}

/** The escalation of alarms, as far as this room needs it. */
export interface StepSource {
  /** Whether somebody else can be called in place of a contact. */
  has(reader: Reader, alarmId: bigint, contactId: bigint): Promise<boolean>
  /** Calls whoever is next at once; returns whether there is anybody. */
  ask(tx: Transaction, alarmId: bigint, by: { contactId: bigint; name: string }): Promise<boolean>
  /** Whether people are being called for a storm or a summary. */
  isCalling(reader: Reader, groupId: bigint): Promise<boolean>
  /** Somebody takes all alarms of a storm or a summary. */
  acknowledge(tx: Transaction, groupId: bigint, name: string): Promise<void>
}

export interface LinkParts {
  readonly database: Database
  readonly engine: AlarmEngine
  readonly keys: Keys
  readonly steps: StepSource
}

const purpose = 'action link'
const lifetime = 3 * 24 * 3600 * 1000
const form = /^([\w-]{22}) (\d{1,19}) (\d{1,19}) (\d{1,19}) (\d{1,15}) (\d{1,19})$/
/** Longer texts are no links of ours. */
const longest = 500

export class ActionLinks {
  readonly #database: Database
  readonly #engine: AlarmEngine
  readonly #keys: Keys
  readonly #steps: StepSource
  readonly #page: string | undefined

  /** Without a public address there are no links; nor are there where others could read them on their way. */
  constructor({ database, engine, keys, steps }: LinkParts, publicUrl: string) {
    this.#database = database
    this.#engine = engine
    this.#keys = keys
    this.#steps = steps
    this.#page = isSafe(publicUrl) ? `${publicUrl.replace(/\/$/, '')}/console/act` : undefined
  }

  /** Those that the contact may use, and that make sense for the alarm as it is now. */
  async linksFor(contactId: bigint, alarmId: bigint, groupId = 0n): Promise<MessageLink[]> {
    if (this.#page === undefined) return []
    const contact = await readActingContact(this.#database, contactId)
    const alarm = await this.#alarm(alarmId)
    if (!contact || !alarm) return []
    const allowed = await this.#useful(alarm, { contactId, groupId }, allowedTo(contact))
    if (allowed.length === 0) return []
    const id = randomBytes(16).toString('base64url')
    const expiryTime = this.#database.now() + lifetime
    const content = `${id} ${contactId} ${operatorOf(contact)} ${alarmId} ${expiryTime} ${groupId}`
    const sealed = await this.#keys.sealOutside(purpose, content)
    return allowed.map((action) => ({ label: labels[action], url: `${this.#page}#${action}:${sealed}` }))
  }

  /** Opening a link changes nothing: programs that check mail open every link. */
  async open(
    sealed: string,
    reader: Reader = this.#database,
    now = this.#database.now(),
  ): Promise<OpenedLink> {
    const link = this.#read(sealed)
    if (!link) throw new Fault('forbidden', 'this is no link of this service, or its key is no longer in use')
    if (link.expiryTime <= now)
      throw new Fault('forbidden', 'the link has expired: sign in to act on the alarm')
    const contact = await readActingContact(reader, link.contactId)
    // Whoever was an operator then and is none now, or another one, got it with rights that are over.
    const isSame = contact !== undefined && operatorOf(contact) === link.operatorId
    const allowed = isSame ? allowedTo(contact) : []
    if (!contact || allowed.length === 0) {
      throw new Fault('forbidden', 'whoever got this link may no longer act on alarms')
    }
    const rows = await reader.all('select action from action_use where link = ?', [link.id])
    const used = new Set(rows.map(({ action }) => String(action)))
    return { ...link, contact, allowed, used }
  }

  /** What can still be done by a link with its alarm as it is now. */
  actionsOf(link: OpenedLink, alarm: Alarm): Promise<LinkAction[]> {
    const left = link.allowed.filter((action) => !link.used.has(action))
    return this.#useful(alarm, link, left)
  }

  async #alarm(id: bigint): Promise<Alarm | undefined> {
    return (await find(this.#database, alarms.table, id)) as Alarm | undefined
  }

  /** Nobody acknowledges twice, nor asks for a step that does not come. */
  async #useful(
    { id, recStatus, ackStatus }: Alarm,
    { contactId, groupId }: Pick<Link, 'contactId' | 'groupId'>,
    actions: readonly LinkAction[],
  ): Promise<LinkAction[]> {
    const isOpen = recStatus === 0
    const hasNext =
      isOpen && actions.includes('escalate') && (await this.#steps.has(this.#database, id, contactId))
    // To assign or to shelve one alarm of many would seem to concern all of them.
    const useful: Record<LinkAction, boolean> =
      groupId === 0n
        ? { acknowledge: isOpen && ackStatus === 0, escalate: hasNext, assign: isOpen, shelve: isOpen }
        : {
            acknowledge: await this.#steps.isCalling(this.#database, groupId),
            ...{ escalate: hasNext, assign: false, shelve: false },
          }
    return actions.filter((action) => useful[action])
  }

  /** Acts on the alarm, once for each link and action, on behalf of the contact. */
  async use(sealed: string, action: LinkAction, address: string): Promise<void> {
    const { contact, contactId, alarmId, groupId } = await this.open(sealed)
    const actor: Actor = { name: nameOf(contact), role: contact.operator?.role ?? 'contact', address }
    const writer: AlarmWriter = {
      change: (work) =>
        this.#engine.change(async (changes, tx) => {
          // Checked again inside the transaction: somebody may have pressed the button twice.
          await recordUse(tx, await this.open(sealed, tx, tx.now), action)
          const done = await work(changes, tx)
          if (action === 'acknowledge' && groupId !== 0n)
            await this.#steps.acknowledge(tx, groupId, actor.name)
          return done
        }, actor),
    }
    if (action === 'escalate') await this.#escalate(writer, alarmId, { contactId, name: actor.name })
    else await applyAction(writer, alarmId, requestOf(action, actor.name), actor.name)
  }

  #escalate(
    writer: AlarmWriter,
    alarmId: bigint,
    by: { readonly contactId: bigint; readonly name: string },
  ): Promise<void> {
    return writer.change(async (changes, tx) => {
      const before = await loadAlarm(changes, alarmId)
      if (!(await this.#steps.ask(tx, alarmId, by))) {
        const message = `nobody else is called for alarm ${alarmId}: it is over or acknowledged, or there is no further step`
        throw new Fault('conflict', message)
      }
      changes.update.escalate(alarmId, by.name)
      await changes.write()
      await auditAlarm(tx, 'escalate', alarmId, before)
    })
  }

  #read(sealed: string): Link | undefined {
    const content = sealed.length > longest ? undefined : this.#keys.openOutside(purpose, sealed)
    const [, id, contactId, operatorId, alarmId, expiryTime, groupId] = form.exec(content ?? '') ?? []
    if (id === undefined) return undefined
    return {
      ...{ id, contactId: BigInt(contactId ?? 0), operatorId: BigInt(operatorId ?? 0) },
      ...{ alarmId: BigInt(alarmId ?? 0), expiryTime: Number(expiryTime), groupId: BigInt(groupId ?? 0) },
    }
  }
}

/** By https, or to this very machine. */
const isSafe = (publicUrl: string) =>
  /^(https:\/\/|http:\/\/(localhost|127\.0\.0\.1|\[::1\])(?=[:/]|$))/i.test(publicUrl)

const operatorOf = ({ operator }: ActingContact) => operator?.id ?? 0n

/** In whose name the alarm's history and the audit log have it. */
export const nameOf = ({ name, operator }: ActingContact) => operator?.name ?? name

/**
 * An operator does what the role allows. A contact that is none was chosen to be called: it says that it has the alarm, or
 * cannot take it, and nothing else.
 */
function allowedTo({ isNotified, operator }: ActingContact): readonly LinkAction[] {
  if (!isNotified) return []
  if (!operator) return ['acknowledge', 'escalate']
  return operator.enabled && mayAct(operator.role, 'operator') ? linkActions : []
}

function requestOf(action: Exclude<LinkAction, 'escalate'>, name: string): OperatorAction {
  switch (action) {
    case 'acknowledge':
      return { action }
    case 'assign':
      return { action, owner: name }
    case 'shelve':
      return { action, minutes: 60 }
  }
}

async function recordUse(tx: Transaction, link: OpenedLink, action: LinkAction): Promise<void> {
  if (!link.allowed.includes(action))
    throw new Fault('forbidden', `${nameOf(link.contact)} may not do this by a link`)
  if (link.used.has(action)) throw new Fault('conflict', 'this was done by this link before')
  // What has expired cannot be used again, whether or not it was.
  await tx.run('delete from action_use where expiry_time < ?', [tx.now])
  await tx.run(
    'insert into action_use (link, action, contact_id, alarm_id, used_time, expiry_time) values (?, ?, ?, ?, ?, ?)',
    [link.id, action, link.contactId, link.alarmId, tx.now, link.expiryTime],
  )
  await audit(tx, { action: 'useLink', resource: 'alarm', id: link.alarmId, detail: action })
}
