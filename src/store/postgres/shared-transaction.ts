// One transaction of PostgreSQL for several of the service, in the order in which they were asked for. Each has its own
// actor, audit check, deferred tasks and outcome, and sees what those before it wrote. One that fails is undone alone; if
// the commit fails, all of them have failed. Nobody is answered before the commit.

import { type Actor, requireAudited, type Transaction } from '../database.ts'
import type { PostgresTransaction } from './postgres-transaction.ts'
import type { StoredVersions } from './stored-versions.ts'

/** A transaction that waits for its turn. */
export interface Member {
  readonly work: (tx: Transaction) => Promise<unknown>
  readonly actor: Actor | undefined
  /** Takes locks that come before the turn to write. */
  readonly first: ((tx: Transaction) => Promise<void>) | undefined
  /** Called when its turn has come. */
  begun(): void
  resolve(result: unknown): void
  reject(error: unknown): void
}

/** As much of a session as is needed here. */
interface Session {
  query(sql: string): Promise<unknown>
}

/** The server keeps up to 64 savepoints of a transaction where other sessions find them quickly. */
const mostMembers = 50
/** Milliseconds and rows after which nobody joins: those who wait for the commit should not wait long. */
const mostTime = 20
const mostRows = 1000

export class SharedTransaction {
  readonly #session: Session
  readonly #versions: StoredVersions
  readonly #open: (actor?: Actor) => PostgresTransaction
  readonly #head: { readonly member: Member; readonly tx: PostgresTransaction }
  #beganAt = 0
  #rows = 0
  /** All that have run, and what each of them is answered after the commit. */
  readonly #members: { readonly member: Member; readonly answer: () => void }[] = []
  /** Those whose changes are kept: whose caches are up to date already, and the last one, whose are not. */
  readonly #joined: PostgresTransaction[] = []
  #last: PostgresTransaction | undefined

  /** `head` is the first member. From here on it has an answer, whatever fails. */
  constructor(
    head: Member,
    session: Session,
    versions: StoredVersions,
    open: (actor?: Actor) => PostgresTransaction,
  ) {
    this.#session = session
    this.#versions = versions
    this.#open = open
    this.#head = { member: head, tx: open(head.actor) }
  }

  /** Takes the locks of the first member; called again where that is repeated after a rollback. */
  begin(): Promise<void> | undefined {
    const { member, tx } = this.#head
    tx.begin()
    return member.first?.(tx.tx)
  }

  /** The first one needs no savepoint: where it fails, there is nothing else to keep. */
  async runHead(): Promise<void> {
    this.#beganAt = performance.now()
    const { member, tx } = this.#head
    const result = await this.#do(member, tx)
    this.#members.push({ member, answer: () => member.resolve(result) })
    this.#keep(tx)
  }

  /**
   * Whether it can share the commit. Its locks must be those that the first one has taken: taking others now would not be
   * in the order in which all services take them.
   */
  admits({ first }: Member): boolean {
    return (
      (first === undefined || first === this.#head.member.first) &&
      this.#members.length < mostMembers &&
      this.#rows < mostRows &&
      performance.now() - this.#beganAt < mostTime
    )
  }

  /** Throws only where the savepoint cannot be undone either. */
  async run(member: Member): Promise<void> {
    if (this.#last) {
      this.#last.committed()
      this.#joined.push(this.#last)
      this.#last = undefined
    }
    const tx = this.#open(member.actor)
    // Not awaited: the server works off statements in order, and a failure shows in those that follow.
    const marked = this.#session.query('savepoint member')
    marked.catch(() => undefined)
    try {
      await member.first?.(tx.tx)
      const result = await this.#do(member, tx)
      await Promise.all([marked, this.#session.query('release savepoint member')])
      this.#members.push({ member, answer: () => member.resolve(result) })
      this.#keep(tx)
    } catch (error) {
      // What it is told may follow from what others have written here: it waits for the commit as well.
      this.#members.push({ member, answer: () => member.reject(error) })
      await this.#session.query('rollback to savepoint member').catch(() => {
        throw error
      })
      await this.#session.query('release savepoint member')
    }
  }

  async #do(member: Member, tx: PostgresTransaction): Promise<unknown> {
    const result = await tx.work(member.work)
    requireAudited(member.actor, tx.written)
    return result
  }

  #keep(tx: PostgresTransaction): void {
    this.#versions.grow(tx.written)
    this.#rows += tx.rows
    this.#last = tx
  }

  /** To be called after the commit. */
  committed(): void {
    this.#last?.committed()
    for (const { answer } of this.#members) answer()
  }

  /** To be called when the commit has failed, or its outcome is unknown: nobody may rely on anything. */
  failed(error: unknown): void {
    for (const tx of this.#joined.reverse()) tx.undone()
    this.#versions.shrink(this.#joined.length > 0)
    for (const member of new Set([this.#head.member, ...this.#members.map(({ member }) => member)]))
      member.reject(error)
  }
}
