// Sets up what tells people of alarms, and others that the service is alive.

import type { AlarmEngine } from '../alarms/engine/engine.ts'
import { readListeners } from '../cluster/nodes/node-profile.ts'
import type { Config } from '../config/config.ts'
import type { Keys } from '../keys/key-ring.ts'
import { Confirmations } from '../notify/channels/confirmation.ts'
import { MessageTemplates } from '../notify/channels/message-template.ts'
import { Senders } from '../notify/channels/senders.ts'
import { type HeartbeatParts, HeartbeatSender } from '../notify/heartbeats/heartbeat-sender.ts'
import { ActionLinks } from '../notify/links/action-links.ts'
import { OnCall } from '../notify/oncall/on-call.ts'
import { NextSteps } from '../notify/routes/next-step.ts'
import { Notifier, type NotifierParts, openRouting } from '../notify/routes/notifier.ts'
import type { Store } from '../store/database.ts'
import type { Health } from '../upkeep/service-health.ts'
import type { StoreDuties } from '../upkeep/upkeep.ts'
import { outboundSettings } from './part-settings.ts'

interface OpeningParts {
  readonly database: Store
  readonly engine: AlarmEngine
  readonly keys: Keys
  readonly clock: () => number
}

const noNodes = async () => new Set<string>()

/** `ports`: those of this service, to which nothing is sent. */
export function openTelling(config: Config, parts: OpeningParts, ports: () => readonly number[]) {
  const { database, engine, keys, clock } = parts
  const templates = new MessageTemplates()
  const listeners = { ports, ofNodes: database.kind === 'sqlite' ? noNodes : () => readListeners(database) }
  const senders = new Senders({ database, keys, templates, clock, listeners }, outboundSettings(config))
  const onCall = new OnCall(database)
  const routing = openRouting(database, onCall, config['time-zone'])
  const steps = new NextSteps(routing.routeCache)
  const links = new ActionLinks({ database, engine, keys, steps }, config['public-url'])
  return {
    templates,
    senders,
    confirmations: new Confirmations({ keys, senders, clock }),
    onCall,
    routing,
    links,
  }
}

type ByLeader = 'alarms' | 'leaderDatabase' | 'isLeader' | 'isHealthy' | 'routeCache' | 'directory' | 'pauses'
type StartingParts = Omit<NotifierParts & HeartbeatParts, ByLeader> &
  Pick<ReturnType<typeof openTelling>, 'routing'> & {
    readonly engine: AlarmEngine
    readonly duties: StoreDuties
    readonly health: Health
  }

/** Returns functions that stop it. */
export function startTelling(parts: StartingParts): (() => Promise<void>)[] {
  const { engine, duties, health, routing, ...others } = parts
  const asLeader = {
    ...{ ...others, ...routing, alarms: engine.asLeader, leaderDatabase: duties.leaderDatabase },
    isLeader: () => duties.isLeader(),
  }
  const notifier = new Notifier(asLeader)
  const heartbeats = new HeartbeatSender({ ...asLeader, isHealthy: () => health.isReady })
  return [notifier, heartbeats].map((part) => {
    part.start()
    return () => part.stop()
  })
}
