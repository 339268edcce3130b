// What an import would do, record by record: what is refused first, then what changes and how, then what is new.

import { importTexts as words } from '../texts/service-texts.ts'

/** A dry run as the service returns it. */
export interface Outcome {
  readonly imported: string
  readonly replaced: string
  readonly unchanged: string
  readonly refused: string
  readonly record: readonly TriedRecord[]
}

type Side = Readonly<Record<string, unknown>>

export interface TriedRecord {
  readonly line: string
  readonly outcome: 'new' | 'changed' | 'refused'
  readonly id?: string
  readonly name?: string
  readonly before?: Side
  readonly after?: Side
  readonly field?: string
  readonly message?: string
}

const maxLength = 200

/** A list of ports is long, and its beginning says enough. */
function textOf(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text
}

const nameOf = ({ name, id = '' }: TriedRecord) => name ?? words.id(id)

const Value = ({ value }: { value: unknown }) =>
  value === undefined || value === '' ? <span class="hint">{words.empty}</span> : <span>{textOf(value)}</span>

const Change = ({ before = {}, after = {} }: TriedRecord) => (
  <ul class="diff">
    {Object.keys(after).map((field) => (
      <li key={field}>
        <b>{field}</b>{' '}
        <del>
          <Value value={before[field]} />
        </del>{' '}
        <span aria-hidden="true">→</span>
        <span class="unseen">{words.becomes}</span>{' '}
        <ins>
          <Value value={after[field]} />
        </ins>
      </li>
    ))}
  </ul>
)

const Added = ({ after = {} }: TriedRecord) => (
  <span>
    {Object.entries(after)
      .map(([field, value]) => `${field} ${textOf(value)}`)
      .join(', ')}
  </span>
)

function What(record: TriedRecord) {
  if (record.outcome === 'refused')
    return (
      <span>
        {record.field && <b>{record.field}</b>} {record.message}
      </span>
    )
  return record.outcome === 'changed' ? <Change {...record} /> : <Added {...record} />
}

interface KindProps {
  readonly kind: TriedRecord['outcome']
  readonly count: number
  readonly records: readonly TriedRecord[]
}

function Kind({ kind, count, records }: KindProps) {
  if (count === 0) return null
  const title = words.outcomes[kind](count)
  return (
    <details class="part" open>
      <summary>
        <b>{title}</b>
      </summary>
      <div class="table-frame" tabindex={0} role="region" aria-label={title}>
        <table>
          <caption class="unseen">{title}</caption>
          <thead>
            <tr>
              <th scope="col" class="number">
                {words.line}
              </th>
              <th scope="col">{words.record}</th>
              <th scope="col" class="wide">
                {words.what[kind]}
              </th>
            </tr>
          </thead>
          <tbody>
            {records.map((record) => (
              <tr key={record.line}>
                <td class="number" data-title={words.line}>
                  {record.line}
                </td>
                <td data-title={words.record}>{kind === 'refused' ? '' : nameOf(record)}</td>
                <td class="wide" data-title={words.what[kind]}>
                  <What {...record} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {count > records.length && <p class="hint">{words.more(count - records.length)}</p>}
    </details>
  )
}

export function Changes({
  outcome: { imported, replaced, unchanged, refused, record },
}: {
  outcome: Outcome
}) {
  const counts = {
    refused: Number(refused),
    changed: Number(replaced) - Number(unchanged),
    new: Number(imported) - Number(replaced),
  }
  const kinds = ['refused', 'changed', 'new'] as const
  return (
    <>
      {kinds.map((kind) => (
        <Kind
          key={kind}
          kind={kind}
          count={counts[kind]}
          records={record.filter(({ outcome }) => outcome === kind)}
        />
      ))}
      {unchanged !== '0' && <p class="hint">{words.unchanged(Number(unchanged))}</p>}
    </>
  )
}
