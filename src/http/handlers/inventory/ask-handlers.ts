// Handlers for profiles by which devices are asked.

import { lostSecrets, profileCredentials, sessionOf, tryDevice } from '../../../ask/profile-session.ts'
import { tryBare } from '../../../ask/reach/bare-reach.ts'
import { Fault } from '../../../fault.ts'
import { audit } from '../../../resources/access/audit-entry.ts'
import { read } from '../../../resources/collection.ts'
import { isInRanges } from '../../../resources/inventory/address-range.ts'
import {
  type AskProfile,
  type AskProfileRecord,
  askProfile,
  askProfiles,
  askProfilesWith,
  isBare,
} from '../../../resources/inventory/ask-profile.ts'
import { readDraft } from '../../../schema/read-document.ts'
import { optional, required, resource } from '../../../schema/resource.ts'
import { bool, ip, long, text } from '../../../schema/scalar.ts'
import { type Handler, readDocument } from '../../call.ts'
import { sendRecord } from '../../responses.ts'
import { createOne, deleteOne, modifyOne } from '../record-handlers.ts'

export const createProfile: Handler = (call) => createOne(askProfilesWith(call.keys))(call)
export const modifyProfile: Handler = (call) => modifyOne(askProfilesWith(call.keys))(call)
export const deleteProfile: Handler = (call) => deleteOne(askProfilesWith(call.keys))(call)

export const profileTest = resource('askTest', { ip: required(ip) }, { table: '', key: 'ip' })

export const trialDocument = {
  name: 'askTrial',
  fields: {
    answers: required(bool),
    /** Where it does not: `silent`, `closed`, `credentials`, `clock`, `error`, `limit` or `unsent`, and a sentence. */
    problem: optional(text()),
    reason: optional(text({ maxLength: 2000 })),
    milliseconds: optional(long),
    sysName: optional(text({ maxLength: 2000 })),
    sysDescription: optional(text({ maxLength: 2000 })),
    sysOid: optional(text({ maxLength: 2000 })),
    /** Seconds. */
    uptime: optional(long),
  },
}

const maxLength = 1000

/** Texts of devices may be anything. */
const shortened = (value: string | undefined) => value?.slice(0, maxLength).toWellFormed()

/** Asks one device with the profile, and answers what it said. */
export const testProfile: Handler = async (call) => {
  const { ip: address } = readDraft(profileTest, await readDocument(call, profileTest.name), 'create')
  const profile = (await read(call.database, askProfiles, call.id)) as AskProfileRecord as AskProfile
  if (!isInRanges(profile.addressRange, String(address))) {
    const message = `${address} is not in an addressRange of profile ${call.id}: its secrets are not sent there`
    throw new Fault('conflict', message, { field: 'ip' })
  }
  const credentials = await profileCredentials(call.keys, profile)
  if (!credentials && !isBare(profile)) throw new Fault('conflict', `profile ${call.id}: ${lostSecrets}`)
  await call.database.transaction((tx) =>
    audit(tx, { action: 'test', resource: askProfile.name, id: call.id }),
  )
  const trial = credentials
    ? await tryDevice(sessionOf(call.questions, String(address), profile, credentials))
    : await tryBare(call.questions, String(address), profile)
  if (!('system' in trial)) {
    sendRecord(call.response, call.form, trialDocument, {
      answers: false,
      problem: trial.reason,
      reason: trial.text,
    })
    return
  }
  const { name, description, objectId, uptime } = trial.system
  sendRecord(call.response, call.form, trialDocument, {
    answers: true,
    milliseconds: BigInt(trial.milliseconds),
    sysName: shortened(name),
    sysDescription: shortened(description),
    sysOid: shortened(objectId),
    uptime: uptime === undefined ? undefined : BigInt(Math.floor(uptime / 100)),
  })
}
