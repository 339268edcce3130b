// Filters of devices below /imcrs: a label matches wherever it has the text, an address where the text is a part of it
// that ends at a dot.

import { isIP } from 'node:net'
import { Fault } from '../../fault.ts'
import { devices } from '../../resources/inventory/device.ts'
import { oneValue, type Parameters } from '../../schema/list.ts'
import { type Condition, readPattern } from '../../schema/list-filter.ts'

/** Fields by which they may filter elsewhere, and not here. */
const noFilters = ['status', 'location', 'contact', 'typeName']

/** Other filters mean the same as at the root. */
export function imcDeviceQuery(parameters: Parameters): {
  readonly parameters: Parameters
  readonly conditions: readonly Condition[]
} {
  const refused = noFilters.find((name) => (parameters.get(name) ?? []).some((value) => value.trim() !== ''))
  if (refused !== undefined) {
    const accepted = Object.keys(devices.list.filters).join(', ')
    const message = `${refused} is not a filter of devices: expected one of ${accepted}`
    throw new Fault('invalid', message, { field: refused })
  }
  const rest = new Map(parameters)
  const label = oneValue(parameters, 'label')
  if (label !== undefined && isPlain(label)) rest.set('label', [`*${label}*`])
  const part = oneValue(parameters, 'ip')
  if (part === undefined || !isPlain(part) || isIP(part) !== 0) return { parameters: rest, conditions: [] }
  rest.delete('ip')
  return { parameters: rest, conditions: [addressPart(part)] }
}

/** Whether a text has neither `*` nor `?`: then the whole of it is meant. */
const isPlain = (text: string) => readPattern(text).literal !== undefined

/** `10.1` or `10.1.` is a part of 10.1.2.3 and of 192.10.1.7, and not of 10.10.1.2. */
function addressPart(text: string): Condition {
  const mark = text.includes(':') ? ':' : '.'
  const within = text.startsWith(mark) ? text.slice(1) : text
  const part = readPattern(within.endsWith(mark) ? within : `${within}${mark}`).like
  return { kind: 'likeAny', column: 'ip', patterns: [`${part}%`, `%${mark}${part}%`] }
}
