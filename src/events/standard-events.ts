// What a new store knows of the standard notifications: name, level, category, text, which variables identify the
// resource, and what ends what. They are in files, one for a group of modules, which people read and correct. OIDs are as
// the modules define them: the other spelling that RFC 3584 gives some of them in a trap of version 1 (33.2.0.1 for 33.2.1)
// is handled by the look-up. Checked against the modules themselves; the texts are our own.

import { readEventFile } from './event-file.ts'

export { alarmCategories, type EventParameter, type StandardEvent } from './event-definition.ts'

const folder = new URL('../../definitions/events/', import.meta.url)
const read = (name: string) => readEventFile(new URL(`${name}.json`, folder))

/** In the order in which a new store gives them ids. */
const files = ['system', 'links', 'power', 'routing', 'ospf', 'isis', 'mpls', 'monitoring', 'access']

export const standardEvents = files.flatMap(read)

/** MAC addresses that switches have learnt or removed: they report where terminals are, and raise no alarms. */
export const terminalEvents = read('terminals')
