// Dry runs of rules, windows and event definitions: requested from the service while one is being written, once typing
// pauses.

import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { hrefOf } from '../core/address.ts'
import { ask } from '../core/api.ts'
import { isAway, returns } from '../core/away.ts'
import { isSignedOut, Refused } from '../core/refused.ts'
import { isIn } from '../core/session.ts'
import { Section } from '../parts/facts.tsx'
import { Level } from '../parts/level.tsx'
import { type Labels, messageFor } from '../parts/refusal.ts'
import { Time } from '../parts/time.tsx'
import { numberText } from '../texts/shared-texts.ts'
import { ruleTexts as words } from '../texts/trap-texts.ts'
import { ruleLabels } from './labels.ts'

export interface DryRun {
  readonly examined: string
  readonly filtered: string
  readonly alarm: readonly { alarmLevel: string; count: string }[]
  readonly example: readonly {
    id: string
    receivedTime: string
    sourceIp: string
    OID: string
    bin: string
  }[]
  readonly remark: readonly string[]
}

export interface Run<T> {
  readonly result?: T
  readonly refused?: Refused
  readonly busy: boolean
}

/** Milliseconds without a change. */
const typingPause = 600

/** Each change ends the previous run: the service stops when the caller disconnects. Without a body, nothing is requested. */
export function useDryRun<T>(path: string, body: unknown): Run<T> {
  const [state, setState] = useState<Run<T>>({ busy: true })
  useEffect(() => {
    if (body === undefined) return setState({ busy: false })
    if (!isIn.value) return
    const over = new AbortController()
    setState((before) => ({ ...before, busy: true }))
    const timer = setTimeout(async () => {
      try {
        const { data } = await ask<T>('POST', path, { body, signal: over.signal })
        setState({ result: data, busy: false })
      } catch (error) {
        if (over.signal.aborted) return
        // That says nothing about the fields: it is tried again once there is a session, or the service is back.
        if (isSignedOut(error) || isAway(error)) return setState({ busy: true })
        setState({
          refused: error instanceof Refused ? error : new Refused(0, '', String(error)),
          busy: false,
        })
      }
    }, typingPause)
    return () => {
      clearTimeout(timer)
      over.abort()
    }
  }, [JSON.stringify(body), isIn.value, returns.value])
  return state
}

/** The number of alarms by level. */
export const LevelCounts = ({ alarm }: Pick<DryRun, 'alarm'>) =>
  alarm.length > 0 && (
    <ul class="counts">
      {alarm.map(({ alarmLevel, count }) => (
        <li key={alarmLevel}>
          <Level level={Number(alarmLevel)} />
          <b>{numberText(Number(count))}</b>
        </li>
      ))}
    </ul>
  )

interface ExampleLine {
  readonly id: string
  /** In seconds. */
  readonly at: string
  readonly text: string
  readonly hint?: string
}

interface ExamplesProps {
  readonly title: string
  readonly page: 'trap' | 'alarm'
  readonly lines: readonly ExampleLine[]
}

/** The first examples, each with a link to its page. */
export const ExampleLines = ({ title, page, lines }: ExamplesProps) =>
  lines.length > 0 && (
    <>
      <h3>{title}</h3>
      <ul class="lines">
        {lines.slice(0, 6).map(({ id, at, text, hint }) => (
          <li key={id}>
            <a href={hrefOf(page, id)}>
              <Time at={Number(at)} />
            </a>
            <span>{text}</span>
            {hint !== undefined && <span class="hint">{hint}</span>}
          </li>
        ))}
      </ul>
    </>
  )

interface DryRunSectionProps<T> {
  readonly run: Run<T>
  readonly title: string
  readonly hint: string
  /** What has to be filled in before there is a result. */
  readonly missing?: string | undefined
  /** Of the fields on the page, for what was refused. */
  readonly labels: Labels
  readonly show: (result: T) => ComponentChildren
}

/** The result of a dry run, or why there is none: something is missing, it was refused, or it is not done yet. */
export function DryRunSection<T>({ run, title, hint, missing, labels, show }: DryRunSectionProps<T>) {
  const { result, refused, busy } = run
  return (
    <Section title={title} hint={hint} class={busy ? 'dry-run busy' : 'dry-run'}>
      <div aria-live="polite">
        {missing && <p class="hint">{missing}</p>}
        {!missing && refused && (
          <p class="field-error">
            <b>{words.invalid}:</b> {messageFor(refused, labels)}
          </p>
        )}
        {!missing && !result && !refused && <p class="hint">{words.running}</p>}
        {!missing && result && show(result)}
      </div>
    </Section>
  )
}

const RuleOutcome = ({ examined, filtered, alarm, remark, example }: DryRun) => (
  <>
    <p class="outcome">
      {Number(filtered) === 0 ? words.nothing : words.would(Number(filtered), Number(examined))}
    </p>
    {alarm.length === 0 ? <p class="hint">{words.noAlarms}</p> : <h3>{words.alarms}</h3>}
    <LevelCounts alarm={alarm} />
    {remark.length > 0 && (
      <>
        <h3>{words.remarks}</h3>
        <ul class="remarks">
          {remark.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      </>
    )}
    <ExampleLines
      title={words.examples}
      page="trap"
      lines={example.map(({ id, receivedTime, sourceIp, bin }) => ({
        ...{ id, at: receivedTime, text: sourceIp, hint: bin },
      }))}
    />
  </>
)

export const DryRunResult = ({ missing, ...run }: Run<DryRun> & { missing?: string | undefined }) => (
  <DryRunSection
    run={run}
    title={words.dryRun}
    hint={words.dryRunHint}
    missing={missing}
    labels={ruleLabels}
    show={(result) => <RuleOutcome {...result} />}
  />
)
