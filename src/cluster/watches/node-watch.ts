// On the leader, raises alarms about nodes that are silent or whose clock is wrong.

import type { AlarmChanger } from '../../alarms/engine/engine.ts'
import {
  openServiceAlarms,
  raiseServiceAlarm,
  recoverServiceAlarm,
} from '../../alarms/service/service-alarms.ts'
import type { Store } from '../../store/database.ts'
import { ClockJumps } from '../../upkeep/checks/clock-jumps.ts'
import { declareGone, forgetNode, listNodes, type NodeRow, storeNow } from '../nodes/membership.ts'
import { clockLimit } from '../nodes/node.ts'

/** Lease times without a sign of life after which a node is gone. */
const silentLeases = 2
const day = 24 * 3600 * 1000

interface NodeWatchParts {
  readonly database: Store
  readonly alarms: AlarmChanger
  readonly leaseSeconds: number
  /** Called for a node that is gone: its clients are no longer connected. */
  onGone(name: string): Promise<void>
}

const about = (name: string) => `node=${name}`

export class NodeWatch {
  readonly #parts: NodeWatchParts
  /** Milliseconds after which a node is gone. */
  readonly #silence: number
  readonly #jumps: ClockJumps
  /** On the monotonic clock. */
  #unsureUntil = 0

  constructor(parts: NodeWatchParts) {
    this.#parts = parts
    this.#silence = silentLeases * parts.leaseSeconds * 1000
    this.#jumps = new ClockJumps(this.#silence / silentLeases)
  }

  /** Called about once a second by the leader. */
  async check(): Promise<void> {
    const { database } = this.#parts
    const now = await storeNow(database)
    // The last signs are from before the jump: until each node has signed again, it is unknown which are silent.
    if (this.#jumps.look(now) !== 0) this.#unsureUntil = performance.now() + this.#silence
    if (performance.now() < this.#unsureUntil) return
    const nodes = await listNodes(database)
    const wrong = { nodeGone: new Map<string, string>(), nodeClock: new Map<string, string>() }
    for (const node of nodes) {
      const gone = await this.#declareSilent(node, now)
      if (gone) wrong.nodeGone.set(about(node.name), gone)
      else if (!node.stopped && Math.abs(node.clockOffset) > clockLimit)
        wrong.nodeClock.set(about(node.name), clockText(node))
    }
    await this.#report('nodeGone', wrong.nodeGone, 'gives signs of life again, or was stopped in order')
    await this.#report('nodeClock', wrong.nodeClock, 'has a clock again that agrees with that of the store')
  }

  /** Declares a silent node gone, and forgets it after a day; returns the text of the alarm, if there is to be one. */
  async #declareSilent(node: NodeRow, now: number): Promise<string | undefined> {
    const { database, onGone } = this.#parts
    const { name, lastSign, stopped } = node
    const silent = now - lastSign
    if (silent > day) return void (await forgetNode(database, node))
    if (silent <= this.#silence) return undefined
    if (!node.gone) {
      await onGone(name)
      await declareGone(database, node)
    }
    return stopped ? undefined : `Node ${name} has given no sign of life for ${Math.round(silent / 1000)} s`
  }

  async #report(
    event: 'nodeGone' | 'nodeClock',
    wrong: ReadonlyMap<string, string>,
    over: string,
  ): Promise<void> {
    const { database, alarms } = this.#parts
    const open = await openServiceAlarms(database, event)
    for (const [resource, text] of wrong) {
      if (!open.has(resource)) await raiseServiceAlarm(alarms, event, resource, text)
    }
    for (const resource of open) {
      if (wrong.has(resource)) continue
      await recoverServiceAlarm(alarms, event, resource, `Node ${resource.slice('node='.length)} ${over}`)
    }
  }
}

const clockText = ({ name, clockOffset }: NodeRow) =>
  `The clock of node ${name} is ${Math.abs(clockOffset / 1000).toFixed(1)} s ${clockOffset > 0 ? 'ahead of' : 'behind'} that of the store`
