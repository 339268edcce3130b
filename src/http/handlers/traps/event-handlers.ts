// The list of event definitions; on request, those of the catalogue of vendors' events that the store does not have.

import type { VendorCatalogue } from '../../../events/vendor-catalogue.ts'
import { Fault } from '../../../fault.ts'
import { TimeSlice } from '../../../pacing/time-slice.ts'
import { definedEvents, otherSpelling, trapEvent, trapEvents } from '../../../resources/alarms/trap-event.ts'
import { patternTest } from '../../../rules/rules.ts'
import { oneScalar, oneValue, type Parameters, readPage, type SizeRule } from '../../../schema/list.ts'
import { bool, oid, text } from '../../../schema/scalar.ts'
import type { Handler } from '../../call.ts'
import type { Parameter } from '../../operation.ts'
import { answerList, sendPage } from '../list-handlers.ts'

const vendorText = text({ maxLength: 100 })
const patternText = text({ maxLength: 200 })
const pages: SizeRule = { default: 10, negative: 'default', max: 1000 }

export const eventParameters: Readonly<Record<string, Parameter>> = {
  catalogue: {
    meaning:
      "true: instead of those of the store, definitions of the catalogue of vendors' events that it does not have, at most 1000 a page",
    scalar: bool,
  },
  vendor: {
    meaning: "With catalogue: a part of the vendor's name, or its enterprise number",
    scalar: vendorText,
  },
}

export const listEvents: Handler = async (call) => {
  const { parameters, database, modules } = call
  const vendor = oneScalar(parameters, 'vendor', vendorText)
  if (!oneScalar(parameters, 'catalogue', bool)) {
    if (vendor !== undefined)
      throw new Fault('invalid', 'vendor: expected together with catalogue=true', { field: 'vendor' })
    return answerList(call, trapEvents)
  }
  requireSearch(parameters)
  const page = readPage(pages, parameters)
  const { vendors } = modules
  await vendors.open()
  const defined = await definedEvents(database)
  const found = (await search(vendors, parameters, vendor)).filter(
    (one) => !defined.has(one) && !defined.has(otherSpelling(one)),
  )
  const timeSlice = new TimeSlice()
  const records = []
  for (const one of found.slice(page.start, page.start + page.size)) {
    const event = vendors.find(one)
    if (event) records.push({ ...event })
    await timeSlice.step()
  }
  sendPage(call, trapEvent, page, records, found.length)
}

/** The other parameters of the list are about rows of the store. */
function requireSearch(parameters: Parameters): void {
  for (const name of ['alarmLevel', 'alarmCategory', 'ends', 'orderBy', 'desc']) {
    if (oneValue(parameters, name) === undefined) continue
    const accepted = 'name, eventOid, vendor, start, size and total'
    throw new Fault('invalid', `${name} does not go with catalogue=true: expected ${accepted}`, {
      field: name,
    })
  }
}

function search(
  vendors: VendorCatalogue,
  parameters: Parameters,
  vendor: string | undefined,
): Promise<string[]> {
  const name = oneScalar(parameters, 'name', patternText)
  const eventOid = oneScalar(parameters, 'eventOid', patternText)
  return vendors.search({
    vendor,
    name: name === undefined ? undefined : patternTest(name),
    eventOid: eventOid === undefined ? undefined : patternTest(asStored(eventOid)),
  })
}

/** An OID without its leading dot; a pattern as it is. */
function asStored(written: string): string {
  try {
    return oid.read(written)
  } catch {
    return written
  }
}
