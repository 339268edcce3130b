// The names of events, by OID: rules and windows contain OIDs alone.

import { useEffect, useState } from 'preact/hooks'
import { list } from '../core/api.ts'

/** What the service makes of an event: the definition of its OID, or of the other spelling of it. */
export async function definitionOf<T extends { readonly eventOid: string }>(
  oid: string,
  over?: AbortSignal,
  query: Readonly<Record<string, string>> = {},
): Promise<T | undefined> {
  const { rows } = await list<T>('/fault/trapEvent', { ...query, eventOid: oid, size: 2 }, over)
  return rows.find(({ eventOid }) => eventOid === oid) ?? rows[0]
}

/** What is asked for, or known; empty where no definition has the OID. */
const known = new Map<string, Promise<string>>()

function nameOf(oid: string): Promise<string> {
  let name = known.get(oid)
  if (!name) {
    name = definitionOf<{ eventOid: string; name: string }>(oid).then(
      (definition) => definition?.name ?? '',
      () => {
        known.delete(oid)
        return ''
      },
    )
    known.set(oid, name)
  }
  return name
}

/** Empty until it is known, and where no definition has the OID. */
export function useEventName(oid: string): string {
  const [name, setName] = useState('')
  useEffect(() => {
    let over = false
    setName('')
    if (oid !== '') void nameOf(oid).then((found) => !over && setName(found))
    return () => {
      over = true
    }
  }, [oid])
  return name
}

/** An event by its name with its OID, or by its OID alone. */
export function EventName({ oid }: { oid: string }) {
  const name = useEventName(oid)
  if (name === '') return <span class="mono">{oid}</span>
  return (
    <span class="event-name" title={oid}>
      {name} <small class="mono hint">{oid}</small>
    </span>
  )
}
