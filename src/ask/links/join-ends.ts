// Makes links of what devices say of their neighbours. Each end may be said by either device; a cable that both of them name is
// one link.

export interface Statement {
  readonly deviceId: bigint
  /** 0: the port is not known. */
  readonly ifIndex: bigint
  readonly otherId: bigint
  readonly otherIfIndex: bigint
}

export interface JoinedLink extends Statement {
  readonly state: 'both' | 'one' | 'differs'
}

/** More between two devices are not looked at. */
const maxLinksBetween = 64

/** `deviceId` is the lower of the two ids. */
export function joinEnds(statements: readonly Statement[]): JoinedLink[] {
  const spokenOf = new Set(statements.map(({ deviceId, ifIndex }) => `${deviceId} ${ifIndex}`))
  const pairs = Map.groupBy(statements, ({ deviceId, otherId }) =>
    deviceId < otherId ? `${deviceId} ${otherId}` : `${otherId} ${deviceId}`,
  )
  return [...pairs.values()].flatMap((said) => joinPair(said, spokenOf))
}

function joinPair(said: readonly Statement[], spokenOf: ReadonlySet<string>): JoinedLink[] {
  const isLower = ({ deviceId, otherId }: Statement) => deviceId < otherId
  const lower = onePerPort(said.filter(isLower))
  const upper = onePerPort(said.filter((one) => !isLower(one)).map(turned))
  const joined: JoinedLink[] = []
  const free = new Set(upper)
  for (const one of lower) {
    const match = [...free].find((other) => isSame(one, other)) ?? [...free].find((other) => fits(one, other))
    if (match) free.delete(match)
    const known = match ? merged(one, match) : one
    joined.push({ ...known, state: match ? 'both' : lonely(spokenOf, known.otherId, known.otherIfIndex) })
  }
  for (const one of free) joined.push({ ...one, state: lonely(spokenOf, one.deviceId, one.ifIndex) })
  return joined
}

/** A neighbour that is named by two protocols at one port is one. */
function onePerPort(said: readonly Statement[]): Statement[] {
  const found: Statement[] = []
  for (const one of said.slice(0, maxLinksBetween)) {
    const at = found.findIndex((other) => fits(one, other))
    const before = found[at]
    if (before) found[at] = merged(before, one)
    else found.push(one)
  }
  return found
}

const turned = ({ deviceId, ifIndex, otherId, otherIfIndex }: Statement): Statement => ({
  ...{ deviceId: otherId, ifIndex: otherIfIndex },
  ...{ otherId: deviceId, otherIfIndex: ifIndex },
})

const isSame = (a: Statement, b: Statement) =>
  a.ifIndex === b.ifIndex && a.otherIfIndex === b.otherIfIndex && a.ifIndex !== 0n && a.otherIfIndex !== 0n

const fits = (a: Statement, b: Statement) =>
  (a.ifIndex === b.ifIndex || a.ifIndex === 0n || b.ifIndex === 0n) &&
  (a.otherIfIndex === b.otherIfIndex || a.otherIfIndex === 0n || b.otherIfIndex === 0n)

const merged = (a: Statement, b: Statement): Statement => ({
  ...a,
  ifIndex: a.ifIndex || b.ifIndex,
  otherIfIndex: a.otherIfIndex || b.otherIfIndex,
})

/** The other end has said something else of its port, or nothing. */
const lonely = (spokenOf: ReadonlySet<string>, id: bigint, port: bigint) =>
  port !== 0n && spokenOf.has(`${id} ${port}`) ? 'differs' : 'one'
