// Computes proposals for all modules of a store, in a thread: with many modules that takes seconds.

import { Library } from '../mibs/module-library.ts'
import type { ModuleText } from '../mibs/module-text.ts'
import { readDefinitions } from '../resources/alarms/mib-module.ts'
import { definedEvents } from '../resources/alarms/trap-event.ts'
import type { Reader } from '../store/database.ts'
import type { Confidence } from './mib-levels.ts'
import { propose } from './mib-proposals.ts'

/** A proposal as it is kept: what it is chosen by, and the rest as JSON, which is read when it is wanted. */
export interface ListedProposal {
  readonly module: string
  readonly confidence: Confidence
  readonly eventOid: string
  readonly text: string
}

export async function work(reader: Reader): Promise<ListedProposal[]> {
  const texts: ModuleText[] = []
  for await (const text of readDefinitions(reader)) texts.push(text)
  const defined = await definedEvents(reader)
  return propose(new Library(texts), (oid) => defined.has(oid)).map((proposal) => {
    const { module, confidence, event } = proposal
    return { module, confidence, eventOid: event.eventOid, text: JSON.stringify(proposal) }
  })
}
