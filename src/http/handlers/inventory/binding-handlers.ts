// Handlers for terminal access bindings: warnings when one is saved.

import { read } from '../../../resources/collection.ts'
import {
  type Binding,
  bindingWarnings,
  macAccessBinds,
} from '../../../resources/inventory/mac-access-bind.ts'
import type { RecordOptions } from '../record-handlers.ts'

export const bindingOptions: RecordOptions = {
  async warnings({ database }, id) {
    return bindingWarnings(database, (await read(database, macAccessBinds, id)) as Binding)
  },
}
