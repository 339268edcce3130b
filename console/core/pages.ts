// Every page: its place in the menu, whom it is for, and where its code is. Code is loaded when the page is opened.

import type { ComponentType } from 'preact'
import { texts } from '../texts/shared-texts.ts'
import type { Role } from './session.ts'

interface Module {
  readonly default: ComponentType<{ id: string }>
}

export interface Page {
  readonly title: string
  /** The group in the menu; pages of one thing are reached from their list. */
  readonly group?: keyof Pick<typeof texts.menu, 'watch' | 'decide' | 'notify' | 'inventory' | 'run'>
  /** The page in the menu that a page of one thing belongs to. */
  readonly under?: string
  readonly needs?: Role
  /** How the id of what it shows is written, for pages of one thing. */
  readonly id?: RegExp
  readonly load: () => Promise<Module>
}

const number = /^\d{1,19}$/
const numberOrNew = /^(\d{1,19}|new)$/

export const pages: Readonly<Record<string, Page>> = {
  alarms: { title: texts.menu.alarms, group: 'watch', load: () => import('../alarms/alarms-page.tsx') },
  overview: {
    title: texts.menu.overview,
    group: 'watch',
    load: () => import('../overview/overview-page.tsx'),
  },
  map: { title: texts.menu.map, group: 'watch', load: () => import('../map/map-page.tsx') },
  alarm: {
    title: texts.menu.alarm,
    under: 'alarms',
    id: number,
    load: () => import('../pages/alarm-page.tsx'),
  },
  raise: {
    title: texts.menu.raise,
    under: 'alarms',
    needs: 'operator',
    load: () => import('../pages/raise.tsx'),
  },
  history: { title: texts.menu.history, group: 'watch', load: () => import('../pages/history.tsx') },
  statistics: {
    title: texts.menu.statistics,
    under: 'history',
    load: () => import('../pages/statistics.tsx'),
  },
  traps: { title: texts.menu.traps, group: 'decide', load: () => import('../pages/traps.tsx') },
  trap: { title: texts.menu.trap, under: 'traps', id: number, load: () => import('../pages/trap-page.tsx') },
  messages: {
    title: texts.menu.messages,
    group: 'decide',
    load: () => import('../messages/messages-page.tsx'),
  },
  shapes: {
    title: texts.menu.shapes,
    under: 'messages',
    load: () => import('../messages/shapes-page.tsx'),
  },
  definitions: {
    title: texts.menu.definitions,
    under: 'messages',
    load: () => import('../messages/definitions-page.tsx'),
  },
  definition: {
    title: texts.menu.definition,
    under: 'messages',
    id: numberOrNew,
    load: () => import('../messages/definition-editor.tsx'),
  },
  rules: { title: texts.menu.rules, group: 'decide', load: () => import('../rules/rules-page.tsx') },
  rule: {
    title: texts.menu.rule,
    under: 'rules',
    id: numberOrNew,
    load: () => import('../rules/rule-editor.tsx'),
  },
  maintenance: {
    title: texts.menu.maintenance,
    group: 'decide',
    load: () => import('../rules/maintenance-page.tsx'),
  },
  window: {
    title: texts.menu.window,
    under: 'maintenance',
    id: numberOrNew,
    load: () => import('../rules/window-editor.tsx'),
  },
  calendar: {
    title: texts.menu.calendar,
    group: 'decide',
    load: () => import('../rules/calendar-page.tsx'),
  },
  events: { title: texts.menu.events, group: 'decide', load: () => import('../pages/events.tsx') },
  event: { title: texts.menu.event, under: 'events', load: () => import('../pages/event-page.tsx') },
  me: { title: texts.menu.me, group: 'notify', load: () => import('../notify/me.tsx') },
  oncall: { title: texts.menu.oncall, group: 'notify', load: () => import('../notify/oncall.tsx') },
  schedule: {
    title: texts.menu.schedule,
    under: 'oncall',
    id: numberOrNew,
    load: () => import('../notify/schedule-editor.tsx'),
  },
  routes: { title: texts.menu.routes, group: 'notify', load: () => import('../notify/routes.tsx') },
  told: { title: texts.menu.told, group: 'notify', load: () => import('../notify/told.tsx') },
  people: { title: texts.menu.people, group: 'notify', load: () => import('../notify/people-page.tsx') },
  person: {
    title: texts.menu.person,
    under: 'people',
    id: number,
    load: () => import('../notify/person.tsx'),
  },
  gateways: {
    title: texts.menu.gateways,
    group: 'notify',
    needs: 'administrator',
    load: () => import('../notify/gateways.tsx'),
  },
  heartbeats: {
    title: texts.menu.heartbeats,
    group: 'notify',
    load: () => import('../notify/heartbeats.tsx'),
  },
  devices: { title: texts.menu.devices, group: 'inventory', load: () => import('../inventory/devices.tsx') },
  device: {
    title: texts.menu.device,
    under: 'devices',
    id: number,
    load: () => import('../inventory/device.tsx'),
  },
  reachability: {
    title: texts.menu.reachability,
    group: 'inventory',
    load: () => import('../inventory/reachability.tsx'),
  },
  discoveries: {
    title: texts.menu.discoveries,
    group: 'inventory',
    load: () => import('../inventory/discoveries.tsx'),
  },
  discovery: {
    title: texts.menu.discovery,
    under: 'discoveries',
    id: number,
    load: () => import('../inventory/discovery.tsx'),
  },
  zones: { title: texts.menu.zones, group: 'inventory', load: () => import('../inventory/zones.tsx') },
  views: { title: texts.menu.views, group: 'inventory', load: () => import('../inventory/views.tsx') },
  addresses: {
    title: texts.menu.addresses,
    group: 'inventory',
    load: () => import('../inventory/addresses.tsx'),
  },
  terminals: {
    title: texts.menu.terminals,
    group: 'inventory',
    load: () => import('../inventory/terminals.tsx'),
  },
  terminal: {
    title: texts.menu.terminal,
    under: 'terminals',
    id: number,
    load: () => import('../inventory/terminal.tsx'),
  },
  stays: { title: texts.menu.stays, under: 'terminals', load: () => import('../inventory/stays.tsx') },
  bindings: {
    title: texts.menu.bindings,
    group: 'inventory',
    load: () => import('../inventory/bindings.tsx'),
  },
  reports: { title: texts.menu.reports, group: 'watch', load: () => import('../reports/templates.tsx') },
  report: {
    title: texts.menu.report,
    under: 'reports',
    id: number,
    load: () => import('../reports/report.tsx'),
  },
  import: {
    title: texts.menu.import,
    group: 'inventory',
    needs: 'operator',
    load: () => import('../running/import.tsx'),
  },
  clients: { title: texts.menu.clients, group: 'run', load: () => import('../running/clients.tsx') },
  modules: { title: texts.menu.modules, group: 'decide', load: () => import('../running/modules.tsx') },
  operators: {
    title: texts.menu.operators,
    group: 'run',
    needs: 'administrator',
    load: () => import('../running/operators.tsx'),
  },
  tokens: { title: texts.menu.tokens, group: 'run', load: () => import('../running/tokens.tsx') },
  sessions: { title: texts.menu.sessions, group: 'run', load: () => import('../running/sessions.tsx') },
  audit: {
    title: texts.menu.audit,
    group: 'run',
    needs: 'administrator',
    load: () => import('../running/audit.tsx'),
  },
  settings: {
    title: texts.menu.settings,
    group: 'run',
    needs: 'administrator',
    load: () => import('../running/settings.tsx'),
  },
}

/** Undefined where there is no such page, or nothing can have such an id. */
export function pageAt(name: string, id: string): Page | undefined {
  const page = Object.hasOwn(pages, name) ? pages[name] : undefined
  return page?.id && !page.id.test(id) ? undefined : page
}

export const groups = ['watch', 'decide', 'notify', 'inventory', 'run'] as const
