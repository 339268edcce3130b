// What is done with alarms, one or many, and how it is undone. The request names them by number, so that exactly the
// chosen ones are meant.

import { signal } from '@preact/signals'
import { ask } from '../core/api.ts'
import { session } from '../core/session.ts'
import { clockOffset } from '../core/time.ts'
import { complain, say } from '../parts/toast.ts'
import { texts } from '../texts/shared.ts'
import { refreshHeld } from './held.ts'
import { book } from './live.ts'
import type { AlarmRow } from './row.ts'

const words = texts.actions

export const actions = ['acknowledge', 'shelve', 'assign', 'note', 'remark', 'end'] as const
export type Action = (typeof actions)[number]

/** The input of the dialog; which of it is used depends on the action. */
export interface Given {
  readonly text: string
  readonly owner: string
  /** 0: no longer, or without an end; `noTime`: until it gets worse alone. */
  readonly minutes: number
  /** A shelf also ends when the level rises. */
  readonly untilWorse: boolean
}

export const noTime = -1

type Progress = (done: number) => void
type Doing = (alarms: readonly AlarmRow[], given: Given, progress: Progress) => Promise<void>

/** How many go in one request: their numbers fit into an address. */
const portion = 500

type Verb = 'acknowledge' | 'unacknowledge' | 'shelve' | 'unshelve' | 'assign' | 'recover' | 'note'

async function send(verb: Verb, alarms: readonly AlarmRow[], body?: unknown, progress: Progress = silently) {
  const method = verb === 'note' ? 'POST' : 'PUT'
  const ids = idsOf(alarms)
  for (let from = 0; from < ids.length; from += portion) {
    const some = ids.slice(from, from + portion)
    await ask(method, `/fault/alarm/${verb}`, {
      query: { id: some.join() },
      ...(body !== undefined && { body }),
    })
    progress(from + some.length)
  }
  worked.value += 1
}

const idsOf = (alarms: readonly AlarmRow[]) => alarms.map(({ id }) => id)
const silently = () => undefined
/** Grows with every action here, or its undoing: a page that shows an alarm reads it again. */
export const worked = signal(0)
const noted = ({ text }: Given) => (text === '' ? {} : { note: text })
/** By the clock of the service. */
const seconds = () => Math.floor((Date.now() - clockOffset.value) / 1000)
/** Until 8:00 is not until some seconds later. */
const wholeMinute = (time: number) => time - (time % 60)

/** Each as it was: equal ones together. */
async function restoreOwners(alarms: readonly AlarmRow[]): Promise<void> {
  for (const [owner, some] of Map.groupBy(alarms, (row) => row.owner)) {
    await send('assign', some, { owner })
    book.patch(idsOf(some), { owner })
  }
}

/** A remark is a part of the alarm itself, and is written for each. */
async function setRemarks(
  alarms: readonly AlarmRow[],
  remarkOf: (row: AlarmRow) => string,
  progress: Progress = silently,
) {
  for (const [index, row] of alarms.entries()) {
    const remark = remarkOf(row)
    await ask('PUT', `/fault/alarm/${row.id}`, { body: { remark } })
    book.patch([row.id], { remark })
    progress(index + 1)
  }
  worked.value += 1
}

async function withdraw(alarms: readonly AlarmRow[]): Promise<void> {
  await send('unacknowledge', alarms)
  book.patch(idsOf(alarms), { acknowledged: false, acknowledgedBy: '', acknowledgedAt: 0 })
}

/** Withdraws an acknowledgement long after it was made. */
export const unacknowledge = (row: AlarmRow) => withdraw([row]).then(() => say(words.undone), complain)

const doing: Readonly<Record<Action, Doing>> = {
  async acknowledge(alarms, given, progress) {
    const open = alarms.filter(({ acknowledged }) => !acknowledged)
    const until = given.minutes === 0 ? {} : { ackUntil: wholeMinute(seconds() + given.minutes * 60) }
    await send('acknowledge', open, { ...noted(given), ...until }, progress)
    const by = { acknowledged: true, acknowledgedBy: session.value.name, acknowledgedAt: seconds() }
    book.patch(idsOf(open), { ...by, ...noted(given) })
    say(words.done.acknowledge(open.length), () => withdraw(open))
  },
  async shelve(alarms, given, progress) {
    const { minutes } = given
    const end = minutes === noTime ? {} : { shelvedUntil: wholeMinute(seconds() + minutes * 60) }
    const worse = minutes === noTime || given.untilWorse ? { untilWorse: true } : {}
    if (minutes === 0) await send('unshelve', alarms, undefined, progress)
    else await send('shelve', alarms, { ...end, ...worse, ...noted(given) }, progress)
    await refreshHeld()
    if (minutes === 0) return say(words.done.unshelve(alarms.length))
    say(words.done.shelve(alarms.length), async () => {
      await send('unshelve', alarms)
      await refreshHeld()
    })
  },
  async assign(alarms, given, progress) {
    const { owner } = given
    await send('assign', alarms, { owner, ...noted(given) }, progress)
    book.patch(idsOf(alarms), { owner, ...noted(given) })
    say(words.done.assign(alarms.length, owner), () => restoreOwners(alarms))
  },
  async note(alarms, given, progress) {
    if (given.text === '') return
    await send('note', alarms, noted(given), progress)
    book.patch(idsOf(alarms), noted(given))
    say(words.done.note(alarms.length))
  },
  async remark(alarms, { text }, progress) {
    await setRemarks(alarms, () => text, progress)
    say(words.done.remark(alarms.length), () => setRemarks(alarms, ({ remark }) => remark))
  },
  async end(alarms, _given, progress) {
    await send('recover', alarms, undefined, progress)
    say(words.done.end(alarms.length))
  },
}

/** Does it, and reports success, or why it failed. */
export async function carryOut(
  action: Action,
  alarms: readonly AlarmRow[],
  given: Given,
  progress: Progress,
) {
  try {
    await doing[action](alarms, given, progress)
  } catch (error) {
    complain(error)
  }
}
