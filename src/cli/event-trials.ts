// belfry event from-trap, test and relabel: from a trap to a definition, and what definitions make of traps.

import { readFile } from 'node:fs/promises'
import { Fault } from '../fault.ts'
import { countedNoun, statReadable } from './command.ts'
import { askJson } from './service-connection.ts'

const path = '/fault/trapEvent'
/** Larger files are no definitions that somebody has written. */
const fileLimit = 16 * 1024 * 1024

type Sent = Readonly<Record<string, unknown>>

/** Prints the definitions that are proposed for a stored trap, as a file that `test` and `load` read. */
export async function fromTrap(url: string, id: string | undefined, accept: boolean): Promise<number> {
  if (id === undefined || !/^\d+$/.test(id))
    throw new Fault('invalid', 'name a stored trap by its id: belfry event from-trap 4711')
  const { trapProposal } = await askJson<{ trapProposal: Sent[] }>(`${url}/fault/trap/${id}/event`)
  for (const { name, basis, confidence, reason } of trapProposal)
    console.error(`${name}: from the ${basis}, confidence ${confidence}: ${reason}`)
  const definitions = trapProposal.map(withoutBasis)
  if (!accept) {
    console.log(JSON.stringify({ trapEvent: definitions }, null, 2))
    return 0
  }
  if (trapProposal[0]?.basis === 'definition')
    throw new Fault('invalid', 'its event has a definition already: change that one')
  for (const one of definitions) await askJson(`${url}${path}`, 'POST', one)
  console.log(`${countedNoun(definitions.length, 'definition')} saved, for traps from now on`)
  return 0
}

const withoutBasis = ({ basis: _b, confidence: _c, reason: _r, ...definition }: Sent) => definition

interface Tested {
  readonly trapId: string
  readonly OID: string
  readonly eventName: string
  readonly isDefined: string
  readonly outcome: string
  readonly alarmLevel: string
  readonly resource: string
  readonly alarmDesc: string
  readonly alarm: readonly string[]
}

const levelNames = ['', 'critical', 'major', 'minor', 'warning', 'info']

/** Plays traps against the definitions of the store and of files. */
export async function testEvents(
  url: string,
  files: readonly string[],
  { traps, trap, newest }: Readonly<Record<string, string>>,
): Promise<number> {
  const trapEvent = (await Promise.all(files.map(readDefinitions))).flat()
  const given = traps === undefined ? [] : await readTraps(traps)
  const ids = trap?.split(',').map((id) => id.trim()) ?? []
  const isPlain = given.length + ids.length === 0
  const asked = {
    trapEvent,
    trap: given,
    trapId: ids,
    ...((newest !== undefined || isPlain) && { newest: newest ?? '100' }),
  }
  const { testedTrap } = await askJson<{ testedTrap: Tested[] }>(`${url}${path}/test`, 'POST', asked)
  for (const [index, one] of testedTrap.entries()) console.log(line(one, index + 1))
  if (testedTrap.length === 0) console.log('no trap was found')
  return testedTrap.length === 0 ? 1 : 0
}

function line(one: Tested, place: number): string {
  const whose = one.trapId === '0' ? `${place}.` : `${place}. trap ${one.trapId}`
  const about = one.resource === '' ? '' : ` [${one.resource}]`
  const unknown = one.isDefined === 'true' ? '' : ', which has no definition'
  const event = `${one.eventName}${unknown}`
  if (one.outcome === 'raises')
    return `${whose} ${event} raises ${levelNames[Number(one.alarmLevel)]}${about}: ${one.alarmDesc}`
  const of =
    one.alarm.length === 0 ? '' : ` the alarm of ${one.alarm.map((which) => `${which}.`).join(' and ')}`
  return `${whose} ${event} ${one.outcome}${of}${about}`
}

export async function relabel(url: string, wanted: string | undefined): Promise<number> {
  if (wanted === undefined)
    throw new Fault('invalid', 'name a definition by its OID or its name: belfry event relabel fanFailed')
  const field = /^\.?\d+(\.\d+)+$/.test(wanted) ? 'eventOid' : 'name'
  const query = new URLSearchParams({ [field]: wanted, size: '2' })
  const { trapEvent } = await askJson<{ trapEvent: { id: string; name: string }[] }>(`${url}${path}?${query}`)
  const [found, another] = trapEvent
  if (!found || another)
    throw new Fault('invalid', `${found ? 'several definitions are' : 'no definition is'} called ${wanted}`)
  const done = await askJson<Record<'raised' | 'ended' | 'left', string>>(
    `${url}${path}/relabel/${found.id}`,
    'PUT',
  )
  console.log(
    `${found.name}: ${countedNoun(done.raised, 'alarm')} raised anew, ${done.ended} ended, ${done.left} left as they are`,
  )
  return 0
}

/** Definitions as they are exported, printed by from-trap, or shipped with the program. */
async function readDefinitions(file: string): Promise<Sent[]> {
  const read = await readJson(file)
  const rows = Array.isArray(read) ? read : (read.trapEvent ?? read.events)
  if (!Array.isArray(rows))
    throw new Fault(
      'invalid',
      `${file}: expected a list of definitions, or an object with trapEvent or events`,
    )
  return rows.map(({ id: _id, source: _source, note: _note, ...definition }) => definition)
}

/** Traps as the service lists them. */
async function readTraps(file: string): Promise<Sent[]> {
  const read = await readJson(file)
  const rows = Array.isArray(read) ? read : read.trap
  if (!Array.isArray(rows))
    throw new Fault('invalid', `${file}: expected a list of traps, or an object with trap`)
  return rows.map(({ OID, sourceIp, variables }) => ({ OID, sourceIp, variables }))
}

// biome-ignore lint/suspicious/noExplicitAny: what a file has is checked by the service
async function readJson(file: string): Promise<any> {
  if ((await statReadable(file)).size > fileLimit)
    throw new Fault('invalid', `${file} is larger than ${fileLimit / 2 ** 20} MiB`)
  try {
    return JSON.parse(await readFile(file, 'utf8'))
  } catch (cause) {
    throw new Fault('invalid', `${file} is not JSON: ${(cause as Error).message}`, { cause })
  }
}
