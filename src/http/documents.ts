// Every document that the service writes: the published schema follows from these.

import { alarm, alarmDetail } from '../resources/alarm.ts'
import { catalog } from '../resources/catalog.ts'
import { ledgerLine, trap } from '../resources/trap.ts'
import type { Shape } from '../schema/resource.ts'
import { errorDocument } from './answers.ts'
import { serviceDocument } from './root.ts'

/** These stand alone. */
export const documents: readonly Shape[] = [errorDocument, serviceDocument, alarmDetail]

/** These also stand in lists. */
export const rows: readonly Shape[] = [...catalog.map(({ resource }) => resource), alarm, trap, ledgerLine]
