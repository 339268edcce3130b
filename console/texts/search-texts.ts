// The words of the search over everything.

import { numberText } from './shared-texts.ts'

export const searchTexts = {
  title: 'Search everything',
  open: 'Search all',
  keys: 'Ctrl K',
  hint: 'A device, a device and its port (core-1 ge-0/0/1), a MAC or IP address or a part of one, an alarm by number or text, a page',
  groups: {
    alarms: 'Alarms',
    devices: 'Devices',
    ports: 'Interfaces',
    terminals: 'Terminals',
    addresses: 'Addresses',
    pages: 'Pages',
    actions: 'Actions',
  },
  actions: {
    raise: 'Raise an alarm by hand',
    window: 'New maintenance window',
    rule: 'New trap rule',
    import: 'Import devices, terminals or addresses',
  },
  actionsOn: {
    window: (device: string) => `New maintenance window for ${device}`,
    alarms: (device: string) => `Open alarms of ${device}`,
    history: (device: string) => `Alarm history of ${device}`,
  },
  allAlarms: (count: number) => `All ${numberText(count)} in the list of alarms`,
  allDevices: (count: number) => `All ${numberText(count)} in the list of devices`,
  allTerminals: (count: number) => `All ${numberText(count)} in the list of terminals`,
  alarm: (id: string) => `Alarm ${id}`,
  over: 'over',
  freeIn: (segment: string) => `not assigned, in segment ${segment}`,
  assignedIn: (name: string, segment: string) =>
    name === '' ? `assigned, in segment ${segment}` : `${name}, in segment ${segment}`,
  asking: 'Searching…',
  nothing: (text: string) => `Nothing found for “${text}”.`,
  found: (count: number) => (count === 1 ? '1 found' : `${numberText(count)} found`),
  unasked: 'The service could not be asked: only what this page knows is shown.',
}
