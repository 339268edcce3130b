// Records below /imcrs: these clients read more fields than others are sent, and fail where a key is missing.

import { operator } from '../../resources/access/operator.ts'
import { assignedIpScope } from '../../resources/inventory/assigned-ip-scope.ts'
import { customView } from '../../resources/inventory/custom-view.ts'
import { device } from '../../resources/inventory/device.ts'
import { categoryOf } from '../../resources/inventory/device-kinds.ts'
import { type AnyRecord, type Fields, groups, optional, type Shape } from '../../schema/resource.ts'
import { int, long, text } from '../../schema/scalar.ts'
import type { Call } from '../call.ts'
import { isImcRoot } from './imc-root.ts'

/**
 * A list without rows. These clients look for the key, and take the first row where they find it; of segments alone they take
 * the key without looking.
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

/** Views have the small numbers. */
const firstSymbol = 1_000_000_000n
const deviceSymbol = 3
/** All devices are shown below the view that has all of them. */
const [topView, belowTop] = [1n, 2]

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
        symbolId: optional(long),
        symbolName: optional(text()),
        symbolType: optional(int()),
        symbolDesc: optional(text()),
        symbolLevel: optional(int()),
        parentId: optional(long),
        link: optional(text()),
      },
      fill: ({ id, label, typeName }, base) => ({
        categoryId: String(categoryOf(typeName as string | null) ?? none),
        topoIconName: none,
        devCategoryImgSrc: none,
        ...{
          symbolId: firstSymbol + (id as bigint),
          symbolName: label,
          symbolType: deviceSymbol,
          symbolDesc: none,
        },
        ...{ symbolLevel: belowTop, parentId: topView },
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

/** A shape with the added fields, as it is published and as it is written below /imcrs. */
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

/** Fills in the added fields, in records and in those inside them. */
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
