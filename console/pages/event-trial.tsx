// The dry run of an event definition that is being written: what stored traps would have become.

import { hrefOf } from '../core/address.ts'
import { Facts } from '../parts/facts.tsx'
import { Level } from '../parts/level.tsx'
import type { Labels } from '../parts/refusal.ts'
import { DryRunSection, ExampleLines, useDryRun } from '../rules/dry-run.tsx'
import { trapTexts, eventTexts as words } from '../texts/trap-texts.ts'

interface EventTrial {
  readonly examined: string
  readonly alarms: string
  readonly recoveries: string
  readonly filtered: string
  readonly stored: string
  readonly resources: string
  readonly ended: string
  readonly open: string
  readonly before: readonly { readonly bin: string; readonly count: string }[]
  readonly example: readonly {
    readonly id: string
    readonly receivedTime: string
    readonly sourceIp: string
    readonly bin: string
    readonly alarmDesc: string
  }[]
}

export interface Tried {
  readonly eventOid: string
  readonly name: string
  readonly alarmLevel: string
  readonly parameter: readonly { readonly oid?: string | undefined; readonly name?: string | undefined }[]
}

/** What is still missing. */
function missingIn({ eventOid, name, parameter }: Tried): string | undefined {
  if (eventOid === '' || name === '') return words.missing
  return parameter.some((one) => !one.oid || !one.name) ? words.missingVariable : undefined
}

const some = (count: string, text: (count: number) => string) => count !== '0' && text(Number(count))

const Outcome = ({ trial, oid, level }: { trial: EventTrial; oid: string; level: number }) => (
  <>
    <p class="outcome">{trial.examined === '0' ? words.neverCame : words.lookedAt(Number(trial.examined))}</p>
    <Facts
      facts={[
        [
          words.wouldBe,
          trial.alarms !== '0' && (
            <>
              <Level level={level} /> {words.wouldAlarm(Number(trial.alarms), Number(trial.resources))}
            </>
          ),
        ],
        [words.wouldEnd, some(trial.recoveries, (count) => words.ends(count, Number(trial.ended)))],
        [words.wouldStore, some(trial.stored, words.traps)],
        [words.staysFiltered, some(trial.filtered, words.traps)],
        [
          words.was,
          trial.before.length > 0 && (
            <a href={hrefOf('traps', '', { OID: oid })}>
              {trial.before.map(({ bin, count }) => `${count} ${trapTexts.bins[bin] ?? bin}`).join(', ')}
            </a>
          ),
        ],
        [
          words.before,
          trial.open !== '0' && (
            <a href={hrefOf('alarms', '', { event: oid })}>{words.openNow(Number(trial.open))}</a>
          ),
        ],
      ]}
    />
    <ExampleLines
      title={words.examples}
      page="trap"
      lines={trial.example.map(({ id, receivedTime, alarmDesc }) => ({
        ...{ id, at: receivedTime, text: alarmDesc },
      }))}
    />
  </>
)

export function EventTrialResult({ body, labels }: { body: Tried; labels: Labels }) {
  const missing = missingIn(body)
  const run = useDryRun<EventTrial>('/fault/trapEvent/dryRun', missing ? undefined : body)
  return (
    <DryRunSection
      run={run}
      title={words.dryRun}
      hint={words.dryRunHint}
      missing={missing}
      labels={labels}
      show={(trial) => <Outcome trial={trial} oid={body.eventOid} level={Number(body.alarmLevel)} />}
    />
  )
}
