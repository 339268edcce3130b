// Shapes of syslog messages that no definition knows and nobody wants to see: they are counted, and not listed.

import { list } from '../../schema/list.ts'
import { assigned, empty, optional, required, resource } from '../../schema/resource.ts'
import { long, text } from '../../schema/scalar.ts'
import type { Reader } from '../../store/database.ts'
import { collection, requireRoom } from '../collection.ts'

export const mutedShape = resource(
  'mutedShape',
  {
    id: assigned(long),
    /** The code or program of its messages. */
    origin: optional(text({ maxLength: 64 }), empty),
    /** Its words, with `*` for those that differ. */
    shape: required(text({ maxLength: 3000 })),
    description: optional(text(), empty),
  },
  { table: 'muted_shape', key: 'id' },
)

/** Each is compared with messages that begin like it. */
const maxMuted = 5000

export const mutedShapes = collection({
  resource: mutedShape,
  noun: 'muted shape',
  list: list('/fault/mutedShape', mutedShape, { size: { default: 100, negative: 'default' } }),
  rules: {
    async saving(tx, _, before) {
      if (!before) await requireRoom(tx, 'muted_shape', maxMuted, 'muted shapes already: delete one first')
    },
  },
})

export async function mutedShapeNames(
  reader: Pick<Reader, 'all'>,
): Promise<{ readonly origin: string; readonly shape: string }[]> {
  const rows = await reader.all('select origin, shape from muted_shape order by id')
  return rows.map(({ origin, shape }) => ({ origin: String(origin ?? ''), shape: String(shape) }))
}
