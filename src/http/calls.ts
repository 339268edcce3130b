// Makes calls: what a handler gets for one request, on the services that all of them share.

import type { Parameters } from '../schema/list.ts'
import type { Call, Services } from './call.ts'

/** What differs from request to request. */
type OwnPart = Pick<
  Call,
  | ('database' | 'engine' | 'request' | 'response' | 'form' | 'parameters' | 'id' | 'name')
  | ('measurements' | 'memory' | 'base' | 'root' | 'channel' | 'caller')
>

/** Calls inherit the services: copying some thirty fields took longer than all else on the way to the handler. */
export function callsOn(services: Services): (own: OwnPart) => Call {
  class NewCall implements OwnPart {
    readonly database: OwnPart['database']
    readonly engine: OwnPart['engine']
    readonly request: OwnPart['request']
    readonly response: OwnPart['response']
    readonly form: OwnPart['form']
    readonly parameters: OwnPart['parameters']
    readonly id: OwnPart['id']
    readonly name: OwnPart['name']
    readonly measurements: OwnPart['measurements']
    readonly memory: OwnPart['memory']
    readonly base: OwnPart['base']
    readonly root: OwnPart['root']
    readonly channel: OwnPart['channel']
    readonly caller: OwnPart['caller']

    constructor(own: OwnPart) {
      this.database = own.database
      this.engine = own.engine
      this.request = own.request
      this.response = own.response
      this.form = own.form
      this.parameters = own.parameters
      this.id = own.id
      this.name = own.name
      this.measurements = own.measurements
      this.memory = own.memory
      this.base = own.base
      this.root = own.root
      this.channel = own.channel
      this.caller = own.caller
    }
  }
  Object.setPrototypeOf(NewCall.prototype, services)
  return (own) => new NewCall(own) as NewCall & Services as Call
}

/** The same call with another query. */
export const withParameters = (call: Call, parameters: Parameters): Call =>
  Object.assign(Object.create(call) as Call, { parameters })
