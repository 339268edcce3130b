// Every datagram that was ever received, by outcome and reason. Each bar leads to the traps it counts.

import { address, hrefOf } from '../core/address.ts'
import { list } from '../core/api.ts'
import { Bar } from '../parts/bar.tsx'
import { Section } from '../parts/facts.tsx'
import { useEvery, useLoad, When } from '../parts/load.tsx'
import { Ago } from '../parts/time.tsx'
import { numberText } from '../texts/shared-texts.ts'
import { trapTexts as words } from '../texts/trap-texts.ts'
import { TrapReason } from './trap-reason.tsx'

interface LedgerLine {
  readonly bin: string
  readonly reason: string
  readonly count: string
  readonly lastTime: string
  readonly lastSource?: string
}

function byBin(lines: readonly LedgerLine[]): (readonly [string, number])[] {
  const sums = new Map<string, number>()
  for (const { bin, count } of lines) sums.set(bin, (sums.get(bin) ?? 0) + Number(count))
  return [...sums].sort((a, b) => b[1] - a[1])
}

/** The last trap that was counted there is among those of its sender. */
const LastSource = ({ bin, lastSource = '' }: LedgerLine) =>
  lastSource !== '' && <a href={hrefOf('traps', '', { bin, sourceIp: lastSource })}>{lastSource}</a>

const Reasons = ({ bin, lines }: { bin: string; lines: readonly LedgerLine[] }) => (
  <details>
    <summary aria-label={words.reasonsOf(words.bins[bin] ?? bin)}>{words.reasons}</summary>
    <ul class="lines">
      {lines.map((line) => (
        <li key={line.reason}>
          <span>
            <TrapReason {...line} />
          </span>
          <LastSource {...line} />
          <b>{numberText(Number(line.count))}</b>
          <Ago at={Number(line.lastTime)} />
        </li>
      ))}
    </ul>
  </details>
)

function LedgerLines({ lines, source }: { lines: readonly LedgerLine[]; source: string }) {
  const sums = byBin(lines)
  const all = sums.reduce((sum, [, count]) => sum + count, 0)
  return (
    <div class="ledger">
      {sums.map(([bin, count]) => (
        <div key={bin} class="bin">
          <a
            href={hrefOf('traps', '', { bin, sourceIp: source })}
            aria-current={address.value.query.get('bin') === bin ? 'true' : undefined}
          >
            <span class="bin-name">{words.bins[bin] ?? bin}</span>
            <Bar part={count} whole={all} />
            <b>{numberText(count)}</b>
          </a>
          <Reasons
            bin={bin}
            lines={lines.filter((line) => line.bin === bin).sort((a, b) => Number(b.count) - Number(a.count))}
          />
        </div>
      ))}
    </div>
  )
}

export function Ledger() {
  const source = address.value.query.get('sourceIp') ?? ''
  // A pattern stands for several senders, whose ledgers are not kept together.
  const one = /[*?]/.test(source) ? '' : source
  const loaded = useLoad(
    async (over) => (await list<LedgerLine>('/fault/trapLedger', { sourceIp: one }, over)).rows,
    [one],
  )
  useEvery(10, loaded)
  return (
    <Section title={words.ledger} hint={one === '' ? words.ledgerHint : words.ledgerOf(one)}>
      <When
        loaded={loaded}
        show={(lines: readonly LedgerLine[]) => <LedgerLines lines={lines} source={source} />}
      />
    </Section>
  )
}
