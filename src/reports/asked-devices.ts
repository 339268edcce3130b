// The part of the report on the availability of devices that is measured: how they answered when the service asked them.

import { type Measured, measuredOf } from '../resources/inventory/reach-days.ts'
import type { Row } from '../store/database.ts'
import type { ReportInput } from './report.ts'
import { column, figure, rowLimit, section } from './report-document.ts'

interface AskedDevice extends Measured {
  readonly words: string
}

export class AskedDevices {
  readonly #found: AskedDevice[] = []

  /** Devices with their id and label. */
  async add({ reader, period }: ReportInput, devices: readonly Row[]): Promise<void> {
    const ids = devices.map((row) => row.id as bigint)
    const measured = await measuredOf(reader, ids, period)
    for (const row of devices) {
      const one = measured.get(row.id as bigint)
      if (one && one.answers + one.losses > 0) this.#found.push({ ...one, words: String(row.label) })
    }
  }

  /** None where no device was asked. */
  get figures() {
    if (this.#found.length === 0) return []
    const sum = (name: 'answering' | 'silent') => this.#found.reduce((all, one) => all + one[name], 0)
    return [
      figure('Devices that were asked', this.#found.length),
      figure('Time in which they answered', share(sum('answering'), sum('silent')), 'share'),
    ]
  }

  get sections() {
    if (this.#found.length === 0) return []
    const rows = this.#found.toSorted(
      (a, b) => b.silent - a.silent || b.losses - a.losses || (a.words < b.words ? -1 : 1),
    )
    return [
      section(
        'Answers to questions',
        [
          column('device', 'Device'),
          column('answered', 'Answered', 'share'),
          column('silent', 'Not answered', 'duration'),
          column('losses', 'Questions without an answer', 'number'),
          column('roundTrip', 'Round trip, µs', 'number'),
          column('longest', 'Longest, µs', 'number'),
        ],
        rows
          .slice(0, rowLimit)
          .map(({ words, answering, silent, losses, trips, tripSum, tripMax }) => [
            words,
            share(answering, silent),
            silent * 1000,
            losses,
            ...(trips === 0 ? [null, null] : [Math.round(tripSum / trips), tripMax]),
          ]),
        { remark, total: rows.length },
      ),
    ]
  }
}

const remark =
  'As measured by asking, maintenance included: of the time between questions. Days in UTC; those that the period cuts count by half hours, as long as these are kept.'

const share = (answering: number, silent: number) =>
  answering + silent === 0 ? null : answering / (answering + silent)
