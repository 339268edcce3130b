// Handlers for the event stream, GET /events, and for the list of registered clients.

import { Fault } from '../../../fault.ts'
import type { StreamForm } from '../../../push/push.ts'
import { mayAct } from '../../../resources/access/role.ts'
import { oneScalar, type Parameters } from '../../../schema/list.ts'
import { optional, required } from '../../../schema/resource.ts'
import { bool, instant, long, text } from '../../../schema/scalar.ts'
import type { Call, Handler } from '../../call.ts'
import { choose, mediaTypes, notAcceptable } from '../../content-negotiation.ts'
import { contentType, sendEmpty, startStream, warningHeaders } from '../../responses.ts'
import { StreamOutlet } from '../../wire/stream-outlet.ts'
import { answerRows } from '../list-handlers.ts'

const sendAlarmToServer = 11

export const openEvents: Handler = async (call) => {
  const { parameters, request, response, push } = call
  requireType(parameters)
  const form = streamForm(call)
  const { 'last-event-id': lastEventId } = request.headers
  request.socket.setKeepAlive(true, 60_000)
  await push.register({
    outlet: new StreamOutlet(response),
    form,
    parameters,
    lastEventId: typeof lastEventId === 'string' ? lastEventId : undefined,
    holder: holderOf(call),
    hasPermission: () => call.caller.hasPermission(),
    accepted(remarks) {
      // Browsers refuse an event stream that does not come with 200.
      const type = form === 'sse' ? 'text/event-stream' : contentType[form]
      startStream(response, form === 'sse' ? 200 : 202, type, {
        'X-Accel-Buffering': 'no',
        ...warningHeaders(remarks),
      })
      response.flushHeaders()
    },
  })
}

/** The owner of a registration. All callers that are known by their address alone are one: addresses change. */
function holderOf({ caller, logins }: Call): string {
  if (caller.operatorId !== undefined) return String(caller.operatorId)
  if (caller.by === 'local') return logins.directory.last?.byId.size ? 'local' : ''
  return caller.by === 'address' ? 'address' : ''
}

function requireType(parameters: Parameters): void {
  const type = oneScalar(parameters, 'type', long)
  if (type === BigInt(sendAlarmToServer)) return
  const found = type === undefined ? 'is required' : `${type} is not accepted`
  throw new Fault('invalid', `type ${found}: expected ${sendAlarmToServer} (send-alarm-to-server event)`, {
    field: 'type',
  })
}

function streamForm({ request }: Call): StreamForm {
  const accept = request.headers.accept?.trim() || '*/*'
  const form = choose<StreamForm>(accept, [...mediaTypes, { form: 'sse', ranges: ['text/event-stream'] }])
  if (!form) throw notAcceptable(accept, 'application/xml, application/json or text/event-stream')
  return form
}

/** One client in the list of registrations. */
export const registrationDocument = {
  name: 'registration',
  fields: {
    uuid: optional(text(), { absent: 'empty' }),
    operatorName: optional(text(), { absent: 'empty' }),
    filter: optional(text({ maxLength: 100_000 }), { absent: 'empty' }),
    connected: required(bool),
    position: required(text()),
    lag: required(long),
    lagSeconds: required(long),
    lastWrite: required(instant),
    since: required(instant),
  },
}

export const listRegistrations: Handler = async (call) => {
  const { push, logins } = call
  const clients = await push.clients()
  const { byId } = await logins.directory.entries()
  // A holder that is not the id of an operator is shown as it is.
  const nameOf = (holder: string) => (/^\d+$/.test(holder) ? (byId.get(BigInt(holder))?.name ?? '') : holder)
  const rows = clients.map(({ query, position, lagSeconds, holder, ...rest }) => ({
    ...rest,
    operatorName: nameOf(holder),
    filter: query,
    position: push.positionText(position),
    lagSeconds: BigInt(lagSeconds),
  }))
  answerRows(call, registrationDocument, rows)
}

export const deleteRegistration: Handler = async (call) => {
  const { push, name, response, caller } = call
  const holder = mayAct(caller.role, 'administrator') ? undefined : holderOf(call)
  if (!(await push.unregister(name, caller, holder)))
    throw new Fault('gone', 'no client is registered with this uuid', { field: 'uuid' })
  sendEmpty(response, 204)
}

export const testRegistration: Handler = async (call) => {
  const { push, name, response, caller } = call
  const holder = mayAct(caller.role, 'administrator') ? undefined : holderOf(call)
  const sent = await push.sendTest(name, caller.name, holder)
  if (sent === undefined)
    throw new Fault('not-found', 'no client is registered with this uuid', { field: 'uuid' })
  if (!sent)
    throw new Fault('conflict', 'the client is not connected, or does not read just now', { field: 'uuid' })
  sendEmpty(response, 204)
}
