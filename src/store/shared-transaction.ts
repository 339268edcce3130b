// One transaction of the store for several of the service, in the order in which they were requested. Each has its own
// actor, audit check, deferred tasks and outcome, and sees what those before it wrote. One that fails is undone alone; if
// the commit fails, all of them have failed. Nobody is answered before the commit.

import { type Actor, requireAudited, type Transaction, type TransactionOptions } from './database.ts'

/** A transaction that waits for its turn. */
export interface Member extends TransactionOptions {
  readonly work: (tx: Transaction) => Promise<unknown>
  readonly actor: Actor | undefined
  /** Called when its turn has come. */
  begun?(): void
  resolve(result: unknown): void
  reject(error: unknown): void
}

/** The part of one member. */
export interface OpenTransaction {
  readonly tx: Transaction
  /** The tables it has written to. */
  readonly written: ReadonlySet<string | undefined>
  /** Roughly how much it has written. */
  readonly rows: number
  work<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
  /** Its caches are brought up to date. */
  committed(): void
  /** The same undone, where the commit has failed nevertheless. */
  undone(): void
}

interface Parts {
  /** Runs a statement that concerns the savepoints of members. */
  readonly run: (sql: string) => Promise<unknown>
  readonly open: (actor: Actor | undefined) => OpenTransaction
  /** What a member that has failed is told. */
  readonly classify: (error: unknown) => unknown
  /** A member has written to these tables: the next one sees later versions of them. */
  readonly grow: (written: ReadonlySet<string | undefined>) => void
}

/** PostgreSQL keeps up to 64 savepoints of a transaction where other sessions find them quickly. */
const maxMembers = 50
/** Milliseconds and rows after which nobody joins: those who wait for the commit should not wait long. */
const maxMilliseconds = 20
const maxRows = 1000

export class SharedTransaction {
  readonly #parts: Parts
  readonly #head: Member
  #beganAt = 0
  #rows = 0
  /** All that have run, and what each of them is answered after the commit. */
  readonly #members: { readonly member: Member; readonly answer: () => void }[] = []
  /** Those whose changes are kept: whose caches are up to date already, and the last one, whose are not. */
  readonly #joined: OpenTransaction[] = []
  #last: OpenTransaction | undefined

  /** `head` is the first member. From here on it has an answer, whatever fails. */
  constructor(head: Member, parts: Parts) {
    this.#head = head
    this.#parts = parts
  }

  /** The first one needs no savepoint: where it fails, there is nothing else to keep. */
  async runHead(tx: OpenTransaction): Promise<void> {
    this.#beganAt = performance.now()
    const member = this.#head
    const result = await this.#do(member, tx)
    this.#members.push({ member, answer: () => member.resolve(result) })
    this.#keep(tx)
  }

  /**
   * Whether it can share the commit. Its locks must be those that the first one has taken: taking others now would not be
   * in the order in which all services take them.
   */
  admits({ first, isLong }: Member): boolean {
    return (
      !isLong &&
      (first === undefined || first === this.#head.first) &&
      this.#members.length < maxMembers &&
      this.#rows < maxRows &&
      performance.now() - this.#beganAt < maxMilliseconds
    )
  }

  /** Throws only where the savepoint cannot be undone either. `onUndone`: it has failed, and nothing of it is left. */
  async run(member: Member, onUndone: (error: unknown) => void): Promise<void> {
    if (this.#last) {
      this.#last.committed()
      this.#joined.push(this.#last)
      this.#last = undefined
    }
    const { run, open } = this.#parts
    const tx = open(member.actor)
    // Not awaited: the server works off statements in order, and a failure shows in those that follow.
    const marked = run('savepoint member')
    marked.catch(() => undefined)
    try {
      await member.first?.(tx.tx)
      const result = await this.#do(member, tx)
      await Promise.all([marked, run('release savepoint member')])
      this.#members.push({ member, answer: () => member.resolve(result) })
      this.#keep(tx)
    } catch (error) {
      const failure = this.#parts.classify(error)
      // What it is told may follow from what others have written here: it waits for the commit as well.
      this.#members.push({ member, answer: () => member.reject(failure) })
      await run('rollback to savepoint member').catch(() => {
        throw error
      })
      await run('release savepoint member')
      onUndone(failure)
    }
  }

  async #do(member: Member, tx: OpenTransaction): Promise<unknown> {
    const result = await tx.work(member.work)
    requireAudited(member.actor, tx.written)
    return result
  }

  #keep(tx: OpenTransaction): void {
    this.#parts.grow(tx.written)
    this.#rows += tx.rows
    this.#last = tx
  }

  /** To be called after the commit, before the next one begins. */
  committed(): void {
    this.#last?.committed()
  }

  /** To be called when the commit is durable. */
  answer(): void {
    for (const { answer } of this.#members) answer()
  }

  /**
   * To be called when the commit has failed, or its outcome is unknown: nobody may rely on anything. Returns whether
   * members have read what others wrote.
   */
  undo(): boolean {
    for (const tx of this.#joined.reverse()) tx.undone()
    return this.#joined.length > 0
  }

  reject(error: unknown): void {
    for (const member of new Set([this.#head, ...this.#members.map(({ member }) => member)]))
      member.reject(error)
  }
}

/** The transactions that wait for their turn, in the order in which they were requested. */
export class WaitingTransactions {
  #members: Member[] = []
  /** How many have been requested since the start. */
  requested = 0

  add(member: Member): void {
    this.#members.push(member)
  }

  remove(member: Member): void {
    this.#members = this.#members.filter((one) => one !== member)
  }

  get next(): Member | undefined {
    return this.#members[0]
  }

  take(): Member | undefined {
    const member = this.#members.shift()
    member?.begun?.()
    return member
  }

  /** Runs all that can share the commit. */
  async join(group: SharedTransaction): Promise<void> {
    for (let next = this.next; next && group.admits(next); next = this.next) {
      this.take()
      await group.run(next, (error) => this.replace(next, error))
    }
  }

  /** Transactions that are requested in place of one that failed come before all others. */
  replace({ onUndone }: Member, error: unknown): void {
    if (!onUndone) return
    const others = this.#members
    this.#members = []
    onUndone(error)
    this.#members.push(...others)
  }
}
