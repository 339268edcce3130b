// Runs report templates in the background, and stores the results.

import { Fault } from '../fault.ts'
import { CallerQueue, type Requester } from '../pacing/caller-queue.ts'
import { readSelection } from '../resources/reports/report-data.ts'
import {
  addResult,
  keepNewest,
  type ReportResult,
  readContent,
  removeOldResults,
  reportResults,
} from '../resources/reports/report-result.ts'
import { type ReportTemplate, reportTemplates } from '../resources/reports/report-template.ts'
import type { ReportName } from '../resources/reports/report-type.ts'
import { ZoneTime } from '../rules/zone-time.ts'
import type { Element } from '../schema/read-document.ts'
import { fold } from '../schema/scalar.ts'
import { inChunks } from '../store/chunked-work.ts'
import { ActorDatabase, type Database, type Reader } from '../store/database.ts'
import { find } from '../store/table.ts'
import { reportNamed } from './all-reports.ts'
import { PdfRenderer } from './forms/pdf.ts'
import { type ParameterName, periodOf, type ReportInput, readRun, times } from './report.ts'
import { type Content, type ReportDocument, ValueTexts } from './report-document.ts'
import type { Period } from './report-period.ts'
import { Scope } from './report-scope.ts'
import { makeSelection } from './selection.ts'

export interface ReportSettings {
  readonly timeZone: string
  /** Of results that somebody asked for: how many of each template are kept, and for how long. */
  readonly keep: number
  readonly keepDays: number
}

/** The report of a template: one of the service's, or its own selection of data. */
export interface Runnable {
  readonly name: string
  readonly takes: readonly ParameterName[]
  readonly confined: boolean
  make(input: ReportInput): Promise<Content>
}

/** Whom a run is for. */
export interface RunBy {
  readonly name: string
  readonly scheduleId: bigint | null
  /** Ends a run that has not begun; without it, the run waits however many are before it. */
  readonly gone?: AbortSignal
  /**
   * The store as the leader changes it, where the run was not requested by anybody: another node may have run it
   * meanwhile.
   */
  readonly leaderDatabase?: Database
}

export interface Ran {
  readonly resultId: bigint
  readonly madeTime: number
  readonly document: ReportDocument
}

const day = 24 * 3600 * 1000

export class Reports {
  readonly #database: Database
  readonly #clock: () => number
  readonly #settings: ReportSettings
  /** One at a time, for each reads very much. */
  readonly #runs = new CallerQueue({ noun: 'reports', atOnce: 1, overall: 8, each: 4 })
  /** Documents that are being sent: each is in memory until its reader has it. */
  readonly #documents = new CallerQueue({ noun: 'results', atOnce: 32, overall: 32, each: 8 })
  readonly #renderer = new PdfRenderer()
  readonly zone: ZoneTime

  constructor(database: Database, clock: () => number, settings: ReportSettings) {
    this.#database = ActorDatabase.withoutActor(database)
    this.#clock = clock
    this.#settings = settings
    this.zone = new ZoneTime(settings.timeZone)
  }

  /** Throws where too many wait. */
  async run(template: ReportTemplate, parameters: Element, by: RunBy): Promise<Ran> {
    const runnable = await runnableOf(this.#database, template)
    const request = readRun(parameters, runnable.takes)
    const now = this.#clock()
    const period = periodOf(request, this.zone, now)
    const asked = by.gone && { by: by.name, gone: by.gone }
    return this.#runs.run(asked, async () => {
      const began = performance.now()
      const times = new ValueTexts(this.#settings.timeZone)
      const { scope, content } = await this.#database.readSnapshot(async (reader) => {
        const narrowed = await Scope.read(reader, request)
        const input = { reader, period, zone: this.zone, now, times, scope: narrowed, request }
        return { scope: narrowed.words, content: await runnable.make(input) }
      })
      const document = this.#document(template, runnable.name, period, now, scope, content)
      const resultId = await this.#keep(template, runnable, period, by, {
        made: now,
        took: performance.now() - began,
        content: JSON.stringify(document),
      })
      return { resultId, madeTime: now, document }
    })
  }

  #document(
    { name }: ReportTemplate,
    report: string,
    { begin, end }: Period,
    madeTime: number,
    scope: ReportDocument['scope'],
    content: Content,
  ): ReportDocument {
    const { timeZone } = this.#settings
    return { title: name, report, beginTime: begin, endTime: end, madeTime, timeZone, scope, ...content }
  }

  /** A template that was deleted meanwhile has no results. */
  #keep(
    template: ReportTemplate,
    { name, confined }: Runnable,
    { begin, end }: Period,
    by: RunBy,
    result: { readonly made: number; readonly took: number; readonly content: string },
  ): Promise<bigint> {
    const { leaderDatabase = this.#database } = by
    return leaderDatabase.transaction(async (tx) => {
      if (!(await find(tx, reportTemplates.table, template.id))) {
        throw new Fault('not-found', `report template ${template.id} does not exist`)
      }
      const id = await addResult(
        tx,
        {
          templateId: template.id,
          scheduleId: by.scheduleId,
          name: template.name,
          report: name,
          confined,
          beginTime: begin,
          endTime: end,
          madeTime: result.made,
          milliseconds: BigInt(Math.round(result.took)),
          runBy: by.name,
          failure: null,
        },
        result.content,
      )
      if (by.scheduleId === null) await keepNewest(tx, { templateId: template.id }, this.#settings.keep)
      return id
    })
  }

  /** Gives the document of a result to `use`; throws where too many are in use. */
  withDocument(
    id: bigint,
    asked: Requester,
    use: (document: ReportDocument) => Promise<void>,
  ): Promise<void> {
    return this.#documents.run(asked, async () => use(JSON.parse(await this.#contentOf(id))))
  }

  pdf(id: bigint, asked: Requester): Promise<Buffer> {
    return this.#renderer.render(asked, () => this.#contentOf(id))
  }

  /** Throws where too many PDFs wait. */
  requireRoomForPdf(asked: Requester): void {
    this.#renderer.requireRoom(asked)
  }

  async #contentOf(id: bigint): Promise<string> {
    const content = await readContent(this.#database, id)
    if (content !== undefined) return content
    const result = (await find(this.#database, reportResults.table, id)) as ReportResult | undefined
    const failure = result?.failure ?? null
    const why = failure === null ? 'its document is gone' : `the run failed: ${failure}`
    throw new Fault('conflict', `report result ${id} cannot be shown: ${why}`)
  }

  /** Drops what callers wait for; a run that has begun may end, and so may those of schedules. */
  stop(): void {
    this.#runs.stop()
    this.#renderer.stop()
  }

  /** Whether a template can be run only by administrators. */
  async isConfined(template: ReportTemplate): Promise<boolean> {
    return (await runnableOf(this.#database, template)).confined
  }

  /** What a template runs, and the parameters it takes. */
  async describe(template: ReportTemplate): Promise<Pick<Runnable, 'name' | 'takes' | 'confined'>> {
    return runnableOf(this.#database, template)
  }

  /** Removes results that somebody asked for long ago; those of schedules are kept by number. */
  async sweep(isOver: () => boolean, now = this.#clock()): Promise<void> {
    const border = now - this.#settings.keepDays * day
    await inChunks(this.#database, (tx, limit) => removeOldResults(tx, border, limit), { isOver })
  }
}

async function runnableOf(reader: Reader, template: ReportTemplate): Promise<Runnable> {
  if (template.report !== '') return builtIn(template.report as ReportName)
  if (template.data !== null) {
    const selection = readSelection(template)
    const { data } = selection
    const takes = [
      ...(data.time === undefined ? [] : times),
      ...(['alarm', 'trap', 'device'].includes(template.data) ? (['device', 'view', 'zone'] as const) : []),
      ...(template.data === 'alarm' ? (['level'] as const) : []),
    ]
    return {
      name: `select/${template.data}`,
      takes,
      confined: data.forAdministrators ?? false,
      make: (input) => makeSelection(input, selection),
    }
  }
  const [type] = await reader.all('select report from report_type where name_key = ?', [
    fold(template.reportTypeName),
  ])
  if (type?.report) return builtIn(String(type.report) as ReportName)
  const message = `report template ${template.id} selects nothing, and its type "${template.reportTypeName}" has no report: set data of the template, or report of its type`
  throw new Fault('conflict', message, { field: 'data' })
}

function builtIn(name: ReportName): Runnable {
  const report = reportNamed(name)
  return {
    name,
    takes: report.takes,
    confined: report.forAdministrators ?? false,
    make: (input) => report.make(input),
  }
}
