// Handlers for heartbeats: programs report in, and the service reports to others.

import { Fault, shown } from '../../../fault.ts'
import { heartbeats, noteHeartbeat } from '../../../resources/notify/heartbeat.ts'
import { outgoingHeartbeatsWith } from '../../../resources/notify/outgoing-heartbeat.ts'
import { ActorDatabase } from '../../../store/database.ts'
import type { Handler } from '../../call.ts'
import { sendEmpty } from '../../responses.ts'
import { createOne, deleteOne, modifyOne } from '../record-handlers.ts'

/** The service records it, and not its caller: that a program is alive is no change that somebody made. */
export const receiveHeartbeat: Handler = async ({ database, name, response }) => {
  const isExpected = await ActorDatabase.withoutActor(database).transaction((tx) => noteHeartbeat(tx, name))
  if (!isExpected) {
    const message = `no heartbeat ${shown(name, 100)} is expected: an administrator adds it at ${heartbeats.path}`
    throw new Fault('not-found', message)
  }
  sendEmpty(response, 204)
}

export const createOutgoing: Handler = (call) => createOne(outgoingHeartbeatsWith(call.keys))(call)
export const modifyOutgoing: Handler = (call) => modifyOne(outgoingHeartbeatsWith(call.keys))(call)
export const deleteOutgoing: Handler = (call) => deleteOne(outgoingHeartbeatsWith(call.keys))(call)
