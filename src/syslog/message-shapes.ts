// Groups messages that no definition knows by their shape: the same words with other numbers, names and addresses. A tree of
// fixed depth leads to a few groups, of which the most similar takes the message, in the manner of Drain (He et al., 2017).
// Memory is bounded, and a message takes time in proportion to its length.

import { transitionOf } from './state-words.ts'
import type { SyslogMessage } from './syslog-message.ts'

export interface MessageShape {
  /** The code or program that all of its messages have. */
  readonly origin: string
  /** Its words, with `*` for those that differ. */
  readonly words: readonly string[]
  readonly count: number
  /** The worst of its messages. */
  readonly severity: number
  /** Who has sent it; at most 100. */
  readonly devices: readonly string[]
  /** When the first and the last were received. */
  readonly firstAt: number
  readonly lastAt: number
  /** The text of the first message. */
  readonly example: string
  /** Whether its words sound like a fault. */
  readonly soundsBad: boolean
}

interface Group {
  readonly origin: string
  readonly words: string[]
  count: number
  severity: number
  readonly devices: Set<string>
  firstAt: number
  lastAt: number
  readonly example: string
  readonly soundsBad: boolean
}

/** What is said of all messages of a shape: origin and words. */
export type ShapeName = Pick<MessageShape, 'origin' | 'words'>

const maxWords = 40
const maxWordLength = 64
const exampleLength = 500
const maxDevices = 100
/** Groups that the tree leads to, of which the most similar one is looked for. */
const groupsPerLeaf = 16
/** Of the words of a group, so many have to be the same. */
const similarity = 0.5
/** Words that lead through the tree, after origin and number of words. */
const depth = 2
const anything = '*'
const space = 0x20

export class MessageShapes {
  readonly #leaves = new Map<string, Group[]>()
  #muted = new Map<string, ShapeName[]>()
  readonly #limit: number
  #size = 0
  /** Messages that belong to no group, because there are as many as there may be. */
  uncounted = 0

  constructor(limit = 2000) {
    this.#limit = limit
  }

  /** `device` sent it; without that, it counts for the host that it names. */
  add(message: SyslogMessage, device = message.host, at = 0): void {
    const { code, program, text, severity } = message
    const origin = (code?.name ?? program ?? '').slice(0, maxWordLength)
    const words = shapeWords(text)
    if (this.#isMuted(origin, words)) return
    this.#count({
      ...{ origin, words, count: 1, severity, firstAt: at, lastAt: at },
      devices: device === undefined ? [] : [device],
      example: () => text.slice(0, exampleLength).toWellFormed(),
      soundsBad: () => transitionOf(code?.mnemonic ?? '', text) === 'raise',
    })
  }

  /** Adds the messages of a shape that another tree has counted. */
  include(shape: MessageShape): void {
    this.#count({ ...shape, example: () => shape.example, soundsBad: () => shape.soundsBad })
  }

  /** Messages of these shapes are not grouped from now on, and those that were are forgotten. */
  mute(shapes: readonly ShapeName[]): void {
    this.#muted = Map.groupBy(shapes, leafOf)
    for (const [leaf, groups] of this.#leaves) {
      const kept = groups.filter(({ origin, words }) => !this.#isMuted(origin, words))
      this.#size -= groups.length - kept.length
      if (kept.length === 0) this.#leaves.delete(leaf)
      else this.#leaves.set(leaf, kept)
    }
  }

  #isMuted(origin: string, words: readonly string[]): boolean {
    if (this.#muted.size === 0) return false
    const muted = this.#muted.get(leafOf({ origin, words }))
    return (
      muted?.some((shape) => shape.words.every((word, at) => word === anything || word === words[at])) ===
      true
    )
  }

  #count(counted: Counted): void {
    const { words, count, severity, devices, firstAt, lastAt } = counted
    const key = leafOf(counted)
    const leaf = this.#leaves.get(key)
    const group = leaf && mostSimilar(leaf, words)
    if (group) {
      for (const [index, word] of words.entries())
        if (group.words[index] !== word) group.words[index] = anything
      group.count += count
      group.severity = Math.min(group.severity, severity)
      group.firstAt = Math.min(group.firstAt, firstAt)
      group.lastAt = Math.max(group.lastAt, lastAt)
      for (const device of devices) if (group.devices.size < maxDevices) group.devices.add(device)
      return
    }
    if (this.#size >= this.#limit || (leaf && leaf.length >= groupsPerLeaf)) {
      this.uncounted += count
      return
    }
    const [example, soundsBad] = [counted.example(), counted.soundsBad()]
    const created: Group = { ...counted, words: [...words], devices: new Set(devices), example, soundsBad }
    this.#size += 1
    if (leaf) leaf.push(created)
    else this.#leaves.set(key, [created])
  }

  /** What is most likely a fault comes first: bad words, then severity, then number. */
  list(): MessageShape[] {
    const shapes = [...this.#leaves.values()].flat()
    return shapes
      .map((group) => ({ ...group, words: [...group.words], devices: [...group.devices] }))
      .sort(
        (a, b) => Number(b.soundsBad) - Number(a.soundsBad) || a.severity - b.severity || b.count - a.count,
      )
  }
}

/** Messages to be counted; what is only needed for a new group is made then. */
type Counted = Omit<MessageShape, 'example' | 'soundsBad'> & {
  readonly example: () => string
  readonly soundsBad: () => boolean
}

const leafOf = ({ origin, words }: ShapeName): string =>
  [origin, words.length, ...words.slice(0, depth)].join('\0')

/** Words with a digit are values: a word that differs from message to message must not lead through the tree. */
export function shapeWords(text: string): string[] {
  const words: string[] = []
  // By hand: an expression would take twice as long, for every unknown message.
  let start = -1
  let hasDigit = false
  for (let at = 0; at <= text.length && words.length < maxWords; at += 1) {
    const code = at === text.length ? space : text.charCodeAt(at)
    if (code > space && code !== 0xa0) {
      if (start < 0) start = at
      if (code >= 0x30 && code <= 0x39) hasDigit = true
    } else if (start >= 0) {
      words.push(hasDigit ? anything : text.slice(start, Math.min(at, start + maxWordLength)).toWellFormed())
      start = -1
      hasDigit = false
    }
  }
  return words
}

function mostSimilar(groups: readonly Group[], words: readonly string[]): Group | undefined {
  let best: Group | undefined
  let most = -1
  for (const group of groups) {
    let same = 0
    for (const [index, word] of words.entries()) if (group.words[index] === word) same += 1
    if (same > most) {
      best = group
      most = same
    }
  }
  return most >= words.length * similarity ? best : undefined
}
