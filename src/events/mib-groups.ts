// Joins notifications that begin and end the same condition to groups. An end belongs to a fault only where both say which
// part of the device they are about, or where it is clear that a device has one: otherwise the end of one part's fault
// would end that of another.

import type { MibNotification } from '../mibs/module-resolver.ts'
import type { Pair } from './mib-pairs.ts'
import { type Identity, identityOf } from './mib-parameters.ts'
import { numberedParts } from './mib-parts.ts'
import { mayName } from './mib-values.ts'
import { withoutNumber, wordsOf } from './mib-words.ts'

/** Notifications that belong together, and how. */
export interface Group {
  readonly members: readonly MibNotification[]
  readonly pairs: readonly Pair[]
  /** Pairs that were not made, because nobody could tell which fault has ended. */
  readonly refused: readonly Pair[]
}

interface Joined {
  readonly members: Set<MibNotification>
  /** What all members can be told apart by. */
  identity: Identity
}

/** In the order of the module. */
export function groupsOf(notifications: readonly MibNotification[], pairs: readonly Pair[]): Group[] {
  const groups = new Map<MibNotification, Joined>()
  for (const one of notifications) groups.set(one, { members: new Set([one]), identity: identityOf(one) })
  const groupOf = (one: MibNotification) => groups.get(one) as Joined
  const made: Pair[] = []
  const refused: Pair[] = []
  for (const pair of byLikeness(pairs, groupOf)) {
    const [one, other] = [groupOf(pair.fault), groupOf(pair.end)]
    const identity = common(one.identity, other.identity)
    const fits = identity.all.size > 0 || isForDevice(pair, one, other) || shareText(identity, one, other)
    if (!fits) {
      refused.push(pair)
      continue
    }
    made.push(pair)
    if (one === other) continue
    const [larger, smaller] = one.members.size < other.members.size ? [other, one] : [one, other]
    larger.identity = identity
    for (const member of smaller.members) {
      larger.members.add(member)
      groups.set(member, larger)
    }
  }
  const [madeIn, refusedIn] = [made, refused].map((some) => within(some, groupOf))
  return [...Map.groupBy(notifications, groupOf)].map(([group, members]) => ({
    members,
    pairs: madeIn?.get(group) ?? [],
    refused: refusedIn?.get(group) ?? [],
  }))
}

/** The pairs of each group: those refused belong to two. */
function within(pairs: readonly Pair[], groupOf: (one: MibNotification) => Joined): Map<Joined, Pair[]> {
  const found = new Map<Joined, Pair[]>()
  for (const pair of pairs) {
    for (const group of new Set([groupOf(pair.fault), groupOf(pair.end)])) {
      const known = found.get(group)
      if (known) known.push(pair)
      else found.set(group, [pair])
    }
  }
  return found
}

/** Those first that are told apart by the same: what joins them later must not take that away. */
function byLikeness(pairs: readonly Pair[], groupOf: (one: MibNotification) => Joined): Pair[] {
  const unlikeness = ({ fault, end }: Pair) => {
    const [one, other] = [groupOf(fault).identity, groupOf(end).identity]
    return one.all.symmetricDifference(other.all).size
  }
  return pairs
    .map((pair) => ({ pair, far: unlikeness(pair) }))
    .sort((a, b) => a.far - b.far)
    .map(({ pair }) => pair)
}

const common = (one: Identity, other: Identity): Identity => ({
  all: one.all.intersection(other.all),
  sure: one.sure.intersection(other.sure),
  texts: one.texts.intersection(other.texts),
})

/** Where nothing else tells them apart, a text that both carry, and that is no message or value, does. */
const shareText = ({ texts }: Identity, one: Joined, other: Joined): boolean =>
  texts.size > 0 && isAnonymous(one) && isAnonymous(other)

/** Neither names a part; or the end, which carries nothing, is that of all of them. */
function isForDevice({ fault, end }: Pair, one: Joined, other: Joined): boolean {
  if (!isAnonymous(other)) return false
  if (isAnonymous(one)) return isOneOfADevice([fault, end])
  return end.objects.length === 0 && one.members.size === 1 && !isOfSeveral(wordsOf(end.name))
}

const isAnonymous = ({ identity }: Joined) => identity.sure.size === 0

/** Where nothing is sent that may name a part, or the names speak of no part of which there are several. */
export function isOneOfADevice(some: readonly MibNotification[]): boolean {
  const isSilent = !some.some(({ objects }) => objects.some(mayName))
  return isSilent || !some.some(({ name }) => isOfSeveral(wordsOf(name)))
}

/** Parts of which a device usually has several. */
const several = new Set([
  ...numberedParts,
  ...[
    'if',
    'link',
    'blade',
    'volume',
    'lun',
    'array',
    'raid',
    'input',
    'output',
    'circuit',
    'session',
    'vpn',
  ],
  ...['member', 'server', 'pool', 'vserver', 'service', 'process', 'vm', 'host', 'radio', 'ont', 'station'],
  ...['trunk', 'lag', 'vlan', 'cell', 'string', 'pump', 'compressor', 'enclosure', 'drawer', 'dimm', 'sfp'],
  ...['transceiver', 'laser', 'lsp', 'path', 'route', 'zone', 'partition', 'trunks', 'rps', 'isl', 'monitor'],
])

/** Whether a notification with these words in its name is about such a part. */
const isOfSeveral = (words: readonly string[]) =>
  words.some((word) => several.has(withoutNumber(word)) && !/\d$/.test(word))
