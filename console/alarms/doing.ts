// What is done with alarms, one or many, and how it is undone. The request names them by number, so that exactly the
// chosen ones are meant.

import { signal } from '@preact/signals'
import { ask } from '../core/api.ts'
import { session } from '../core/session.ts'
import { clockOffset } from '../core/time-text.ts'
import { complain, say } from '../parts/toast.tsx'
import { texts } from '../texts/shared-texts.ts'
import { type Ending, endOf } from './ending.ts'
import { refreshHeld } from './held.ts'
import { openAlarms } from './live.ts'
import type { AlarmRow } from './row.ts'

const words = texts.actions

export const actions = ['acknowledge', 'shelve', 'assign', 'note', 'remark', 'end'] as const
export type Action = (typeof actions)[number]

/** The input of the dialog; which of it is used depends on the action. */
export interface Given {
  readonly text: string
  readonly owner: string
  /** `none`: no shelf any more. */
  readonly ending: Ending | 'none'
  /** A shelf also ends when the level rises. */
  readonly untilWorse: boolean
}

/** One action: what is sent for some of the alarms, what is then said of all that were done, and how it is undone. */
interface Deed {
  readonly send: (alarms: readonly AlarmRow[], given: Given) => Promise<void>
  /** `some` are the alarms in words. */
  readonly text: (some: string, given: Given, alarms: readonly AlarmRow[]) => string
  readonly undo?: (alarms: readonly AlarmRow[], given: Given) => (() => Promise<void>) | undefined
}

/** How many go in one request: their numbers fit into an address. */
const portion = 500

type Verb = 'acknowledge' | 'unacknowledge' | 'shelve' | 'unshelve' | 'assign' | 'recover' | 'note'

async function send(verb: Verb, alarms: readonly AlarmRow[], body?: unknown): Promise<void> {
  const method = verb === 'note' ? 'POST' : 'PUT'
  const ids = idsOf(alarms)
  for (let from = 0; from < ids.length; from += portion) {
    const some = ids.slice(from, from + portion)
    await ask(method, `/fault/alarm/${verb}`, {
      query: { id: some.join() },
      ...(body !== undefined && { body }),
    })
  }
  worked.value += 1
}

const idsOf = (alarms: readonly AlarmRow[]) => alarms.map(({ id }) => id)
/** Grows with every action here, or its undoing: a page that shows an alarm reads it again. */
export const worked = signal(0)
const noted = ({ text }: Given) => (text === '' ? {} : { note: text })
/** Whether an acknowledgement has more to say than that there is one. */
const saysMore = ({ text, ending }: Given) => text !== '' || ending !== ''
const unheeded = (alarms: readonly AlarmRow[]) => alarms.filter(({ acknowledged }) => !acknowledged)
/** By the clock of the service, in milliseconds. */
const serviceTime = () => Date.now() - clockOffset.value
const seconds = () => Math.floor(serviceTime() / 1000)
/** Unix seconds; 0 without an end. */
const untilOf = ({ ending }: Given) => (ending === 'none' ? 0 : endOf(ending, serviceTime()))

/** Each as it was: equal ones together. */
async function restoreOwners(alarms: readonly AlarmRow[]): Promise<void> {
  for (const [owner, some] of Map.groupBy(alarms, (row) => row.owner)) {
    await send('assign', some, { owner })
    openAlarms.patch(idsOf(some), { owner })
  }
}

/** A remark is a part of the alarm itself, and is written for each. */
async function setRemarks(alarms: readonly AlarmRow[], remarkOf: (row: AlarmRow) => string) {
  for (const row of alarms) {
    const remark = remarkOf(row)
    await ask('PUT', `/fault/alarm/${row.id}`, { body: { remark } })
    openAlarms.patch([row.id], { remark })
  }
  worked.value += 1
}

async function withdraw(alarms: readonly AlarmRow[]): Promise<void> {
  await send('unacknowledge', alarms)
  openAlarms.patch(idsOf(alarms), { acknowledged: false, acknowledgedBy: '', acknowledgedAt: 0 })
}

async function unshelve(alarms: readonly AlarmRow[]): Promise<void> {
  await send('unshelve', alarms)
  await refreshHeld()
}

/** Withdraws an acknowledgement long after it was made. */
export const unacknowledge = (row: AlarmRow) => withdraw([row]).then(() => say(words.undone), complain)

const deeds: Readonly<Record<Action, Deed>> = {
  acknowledge: {
    /** The service gives those that are acknowledged already a new note or another end, and changes nothing else. */
    async send(alarms, given) {
      const ackUntil = untilOf(given)
      await send('acknowledge', alarms, { ...noted(given), ...(ackUntil > 0 && { ackUntil }) })
      const by = { acknowledged: true, acknowledgedBy: session.value.name, acknowledgedAt: seconds() }
      openAlarms.patch(idsOf(saysMore(given) ? alarms : unheeded(alarms)), { ...by, ...noted(given) })
    },
    text: (some, given, alarms) => {
      const before = alarms.length - unheeded(alarms).length
      return words.done.acknowledge(some, before, before === alarms.length, saysMore(given))
    },
    undo(alarms) {
      const mine = unheeded(alarms)
      return mine.length === 0 ? undefined : () => withdraw(mine)
    },
  },
  shelve: {
    async send(alarms, given) {
      if (given.ending === 'none') return unshelve(alarms)
      const shelvedUntil = untilOf(given)
      const untilWorse = shelvedUntil === 0 || given.untilWorse
      await send('shelve', alarms, {
        ...(shelvedUntil > 0 && { shelvedUntil }),
        ...(untilWorse && { untilWorse }),
        ...noted(given),
      })
      await refreshHeld()
    },
    text: (some, { ending }) => (ending === 'none' ? words.done.unshelve(some) : words.done.shelve(some)),
    undo: (alarms, { ending }) => (ending === 'none' ? undefined : () => unshelve(alarms)),
  },
  assign: {
    async send(alarms, given) {
      const { owner } = given
      await send('assign', alarms, { owner, ...noted(given) })
      openAlarms.patch(idsOf(alarms), { owner, ...noted(given) })
    },
    text: (some, { owner }) => words.done.assign(some, owner),
    undo: (alarms) => () => restoreOwners(alarms),
  },
  note: {
    async send(alarms, given) {
      await send('note', alarms, noted(given))
      openAlarms.patch(idsOf(alarms), noted(given))
    },
    text: words.done.note,
  },
  remark: {
    send: (alarms, { text }) => setRemarks(alarms, () => text),
    text: words.done.remark,
    undo: (alarms) => () => setRemarks(alarms, ({ remark }) => remark),
  },
  end: {
    send: (alarms) => send('recover', alarms),
    text: words.done.end,
  },
}

interface Course {
  /** Called with how many are done. */
  readonly progress: (done: number) => void
  /** After the portion under way no other follows. */
  readonly over: AbortSignal
}

/** Does it in portions. How many were done is said in any case; the caller learns why the others failed. */
export async function carryOut(
  action: Action,
  alarms: readonly AlarmRow[],
  given: Given,
  { progress, over }: Course,
): Promise<void> {
  let done = 0
  try {
    while (done < alarms.length && !over.aborted) {
      const some = alarms.slice(done, done + portion)
      await deeds[action].send(some, given)
      done += some.length
      progress(done)
    }
  } finally {
    if (done > 0) sayDone(action, alarms.slice(0, done), given, alarms.length)
  }
}

function sayDone(action: Action, alarms: readonly AlarmRow[], given: Given, all: number): void {
  const { text, undo } = deeds[action]
  const sentence = text(words.someOf(alarms.length, all), given, alarms)
  say(words.sentence(sentence, alarms.length < all), undo?.(alarms, given))
}
