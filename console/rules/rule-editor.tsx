// The editor of one trap rule. Beside the fields is its dry run, always for what is being typed.

import { useState } from 'preact/hooks'
import { address, go, hrefOf } from '../core/address.ts'
import { read } from '../core/api.ts'
import { Refused } from '../core/refused.ts'
import { may, session } from '../core/session.ts'
import { ChangesLink } from '../parts/changes-link.tsx'
import { RestoredNote, useDraft } from '../parts/draft.tsx'
import { When as Loaded, useLoad } from '../parts/load.tsx'
import { More } from '../parts/more.tsx'
import { Empty } from '../parts/problem.tsx'
import { DeleteDialog } from '../parts/records.tsx'
import { Refusal, useMark, useRefused } from '../parts/refusal.ts'
import { submitRecord } from '../parts/submit-record.ts'
import { texts } from '../texts/shared-texts.ts'
import { ruleTexts as words } from '../texts/trap-texts.ts'
import { type DryRun, DryRunResult, useDryRun } from './dry-run.tsx'
import { type EditProps, Values, What, When, Where } from './fields.tsx'
import { ruleLabels } from './labels.ts'
import { blank, bodyOf, type Draft, draftOf, namesNoEvent, type Rule } from './rule.ts'

interface AlarmLike {
  readonly OID: string
  readonly deviceId: string
  readonly deviceName: string
  readonly eventName: string
  readonly paras: string
}

const ports = new Set(['1.3.6.1.6.3.1.1.5.3', '1.3.6.1.6.3.1.1.5.4'])

/** A rule that would have filtered this alarm, and little else. */
function fromAlarm({ OID, deviceId, deviceName, eventName, paras }: AlarmLike): Draft {
  const port = /(?:^|;)\*?ifDescr=([^;]*)/.exec(paras)?.[1]
  return {
    ...blank,
    name: `${eventName} ${deviceName}`.trim(),
    oid: OID,
    devices: deviceId === '0' || deviceId === '' ? [] : [{ id: deviceId, name: deviceName, parameters: [] }],
    interfaces: ports.has(OID) && port ? [{ ifDesc: port }] : [],
  }
}

async function newFrom(query: URLSearchParams, over: AbortSignal): Promise<Draft> {
  const alarm = query.get('alarm')
  if (alarm) return fromAlarm(await read<AlarmLike>(`/fault/alarm/${encodeURIComponent(alarm)}`, {}, over))
  const device = query.get('device') ?? ''
  const named =
    device === '' ? [] : [await read<{ id: string; label: string }>(`/plat/res/device/${device}`, {}, over)]
  return {
    ...blank,
    oid: query.get('oid') ?? '',
    devices: named.map(({ id: one, label }) => ({ id: one, name: label, parameters: [] })),
  }
}

const RuleName = ({ draft, set }: EditProps) => (
  <div class="field">
    <label for="rule-name">{words.name}</label>
    <input
      id="rule-name"
      {...useMark('trapRuleName')}
      type="text"
      placeholder={words.namePlaceholder}
      value={draft.name}
      onInput={(event: Event) => set({ name: (event.target as HTMLInputElement).value })}
    />
  </div>
)

function Editor({ id, start }: { id: string; start: Draft }) {
  const kept = useDraft(`rule ${id}?${address.peek().query}`, start)
  const { value: draft, change: setDraft } = kept
  const [deleting, setDeleting] = useState(false)
  const [refused, setRefused] = useRefused(draft)
  const set = (change: Partial<Draft>) => setDraft((before) => ({ ...before, ...change }))
  const body = bodyOf(draft)
  const isNew = id === 'new'
  const run = useDryRun<DryRun>('/fault/trapRule/dryRun', isNew ? body : { id, ...body })
  const save = (event: Event) =>
    submitRecord(event, {
      path: '/fault/trapRule',
      id,
      body,
      saved: words.saved,
      next: 'rules',
      done: kept.forget,
      labels: ruleLabels,
      refuse: setRefused,
    })
  const mayChange = may('operator')
  return (
    <article class="page editor">
      <form onSubmit={save}>
        <header class="page-head">
          <h1>{isNew ? words.create : words.one}</h1>
          {!isNew && <ChangesLink resource="trapRule" id={id} />}
        </header>
        {!mayChange && <p class="hint">{texts.errors.onlyLook(session.value.role)}</p>}
        <RestoredNote {...kept} />
        <fieldset disabled={!mayChange}>
          <Refusal.Provider value={refused ?? run.refused}>
            <RuleName draft={draft} set={set} />
            <What draft={draft} set={set} />
            <Where draft={draft} set={set} />
            <Values draft={draft} set={set} />
            <When draft={draft} set={set} />
          </Refusal.Provider>
        </fieldset>
        {mayChange && (
          <footer class="buttons">
            <button type="submit" class="main" disabled={run.refused !== undefined}>
              {words.save}
            </button>
            <a class="button" href={hrefOf('rules')} onClick={kept.forget}>
              {texts.cancel}
            </a>
            <span class="gap" />
            {!isNew && (
              <More
                label={texts.moreActions}
                actions={[{ text: words.delete, isDangerous: true, act: () => setDeleting(true) }]}
              />
            )}
          </footer>
        )}
      </form>
      <aside>
        <DryRunResult {...run} missing={namesNoEvent(draft) ? words.missing : undefined} />
      </aside>
      {deleting && (
        <DeleteDialog
          title={words.delete}
          hint={words.deleteHint}
          path={`/fault/trapRule/${id}`}
          close={() => setDeleting(false)}
          done={() => {
            kept.forget()
            go(hrefOf('rules'))
          }}
        />
      )}
    </article>
  )
}

const startOf = async (id: string, query: URLSearchParams, over: AbortSignal): Promise<Draft> =>
  id === 'new'
    ? newFrom(query, over)
    : draftOf(await read<Rule>(`/fault/trapRule/${encodeURIComponent(id)}`, {}, over))

export default function RulePage({ id }: { id: string }) {
  const loaded = useLoad((over) => startOf(id, address.value.query, over), [id])
  if (loaded.error instanceof Refused && loaded.error.status === 404)
    return (
      <Empty title={words.gone}>
        <a class="button" href={hrefOf('rules')}>
          {words.title}
        </a>
      </Empty>
    )
  return <Loaded loaded={loaded} show={(draft: Draft) => <Editor id={id} start={draft} />} />
}
