// One terminal: where it is, where it has been, and what its binding says.

import { useState } from 'preact/hooks'
import { go, hrefOf } from '../core/address.ts'
import { read } from '../core/api.ts'
import { Refused } from '../core/refused.ts'
import { may } from '../core/session.ts'
import { Facts, Section } from '../parts/facts.tsx'
import { List, useList } from '../parts/list.tsx'
import { useEvery, useLoad, When } from '../parts/load.tsx'
import { Empty } from '../parts/problem.tsx'
import { DeleteDialog, RecordDialog } from '../parts/records.tsx'
import { Time } from '../parts/time.tsx'
import { locationTexts, seenTexts as words } from '../texts/terminal-texts.ts'
import { bindingShape } from './bindings.tsx'
import { MacLocations } from './mac-locations.tsx'
import { written } from './port-choice.tsx'
import { newestFirst, stayColumns, stayFilters, stayPath } from './stays.tsx'
import { Place, Standing, type Stay, type Terminal } from './terminals.tsx'

/** Where it has been, page by page. */
function Stays({ terminalMac }: Pick<Terminal, 'terminalMac'>) {
  const props = {
    path: stayPath,
    queryPrefix: 'stay',
    columns: stayColumns,
    filters: stayFilters,
    fixed: { terminalMac, ...newestFirst },
    caption: words.before,
    keyOf: ({ id }: Stay) => id,
    empty: <p class="hint">{words.nowhere}</p>,
  }
  const loaded = useList(props)
  useEvery(10, loaded)
  return <List {...props} loaded={loaded} />
}

/** A binding for the port at which it is. */
function BindDialog({
  terminal,
  close,
  again,
}: {
  terminal: Terminal
  close: () => void
  again: () => void
}) {
  const { terminalMac, deviceId, ifIndex } = terminal
  const isPlaced = deviceId !== '0' && deviceId !== '' && ifIndex !== ''
  const blank = {
    ...bindingShape.blank,
    terminalMac,
    ...(isPlaced && { ifInfo: written([{ deviceId, ifIndex }]) }),
  }
  return <RecordDialog before={undefined} shape={{ ...bindingShape, blank }} close={close} again={again} />
}

function TerminalView({ terminal, again }: { terminal: Terminal; again: () => void }) {
  const [deleting, setDeleting] = useState(false)
  const [binding, setBinding] = useState(false)
  const { id, terminalMac, terminalName, bound } = terminal
  const isFree = bound !== 'true' && may('operator')
  return (
    <article class="page">
      <header class="page-head">
        <h1>{terminalName || terminalMac}</h1>
        <span class="gap" />
        {may('operator') && (
          <button type="button" onClick={() => setDeleting(true)}>
            {words.forget}
          </button>
        )}
      </header>
      <Section title={words.now}>
        <Facts
          facts={[
            [words.mac, <span class="mono">{terminalMac}</span>],
            [words.state, <Standing terminal={terminal} />],
            [words.place, <Place stay={terminal} />],
            [words.ip, terminal.ip],
            [words.vlan, terminal.vlan],
            [words.since, <Time at={Number(terminal.since)} />],
            [words.last, <Time at={Number(terminal.lastTime)} />],
            [words.source, words.sources[terminal.source] ?? terminal.source],
            [words.reason, terminal.reason],
            [words.maintainer, terminal.maintainer],
            [
              words.binding,
              isFree ? (
                <button type="button" class="plain" onClick={() => setBinding(true)}>
                  {words.noBinding}
                </button>
              ) : (
                <a href={hrefOf('bindings', '', { terminalMac })}>
                  {bound === 'true' ? words.showBinding : words.noBinding}
                </a>
              ),
            ],
          ]}
        />
      </Section>
      <Section title={locationTexts.title}>
        <MacLocations mac={terminalMac} />
      </Section>
      <Section title={words.before}>
        <Stays terminalMac={terminalMac} />
      </Section>
      {binding && <BindDialog terminal={terminal} close={() => setBinding(false)} again={again} />}
      {deleting && (
        <DeleteDialog
          title={words.forget}
          hint={words.forgetHint}
          path={`/res/access/terminal/${id}`}
          close={() => setDeleting(false)}
          done={() => go(hrefOf('terminals'))}
        />
      )}
    </article>
  )
}

export default function TerminalPage({ id }: { id: string }) {
  const loaded = useLoad(
    (over) => read<Terminal>(`/res/access/terminal/${encodeURIComponent(id)}`, {}, over),
    [id],
  )
  useEvery(10, loaded)
  if (loaded.error instanceof Refused && loaded.error.status === 404)
    return (
      <Empty title={words.gone}>
        <a class="button" href={hrefOf('terminals')}>
          {words.title}
        </a>
      </Empty>
    )
  return (
    <When
      loaded={loaded}
      show={(terminal: Terminal) => <TerminalView terminal={terminal} again={loaded.again} />}
    />
  )
}
