// Clients of a service's event stream, and alarms for them.

import assert from 'node:assert/strict'
import { EventReader, field } from '../push/reader.ts'
import { eventually } from '../push/station.ts'
import type { TestService } from '../support.ts'

export const linkDown = '1.3.6.1.6.3.1.1.5.3'
let counted = 0

export const listeningTo = (service: TestService) => {
  const registered = async (uuid: string): Promise<Record<string, string> | undefined> => {
    const { text } = await service.get('/events/registrations', { Accept: 'application/json' })
    const rows: Record<string, string>[] = JSON.parse(text).registration
    return rows.find((row) => row.uuid === uuid)
  }
  return {
    /** Raises an alarm that nothing else is like; returns its id. */
    async raise(fields: Record<string, string> = {}): Promise<string> {
      counted += 1
      const alarm = { OID: linkDown, alarmLevel: '2', resource: `n=${counted}`, ...fields }
      const answer = await service.sendJson('POST', '/fault/alarm', alarm)
      assert.equal(answer.status, 201, answer.text)
      return String(answer.headers.location).split('/').at(-1) ?? ''
    },
    listen: (query = '', headers: Record<string, string> = {}) =>
      EventReader.open(service.url, `type=11&${query}`, headers),
    /** A durable client as the list of registrations shows it. */
    registered,
    gone: (uuid: string) =>
      eventually(async () => (await registered(uuid))?.connected === 'false', `${uuid} has gone`),
  }
}

export const ids = (reader: EventReader) => reader.documents.map((document) => field(document, 'id'))
