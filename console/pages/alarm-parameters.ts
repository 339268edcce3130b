// Parses the parameters of an alarm, which are one text: `*ifIndex=12;ifDescr=Ethernet 1/1`.

export interface Parameter {
  readonly name: string
  readonly value: string
  /** Whether it distinguishes this alarm from others of its kind. */
  readonly isKey: boolean
}

/** Added by forwarders of traps, not by devices (RFC 3584): no definition names them. */
const added: ReadonlyMap<string, string> = new Map([
  ['1.3.6.1.6.3.18.1.3.0', 'snmpTrapAddress'],
  ['1.3.6.1.6.3.18.1.4.0', 'snmpTrapCommunity'],
  ['1.3.6.1.6.3.1.1.4.3.0', 'snmpTrapEnterprise'],
])

/** A semicolon inside a value cannot be distinguished from one behind it: what has no name belongs to the value before. */
export function readParameters(paras: string): Parameter[] {
  const found: Parameter[] = []
  for (const piece of paras.split(';')) {
    const cut = piece.indexOf('=')
    const last = found.at(-1)
    if (cut > 0) {
      const isKey = piece.startsWith('*')
      const name = piece.slice(isKey ? 1 : 0, cut)
      found.push({ name: added.get(name) ?? name, value: piece.slice(cut + 1), isKey })
    } else if (last) found[found.length - 1] = { ...last, value: `${last.value};${piece}` }
  }
  return found
}
