// Finds the port that a syslog message calls by name, among the interfaces that the inventory knows by index.

/** What Cisco, Arista and others shorten names to. */
const longNames: Readonly<Record<string, string>> = {
  eth: 'ethernet',
  fa: 'fastethernet',
  gi: 'gigabitethernet',
  gig: 'gigabitethernet',
  te: 'tengigabitethernet',
  ten: 'tengigabitethernet',
  twe: 'twentyfivegige',
  fo: 'fortygigabitethernet',
  fortygige: 'fortygigabitethernet',
  hu: 'hundredgige',
  hundredgigabitethernet: 'hundredgige',
  po: 'port-channel',
  se: 'serial',
  tu: 'tunnel',
  vl: 'vlan',
  lo: 'loopback',
}

/** One spelling for names that mean the same port. */
function plainName(name: string): string {
  const folded = name.toLowerCase().replaceAll(' ', '')
  const letters = /^[a-z-]*/.exec(folded)?.[0] ?? ''
  const long = longNames[letters] ?? letters.replace('ten-gigabit', 'tengigabit')
  return long + folded.slice(letters.length)
}

/** The names of a device's ports. */
export class PortNames {
  readonly #interfaces: ReadonlyMap<string, string>
  #byName: ReadonlyMap<string, string | undefined> | undefined

  /** Descriptions by ifIndex. */
  constructor(interfaces: ReadonlyMap<string, string>) {
    this.#interfaces = interfaces
  }

  /** The ifIndex of a port; undefined if the inventory does not know the name, or knows it twice. */
  indexOf(name: string): string | undefined {
    this.#byName ??= byName(this.#interfaces)
    return this.#byName.get(plainName(name))
  }
}

function byName(interfaces: ReadonlyMap<string, string>): ReadonlyMap<string, string | undefined> {
  const found = new Map<string, string | undefined>()
  for (const [ifIndex, name] of interfaces) {
    const plain = plainName(name)
    found.set(plain, found.has(plain) ? undefined : ifIndex)
  }
  return found
}
