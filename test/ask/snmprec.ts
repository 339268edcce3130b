// Reads recorded walks in the form of snmpsim: a line for each value, `oid|type|value`.

import { BerWriter } from '../../src/snmp/ber.ts'
import { type Variable, type VariableType, writeVariable } from '../../src/snmp/variables.ts'

/** The tags of BER, in decimal. */
const types: Readonly<Record<string, VariableType>> = {
  2: 'Integer32',
  4: 'OctetString',
  5: 'Null',
  6: 'ObjectIdentifier',
  64: 'IpAddress',
  65: 'Counter32',
  66: 'Gauge32',
  67: 'TimeTicks',
  68: 'Opaque',
  70: 'Counter64',
}

/** The values of a file that was read as Latin 1, in the order of their OIDs; lines that no agent could answer with are left out. */
export function readSnmprec(text: string): Variable[] {
  const byOid = new Map<string, Variable>()
  for (const line of text.split(/\r?\n/)) {
    const variable = readLine(line)
    if (variable && isSound(variable)) byOid.set(variable.oid, variable)
  }
  const keyed = Array.from(byOid.values(), (variable) => ({ key: orderKey(variable.oid), variable }))
  return keyed.sort((a, b) => (a.key < b.key ? -1 : 1)).map(({ variable }) => variable)
}

/** Texts in the order of the OIDs: each number in the same width. Walks have hundreds of thousands of lines. */
const orderKey = (oid: string) =>
  oid
    .split('.')
    .map((part) => Number(part).toString(36).padStart(7, '0'))
    .join('')

function readLine(line: string): Variable | undefined {
  const [, oid = '', tag = '', suffix = '', module, rest = ''] =
    /^\.?([\d.]+)\|(\d+)([xe]?)(?::(\w+))?\|(.*)$/.exec(line) ?? []
  const type = types[tag]
  if (!type) return undefined
  const text = module ? (/(?:value|initial)=([^,]*)/.exec(rest)?.[1] ?? '0') : rest
  if (type === 'OctetString' || type === 'Opaque' || (type === 'IpAddress' && suffix !== '')) {
    const octets =
      suffix === 'x'
        ? Buffer.from(text, 'hex')
        : suffix === 'e'
          ? unescaped(text)
          : Buffer.from(text, 'latin1')
    if (type === 'IpAddress') return { oid, type, value: octets.join('.'), hex: false }
    return { oid, type, value: octets.toString('hex').replace(/(..)(?!$)/g, '$1:'), hex: true }
  }
  return { oid, type, value: type === 'ObjectIdentifier' ? text.replace(/^\./, '') : text, hex: false }
}

const unescaped = (text: string) =>
  Buffer.from(
    text.replace(/\\x([0-9a-f]{2})/gi, (_, pair) => String.fromCharCode(Number.parseInt(pair, 16))),
    'latin1',
  )

function isSound(variable: Variable): boolean {
  try {
    writeVariable(new BerWriter(), variable)
    return true
  } catch {
    return false
  }
}
