// Reads definitions as a service exports them, without what is of that service alone: ids, and the module that each was
// made from.

import { Fault } from '../../fault.ts'
import { trapEvent, trapEvents } from '../../resources/alarms/trap-event.ts'
import { unsaved } from '../../resources/collection.ts'
import { jsonElement } from '../../schema/json.ts'
import { JsonCutter } from '../../schema/json-cutter.ts'
import { readDraft } from '../../schema/read-document.ts'
import { atLine } from '../../schema/rows.ts'
import type { Made } from './definitions.ts'
import type { SourceFile } from './foreign-event.ts'

const rowLimit = 2 ** 20

export function readOwn({ name: file, text }: SourceFile): Made[] {
  const cutter = new JsonCutter(trapEvent.name, rowLimit)
  const made: Made[] = []
  for (const { line, json } of cutter.push(text))
    made.push({ file, line, definition: definitionOf(json, line) })
  cutter.close()
  return made
}

function definitionOf(json: string, line: number): Made['definition'] {
  try {
    const element = jsonElement(json, trapEvent.name)
    const items = element.items.filter(({ name }) => name !== 'id' && name !== 'source')
    const {
      id: _id,
      source: _source,
      ...definition
    } = unsaved(trapEvents, readDraft(trapEvent, { ...element, items }, 'create'))
    return definition
  } catch (error) {
    throw error instanceof Fault ? atLine(error, line) : error
  }
}
