// What programs of the iMC interface read beyond what others are sent. They use the root /imcrs, and fail on a
// missing key: there it is written, with what is known. And what their filters of devices mean.

import { isIP } from 'node:net'
import { Fault } from '../fault.ts'
import { operator } from '../resources/access/operator.ts'
import { assignedIpScope } from '../resources/inventory/assigned-ip-scope.ts'
import { customView } from '../resources/inventory/custom-view.ts'
import { device, devices } from '../resources/inventory/device.ts'
import { oneValue, type Parameters } from '../schema/list.ts'
import { type Condition, readPattern } from '../schema/list-filter.ts'
import { type AnyRecord, type Fields, groups, optional, type Shape } from '../schema/resource.ts'
import { long, text } from '../schema/scalar.ts'
import type { Call } from './call.ts'

export const imcRoot = '/imcrs'

export const isImcRoot = ({ root }: Pick<Call, 'root'>) => root === imcRoot

/**
 * A list without rows. The family's programs look for the key, and take the first row where they find it; of segments
 * they take the key without looking.
 */
export const imcNone = ({ name }: Shape) =>
  name === assignedIpScope.name ? `{${JSON.stringify(name)}:[]}` : '{}'

interface Addition {
  readonly fields: Fields
  /** The values of these fields, by the record and the address of the service root. */
  fill(record: AnyRecord, base: string): AnyRecord
}

/** Its own pictures and automatic members do not exist in this service. */
const none = ''

const operatorGroups = [
  { operatorGroupId: 1n, operatorGroupName: 'Administrator Group' },
  { operatorGroupId: 2n, operatorGroupName: 'Maintainer Group' },
  { operatorGroupId: 3n, operatorGroupName: 'Viewer Group' },
]

const additions = new Map<string, Addition>([
  [
    assignedIpScope.name,
    {
      fields: {
        percentStr: optional(text()),
        /** Everyone sees every segment. */
        operatorGroup: groups({ operatorGroupId: optional(long), operatorGroupName: optional(text()) }),
      },
      fill: ({ percent }) => ({ percentStr: `${percent}%`, operatorGroup: operatorGroups }),
    },
  ],
  [
    customView.name,
    {
      fields: { autoAddDevType: optional(text()), statusImgSrc: optional(text()) },
      fill: () => ({ autoAddDevType: '0', statusImgSrc: none }),
    },
  ],
  [
    device.name,
    {
      fields: {
        categoryId: optional(text()),
        topoIconName: optional(text()),
        devCategoryImgSrc: optional(text()),
        link: optional(text()),
      },
      fill: ({ id }, base) => ({
        categoryId: none,
        topoIconName: none,
        devCategoryImgSrc: none,
        link: `${base}/plat/res/device/${id}`,
      }),
    },
  ],
  [
    operator.name,
    {
      fields: {
        desc: optional(text()),
        defaultManagedGroup: optional(text()),
        defaultManagedDefinedView: optional(text()),
        link: optional(text()),
      },
      fill: ({ id, description }, base) => ({
        desc: description ?? none,
        defaultManagedGroup: none,
        defaultManagedDefinedView: none,
        link: `${base}/plat/operator/${id}`,
      }),
    },
  ],
])

const widened = new WeakMap<Shape, Shape>()

/** A shape with what the family reads in addition: what is published, and what is written below their root. */
export function imcShape(shape: Shape): Shape {
  const addition = additions.get(shape.name)
  if (!addition) return shape
  let wide = widened.get(shape)
  if (!wide) {
    wide = { name: shape.name, fields: { ...shape.fields, ...addition.fields } }
    widened.set(shape, wide)
  }
  return wide
}

/** Fills in what the family reads, in records and in those inside them. */
function addTo(record: AnyRecord, name: string, base: string): void {
  Object.assign(record, additions.get(name)?.fill(record, base))
  for (const inner of (record[name] as AnyRecord[] | undefined) ?? []) addTo(inner, name, base)
}

/** The shape in which a caller gets records, which are completed for it. */
export function shapeFor(call: Pick<Call, 'root' | 'base'>, shape: Shape, records: AnyRecord[]): Shape {
  if (!isImcRoot(call) || !additions.has(shape.name)) return shape
  for (const record of records) addTo(record, shape.name, call.base)
  return imcShape(shape)
}

/** Fields of devices by which the family's programs may filter, and this service cannot. */
const noFilters = ['status', 'location', 'contact', 'typeName']

/**
 * Their filters of devices: a label matches wherever it has the text, an address where the text is a part of it that ends
 * at a dot. The rest means what it means to everybody.
 */
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
