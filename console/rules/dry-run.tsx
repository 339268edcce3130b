// A dry run of a rule, or a window: requested from the service while it is being written, once typing pauses.

import { useEffect, useState } from 'preact/hooks'
import { hrefOf } from '../core/address.ts'
import { ask } from '../core/api.ts'
import { Refused } from '../core/refused.ts'
import { Section } from '../parts/facts.tsx'
import { Level } from '../parts/level.tsx'
import { Time } from '../parts/time.tsx'
import { numberText } from '../texts/shared-texts.ts'
import { ruleTexts as words } from '../texts/trap-texts.ts'

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

const rest = 600

/** Each change ends the run before it: the service stops when the caller is gone. Without a body nothing is requested. */
export function useDryRun<T>(path: string, body: unknown): Run<T> {
  const [state, setState] = useState<Run<T>>({ busy: true })
  useEffect(() => {
    if (body === undefined) return setState({ busy: false })
    const over = new AbortController()
    setState((before) => ({ ...before, busy: true }))
    const timer = setTimeout(async () => {
      try {
        const { data } = await ask<T>('POST', path, { body, signal: over.signal })
        setState({ result: data, busy: false })
      } catch (error) {
        if (over.signal.aborted) return
        setState({
          refused: error instanceof Refused ? error : new Refused(0, '', String(error)),
          busy: false,
        })
      }
    }, rest)
    return () => {
      clearTimeout(timer)
      over.abort()
    }
  }, [JSON.stringify(body)])
  return state
}

const Lost = ({ alarm }: Pick<DryRun, 'alarm'>) =>
  alarm.length === 0 ? (
    <p class="hint">{words.noAlarms}</p>
  ) : (
    <>
      <h3>{words.alarms}</h3>
      <ul class="counts">
        {alarm.map(({ alarmLevel, count }) => (
          <li key={alarmLevel}>
            <Level level={Number(alarmLevel)} />
            <b>{numberText(Number(count))}</b>
          </li>
        ))}
      </ul>
    </>
  )

const Examples = ({ example }: Pick<DryRun, 'example'>) =>
  example.length > 0 && (
    <>
      <h3>{words.examples}</h3>
      <ul class="lines">
        {example.slice(0, 6).map((one) => (
          <li key={one.id}>
            <a href={hrefOf('trap', one.id)}>
              <Time at={Number(one.receivedTime)} />
            </a>
            <span>{one.sourceIp}</span>
            <span class="hint">{one.bin}</span>
          </li>
        ))}
      </ul>
    </>
  )

/** Why it cannot be saved as it is, or that the service is searching. */
export const Refusal = ({ refused, waits }: { refused: Refused | undefined; waits: boolean }) => (
  <>
    {refused && (
      <p class="field-error">
        <b>{words.invalid}:</b> {refused.message}
      </p>
    )}
    {waits && <p class="hint">{words.running}</p>}
  </>
)

export function DryRunResult({
  result,
  refused,
  busy,
  missing,
}: Run<DryRun> & { missing?: string | undefined }) {
  return (
    <Section title={words.dryRun} hint={words.dryRunHint} class={busy ? 'dry-run busy' : 'dry-run'}>
      <div aria-live="polite">
        {missing ? <p class="hint">{missing}</p> : <Refusal refused={refused} waits={!result && !refused} />}
        {result && !missing && (
          <>
            <p class="outcome">
              {Number(result.filtered) === 0
                ? words.nothing
                : words.would(Number(result.filtered), Number(result.examined))}
            </p>
            <Lost alarm={result.alarm} />
            {result.remark.length > 0 && (
              <>
                <h3>{words.remarks}</h3>
                <ul class="remarks">
                  {result.remark.map((text) => (
                    <li key={text}>{text}</li>
                  ))}
                </ul>
              </>
            )}
            <Examples example={result.example} />
          </>
        )}
      </div>
    </Section>
  )
}
