// The words of the overview.

import { numberText } from './shared-texts.ts'

export const overviewTexts = {
  title: 'Overview',
  unacknowledged: (count: number) =>
    count === 0 ? 'all acknowledged' : `${numberText(count)} not acknowledged`,
  none: 'none open',
  heldBack: (count: number) => `${numberText(count)} held back`,
  oldest: 'Not acknowledged, the oldest first',
  allAcknowledged: 'Nobody is waited for: every open alarm is acknowledged.',
  service: 'The service itself',
  serviceFine: 'It has nothing to complain of.',
  maintenance: 'Maintenance',
  noMaintenance: 'None in force, and none in the next seven days.',
  allOf: (count: number) => `All ${numberText(count)}`,
  work: 'Figures of the week',
  workHint: 'Alarms of the last seven days beside those of the seven before; times are means.',
  change: 'Change',
  byDay: '14 days',
  barsOf: (figure: string) => `${figure}, by day of the last 14 days`,
  tiles: 'Choose and place tiles',
  zones: 'Zones',
  views: 'Views',
  noPlaces: {
    zone: 'There are no zones.',
    view: 'A view of some devices shows here how they are; the two that there always are have all devices.',
  },
  quietOnes: (count: number) =>
    count === 1 ? 'One more has no open alarms.' : `${numberText(count)} more have no open alarms.`,
  hour: 'The last hour beside the same hour of other weeks',
  hourSays: (count: number, usual: number | undefined) => {
    const what = count === 1 ? 'alarm within the last hour' : 'alarms within the last hour'
    return usual === undefined
      ? `${what}; nothing is known of earlier weeks`
      : `${what}; usual are ${numberText(usual)}`
  },
  weeksAgo: (weeks: number) => (weeks === 0 ? 'Now' : weeks === 1 ? 'A week ago' : `${weeks} weeks ago`),
  thisWeek: 'Last 7 days',
  weekBefore: '7 days before',
  alarmsRaised: 'Raised',
  toAcknowledge: 'Until acknowledged',
  toEnd: 'Until over',
  nothingTook: '–',
  makeRule: (event: string) => `Make a rule for ${event}`,
  rule: 'Rule',
  raised: 'Alarms raised in the last day',
  raisedHint: 'By level, in steps of a quarter of an hour.',
  traffic: 'Traps a second',
  trafficHint:
    'What was received, by its outcome: the average of each minute since the start of the service, at most of the last six hours. Below, the totals.',
  noTraffic: 'Nothing has come in since the start of the service.',
  devices: 'Devices with most open alarms',
  noDevices: 'No device has an open alarm.',
  events: 'Events that raised most alarms in the last day',
  noEvents: 'No alarm was raised in the last day.',
  outOfReach: 'Out of reach',
  outOfReachHint: 'Open alarms that say that something cannot be reached.',
  atLeastMore: (count: number) => `and at least ${numberText(count)} more`,
  noOutOfReach: 'No open alarm says that something is out of reach.',
  nodes: 'Nodes',
  nodesHint: 'Services that share one store. One of them processes what all have received.',
  thisNode: 'This service',
  nodeRuns: (settles: boolean, since: string) =>
    `running for ${since}${settles ? ', processes what is received' : ''}`,
  nodeStates: {
    gone: (age: string) => `silent for ${age}: is it running, and does it reach the store?`,
    stopped: (age: string) => `stopped ${age} ago`,
  },
  nodeWaiting: (blocks: number, age: string) => `${numberText(blocks)} blocks wait, the oldest for ${age}`,
  nodeClock: (milliseconds: number) =>
    `its clock is ${numberText(Math.abs(milliseconds))} ms ${milliseconds > 0 ? 'ahead' : 'behind'}`,
  clients: 'Clients',
  clientsLagging: (count: number) =>
    count === 1 ? 'One client is behind' : `${numberText(count)} clients are behind`,
  clientsFine: (count: number) =>
    count === 0
      ? 'No client is registered.'
      : count === 1
        ? 'The one client is up to date.'
        : `All ${numberText(count)} clients are up to date.`,
  behind: (entries: number, age: string) => `${numberText(entries)} changes behind, ${age}`,
}
