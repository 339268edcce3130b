// A client in a made-up history: what it was sent, what it still has to be sent or told, and its connection, which loses
// what was written and not read.

import assert from 'node:assert/strict'
import type { Outlet, OutletWatcher } from '../../src/push/push.ts'

/** What it comes back with: its uuid, its position, or both. */
export type Kind = 'uuid' | 'position' | 'both'

/** Pieces that wait before nothing more is taken. */
const most = 3
/** How often one reason may be told: to a uuid on each of three connections, and once more by a stream that ends. */
const repeated = { uuid: 5, both: 2, position: 2 }

class Connection implements Outlet {
  readonly pieces: string[] = []
  isGone = false
  readonly closedCleanly = false
  #watcher: OutletWatcher | undefined
  readonly #written: () => void

  constructor(written: () => void) {
    this.#written = written
  }

  write(piece: Buffer | string): boolean {
    this.pieces.push(String(piece))
    // Not at once: a client reads what was written later.
    setImmediate(this.#written)
    return this.pieces.length < most
  }

  get pending(): number {
    return this.pieces.length
  }

  watch(watcher: OutletWatcher): void {
    this.#watcher = watcher
  }

  hasRoom(): void {
    if (!this.isGone) this.#watcher?.room()
  }

  end(): void {
    this.isGone = true
  }

  cut(): void {
    if (this.isGone) return
    this.isGone = true
    this.#watcher?.gone()
  }
}

export class HistoryClient {
  readonly kind: Kind
  readonly uuid: string
  /** Reads nothing until it has to. */
  isSlow = false
  /** Whether the store has been told of its connection. */
  isSaved = false
  #position = ''
  #connection: Connection | undefined
  /** What it has to be sent, in order, or to be told of. */
  readonly #owed = new Set<string>()
  readonly #received = new Set<string>()
  /** Since it was told last. */
  readonly #since = new Set<string>()
  /** What has gone since it was told last; it may have come back with another copy. */
  readonly #gone = new Set<string>()
  #mustBeTold = false
  /** One that the store does not know may be told after a loss; again where the first word was lost. */
  #mayBeTold = 2
  #isRegistered = false
  /** What it was owed when it connected: a client that was forgotten goes on behind it. */
  #owedBefore: readonly string[] = []
  /** On its last connection something was lost: it has it from this one. */
  #hasLost = false
  readonly story: string[] = []

  constructor(kind: Kind, uuid: string) {
    this.kind = kind
    this.uuid = uuid
  }

  get isConnected(): boolean {
    return this.#connection !== undefined && !this.#connection.isGone
  }

  get unread(): number {
    return this.#connection?.pieces.length ?? 0
  }

  // What happens to it ------------------------------------------------------------------------------------------

  connecting(): { outlet: Outlet; query: string } {
    this.cut(0)
    this.isSlow = false
    const hasPlace = this.kind === 'uuid' ? this.#isRegistered : this.#position !== ''
    // One that has no place begins now.
    if (!hasPlace && !(this.kind === 'both' && this.#isRegistered)) {
      this.#owed.clear()
      this.#mustBeTold = false
    }
    this.#isRegistered = true
    this.isSaved = false
    this.#owedBefore = [...this.#owed]
    const connection = new Connection(() => {
      if (!this.isSlow && this.#connection === connection) this.#readLater()
    })
    this.#connection = connection
    const query = new URLSearchParams({ type: '11', cursor: String(this.kind !== 'uuid') })
    if (this.kind !== 'position') query.set('uuid', this.uuid)
    if (this.#position !== '') query.set('since', this.#position)
    this.story.push(`connects ${query}`)
    return { outlet: connection, query: String(query) }
  }

  /** The connection breaks: what was written last is lost, as many pieces as that, unless it was lost before. */
  cut(lost: number): void {
    const connection = this.#connection
    if (!connection) return
    const isUnsure = connection.pieces.some((piece) => piece.includes('may be missing'))
    const dropped = this.#hasLost || isUnsure ? 0 : Math.min(lost, connection.pieces.length)
    this.story.push(`cut, losing ${dropped} of ${connection.pieces.length}`)
    connection.pieces.splice(connection.pieces.length - dropped, dropped)
    this.read()
    this.#hasLost = dropped > 0
    // What was not saved is told again.
    if (!this.isSaved) this.#mayBeTold += 1
    connection.cut()
    this.#connection = undefined
  }

  owe(labels: readonly string[]): void {
    if (this.#isRegistered) for (const label of labels) this.#owed.add(label)
  }

  /** Entries are gone. After a loss it is told whatever it had of them. */
  lose(labels: readonly string[], isLoss: boolean): void {
    for (const label of labels) this.#gone.add(label)
    if (!isLoss && labels.every((label) => !this.#owed.has(label))) return
    this.#mayBeTold += repeated[this.kind]
    if (isLoss && labels.length > 0 && this.#isRegistered) this.#mustBeTold = true
  }

  forgotten(): void {
    this.#isRegistered = false
    this.#mayBeTold += repeated[this.kind]
    this.isSlow = false
  }

  expired(): void {
    if (!this.isConnected) this.#mayBeTold += repeated[this.kind]
  }

  // What it reads -----------------------------------------------------------------------------------------------

  /** What is wrong with what it read by itself. */
  wrong: unknown

  #readLater(): void {
    try {
      this.read()
    } catch (error) {
      this.wrong ??= error
    }
  }

  read(): void {
    const connection = this.#connection
    if (!connection || connection.pieces.length === 0) return
    for (const piece of connection.pieces.splice(0))
      for (const document of piece.split('\n\n')) if (document.trim() !== '') this.#take(JSON.parse(document))
    connection.hasRoom()
  }

  #take(document: Record<string, unknown>): void {
    const { gap, bookmark, cursor, id, alarmDesc } = document as Record<string, string> & {
      gap?: { to: string; reason: string }
      bookmark?: { cursor: string }
    }
    if (bookmark) this.#position = bookmark.cursor
    else if (gap) {
      this.#position = gap.to
      this.#told(gap.reason)
    } else if (id === '0') this.#told(alarmDesc ?? '')
    else this.#alarm(alarmDesc ?? '', cursor)
    if (this.kind === 'uuid') this.#position = ''
  }

  #told(reason: string): void {
    this.story.push(`told: ${reason}`)
    this.#mayBeTold -= 1
    assert(this.#mayBeTold >= 0, `${this}: told for no reason: ${reason}`)
    this.#mustBeTold = false
    this.#since.clear()
    if (/may be missing|forgotten|another history/.test(reason))
      for (const label of this.#owedBefore) this.#owed.delete(label)
    for (const label of this.#gone) this.#owed.delete(label)
    this.#gone.clear()
  }

  #alarm(label: string, cursor: string | undefined): void {
    this.story.push(label)
    if (cursor !== undefined) this.#position = cursor
    const isAgain = this.#since.has(label)
    assert(this.kind === 'uuid' || !isAgain, `${this}: ${label} came twice`)
    this.#since.add(label)
    this.#received.add(label)
    this.#owed.delete(label)
  }

  /** Everything that is there was sent to it; of what is not, it was told. */
  compare(present: ReadonlySet<string>): void {
    assert(!this.#mustBeTold, `${this}: was not told`)
    for (const label of this.#owed)
      assert.fail(`${this}: ${label} never came${present.has(label) ? '' : ', and it was not told'}`)
  }

  toString(): string {
    return `${this.uuid} (${this.kind}): ${this.story.slice(-40).join('; ')}`
  }
}
