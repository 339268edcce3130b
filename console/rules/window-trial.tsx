// A dry run: what a maintenance window would have held back of the alarms that are kept.

import { hrefOf } from '../core/address.ts'
import { Section } from '../parts/facts.tsx'
import { Level } from '../parts/level.tsx'
import { Time } from '../parts/time.tsx'
import { numberText } from '../texts/shared-texts.ts'
import { maintenanceTexts as words } from '../texts/trap-texts.ts'
import { Refusal, type Run } from './dry-run.tsx'

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
    {alarm.length > 0 && (
      <ul class="counts">
        {alarm.map(({ alarmLevel, count }) => (
          <li key={alarmLevel}>
            <Level level={Number(alarmLevel)} />
            <b>{numberText(Number(count))}</b>
          </li>
        ))}
      </ul>
    )}
    {example.length > 0 && (
      <>
        <h3>{words.examples}</h3>
        <ul class="lines">
          {example.slice(0, 6).map((one) => (
            <li key={one.id}>
              <a href={hrefOf('alarm', one.id)}>
                <Time at={Number(one.faultTime)} />
              </a>
              <span>
                {one.deviceName}: {one.alarmDesc}
              </span>
            </li>
          ))}
        </ul>
      </>
    )}
  </>
)

export const WindowTrialResult = ({
  result,
  refused,
  busy,
  missing,
}: Run<WindowTrial> & { missing: string | undefined }) => (
  <Section title={words.dryRun} hint={words.dryRunHint} class={busy ? 'dry-run busy' : 'dry-run'}>
    <div aria-live="polite">
      {missing ? <p class="hint">{missing}</p> : <Refusal refused={refused} waits={!result && !refused} />}
      {result && <Outcome {...result} />}
    </div>
  </Section>
)
