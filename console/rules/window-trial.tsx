// The dry run of a maintenance window: which stored alarms it would have suppressed.

import { maintenanceTexts as words } from '../texts/maintenance-texts.ts'
import { DryRunSection, ExampleLines, LevelCounts, type Run } from './dry-run.tsx'
import { windowLabels } from './labels.ts'

export interface WindowTrial {
  readonly examined: string
  readonly suppressed: string
  readonly silent: string
  readonly released: string
  readonly alarm: readonly { readonly alarmLevel: string; readonly count: string }[]
  readonly example: readonly {
    readonly id: string
    readonly faultTime: string
    readonly deviceName: string
    readonly alarmDesc: string
  }[]
}

const Outcome = ({ suppressed, examined, silent, released, alarm, example }: WindowTrial) => (
  <>
    <p class="outcome">{words.would(Number(examined), Number(suppressed))}</p>
    {Number(suppressed) > 0 && <p>{words.wouldEnd(Number(silent), Number(released))}</p>}
    <LevelCounts alarm={alarm} />
    <ExampleLines
      title={words.examples}
      page="alarm"
      lines={example.map(({ id, faultTime, deviceName, alarmDesc }) => ({
        ...{ id, at: faultTime, text: `${deviceName}: ${alarmDesc}` },
      }))}
    />
  </>
)

export const WindowTrialResult = ({
  missing,
  ...run
}: Run<WindowTrial> & { missing: string | undefined }) => (
  <DryRunSection
    run={run}
    title={words.dryRun}
    hint={words.dryRunHint}
    missing={missing}
    labels={windowLabels}
    show={(result) => <Outcome {...result} />}
  />
)
